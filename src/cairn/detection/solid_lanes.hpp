// Four numbers at once, for the loops over the vertices of a polyhedron. Sums and products in the order of those of Vec:
// the same bits.
#pragma once

#include <span>

#include "cairn/base/vec.hpp"

namespace cairn {

using Lanes = Real __attribute__((vector_size(32)));

inline Lanes lanes(Real a, Real b, Real c, Real d = 0) { return Lanes{a, b, c, d}; }

// The fourth lane spills into the place of the next vector, which must be there.
inline void put(const Lanes& x, Vec<3>* to) {
  using Loose = Real __attribute__((vector_size(32), aligned(8), may_alias));
  *reinterpret_cast<Loose*>(to) = x;
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
    using Loose = Real __attribute__((vector_size(32), aligned(8), may_alias));
    using Index = long long __attribute__((vector_size(32)));
    const Loose* const in = reinterpret_cast<const Loose*>(p);
    const Lanes a = (in[0] - o_[0]) * n_[0], b = (in[1] - o_[1]) * n_[1], c = (in[2] - o_[2]) * n_[2], zero{};
    const Lanes x = __builtin_shuffle(__builtin_shuffle(a, b, Index{0, 1, 6, 3}), c, Index{0, 5, 2, 3});  // 0 3 2 1
    const Lanes y = __builtin_shuffle(__builtin_shuffle(b, a, Index{0, 5, 2, 3}), c, Index{0, 1, 6, 3});  // 1 0 3 2
    const Lanes z = __builtin_shuffle(__builtin_shuffle(c, a, Index{0, 1, 6, 3}), b, Index{0, 5, 2, 3});  // 2 1 0 3
    const Lanes sum =
        zero + x + __builtin_shuffle(y, Index{1, 2, 3, 0}) + __builtin_shuffle(z, Index{2, 3, 0, 1});
    return __builtin_shuffle(sum, Index{0, 3, 2, 1});
  }

 private:
  Lanes o_[3], n_[3];
};

}  // namespace cairn
