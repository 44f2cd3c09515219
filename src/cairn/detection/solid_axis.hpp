// The direction in which two convex cores in space are furthest apart, or least deep in each other, among the normals
// of the faces of their difference: faces of either, and pairs of edges.
#pragma once

#include <limits>

#include "cairn/detection/solid.hpp"

namespace cairn {

struct FaceAxis {
  Real separation = -std::numeric_limits<Real>::infinity();  // [m]
  int face = -1;
  int vertex = 0;  // of the other core, the least far beyond the face
};

struct EdgeAxis {
  Real separation = -std::numeric_limits<Real>::infinity();  // [m]
  Vec<3> normal{};                                           // from a to b
  int on_a = -1, on_b = -1;
};

FaceAxis best_face(const SolidCore& p, const SolidCore& q);
// The best of the pairs of edges that make a face of the difference, if it is better than `floor`.
EdgeAxis best_edges(const SolidCore& a, const SolidCore& b, Real floor);

}  // namespace cairn
