// The bouncing ball of BC18 2 with its exact motion, and the means over random steps that measure an order.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "cairn/base/test/share.hpp"
#include "cairn/lagrange/system.hpp"
#include "cairn/law/signorini.hpp"
#include "cairn/scheme/run.hpp"

namespace cairn {

struct BouncingBall {  // q >= 0, unit mass, constant force -g
  using Law = Signorini;
  static constexpr int freedoms = 1;
  Real e = 0, g = 2;

  int contacts() const { return 1; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(1); }
  Vector<1> force(Real, const Vector<1>&, const Vector<1>&) const { return Vector<1>(-g); }
  Real gap(int, Real, const Vector<1>& q) const { return q(0); }
  Kinematics<1, 1> kinematics(int, Real, const Vector<1>&) const { return {Matrix<1, 1>(1), Vector<1>(0)}; }
  Law law(int, Real, const Vector<1>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

inline State<BouncingBall> dropped_ball() { return {0, Vector<1>(1), Vector<1>(0), {}}; }

// From q = 1 at rest with g = 2: impact at t = 1 with speed 2, then flights of 2 e^k.
inline Real exact_bounce(Real t, Real e) {
  if (t <= 1) return 1 - t * t;
  Real start = 1, speed = 2 * e;
  while (speed > 1e-12) {
    if (t <= start + speed) return speed * (t - start) - (t - start) * (t - start);
    start += speed, speed *= e;
  }
  return 0;
}

template <class Scheme>
Real bouncing_ball_error(Scheme& scheme, Real h, Real e) {  // sup over the nodes of [0, 4]
  State<BouncingBall> s = dropped_ball();
  Real worst = 0;
  run(scheme, s, h, 4, [&](const State<BouncingBall>& now, const StepReport&) {
    worst = std::max(worst, std::abs(now.q(0) - exact_bounce(now.t, e)));
    return true;
  });
  return worst;
}

// Builds that are not optimised take larger steps: what is asked of errors is relative to them.
inline Real test_step(Real h) { return test::sanitized ? 12 * h : test::optimised ? h : 8 * h; }

// Errors over random steps in one decade below `top`, all on error / h.
struct ErrorRatio {
  Real mean = 0, largest = 0;
};
template <class Error>
ErrorRatio error_ratio(Real top, int samples, Error error) {
  std::mt19937_64 gen(7);
  std::uniform_real_distribution<Real> decade(0, 1);
  ErrorRatio ratio;
  for (int k = 0; k < samples; ++k) {
    const Real h = test_step(top) * std::pow(10, -decade(gen)), r = error(h) / h;
    ratio.mean += r / samples;
    ratio.largest = std::max(ratio.largest, r);
  }
  return ratio;
}

// Slope of the least-squares line through log error against log h, h random over the two decades below `top`.
template <class Error>
Real error_slope(Real top, int samples, Error error) {
  std::mt19937_64 gen(11);
  std::uniform_real_distribution<Real> decades(0, 2);
  Real sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < samples; ++k) {
    const Real h = test_step(top) * std::pow(10, -decades(gen)), x = std::log(h), y = std::log(error(h));
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (samples * sxy - sx * sy) / (samples * sxx - sx * sx);
}

}  // namespace cairn
