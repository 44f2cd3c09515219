// Ellipse and ellipsoid along the local axes.
#pragma once

#include <cmath>
#include <string>

#include "cairn/shape/moments.hpp"
#include "cairn/shape/refuse.hpp"

namespace cairn {

template <int D>
struct Ellipsoid {
  Vec<D> semi{};    // [m] semi-axes
  Real radius = 0;  // [m] always 0: a thickened ellipsoid has no mass properties in closed form and is refused

  Vec<D> support(const Vec<D>& direction) const {  // S^2 d / |S d|
    Vec<D> stretched;
    for (int i = 0; i < D; ++i) stretched[i] = semi[i] * direction[i];
    const Real length = norm(stretched);
    if (!(length > 0)) return first_pole();
    for (int i = 0; i < D; ++i) stretched[i] *= semi[i] / length;
    return stretched;
  }
  Real reach() const {
    Real most = 0;
    for (int i = 0; i < D; ++i) most = std::fmax(most, semi[i]);
    return most + radius;
  }
  MassProperties<D> mass_properties() const {
    MassProperties<D> m;
    m.volume = unit_ball_volume<D>;
    for (int i = 0; i < D; ++i) m.volume *= semi[i];
    Mat<D> second{};
    for (int i = 0; i < D; ++i) second(i, i) = m.volume * semi[i] * semi[i] / (D + 2);
    m.inertia = inertia_of(second);
    return m;
  }
  std::string complaint() const {
    for (int i = 0; i < D; ++i)
      if (const std::string bad = refuse_unless_positive("semi-axis of an ellipsoid", semi[i]); !bad.empty())
        return bad;
    return radius == 0 ? "" : "radius around an ellipsoid: expected 0 (thickened ellipsoids are not offered)";
  }

 private:
  Vec<D> first_pole() const {
    Vec<D> p{};
    p[0] = semi[0];
    return p;
  }
};

}  // namespace cairn
