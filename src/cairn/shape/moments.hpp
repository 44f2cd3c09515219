// Integrals of 1, x and x x^T over a solid. They add, shift and sweep, so that a solid cut into simplices, prisms and
// sectors has exact mass properties.
#pragma once

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "cairn/shape/shape.hpp"

namespace cairn {

template <int D>
inline constexpr Real unit_ball_volume = D == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;

template <int D>
CAIRN_HD inline Mat<D> outer(const Vec<D>& a, const Vec<D>& b) {
  Mat<D> m;
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < D; ++i) m(i, j) = a[i] * b[j];
  return m;
}

template <int D>
struct Moments {
  Real volume = 0;  // [m^D]
  Vec<D> first{};   // [m^(D+1)]
  Mat<D> second{};  // [m^(D+2)]

  Moments& operator+=(const Moments& b) {
    volume += b.volume, first += b.first, second += b.second;
    return *this;
  }
  friend Moments operator*(Real s, Moments m) {
    m.volume *= s, m.first *= s, m.second *= s;
    return m;
  }
  // Of the same solid moved by d.
  Moments shifted(const Vec<D>& d) const {
    return {volume, first + volume * d, second + outer(first, d) + outer(d, first) + volume * outer(d, d)};
  }
  // Of the same solid turned about the origin.
  Moments turned(const Rotation<D>& R) const {
    const Mat<D> m = R.matrix();
    return {volume, R * first, m * second * transpose(m)};
  }
  // Of what the (flat) solid covers on its way along `direction`, a unit vector square to it, over `length`.
  Moments swept(const Vec<D>& direction, Real length) const {
    const Real l2 = length * length / 2, l3 = length * length * length / 3;
    return {length * volume, length * first + (l2 * volume) * direction,
            length * second + l2 * (outer(first, direction) + outer(direction, first)) +
                (l3 * volume) * outer(direction, direction)};
  }
};

// Of a simplex (segment, triangle, tetrahedron) of known measure.
template <int D>
Moments<D> simplex_moments(Real measure, std::initializer_list<Vec<D>> corners) {
  const Real n = static_cast<Real>(corners.size());
  Vec<D> sum{};
  Mat<D> squares{};
  for (const Vec<D>& p : corners) sum += p, squares += outer(p, p);
  return {measure, (measure / n) * sum, (measure / (n * (n + 1))) * (squares + outer(sum, sum))};
}

// Of the sector of a disc of that radius about the origin, from unit vector a to unit vector b: less than half a turn.
template <int D>
Moments<D> sector_moments(const Vec<D>& a, const Vec<D>& b, Real radius) {
  const Vec<D> across = b - a, along = a + b;
  const Real width = norm(across), length = norm(along);
  const Real half = std::atan2(width, length), s = width / 2, c = length / 2;  // half the angle, its sine and cosine
  const Real r2 = radius * radius;
  Moments<D> m;
  m.volume = r2 * half;
  if (s > 0) {
    m.first = (r2 * radius / 3 * s / c) * along;
    m.second = (r2 * r2 / 16) *
               ((half + s * c) / (c * c) * outer(along, along) + (half - s * c) / (s * s) * outer(across, across));
  }
  return m;
}

inline Mat<1> inertia_of(const Mat<2>& second) { return {{trace(second)}}; }
inline Mat<3> inertia_of(const Mat<3>& second) { return trace(second) * Mat<3>::identity() - second; }

template <int D>
MassProperties<D> mass_properties_of(const Moments<D>& m) {
  const Vec<D> centre = (1 / m.volume) * m.first;
  return {m.volume, centre, inertia_of(m.second - m.volume * outer(centre, centre))};
}

}  // namespace cairn
