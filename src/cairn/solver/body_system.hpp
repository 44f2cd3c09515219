// Linear systems (A W + B) x = b of solver/block_system.hpp over bodies. With W = G M^-1 G^T, M the inertia,
//   x = B^-1 (b - A G y),   K y = G^T B^-1 b,   K = M + G^T B^-1 A G.
// K has F rows a body, where A W + B has D rows a contact: a third of them in masonry, and far fewer couplings. B must
// not be singular: that of an interior point is not, that of a proximal step is not.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cairn/problem/bodies.hpp"
#include "cairn/solver/block_lu.hpp"
#include "cairn/solver/block_system.hpp"
#include "cairn/solver/body_resolvent.hpp"

namespace cairn {

template <ContactLaw L, int F>
class BlockSystem<BodyProblem<L, F>> {
 public:
  using P = BodyProblem<L, F>;
  static constexpr int D = L::dim;

  explicit BlockSystem(const P& problem)
      : p_(problem),
        lu_(problem.bodies(), touching(problem)),
        inverse_(p_.contacts()),
        residual_(p_.contacts()),
        change_(p_.contacts()),
        r_(p_.inverse_inertia.size()),
        y_(r_.size()) {
    const auto slot = [&](int r, int c) { return r >= 0 && c >= 0 ? lu_.slot(r, c) : -1; };
    for (const auto& c : p_.contact)
      slots_.push_back({slot(c.body[0], c.body[0]), slot(c.body[0], c.body[1]), slot(c.body[1], c.body[0]),
                        slot(c.body[1], c.body[1])});
  }

  // Factorises A W + B; false when singular.
  bool factorise(const std::vector<Mat<D>>& A, const std::vector<Mat<D>>& B) {
    for (int a = 0; a < p_.contacts(); ++a)
      if (!invert(B[a], inverse_[a])) return false;
    return factorise(A, B, inverse_);
  }
  // The same where the inverse of B is known better than from B.
  bool factorise(const std::vector<Mat<D>>& A, const std::vector<Mat<D>>& B, const std::vector<Mat<D>>& inverse) {
    A_ = A, B_ = B, inverse_ = inverse;
    lu_.clear();
    for (int b = 0; b < p_.bodies(); ++b) {
      Mat<F>& M = lu_.at(lu_.slot(b, b));
      for (int k = 0; k < F; ++k) {
        const Real own = p_.inverse_inertia[P::at(b) + k];
        M(k, k) = own > 0 ? 1 / own : 1;
      }
    }
    for (int a = 0; a < p_.contacts(); ++a) {
      const auto& c = p_.contact[a];
      const Mat<D> C = inverse_[a] * A[a];
      for (int t = 0; t < 2; ++t) {
        if (c.body[t] < 0) continue;
        const Mat<D, F> CG = C * c.G[t];
        for (int s = 0; s < 2; ++s)
          if (c.body[s] >= 0) add(transpose(c.G[s]) * CG, c.body[s], c.body[t], lu_.at(slots_[a][2 * s + t]));
      }
    }
    return lu_.factorise();
  }

  // Where B is nearly singular, x is a difference of large numbers: refined by its residual while that falls.
  bool solve(const std::vector<Vec<D>>& b, std::vector<Vec<D>>& x) {
    Real last = 0;
    for (const Vec<D>& row : b) last += norm2(row);
    last = std::sqrt(last);
    const Real small = Real(1e-10) * last;
    reduced(b, x);
    for (int k = 0; k < refinements; ++k) {
      const Real size = residual(b, x);
      if (!(size > small && size < last / 2)) break;
      last = size;
      reduced(residual_, change_);
      for (int a = 0; a < p_.contacts(); ++a) x[a] += change_[a];
    }
    return true;
  }

 private:
  static constexpr int refinements = 4;

  // x = (A W + B)^-1 b but for rounding.
  void reduced(const std::vector<Vec<D>>& b, std::vector<Vec<D>>& x) {
    for (int a = 0; a < p_.contacts(); ++a) x[a] = inverse_[a] * b[a];
    p_.body_impulses(x[0].v, r_.data());
    for (std::size_t i = 0; i < r_.size(); ++i)
      if (!(p_.inverse_inertia[i] > 0)) r_[i] = 0;
    lu_.solve(r_.data(), y_.data());
    for (int a = 0; a < p_.contacts(); ++a) x[a] = inverse_[a] * (b[a] - A_[a] * at_contact(a));
  }

  // b - (A W + B) x, and its size.
  Real residual(const std::vector<Vec<D>>& b, const std::vector<Vec<D>>& x) {
    p_.body_impulses(x[0].v, y_.data());
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] *= p_.inverse_inertia[i];
    Real sum = 0;
    for (int a = 0; a < p_.contacts(); ++a) {
      residual_[a] = b[a] - A_[a] * at_contact(a) - B_[a] * x[a];
      sum += norm2(residual_[a]);
    }
    return std::sqrt(sum);
  }

  // G y
  Vec<D> at_contact(int a) const {
    Vec<D> g = Vec<D>::zero();
    for (int s = 0; s < 2; ++s)
      if (p_.contact[a].body[s] >= 0) P::add_product(p_.contact[a].G[s], &y_[P::at(p_.contact[a].body[s])], g);
    return g;
  }

  // Without the freedoms that nothing moves.
  void add(const Mat<F>& block, int r, int c, Mat<F>& sum) const {
    for (int j = 0; j < F; ++j) {
      if (!(p_.inverse_inertia[P::at(c) + j] > 0)) continue;
      for (int i = 0; i < F; ++i)
        if (p_.inverse_inertia[P::at(r) + i] > 0) sum(i, j) += block(i, j);
    }
  }

  const P& p_;
  BlockLU<F> lu_;
  std::vector<std::array<int, 4>> slots_;  // (contacts) sides 00, 01, 10, 11
  std::vector<Mat<D>> A_, B_, inverse_;    // (contacts) inverse: of B
  std::vector<Vec<D>> residual_, change_;  // (contacts)
  std::vector<Real> r_, y_;                // (bodies * F)
};

}  // namespace cairn
