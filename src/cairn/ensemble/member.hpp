// One run of an ensemble, and what is kept of it.
#pragma once

#include <functional>
#include <utility>

#include "cairn/ensemble/design.hpp"
#include "cairn/run/measure.hpp"

namespace cairn::ensemble {

struct Member {
  int index = 0;
  std::string failed;                                // why it has no outcome; empty: it has one
  Real h = 0;                                        // [s]
  std::vector<std::pair<std::string, Real>> varied;  // parameters, as drawn
  Real time = 0;                                     // [s] reached
  std::string stopped;                               // why it ended before its time
  std::vector<std::pair<std::string, run::Value>> outcome;
  long steps = 0, missed = 0;  // missed: above the required error
  Real error_max = 0;
  Real violation_max = 0;  // [m]
  Real energy_defect = 0;
  double seconds = 0;                      // of wall time
  std::vector<std::vector<Real>> samples;  // (observables)(times)
};

struct MemberWatch {
  std::function<bool()> interrupted = [] { return false; };
  std::function<void(Real part)> show = {};  // how much of it is done, a few times a second
};

// `reference`: of member 0, which fills it itself. None: interrupted. A run that breaks off is a member with `failed`.
std::optional<Member> run_member(const Design& design, const Layout& layout, int index, Reference& reference,
                                 const MemberWatch& watch);

}  // namespace cairn::ensemble
