// When points count as one, as lying on one line, or in one plane.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "cairn/base/vec.hpp"

namespace cairn {

inline constexpr Real flat_limit = 1e-9;  // of its extent: a solid thinner than that is refused

struct Tolerance {
  Real size;      // [m] largest extent of the points along an axis
  Real distance;  // [m] 1e-12 of it; more where the coordinates themselves are not known as well
};

template <int D>
Tolerance tolerance_of(std::span<const Vec<D>> points) {
  Real size = 0, far = 0;
  for (int i = 0; i < D; ++i) {
    Real low = std::numeric_limits<Real>::infinity(), high = -low;
    for (const Vec<D>& p : points) low = std::fmin(low, p[i]), high = std::fmax(high, p[i]);
    if (high > low) size = std::fmax(size, high - low);
    if (!points.empty()) far = std::fmax(far, std::fmax(std::fabs(low), std::fabs(high)));
  }
  return {size, std::fmax(1e-12 * size, 8 * std::numeric_limits<Real>::epsilon() * far)};
}

}  // namespace cairn
