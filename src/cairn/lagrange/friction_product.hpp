// The friction of several sets at once: least (1/2) |F x|^2 + b . x over the product of scales[p] parts[p].
//
// With F = L^-1 B^T, A = L L^T, this is the tangential part of problem P5 (BC18 5.3): H = F^T F = B A^-1 B^T, and
// V = b + H x is the slip velocity. In v = F x, the change of velocity in the metric A, the same problem reads
//
//   least (1/2) |v|^2 + sum scale_p S_p(-V_p),     V = b + F^T v,                                               (1)
//
// which is strongly convex. There is one v as soon as some V has a finite dissipation (always where b = B u: V = 0 is
// one); x is not unique where rows depend on each other. No V has one exactly where, for a direction d,
//
//   d in the asymptotic cone of the product,     F d = 0,     b . d < 0                                         (2)
//
// (up to closure): unbounded sets on boundaries that move apart, two constraints without slip that exclude each other.
#pragma once

#include <vector>

#include "cairn/lagrange/friction_set.hpp"

namespace cairn {

struct ProductSolution {
  Reals x;
  int steps = 0;    // of Newton's method
  Real error = 0;   // |x - proj(x - V/eta)| eta/|b|, eta the largest of diag(H); infinite where there is no solution
  Reals forbidden;  // d of (2) with |d| = 1, where there is no solution; else empty
};

ProductSolution least_of_product(const std::vector<FrictionSet>& parts, const std::vector<Real>& scales,
                                 const RealMatrix& F, const Reals& b);

}  // namespace cairn
