// The direction in which a convex set with a smooth boundary reaches least far, from one nearby, by Newton's method on
// the unit sphere. Where the boundary has faces or edges the method says that it failed.
#pragma once

#include <cmath>

#include "cairn/detection/difference.hpp"

namespace cairn {

namespace polish_parts {

constexpr Real probe = 1e-4;       // [rad] for the derivative of the support point
constexpr Real stationary = 1e-9;  // of the part of the support point across the direction, relative to the size
constexpr Real longest = 0.3;      // [rad] step
constexpr Real rounding = 1e-14;   // relative to the size
constexpr int most_steps = 20;

// A basis of the directions across a unit vector.
template <int D>
void tangents(const Vec<D>& n, Vec<D> (&t)[D]) {
  if constexpr (D == 2) {
    t[0] = {-n[1], n[0]};
  } else {
    int least = 0;
    for (int i = 1; i < 3; ++i)
      if (std::fabs(n[i]) < std::fabs(n[least])) least = i;
    Vec<3> e{};
    e[least] = 1;
    t[0] = normalised(cross(n, e));
    t[1] = cross(n, t[0]);
  }
}

}  // namespace polish_parts

// n and w = support(n) in and out. With h(n) = n . w(n), across n: grad h = w, hess h = dw/dn - h.
template <int D, class Set>
bool polish(const Set& set, Real size, Vec<D>& n, DifferencePoint<D>& w) {
  using namespace polish_parts;
  constexpr int K = D - 1;
  Vec<D> m = n, t[D];
  DifferencePoint<D> x = w;
  for (int step = 0; step < most_steps; ++step) {
    tangents<D>(m, t);
    const Real h = dot(x.w, m);
    Mat<K, K> hessian;
    Mat<K, 1> move;
    Real slope = 0, length = 0;
    for (int j = 0; j < K; ++j) {
      const Vec<D> change = set.support(m + probe * t[j]).w - set.support(m - probe * t[j]).w;
      for (int i = 0; i < K; ++i) hessian(i, j) = dot(change, t[i]) / (2 * probe) - (i == j ? h : 0);
      move(j, 0) = -dot(x.w, t[j]);
      slope += move(j, 0) * move(j, 0);
    }
    if (!(slope > stationary * stationary * size * size)) {
      n = m, w = x;
      return true;
    }
    if (!solve_in_place(hessian, move)) return false;
    for (int j = 0; j < K; ++j) length += move(j, 0) * move(j, 0);
    const Real scale = length > longest * longest ? longest / std::sqrt(length) : Real(1);
    for (int j = 0; j < K; ++j) m += scale * move(j, 0) * t[j];
    m = normalised(m);
    x = set.support(m);
    if (!(dot(x.w, m) <= h + rounding * size)) return false;
  }
  return false;
}

}  // namespace cairn
