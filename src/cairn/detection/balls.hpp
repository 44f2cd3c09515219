// Disc on disc, sphere on sphere.
#pragma once

#include "cairn/detection/manifold.hpp"
#include "cairn/shape/ball.hpp"

namespace cairn {

// f(normal, point, gap) if they are near.
template <int D, class F>
void meet_balls(const Ball<D>& a, const Vec<D>& xa, const Ball<D>& b, const Vec<D>& xb, Real alert, F&& f) {
  const Vec<D> d = xa - xb;
  const Real length = norm(d), gap = length - (a.radius + b.radius);
  if (!(gap <= alert)) return;
  Vec<D> normal{};
  if (length > 0)
    normal = (1 / length) * d;
  else
    normal[D - 1] = 1;  // one centre: any direction parts them
  f(normal, Real(0.5) * (xa + xb) + (Real(0.5) * (b.radius - a.radius)) * normal, gap);
}

template <int D>
Manifold<D> collide_balls(const Ball<D>& a, const Pose<D>& pa, const Ball<D>& b, const Pose<D>& pb, Real alert) {
  Manifold<D> m;
  meet_balls(a, pa.x, b, pb.x, alert, [&](const Vec<D>& normal, const Vec<D>& point, Real gap) {
    m.normal = normal;
    m.add({point, gap, 0});
  });
  return m;
}

}  // namespace cairn
