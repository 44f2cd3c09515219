// Small minimisations that friction sets share.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/lagrange/friction_set.hpp"

namespace cairn {

// The zero of a decreasing f on [low, high], f(low) >= 0 >= f(high): false position (Illinois) with bisection where it
// is slow, to neighbouring numbers.
template <class F>
Real zero_of_decreasing(F f, Real low, Real high) {
  Real f_low = f(low), f_high = f(high);
  if (!(f_low > 0)) return low;
  for (int k = 0; k < 200 && f_high < 0; ++k) {
    Real x = (low * f_high - high * f_low) / (f_high - f_low);
    if (k % 3 == 2 || !(x > low && x < high)) x = low + (high - low) / 2;
    if (!(x > low && x < high)) break;
    const Real y = f(x);
    if (y == 0) return x;
    if (y > 0) {
      low = x, f_low = y, f_high /= 2;
    } else {
      high = x, f_high = y, f_low /= 2;
    }
  }
  return high;
}

// The y of least (1/2) y . Q y + g . y in the unit ball, g in the range of Q: free, or |y| = 1 with (Q + s) y = -g. The
// equation 1/|y(s)| = 1 is nearly linear in s, and Newton's steps from the left never pass the zero.
Reals least_in_ball(const RealMatrix& Q, const Reals& g);

struct BlockSolution {
  Reals x;
  int sweeps;
  bool settled;  // moves came down to rounding
};

// Least (1/2) x . H x + b . x over the product of scales[p] parts[p].
BlockSolution least_of_blocks(const std::vector<FrictionSet>& parts, const std::vector<Real>& scales,
                              const RealMatrix& H, const Reals& b);

}  // namespace cairn
