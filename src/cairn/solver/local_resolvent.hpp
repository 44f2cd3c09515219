// (W_sym + rho)^-1 in local form, W_sym the symmetric part of W. Codes that treat gyroscopic terms implicitly make W
// slightly unsymmetric: the rest, W_anti, is lagged by the caller.
#pragma once

#include <vector>

#include "cairn/problem/local.hpp"
#include "cairn/solver/sparse_cholesky.hpp"

namespace cairn {

template <ContactLaw L>
class LocalResolvent {
 public:
  using P = LocalProblem<L>;
  static constexpr int D = L::dim;

  explicit LocalResolvent(const P& problem) : p_(problem), cholesky_(D, problem.contacts(), pairs(problem)) {
    symmetric_part_.assign(cholesky_.values().size(), 0);
    for (int a = 0; a < p_.contacts(); ++a) {
      add_half(a, a, &p_.diagonal[static_cast<std::size_t>(a) * D * D]);
      for (int k = p_.begin[a]; k < p_.begin[a + 1]; ++k)
        add_half(a, p_.column[k], &p_.block[static_cast<std::size_t>(k) * D * D]);
    }
  }

  // False when W_sym + rho is not positive definite.
  bool factorise(Real rho) {
    std::vector<Real>& value = cholesky_.values();
    value = symmetric_part_;
    for (int a = 0; a < p_.contacts(); ++a) {
      const SparseCholesky::Slot slot = cholesky_.slot(a, a);
      for (int i = 0; i < D; ++i) value[slot.first + i * (slot.down + slot.across)] += rho;
    }
    return cholesky_.factorise();
  }

  // x = (W_sym + rho)^-1 b
  void solve(const Real* b, Real* x) { cholesky_.solve(b, x); }

  // y -= W_anti x, W_anti = (W - W^T) / 2
  void subtract_lagged(const Real* x, Real* y) const {
    if (p_.symmetric) return;
    for (int a = 0; a < p_.contacts(); ++a) {
      subtract_half(a, a, &p_.diagonal[static_cast<std::size_t>(a) * D * D], x, y);
      for (int k = p_.begin[a]; k < p_.begin[a + 1]; ++k)
        subtract_half(a, p_.column[k], &p_.block[static_cast<std::size_t>(k) * D * D], x, y);
    }
  }

 private:
  static std::vector<SparseCholesky::Pair> pairs(const P& p) {
    std::vector<SparseCholesky::Pair> out;
    out.reserve(p.column.size());
    for (int a = 0; a < p.contacts(); ++a)
      for (int k = p.begin[a]; k < p.begin[a + 1]; ++k) out.push_back({a, p.column[k]});
    return out;
  }

  // Half of W_ab; the other half comes from W_ba.
  void add_half(int a, int b, const Real* block) {
    const SparseCholesky::Slot slot = cholesky_.slot(a, b);
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) {
        symmetric_part_[slot.first + i * slot.down + j * slot.across] += block[j * D + i] / 2;
        if (a == b) symmetric_part_[slot.first + j * slot.down + i * slot.across] += block[j * D + i] / 2;
      }
  }

  static void subtract_half(int a, int b, const Real* block, const Real* x, Real* y) {
    const std::size_t r = static_cast<std::size_t>(a) * D, c = static_cast<std::size_t>(b) * D;
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) {
        const Real half = block[j * D + i] / 2;
        y[r + i] -= half * x[c + j];
        y[c + j] += half * x[r + i];
      }
  }

  const P& p_;
  SparseCholesky cholesky_;
  std::vector<Real> symmetric_part_;  // W_sym in the places of the factorised matrix
};

}  // namespace cairn
