// The set of differences x - y of the points of two convex cores, known by its support function: the cores overlap
// where it contains the origin, and else are as far apart as it is from the origin.
#pragma once

#include "cairn/base/pose.hpp"

namespace cairn {

// A core in the world, whatever its type: the general method is compiled once.
template <int D>
struct ConvexCore {
  const void* shape;
  Vec<D> (*local_support)(const void* shape, const Vec<D>& direction);
  Pose<D> pose;

  Vec<D> support(const Vec<D>& direction) const {
    return pose.to_world(local_support(shape, pose.R.inverse() * direction));
  }
};

template <int D, class T>
ConvexCore<D> core_of(const T& shape, const Pose<D>& pose) {
  return {&shape, [](const void* s, const Vec<D>& d) { return static_cast<const T*>(s)->support(d); }, pose};
}

// A point of the difference, and where it comes from.
template <int D>
struct DifferencePoint {
  Vec<D> w, on_a, on_b;  // [m] w = on_a - on_b
};

template <int D>
struct Difference {
  const ConvexCore<D>& a;
  const ConvexCore<D>& b;

  DifferencePoint<D> support(const Vec<D>& direction) const {
    const Vec<D> x = a.support(direction), y = b.support(-direction);
    return {x - y, x, y};
  }
};

// Nearest points of the cores when they are apart, the points that touch last when they are pulled apart else.
template <int D>
struct ConvexContact {
  Vec<D> on_a{}, on_b{};  // [m]
  Vec<D> normal{};        // unit, from b to a
  Real distance = 0;      // [m] negative: overlap
};

}  // namespace cairn
