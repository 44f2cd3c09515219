// Convex polyhedron with its faces, edges and neighbourhoods, and a radius around it if wanted.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/shape/shape.hpp"

namespace cairn {

struct Polyhedron {
  struct Face {
    std::vector<int> ring;  // vertices, counter-clockwise seen from outside
    Vec<3> normal;          // outward, unit
    Real offset;            // [m] the face lies in dot(normal, x) = offset, the solid below
  };
  struct Edge {
    int a, b;         // vertices, a < b
    int left, right;  // faces; seen from outside with a below and b above
  };

  std::vector<Vec<3>> vertices;  // [m]
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<std::vector<int>> neighbours;  // of each vertex, along edges, in increasing order
  Real radius = 0;                           // [m]

  // The convex hull of the points; triangles in one plane (to 1e-12 of the size) become one face. Where points are
  // noisy and leave no clean faces so, coarser tolerances are tried, up to 1e-9 of the size.
  static Expected<Polyhedron> make(std::span<const Vec<3>> points, Real radius = 0);
  static Expected<Polyhedron> make(std::initializer_list<Vec<3>> points, Real radius = 0) {
    return make(std::span<const Vec<3>>(points.begin(), points.size()), radius);
  }
  // Vertex i has the sign of its bits: x from bit 0, y from bit 1, z from bit 2. Faces: -x, +x, -y, +y, -z, +z.
  static Polyhedron box(const Vec<3>& half, Real radius = 0);

  const Vec<3>& vertex(int i) const { return vertices[static_cast<std::size_t>(i)]; }
  const Face& face(int i) const { return faces[static_cast<std::size_t>(i)]; }

  // Climbs along edges from vertex `start` when the vertices are many: the answer of the last call is a good start.
  int support_index(const Vec<3>& direction, int start = 0) const;
  Vec<3> support(const Vec<3>& direction) const { return vertex(support_index(direction)); }
  Real reach() const;
  MassProperties<3> mass_properties() const;
  std::string complaint() const;
  bool turns_left(const Face& face) const;  // at every corner, seen from outside
  void link();                              // edges and neighbours from the rings of the faces
};

}  // namespace cairn
