// Convex polygon, with a radius around it if wanted.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/shape/shape.hpp"

namespace cairn {

struct Polygon {
  std::vector<Vec<2>> vertices;  // [m] counter-clockwise, no three on a line
  std::vector<Vec<2>> normals;   // outward and unit, of the edge from vertex i to vertex i + 1
  Real radius = 0;               // [m]

  // The convex hull of the points. Those within about 1e-12 of the size from a corner or an edge kept are dropped.
  static Expected<Polygon> make(std::span<const Vec<2>> points, Real radius = 0);
  static Expected<Polygon> make(std::initializer_list<Vec<2>> points, Real radius = 0) {
    return make(std::span<const Vec<2>>(points.begin(), points.size()), radius);
  }
  static Polygon box(const Vec<2>& half, Real radius = 0);

  int size() const { return static_cast<int>(vertices.size()); }
  const Vec<2>& vertex(int i) const { return vertices[static_cast<std::size_t>(i)]; }
  const Vec<2>& normal(int i) const { return normals[static_cast<std::size_t>(i)]; }
  int next(int i) const { return i + 1 < size() ? i + 1 : 0; }

  int support_index(const Vec<2>& direction) const {
    int best = 0;
    Real most = dot(vertices[0], direction);
    for (int i = 1; i < size(); ++i)
      if (const Real d = dot(vertex(i), direction); d > most) best = i, most = d;
    return best;
  }
  Vec<2> support(const Vec<2>& direction) const { return vertex(support_index(direction)); }
  Real reach() const;
  MassProperties<2> mass_properties() const;
  std::string complaint() const;
};

}  // namespace cairn
