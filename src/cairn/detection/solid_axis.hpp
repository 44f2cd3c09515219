// The direction in which two convex cores in space are furthest apart, or least deep in each other, among the normals
// of the faces of their difference: faces of either, and pairs of edges.
#pragma once

#include <limits>
#include <vector>

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

// Of the faces of p the first that is best, or any that is better than `enough` [m]. `heights` [m] (faces of p): of one
// vertex of q above them, a bound that spares most faces a look at the others.
FaceAxis best_face(const SolidCore& p, const SolidCore& q, Real enough, std::vector<Real>& heights);

struct EdgeSearch {
  Real floor;                              // [m] only what is better counts
  Real margin;                             // [m] pairs that cannot come as near to it as this are left out
  std::span<const Real> above_a, above_b;  // [m] (faces) heights as best_face gives them
};
// The first of the best of the pairs of edges that make a face of the difference.
EdgeAxis best_edges(const SolidCore& a, const SolidCore& b, const EdgeSearch& search);

}  // namespace cairn
