// Any two convex shapes, through their support functions: one point.
#pragma once

#include "cairn/detection/difference.hpp"
#include "cairn/detection/manifold.hpp"
#include "cairn/detection/place.hpp"
#include "cairn/shape/shape.hpp"

namespace cairn {

// Exact to 1e-9 of the size, and nearly always to 1e-12. At least one of the cores has an interior. Best with the
// origin between them.
template <int D>
ConvexContact<D> contact_of_cores(const ConvexCore<D>& a, const ConvexCore<D>& b);

template <int D, class A, class B>
requires ConvexShape<A, D> && ConvexShape<B, D> Manifold<D> collide_convex(const A& a, const Pose<D>& pa, const B& b,
                                                                           const Pose<D>& pb, Real alert) {
  const Vec<D> origin = middle(pa, pb);
  const ConvexContact<D> c = contact_of_cores<D>(core_of(a, about(pa, origin)), core_of(b, about(pb, origin)));
  Manifold<D> m;
  m.normal = c.normal;
  const Real gap = c.distance - (a.radius + b.radius);
  if (gap <= alert)
    m.add({origin + Real(0.5) * (c.on_a + c.on_b) + (Real(0.5) * (b.radius - a.radius)) * c.normal, gap, 0});
  return m;
}

}  // namespace cairn
