// Disc and sphere: a point with a radius.
#pragma once

#include <string>

#include "cairn/shape/moments.hpp"
#include "cairn/shape/refuse.hpp"
#include "cairn/shape/shape.hpp"

namespace cairn {

template <int D>
struct Ball {
  Real radius = 0;  // [m]

  Vec<D> support(const Vec<D>&) const { return {}; }
  Real reach() const { return radius; }
  Bounds<D> bounds(const Pose<D>& pose) const {  // whichever way it is turned
    Bounds<D> b{pose.x, pose.x};
    for (int i = 0; i < D; ++i) b.low[i] -= radius, b.high[i] += radius;
    return b;
  }

  MassProperties<D> mass_properties() const {
    const Real r2 = radius * radius;
    MassProperties<D> m;
    m.volume = unit_ball_volume<D> * (D == 2 ? r2 : r2 * radius);
    m.inertia = (m.volume * r2 * (D == 2 ? Real(0.5) : Real(0.4))) * Mat<spins<D>>::identity();
    return m;
  }
  std::string complaint() const { return refuse_unless_positive("radius of a ball", radius); }
};

}  // namespace cairn
