// Half-plane and half-space, the ideal ground: all points whose last local coordinate is <= 0. Outward normal: that
// axis.
#pragma once

#include <limits>

#include "cairn/shape/shape.hpp"

namespace cairn {

template <int D>
struct HalfSpace {
  static Vec<D> normal() {
    Vec<D> n{};
    n[D - 1] = 1;
    return n;
  }
  Bounds<D> bounds(const Pose<D>&) const {  // also where an axis bounds it: one rule for all poses
    Bounds<D> b;
    for (int i = 0; i < D; ++i) b.low[i] = -infinity, b.high[i] = infinity;
    return b;
  }
  Real reach() const { return infinity; }
  MassProperties<D> mass_properties() const { return {infinity, {}, infinity_times_identity()}; }

 private:
  static constexpr Real infinity = std::numeric_limits<Real>::infinity();
  static Mat<spins<D>> infinity_times_identity() {
    Mat<spins<D>> m{};
    for (int i = 0; i < spins<D>; ++i) m(i, i) = infinity;
    return m;
  }
};

}  // namespace cairn
