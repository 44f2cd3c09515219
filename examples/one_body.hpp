// What the examples of one body with friction have in common: messages, thinning of records, instants inside a step.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/scheme/step_report.hpp"

namespace cairn::examples {

constexpr double gravity = 9.81;  // [m/s^2]
constexpr double degree = std::numbers::pi / 180;
constexpr double most_steps = 5e7;  // beyond it a run would last minutes

inline Error failure(const MotionReport& motion, double t) {
  return Error{fmt::format("the motion stops at t = {:.6g}: {}", t, describe(motion.fault))};
}

// Empty message where T/h is reasonable.
inline std::string too_long(double h, double T) {
  if (T / h <= most_steps) return {};
  return fmt::format("h: {} makes {:.3g} steps in T = {}, expected {:.0e} at most", h, T / h, T, most_steps);
}

// Every how many steps to record, so that about `rows` rows remain.
inline long stride(double h, double T, double rows = 2000) {
  return std::max(1L, static_cast<long>(std::floor(T / h / rows)));
}

// A speed that was `before` a step earlier and is `now` at time t, and that goes on falling at that rate, is zero at
// the instant given here, within the step that follows.
inline double zero_after(double t, double h, double before, double now) {
  const double fall = before - now;
  return t + h * (fall > 0 ? std::clamp(now / fall, 0.0, 1.0) : 1.0);
}

}  // namespace cairn::examples
