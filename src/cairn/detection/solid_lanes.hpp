// Four numbers at once, for the loops over the vertices of a polyhedron. Sums and products in the order of those of
// Vec: the same bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "cairn/base/lanes.hpp"

namespace cairn {

inline Lanes lanes(Real a, Real b, Real c, Real d = 0) { return Lanes{a, b, c, d}; }

// The fourth lane spills into the place of the next vector, which must be there.
inline void put(const Lanes& x, Vec<3>* to) { store_lanes(x, to->v); }

// The largest of the numbers of the points, without signs.
inline Real largest(std::span<const Vec<3>> points) {
  Lanes most{};
  std::size_t k = 0;
  for (; k + 4 <= points.size(); k += 4)
    for (int i = 0; i < 3; ++i) {
      const Lanes x = load_lanes(reinterpret_cast<const Real*>(&points[k]) + 4 * i);
      const Lanes size = x > -x ? x : -x;
      most = size > most ? size : most;
    }
  Real result = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
  for (; k < points.size(); ++k)
    for (int i = 0; i < 3; ++i) result = std::max(result, std::fabs(points[k][i]));
  return result;
}

// dot(p[k] - origin, n) for four points that follow each other, whose numbers are taken as they lie in memory:
// x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3.
class PlaneLanes {
 public:
  PlaneLanes(const Vec<3>& origin, const Vec<3>& n)
      : o_{lanes(origin[0], origin[1], origin[2], origin[0]), lanes(origin[1], origin[2], origin[0], origin[1]),
           lanes(origin[2], origin[0], origin[1], origin[2])},
        n_{lanes(n[0], n[1], n[2], n[0]), lanes(n[1], n[2], n[0], n[1]), lanes(n[2], n[0], n[1], n[2])} {}

  Lanes heights(const Vec<3>* p) const {
    const auto part = [&](int i) { return (load_lanes(reinterpret_cast<const Real*>(p) + 4 * i) - o_[i]) * n_[i]; };
    const Lanes a = part(0), b = part(1), c = part(2), zero{};
    const Lanes x = __builtin_shufflevector(__builtin_shufflevector(a, b, 0, 1, 6, 3), c, 0, 5, 2, 3);  // 0 3 2 1
    const Lanes y = __builtin_shufflevector(__builtin_shufflevector(b, a, 0, 5, 2, 3), c, 0, 1, 6, 3);  // 1 0 3 2
    const Lanes z = __builtin_shufflevector(__builtin_shufflevector(c, a, 0, 1, 6, 3), b, 0, 5, 2, 3);  // 2 1 0 3
    const Lanes sum = zero + x + __builtin_shufflevector(y, y, 1, 2, 3, 0) + __builtin_shufflevector(z, z, 2, 3, 0, 1);
    return __builtin_shufflevector(sum, sum, 0, 3, 2, 1);
  }

 private:
  Lanes o_[3], n_[3];
};

}  // namespace cairn
