// Runs a scheme over a time interval, step after step.
#pragma once

#include <cmath>

#include "cairn/scheme/step_report.hpp"

namespace cairn {

// Steps of length h until t_end, the last one cut to end there; `watch(state, step_report)` sees each step and may
// return false to stop. A fault ends the run; it is in the report.
template <class Scheme, class State, class Watch>
MotionReport run(Scheme& scheme, State& s, Real h, Real t_end, Watch watch) {
  MotionReport motion;
  const Real start = s.t;
  const long whole = static_cast<long>(std::floor((t_end - start) / h * (1 + 1e-14)));
  for (long k = 0; k <= whole; ++k) {
    const Real left = t_end - s.t;
    if (k == whole && !(left > Real(1e-9) * h)) break;
    const StepReport step = scheme.step(s, k < whole ? h : left);
    motion.add(step);
    if (step.fault != Fault::none) break;
    if (k < whole) s.t = start + static_cast<Real>(k + 1) * h;  // no drift of the clock by rounding
    if (!watch(s, step)) break;
  }
  return motion;
}
template <class Scheme, class State>
MotionReport run(Scheme& scheme, State& s, Real h, Real t_end) {
  return run(scheme, s, h, t_end, [](const State&, const StepReport&) { return true; });
}

}  // namespace cairn
