// The best method for a pair of types of shapes. A closed form for a pair is one more file and one more case here.
#pragma once

#include <type_traits>

#include "cairn/detection/balls.hpp"
#include "cairn/detection/capsules.hpp"
#include "cairn/detection/convex.hpp"
#include "cairn/detection/ground.hpp"
#include "cairn/detection/place.hpp"
#include "cairn/detection/solid.hpp"
#include "cairn/shape/terrain.hpp"

namespace cairn {

template <class T>
inline constexpr bool is_terrain = std::is_same_v<T, Polyline> || std::is_same_v<T, TriangleMesh>;
template <class T, int D>
inline constexpr bool is_ball = std::is_same_v<T, Ball<D>>;
template <class T, int D>
inline constexpr bool is_ground = std::is_same_v<T, HalfSpace<D>>;

template <int D, class A, class B>
Manifold<D> collide_pair(const A& a, const Pose<D>& pa, const B& b, const Pose<D>& pb, Real alert) {
  if constexpr (is_terrain<A> || is_terrain<B> || (is_ground<A, D> && is_ground<B, D>)) {
    return {};
  } else if constexpr (is_ground<A, D>) {
    Manifold<D> m = collide_ground(b, pb, a, pa, alert);
    m.normal = -m.normal;
    return m;
  } else if constexpr (is_ground<B, D>) {
    return collide_ground(a, pa, b, pb, alert);
  } else if constexpr (is_ball<A, D> && is_ball<B, D>) {
    return collide_balls(a, pa, b, pb, alert);
  } else if constexpr (PlanarShape<A> && PlanarShape<B>) {
    return collide_placed<PlanarStore>(a, pa, b, pb, alert);
  } else if constexpr (std::is_same_v<A, Capsule<3>> && std::is_same_v<B, Capsule<3>>) {
    return collide_capsules(a, pa, b, pb, alert);
  } else if constexpr (SolidShape<A> && SolidShape<B>) {
    return collide_placed<SolidStore>(a, pa, b, pb, alert);
  } else {
    return collide_convex<D>(a, pa, b, pb, alert);
  }
}

}  // namespace cairn
