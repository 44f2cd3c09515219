// Disc on disc, sphere on sphere.
#pragma once

#include <cmath>

#include "cairn/detection/manifold.hpp"
#include "cairn/shape/ball.hpp"

namespace cairn {

// f(normal, point, gap) if they are near.
template <int D, class F>
void meet_balls(Real radius_a, const Vec<D>& xa, Real radius_b, const Vec<D>& xb, Real alert, F&& f) {
  const Vec<D> d = xa - xb;
  const Real sum = radius_a + radius_b, length2 = norm2(d), far = sum + alert;
  if (length2 > Real(1.000001) * (far * far)) return;  // most that are not near, without a root
  const Real length = std::sqrt(length2), gap = length - sum;
  if (!(gap <= alert)) return;
  Vec<D> normal{};
  if (length > 0)
    normal = (1 / length) * d;
  else
    normal[D - 1] = 1;  // one centre: any direction parts them
  f(normal, Real(0.5) * (xa + xb) + (Real(0.5) * (radius_b - radius_a)) * normal, gap);
}

template <int D>
Manifold<D> collide_balls(const Ball<D>& a, const Pose<D>& pa, const Ball<D>& b, const Pose<D>& pb, Real alert) {
  Manifold<D> m;
  meet_balls(a.radius, pa.x, b.radius, pb.x, alert, [&](const Vec<D>& normal, const Vec<D>& point, Real gap) {
    m.normal = normal;
    m.add({point, gap, 0});
  });
  return m;
}

}  // namespace cairn
