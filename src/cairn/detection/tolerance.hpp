// What counts as equal in the narrow phase, relative to the size of the pair: above rounding, below what a gap may err
// by.
#pragma once

#include "cairn/base/vec.hpp"

namespace cairn::tolerance {

inline constexpr Real tie = 2e-13;       // two separations along different axes
inline constexpr Real distance = 5e-13;  // a separation along an axis and the distance itself
inline constexpr Real merge = 1e-9;      // two points of one manifold
inline constexpr Real join = 1e-6;       // two corners where polygons cut each other, relative to the smaller polygon
inline constexpr Real length = 1e-9;     // two lengths, relative to themselves
inline constexpr Real parallel = 0.995;  // cosine: edges and faces that may rest on each other along their length
inline constexpr Real facing = 1.1;      // times the least depth: how deep below a piece of terrain a shape may be

// A direction that no scene is aligned with: decides between equals, whichever comes first, and the same at each step.
template <int D>
constexpr Vec<D> arbitrary() {
  if constexpr (D == 2)
    return {0.38, 0.925};
  else
    return {0.21, 0.38, 0.9};
}

}  // namespace cairn::tolerance
