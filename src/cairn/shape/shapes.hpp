// The one list of shapes, and what can be asked of any of them. A new shape is a file beside this one and its name in
// the list; a convex one (ConvexShape) needs no more than its support, radius and mass.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "cairn/shape/ball.hpp"
#include "cairn/shape/capsule.hpp"
#include "cairn/shape/ellipsoid.hpp"
#include "cairn/shape/half_space.hpp"
#include "cairn/shape/polygon.hpp"
#include "cairn/shape/polyhedron.hpp"
#include "cairn/shape/terrain.hpp"

namespace cairn {

template <int D>
struct AllShapes;
template <>
struct AllShapes<2> {
  using type = std::variant<Ball<2>, Capsule<2>, Polygon, Ellipsoid<2>, HalfSpace<2>, Polyline>;
};
template <>
struct AllShapes<3> {
  using type = std::variant<Ball<3>, Capsule<3>, Polyhedron, Ellipsoid<3>, HalfSpace<3>, TriangleMesh>;
};
template <int D>
using Shape = typename AllShapes<D>::type;

// The least box along the world's axes around a convex shape: of a few corners all are turned, else the furthest along
// each axis is looked for.
template <int D, ConvexShape<D> T>
Bounds<D> convex_bounds(const T& shape, const Pose<D>& pose) {
  constexpr std::size_t few = 24;
  Bounds<D> b;
  if constexpr (requires { shape.vertices; }) {
    if (shape.vertices.size() <= few) {
      const Mat<D> R = pose.R.matrix();
      const Vec<D> first = R * shape.vertices[0];
      b = {first, first};
      for (const Vec<D>& v : shape.vertices) {
        const Vec<D> x = R * v;
        for (int i = 0; i < D; ++i) b.low[i] = std::min(b.low[i], x[i]), b.high[i] = std::max(b.high[i], x[i]);
      }
      for (int i = 0; i < D; ++i) b.low[i] += pose.x[i] - shape.radius, b.high[i] += pose.x[i] + shape.radius;
      return b;
    }
  }
  for (int i = 0; i < D; ++i) {
    Vec<D> axis{};
    axis[i] = 1;
    const Vec<D> up = pose.R.inverse() * axis;
    b.high[i] = pose.x[i] + dot(shape.support(up), up) + shape.radius;
    b.low[i] = pose.x[i] + dot(shape.support(-up), up) - shape.radius;
  }
  return b;
}

template <int D>
Bounds<D> bounds(const Shape<D>& shape, const Pose<D>& pose) {
  return std::visit(
      [&pose](const auto& s) -> Bounds<D> {
        if constexpr (requires { s.bounds(pose); }) {
          return s.bounds(pose);
        } else {
          return convex_bounds<D>(s, pose);
        }
      },
      shape);
}

// About the local origin; infinite for half-spaces, zero for terrain.
template <int D>
MassProperties<D> mass_properties(const Shape<D>& shape) {
  return std::visit([](const auto& s) { return s.mass_properties(); }, shape);
}

// [m] the largest distance of a point of the solid from the local origin; infinite for half-spaces and terrain.
template <int D>
Real reach(const Shape<D>& shape) {
  return std::visit(
      [](const auto& s) -> Real {
        if constexpr (requires { s.reach(); }) {
          return s.reach();
        } else {  // known by its support alone: the corner of its box is not nearer
          const Bounds<D> b = convex_bounds<D>(s, Pose<D>{});
          Vec<D> corner;
          for (int i = 0; i < D; ++i) corner[i] = std::fmax(std::fabs(b.low[i]), std::fabs(b.high[i]));
          return norm(corner);
        }
      },
      shape);
}

// Whether the solid is bounded: such a shape is convex and has a mass. Half-spaces and terrain are not.
template <int D>
bool bounded(const Shape<D>& shape) {
  return std::isfinite(reach<D>(shape));
}

// What is wrong with the numbers of a shape that was filled by hand; empty: nothing.
template <int D>
std::string complaint(const Shape<D>& shape) {
  return std::visit(
      [](const auto& s) -> std::string {
        if constexpr (requires { s.complaint(); }) return s.complaint();
        return "";
      },
      shape);
}

// The dimension is not deduced from Shape<D>; these let one write reach(shape).
inline MassProperties<2> mass_properties(const Shape<2>& shape) { return mass_properties<2>(shape); }
inline MassProperties<3> mass_properties(const Shape<3>& shape) { return mass_properties<3>(shape); }
inline Real reach(const Shape<2>& shape) { return reach<2>(shape); }
inline Real reach(const Shape<3>& shape) { return reach<3>(shape); }
inline bool bounded(const Shape<2>& shape) { return bounded<2>(shape); }
inline bool bounded(const Shape<3>& shape) { return bounded<3>(shape); }
inline std::string complaint(const Shape<2>& shape) { return complaint<2>(shape); }
inline std::string complaint(const Shape<3>& shape) { return complaint<3>(shape); }

}  // namespace cairn
