// The polygon that two faces share, seen along the normal of the contact.
#pragma once

#include <span>
#include <vector>

#include "cairn/detection/solid.hpp"

namespace cairn {

// p has the face, or the face nearest to the normal; q has the ring of vertices (face, segment or point) that meets it.
struct FacePair {
  const SolidCore& p;
  const SolidCore& q;
  int face;
  std::span<const int> ring;
  Vec<3> normal;  // from p to q
  bool swapped;   // p is the second shape
};

struct SharedPolygon {
  std::span<const Vec<3>> corners;   // [m] on q
  std::span<const Real> separation;  // [m] along the normal, from the plane of the face
  Real least = 0;                    // [m]
  Real outside = 0;                  // [m] how far a corner that counted as inside was outside at most
  std::vector<Vec<3>> places[2];     // where the corners are kept, and made; never given back
  std::vector<Real> numbers;

  bool empty() const { return corners.empty(); }
};

// Corners up to `slack` outside count as inside.
void share(const FacePair& pair, Real slack, SharedPolygon& polygon);
// All corners within the alert distance, named; and four of them at most.
void list_points(const FacePair& pair, const SharedPolygon& polygon, Real alert, std::vector<ContactPoint<3>>& points);
Manifold<3> manifold_of(const FacePair& pair, const SharedPolygon& polygon, Real alert);

// Which features meet: vertices (kinds 1 and 2: of the first, of the second shape) or edges (kind 0).
inline std::uint32_t solid_feature(int kind, int on_a, int on_b) {
  return static_cast<std::uint32_t>(kind) << 30 | (static_cast<std::uint32_t>(on_a) & 0x7fffU) << 15 |
         (static_cast<std::uint32_t>(on_b) & 0x7fffU);
}

}  // namespace cairn
