// A segment along the local axis 0, centred, with a radius: in the plane a stadium.
#pragma once

#include <string>

#include "cairn/shape/moments.hpp"
#include "cairn/shape/refuse.hpp"

namespace cairn {

template <int D>
struct Capsule {
  Real half_length = 0;  // [m] of the segment, without the round ends
  Real radius = 0;       // [m]

  Vec<D> support(const Vec<D>& direction) const {
    Vec<D> p{};
    p[0] = direction[0] < 0 ? -half_length : half_length;
    return p;
  }
  Real reach() const { return half_length + radius; }

  MassProperties<D> mass_properties() const {
    const Real l = half_length, r = radius, r2 = r * r;
    // The straight part, and the two half balls moved apart by 2 l: x becomes |x| + l there.
    const Real straight = 2 * l * (D == 2 ? 2 * r : std::numbers::pi * r2);
    const Real ends = unit_ball_volume<D> * (D == 2 ? r2 : r2 * r);
    const Real ends_first = D == 2 ? 4 * r2 * r / 3 : std::numbers::pi * r2 * r2 / 2;  // integral of |x| over the ball
    Mat<D> second{};
    second(0, 0) = straight * l * l / 3 + ends * (r2 / (D + 2) + l * l) + 2 * l * ends_first;
    for (int i = 1; i < D; ++i) second(i, i) = straight * r2 / (D + 1) + ends * r2 / (D + 2);
    return {straight + ends, {}, inertia_of(second)};
  }
  std::string complaint() const {
    const std::string length = refuse_unless_not_negative("half length of a capsule", half_length);
    return length.empty() ? refuse_unless_positive("radius of a capsule", radius) : length;
  }
};

}  // namespace cairn
