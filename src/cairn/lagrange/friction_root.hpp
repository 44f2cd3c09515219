// Zeros that friction sets share.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

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

// The zero s > 0 of f(s, rate), which falls at the rate that it tells, f(0) > 0: Newton's steps, with bisection or
// doubling where they leave the bracket or bring little, to neighbouring numbers.
template <class F>
Real zero_of_falling(F f) {
  Real low = 0, high = std::numeric_limits<Real>::infinity(), s = 0, rate = 0, y = f(s, rate);
  bool slow = false;
  for (int k = 0; k < 300; ++k) {
    Real next = s + y / rate;
    if (slow || !(next > low && next < high)) next = std::isinf(high) ? 2 * s : low + (high - low) / 2;
    if (!(next > low && next < high)) break;
    const Real before = std::abs(y);
    s = next, y = f(s, rate);
    if (y == 0) return s;
    slow = std::abs(y) > before / 2;
    (y > 0 ? low : high) = s;
  }
  return s;
}

}  // namespace cairn
