// Random shapes, poses and motions for the tests of the narrow phase.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "cairn/base/test/share.hpp"
#include "cairn/detection/narrow.hpp"

namespace cairn::test {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  Real real(Real low, Real high) { return low + (high - low) * std::uniform_real_distribution<Real>()(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  bool flip() { return integer(0, 1) == 1; }
  Real log_uniform(Real low, Real high) { return std::exp(real(std::log(low), std::log(high))); }

  template <int D>
  Vec<D> direction() {
    std::normal_distribution<Real> normal;
    Vec<D> v;
    do
      for (int i = 0; i < D; ++i) v[i] = normal(engine_);
    while (norm(v) < 1e-3);
    return normalised(v);
  }
  template <int D>
  Rotation<D> rotation() {
    if constexpr (D == 2)
      return Rotation<2>::by(real(-4, 4));
    else
      return Rotation<3>::by(real(0, 3) * direction<3>());
  }
  template <int D>
  Pose<D> pose(Real range) {
    return {real(0, range) * direction<D>(), rotation<D>()};
  }

 private:
  std::mt19937 engine_;
};

// Corners in counter-clockwise order.
inline Polygon polygon_of(std::vector<Vec<2>> corners, Real radius) {
  Polygon p;
  p.vertices = std::move(corners);
  p.radius = radius;
  for (int i = 0; i < p.size(); ++i) {
    const Vec<2> e = p.vertex(p.next(i)) - p.vertex(i);
    p.normals.push_back(normalised(Vec<2>{e[1], -e[0]}));
  }
  return p;
}

// Corners on an ellipse.
inline Polygon random_polygon(Dice& dice, Real size) {
  const int n = dice.integer(3, 8);
  const Real width = size * dice.real(0.05, 1), height = size * dice.real(0.05, 1), start = dice.real(0, 6);
  std::vector<Vec<2>> corners;
  for (int i = 0; i < n; ++i) {
    const Real angle = start + 2 * std::numbers::pi * (i + dice.real(-0.3, 0.3)) / n;
    corners.push_back({width * std::cos(angle), height * std::sin(angle)});
  }
  return polygon_of(corners, dice.flip() ? 0 : size * dice.real(0, 0.2));
}

inline Polygon brick(Real half_width, Real half_height, Real radius = 0) {
  const Real x = half_width, y = half_height;
  return polygon_of({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, radius);
}

// The least gap of the manifold.
template <int D>
Real least_gap(const Manifold<D>& m) {
  Real least = m.points[0].gap;
  for (int i = 1; i < m.size; ++i) least = std::min(least, m.points[i].gap);
  return least;
}

template <int D>
const ContactPoint<D>& deepest(const Manifold<D>& m) {
  return *std::min_element(m.points, m.points + m.size, [](const auto& p, const auto& q) { return p.gap < q.gap; });
}

}  // namespace cairn::test
