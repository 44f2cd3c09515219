// The spin of a free body over a step, in principal axes (M98 5.1): J dw/dt = -w x J w + torque.
#pragma once

#include "cairn/base/pose.hpp"

namespace cairn {

inline Vec<1> free_spin(const Vec<1>& J, const Vec<1>& w, const Vec<1>& torque, Real h) {
  return {w[0] + h * torque[0] / J[0]};
}

// Implicit midpoint: J (w_L - w) = -h m x J m + h torque, m = (w + w_L)/2. Without torque the energy and the length of
// J w are those of before, both being quadratic, whatever h. A few Newton iterations.
inline Vec<3> free_spin(const Vec<3>& J, const Vec<3>& w, const Vec<3>& torque, Real h) {
  if (J[0] == J[1] && J[1] == J[2]) return w + (h / J[0]) * torque;
  const auto times = [&](const Vec<3>& a) { return Vec<3>{J[0] * a[0], J[1] * a[1], J[2] * a[2]}; };
  Vec<3> x = w;
  const Real size = norm(times(w)) + h * norm(torque);
  for (int k = 0; k < 20; ++k) {
    const Vec<3> m = Real(0.5) * (w + x), L = times(m);
    const Vec<3> r = times(x - w) + h * (cross(m, L) - torque);
    if (norm(r) <= Real(1e-16) * size) break;
    // d(m x J m)/dx = ([m] J - [J m])/2
    Mat<3> A{{J[0], h / 2 * (m[2] * J[0] - L[2]), h / 2 * (L[1] - m[1] * J[0]),  //
              h / 2 * (L[2] - m[2] * J[1]), J[1], h / 2 * (m[0] * J[1] - L[0]),  //
              h / 2 * (m[1] * J[2] - L[1]), h / 2 * (L[0] - m[0] * J[2]), J[2]}};
    Mat<3, 1> d{{r[0], r[1], r[2]}};
    if (!solve_in_place(A, d)) break;
    const Vec<3> step = Vec<3>::load(d.v);
    x -= step;
    if (norm(times(step)) <= Real(1e-17) * size) break;
  }
  return x;
}

}  // namespace cairn
