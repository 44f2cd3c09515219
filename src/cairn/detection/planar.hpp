// Contact of two convex cores in the plane - points, segments, polygons - each thickened by a radius.
#pragma once

#include <span>

#include "cairn/detection/manifold.hpp"

namespace cairn {

// Placed in the world (about any origin). A segment is a polygon of two vertices and two edges.
struct PlanarCore {
  std::span<const Vec<2>> vertices;  // [m] counter-clockwise
  std::span<const Vec<2>> normals;   // unit, outward, of the edge from vertex i to i + 1; none for a point
  Real radius = 0;                   // [m]
};

// Edge on edge gives two points, whatever the tilt, as long as both gaps are within `alert`. The least gap is the
// signed distance of the shapes (minus the least translation that parts them when the cores overlap). The points do not
// depend on which shape comes first.
Manifold<2> collide_cores(const PlanarCore& a, const PlanarCore& b, Real alert);

// Core a on one side of an edge of b alone, if the edge is what holds it: a's nearest vertex is above the edge, or a's
// edge is nearly parallel to it. `depth` is the least translation that parts a from all of b, where they overlap.
Manifold<2> rest_on_edge(const PlanarCore& a, const PlanarCore& b, int edge, Real alert, Real depth);

}  // namespace cairn
