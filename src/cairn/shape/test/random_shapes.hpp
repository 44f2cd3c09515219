// Random points, poses and convex shapes, the same on every machine, for the tests of shapes.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "cairn/shape/shapes.hpp"

namespace cairn::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int share = 20;  // of the number of random shapes in an optimised build: 1/share
#else
constexpr int share = 1;
#endif

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  Real within(Real low, Real high) {
    return low + (high - low) * static_cast<Real>(engine_()) / static_cast<Real>(std::mt19937::max());
  }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  template <int D>
  Vec<D> point(Real size = 1) {
    Vec<D> p;
    for (int i = 0; i < D; ++i) p[i] = within(-size, size);
    return p;
  }
  template <int D>
  Vec<D> direction() {
    for (;;)
      if (const Vec<D> p = point<D>(); norm(p) > 0.1 && norm(p) < 1) return normalised(p);
  }
  template <int D>
  Rotation<D> rotation() {
    if constexpr (D == 2)
      return Rotation<2>::by(within(-4, 4));
    else
      return Rotation<3>::by(within(0, 3) * direction<3>());
  }
  template <int D>
  Pose<D> pose(Real size = 1) {
    return {point<D>(size), rotation<D>()};
  }
  template <int D>
  std::vector<Vec<D>> points(int n, Real size = 1) {
    std::vector<Vec<D>> all;
    for (int i = 0; i < n; ++i) all.push_back(point<D>(size));
    return all;
  }
  Polygon polygon(int n = 8, Real radius = 0) { return *Polygon::make(points<2>(n), radius); }
  Polyhedron polyhedron(int n = 12, Real radius = 0) { return *Polyhedron::make(points<3>(n), radius); }

 private:
  std::mt19937 engine_;
};

template <int D>
std::vector<Vec<D>> moved(std::vector<Vec<D>> points, const Pose<D>& pose) {
  for (Vec<D>& p : points) p = pose.to_world(p);
  return points;
}

// The largest entry of a difference.
template <int R, int C>
Real difference(const Mat<R, C>& a, const Mat<R, C>& b) {
  Real most = 0;
  for (const Real x : (a - b).v) most = std::fmax(most, std::fabs(x));
  return most;
}

}  // namespace cairn::test
