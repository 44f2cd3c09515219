// The linear part of a local problem: H, its inverse, and how far the inverse can be trusted.
#pragma once

#include <cmath>

#include "cairn/base/vec.hpp"

namespace cairn {

// H and its inverse, computed once a contact. solve() refines, so that the residual of H x = r stays at rounding level
// (relative to |H| |x|) however badly H is conditioned; an explicit inverse alone would not give that.
template <int D>
struct Inverse {
  Mat<D> H;
  Mat<D> inv;
  bool singular;    // no inverse that means anything
  int refinements;  // steps of iterative refinement: 0 for well-conditioned H

  CAIRN_HD Vec<D> solve(const Vec<D>& r) const {
    Vec<D> x = inv * r;
    for (int k = 0; k < refinements; ++k) x += inv * (r - H * x);
    return x;
  }
};

// sum |inv_ij H_ji|: a condition number that a change of units (H -> E H E, E diagonal) leaves unchanged.
template <int D>
CAIRN_HD inline Real condition(const Mat<D>& H, const Mat<D>& inv) {
  Real c = 0;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) c += std::fabs(inv(i, j) * H(j, i));
  return c;
}

template <int D>
CAIRN_HD inline Inverse<D> make_inverse(const Mat<D>& H) {
  Inverse<D> f;
  f.H = H;
  f.singular = !invert(H, f.inv);
  const Real c = f.singular ? 0 : condition(H, f.inv);
  if (!(c < 1e14)) f.singular = true;  // also catches NaN
  f.refinements = c < 30 * D ? 0 : c < 1e6 ? 1 : 3;
  return f;
}

// Inverse of a symmetric positive definite matrix: Gauss-Jordan in place, which then needs no pivoting.
template <int D>
CAIRN_HD inline bool invert_definite(Mat<D>& a) {
  for (int k = 0; k < D; ++k) {
    if (!(a(k, k) > 0)) return false;
    const Real pivot = 1 / a(k, k);
    a(k, k) = 1;
    for (int i = 0; i < D; ++i) a(i, k) *= pivot;
    for (int j = 0; j < D; ++j) {
      if (j == k) continue;
      const Real f = a(k, j);
      a(k, j) = 0;
      for (int i = 0; i < D; ++i) a(i, j) -= f * a(i, k);
    }
  }
  return true;
}

// Energy brought by the impulse S during the step: 1/2 S.H S + b.S (the most dissipative solution has the least).
template <int D>
CAIRN_HD inline Real energy(const Mat<D>& H, const Vec<D>& b, const Vec<D>& S) {
  return dot(S, Real(0.5) * (H * S) + b);
}

template <int D>
CAIRN_HD inline Real max_abs(const Mat<D>& H) {
  Real m = 0;
  for (Real x : H.v) m = std::fabs(x) > m ? std::fabs(x) : m;
  return m;
}

}  // namespace cairn
