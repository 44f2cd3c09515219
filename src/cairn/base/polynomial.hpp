// Real roots of polynomials of low degree, all of them, by isolation between the roots of the derivative.
#pragma once

#include <cmath>

#include "cairn/base/vec.hpp"

namespace cairn {

// p(x) = c[0] + c[1] x + ... + c[N] x^N.
template <int N>
CAIRN_HD inline Real evaluate(const Real* c, Real x) {
  Real y = c[N];
  for (int i = N - 1; i >= 0; --i) y = y * x + c[i];
  return y;
}

// Root of p in [a, b] where p(a) and p(b) differ in sign: Newton, kept in the bracket by bisection.
template <int N>
CAIRN_HD inline Real bracketed_root(const Real* c, const Real* derivative, Real a, Real b) {
  const bool rising = evaluate<N>(c, a) < 0;
  Real x = Real(0.5) * (a + b);
  for (int k = 0; k < 120; ++k) {
    const Real y = evaluate<N>(c, x);
    if (y == 0) return x;
    ((y < 0) == rising ? a : b) = x;
    const Real slope = evaluate<N - 1>(derivative, x);
    Real next = x - y / slope;
    if (!(next > a && next < b)) next = Real(0.5) * (a + b);
    if (std::fabs(next - x) <= Real(1e-16) * std::fabs(next) || next == a || next == b) return next;
    x = next;
  }
  return x;
}

// All real roots in [-bound, bound], increasing; returns how many. A double root that rounding lifts off the axis by
// less than `slack` times the sum of |c_i x^i| is reported once.
template <int N>
CAIRN_HD inline int real_roots(const Real* c, Real bound, Real* roots, Real slack = 0) {
  if constexpr (N == 1) {
    const Real x = -c[0] / c[1];
    if (!(std::fabs(x) <= bound)) return 0;
    roots[0] = x;
    return 1;
  } else {
    Real derivative[N], turn[N + 1];
    for (int i = 0; i < N; ++i) derivative[i] = (i + 1) * c[i + 1];
    const int turns = real_roots<N - 1>(derivative, bound, turn, slack);
    turn[turns] = bound;
    int n = 0;
    Real a = -bound, ya = evaluate<N>(c, a);
    for (int k = 0; k <= turns; ++k) {
      const Real b = turn[k], yb = evaluate<N>(c, b);
      Real size = 0, power = 1;
      for (int i = 0; i <= N; ++i, power *= std::fabs(b)) size += std::fabs(c[i]) * power;
      const bool touches = k < turns && std::fabs(yb) <= slack * size;
      if ((ya < 0) != (yb < 0) && ya != 0 && n < N)
        roots[n++] = bracketed_root<N>(c, derivative, a, b);
      else if (touches && n < N)
        roots[n++] = b;
      a = b;
      ya = yb;
    }
    return n;
  }
}

}  // namespace cairn
