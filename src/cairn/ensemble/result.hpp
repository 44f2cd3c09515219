// What an ensemble says: how outcomes spread, when members part from run 0, and what is determined.
#pragma once

#include "cairn/ensemble/member.hpp"
#include "cairn/ensemble/statistics.hpp"

namespace cairn::ensemble {

// Of the members perturbed in full; flags have a probability in place of a distribution.
struct OutcomeResult {
  Column column;
  run::Value first;          // of run 0
  std::vector<Real> values;  // (members in full) not a number where it has none
  Distribution distribution;
  long yes = 0;            // flags: how many are true
  Interval probability{};  // flags: of true
  Real scale = 0;          // what a departure is compared with
  Judgement judgement;
};

struct ObservableResult {
  Column column;
  Real range = 0, scale = 0;                 // of run 0 over time; what a departure is compared with
  std::vector<Real> spread_full;             // (times) root mean square departure of the members in full
  std::vector<Real> spread_tenth;            // (times) of those at a tenth; empty: there are none
  std::vector<std::optional<Real>> departs;  // [s] (members but 0) first time with a departure above the tolerance
  long parted = 0, of = 0;                   // members in full that depart; of so many
  Distribution times;                        // [s] of those
  std::optional<Growth> growth;              // of the smallest perturbation
  Judgement judgement;                       // of root mean square departures over time
};

struct Result {
  std::vector<Member> members;  // with an outcome, in order; their samples
  std::vector<std::pair<int, std::string>> failed;
  Real tolerance = 0;  // of a departure, over the scale
  std::vector<OutcomeResult> outcomes;
  std::vector<ObservableResult> observables;
  long missed = 0;                        // steps of all members above the required error
  Real error_max = 0, violation_max = 0;  // [-], [m]
};

// Members of the first `runs`, in the order of their numbers. Without member 0 there is nothing to compare with: a
// message.
Expected<Result> result_of(const Design& design, const Layout& layout, const std::vector<Member>& members, int runs,
                           Real tolerance);

std::string result_json(const Design& design, const Layout& layout, const Result& result);

// A departure over its scale, for people: "3.1 %", "8e-05", "x 26".
std::string size_text(Real relative);

// Tables for the terminal.
std::string result_text(const Design& design, const Layout& layout, const Result& result);

}  // namespace cairn::ensemble
