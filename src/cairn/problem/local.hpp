// The step problem in local form: U = W S + q with the Delassus matrix W in sparse blocks. (JM92 7.4)
#pragma once

#include <vector>

#include "cairn/law/law.hpp"

namespace cairn {

// U_a = q_a + W_aa S_a + sum_b W_ab S_b. W is symmetric positive semi-definite in mechanics, but codes that treat
// gyroscopic terms implicitly produce an unsymmetric W whose symmetric part is positive semi-definite.
template <ContactLaw L>
struct LocalProblem {
  static constexpr int dim = L::dim;
  using Law = L;

  std::vector<int> begin;      // (contacts + 1) first off-diagonal block of a row
  std::vector<int> column;     // (blocks) contact b of a block
  std::vector<Real> block;     // [1/kg] (blocks * dim * dim) W_ab, b != a, column-major
  std::vector<Real> diagonal;  // [1/kg] (contacts * dim * dim) W_aa
  std::vector<Real> q;         // [m/s] (contacts * dim) local velocity without impulses
  std::vector<L> law;          // (contacts)
  bool symmetric = true;

  int contacts() const { return static_cast<int>(law.size()); }
  int rows() const { return dim * contacts(); }

  Mat<dim> diagonal_block(int a) const { return Mat<dim>::load(&diagonal[static_cast<std::size_t>(a) * dim * dim]); }

  // Velocity of contact a from all impulses but its own. Blocks of three rows go four numbers at a time, the fourth
  // being thrown away; the last column is read from one number before it, so as not to read beyond the block.
  Vec<dim> velocity_without(int a, const Real* S) const {
    const Real* B = block.data() + static_cast<std::size_t>(begin[a]) * dim * dim;
    Vec<dim> U = Vec<dim>::load(&q[static_cast<std::size_t>(a) * dim]);
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
    if constexpr (dim == 3) {
      using Four = Real __attribute__((vector_size(32), aligned(8), may_alias));
      using Index = long long __attribute__((vector_size(32)));
      Four sum{U[0], U[1], U[2], 0};
      for (int k = begin[a]; k < begin[a + 1]; ++k, B += 9) {
        const Real* s = S + static_cast<std::size_t>(column[k]) * 3;
        sum += *reinterpret_cast<const Four*>(B) * s[0];
        sum += *reinterpret_cast<const Four*>(B + 3) * s[1];
        sum += __builtin_shuffle(*reinterpret_cast<const Four*>(B + 5), Index{1, 2, 3, 3}) * s[2];
      }
      return {sum[0], sum[1], sum[2]};
    }
#endif
    for (int k = begin[a]; k < begin[a + 1]; ++k, B += dim * dim) {
      const Real* s = S + static_cast<std::size_t>(column[k]) * dim;
      for (int j = 0; j < dim; ++j)
        for (int i = 0; i < dim; ++i) U[i] += B[j * dim + i] * s[j];
    }
    return U;
  }

  Vec<dim> velocity(int a, const Real* S) const {
    return velocity_without(a, S) + diagonal_block(a) * Vec<dim>::load(S + static_cast<std::size_t>(a) * dim);
  }

  // A sweep needs nothing but the impulses themselves.
  struct Sweep {
    explicit Sweep(const LocalProblem& problem) : p(problem) {}
    void restart(const Real*) {}
    Vec<dim> velocity_without(int a, const Real* S) const { return p.velocity_without(a, S); }
    void changed(int, const Vec<dim>&) {}
    const LocalProblem& p;
  };

  // U = W S + q
  void velocities(const Real* S, Real* U) const {
    for (int a = 0; a < contacts(); ++a) velocity(a, S).store(U + static_cast<std::size_t>(a) * dim);
  }
};

}  // namespace cairn
