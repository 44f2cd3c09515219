// Reasons to end a run before its time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/run/survey.hpp"

namespace cairn::run {

struct StopSpec {
  Real rest_speed = 0;        // [m/s] stop when no point of a free body is faster; 0: off
  Real rest_for = Real(0.1);  // [s] for so long
  int fallen = 0;             // stop when so many free bodies are lower by half their height; 0: off
  Real collapse = 0;          // [m] stop when a free body is so far from its start, ground's motion taken off; 0: off
};

std::string complaint(const StopSpec& spec);  // what is wrong with it; empty: nothing

template <int D>
class StopRule {
 public:
  StopRule(const StopSpec& spec, const scene::World<D>& world);

  std::string see(const Moment<D>& now);  // the reason to stop; empty: go on
  std::vector<Real> memory() const { return {moved_at_}; }
  void recall(std::span<const Real> memory);

 private:
  Real fastest(const Moment<D>& now) const;

  StopSpec spec_;
  Survey<D> survey_;
  std::vector<Real> reach_;  // [m] (bodies)
  Real moved_at_;            // [s] last time that something was faster
};

}  // namespace cairn::run
