// What a shape is. A convex one is a core, known by its support function, thickened by a radius: a ball is a point and
// a radius, a brick a polyhedron and radius 0.
#pragma once

#include <concepts>

#include "cairn/base/pose.hpp"

namespace cairn {

template <int D>
struct Bounds {
  Vec<D> low, high;  // [m]
};

// About the origin of the shape's own axes, for density 1.
template <int D>
struct MassProperties {
  Real volume = 0;          // [m^D]
  Vec<D> centre{};          // [m]
  Mat<spins<D>> inertia{};  // [m^(D+2)] about the centre, in the shape's axes
};

// A convex shape says the rest; `support` alone would do for contact.
template <class T, int D>
concept ConvexShape = requires(const T& shape, const Vec<D>& direction) {
  {
    shape.support(direction)
    } -> std::same_as<Vec<D>>;                    // the core's furthest point along the direction (of any length)
  { shape.radius } -> std::convertible_to<Real>;  // [m] around the core
  { shape.mass_properties() } -> std::same_as<MassProperties<D>>;
};

}  // namespace cairn
