// Perfect joint: U = 0, S free (M88 sec. 1). K is the whole space.
#pragma once

#include "cairn/law/law.hpp"
#include "cairn/law/linear.hpp"

namespace cairn {

// Solves H S = r for singular H, free unknowns set to 0: elimination with pivots on the diagonal of the equilibrated H
// (H semi-definite). Returns false when r is out of range.
template <int D>
CAIRN_HD inline bool solve_semidefinite(const Mat<D>& H, const Vec<D>& r, Vec<D>& S) {
  Mat<D> a = H;
  Vec<D> y = r;
  bool used[D] = {};
  int order[D] = {}, rank = 0;
  for (; rank < D; ++rank) {
    int p = -1;
    Real best = Real(1e-13);
    for (int i = 0; i < D; ++i)
      if (!used[i] && H(i, i) > 0 && a(i, i) > best * H(i, i)) {
        p = i;
        best = a(i, i) / H(i, i);
      }
    if (p < 0) break;
    used[p] = true;
    order[rank] = p;
    for (int i = 0; i < D; ++i) {
      if (used[i]) continue;
      const Real f = a(i, p) / a(p, p);
      for (int j = 0; j < D; ++j)
        if (!used[j]) a(i, j) -= f * a(p, j);
      y[i] -= f * y[p];
    }
  }
  S = Vec<D>::zero();
  for (int k = rank - 1; k >= 0; --k) {
    Real s = y[order[k]];
    for (int l = k + 1; l < rank; ++l) s -= a(order[k], order[l]) * S[order[l]];
    S[order[k]] = s / a(order[k], order[k]);
  }
  const Vec<D> error = H * S - r;
  for (int i = 0; i < D; ++i) {
    Real size = std::fabs(r[i]);
    for (int j = 0; j < D; ++j) size += std::fabs(H(i, j) * S[j]);
    if (!(std::fabs(error[i]) <= Real(1e-10) * size)) return false;
  }
  return true;
}

template <int D>
struct Bilateral {
  static constexpr int dim = D;
  struct Local {
    Inverse<D> inverse;
  };

  CAIRN_HD Vec<D> project(const Vec<D>& x) const { return x; }
  CAIRN_HD Vec<D> shift(const Vec<D>&) const { return Vec<D>::zero(); }
  CAIRN_HD Local prepare(const Mat<D>& H) const { return {make_inverse(H)}; }
  CAIRN_HD LocalSolution<D> solve(Local& local, const Vec<D>& b) const {
    if (!local.inverse.singular) return {local.inverse.solve(-b), Status::stick, 1};
    Vec<D> S;
    if (solve_semidefinite(local.inverse.H, -b, S)) return {S, Status::stick, 1};
    return {Vec<D>::zero(), Status::stick, 0};
  }
};

static_assert(ContactLaw<Bilateral<3>>);

}  // namespace cairn
