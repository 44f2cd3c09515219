// Disc on disc, sphere on sphere.
#pragma once

#include "cairn/detection/manifold.hpp"
#include "cairn/shape/ball.hpp"

namespace cairn {

template <int D>
Manifold<D> collide_balls(const Ball<D>& a, const Pose<D>& pa, const Ball<D>& b, const Pose<D>& pb, Real alert) {
  const Vec<D> d = pa.x - pb.x;
  const Real length = norm(d), gap = length - (a.radius + b.radius);
  Manifold<D> m;
  if (!(gap <= alert)) return m;
  if (length > 0)
    m.normal = (1 / length) * d;
  else
    m.normal[D - 1] = 1;  // one centre: any direction parts them
  m.add({Real(0.5) * (pa.x + pb.x) + (Real(0.5) * (b.radius - a.radius)) * m.normal, gap, 0});
  return m;
}

}  // namespace cairn
