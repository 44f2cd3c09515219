// Nearest points of segments.
#pragma once

#include <algorithm>
#include <utility>

#include "cairn/base/pose.hpp"

namespace cairn {

template <int D>
Vec<D> nearest_on_segment(const Vec<D>& x, const Vec<D>& a, const Vec<D>& b) {
  const Vec<D> d = b - a;
  const Real length2 = norm2(d);
  if (!(length2 > 0)) return a;
  const Real s = dot(x - a, d) / length2;
  // From the nearer end: exact there.
  return s <= 0 ? a : s >= 1 ? b : s < Real(0.5) ? a + s * d : b - (dot(b - x, d) / length2) * d;
}

// Of the segments from a to b and from c to d, one point on each; one of many pairs when they are parallel.
template <int D>
std::pair<Vec<D>, Vec<D>> nearest_on_segments(const Vec<D>& a, const Vec<D>& b, const Vec<D>& c, const Vec<D>& d) {
  const Vec<D> u = b - a, v = d - c, w = a - c;
  const Real uu = norm2(u), vv = norm2(v), uv = dot(u, v), determinant = uu * vv - uv * uv;
  if (determinant > Real(1e-14) * uu * vv) {
    const Real s = (uv * dot(v, w) - vv * dot(u, w)) / determinant, t = (uu * dot(v, w) - uv * dot(u, w)) / determinant;
    if (s > 0 && s < 1 && t > 0 && t < 1) return {a + s * u, c + t * v};
  }
  std::pair<Vec<D>, Vec<D>> best{a, nearest_on_segment(a, c, d)};
  const auto consider = [&](const Vec<D>& x, const Vec<D>& y) {
    if (norm2(x - y) < norm2(best.first - best.second)) best = {x, y};
  };
  consider(b, nearest_on_segment(b, c, d));
  consider(nearest_on_segment(c, a, b), c);
  consider(nearest_on_segment(d, a, b), d);
  return best;
}

}  // namespace cairn
