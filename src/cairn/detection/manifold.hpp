// Contact of two shapes: a few points with gaps and one normal.
#pragma once

#include <cstdint>

#include "cairn/base/pose.hpp"

namespace cairn {

template <int D>
struct ContactPoint {
  Vec<D> point;           // [m] halfway between the two surfaces
  Real gap;               // [m] along the normal; negative: overlap
  std::uint32_t feature;  // which features of the two shapes meet; the same from step to step while they do
};

template <int D>
struct Manifold {
  static constexpr int capacity = D == 2 ? 2 : 4;
  Vec<D> normal{};  // unit, from the second shape to the first
  ContactPoint<D> points[capacity]{};
  int size = 0;

  void add(const ContactPoint<D>& p) {
    if (size < capacity) points[size++] = p;
  }
};

}  // namespace cairn
