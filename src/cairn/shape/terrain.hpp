// Boundaries without mass. Polyline: the solid lies to the right when walking from point to point, the normal points to
// the left. Triangle mesh: the solid lies behind triangles whose corners turn counter-clockwise seen from the front.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cairn/shape/shape.hpp"

namespace cairn {

template <int D>
Bounds<D> bounds_of_points(const std::vector<Vec<D>>& points, const Pose<D>& pose) {
  Bounds<D> b;
  for (int i = 0; i < D; ++i) {
    b.low[i] = std::numeric_limits<Real>::infinity();
    b.high[i] = -std::numeric_limits<Real>::infinity();
  }
  for (const Vec<D>& p : points) {
    const Vec<D> x = pose.to_world(p);
    for (int i = 0; i < D; ++i) b.low[i] = std::fmin(b.low[i], x[i]), b.high[i] = std::fmax(b.high[i], x[i]);
  }
  return b;
}

struct Polyline {
  std::vector<Vec<2>> points;  // [m]

  int size() const { return static_cast<int>(points.size()) - 1; }  // segments
  Vec<2> normal(int i) const {
    const Vec<2> d = points[static_cast<std::size_t>(i) + 1] - points[static_cast<std::size_t>(i)];
    return normalised(Vec<2>{-d[1], d[0]});
  }
  Bounds<2> bounds(const Pose<2>& pose) const { return bounds_of_points(points, pose); }
  Real reach() const { return std::numeric_limits<Real>::infinity(); }
  MassProperties<2> mass_properties() const { return {}; }
  std::string complaint() const;
};

struct TriangleMesh {
  std::vector<Vec<3>> vertices;  // [m]
  std::vector<std::array<int, 3>> triangles;

  int size() const { return static_cast<int>(triangles.size()); }
  const Vec<3>& corner(int triangle, int i) const {
    const int v = triangles[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(i)];
    return vertices[static_cast<std::size_t>(v)];
  }
  Vec<3> normal(int i) const { return normalised(cross(corner(i, 1) - corner(i, 0), corner(i, 2) - corner(i, 0))); }
  Bounds<3> bounds(const Pose<3>& pose) const { return bounds_of_points(vertices, pose); }
  Real reach() const { return std::numeric_limits<Real>::infinity(); }
  MassProperties<3> mass_properties() const { return {}; }
  std::string complaint() const;
};

}  // namespace cairn
