// (W + rho)^-1 over bodies: with W = G A^-1 G^T,
//   (W + rho)^-1 b = (b - G y) / rho,   K y = G^T b,   K = rho A + G^T G (Woodbury).
// K couples bodies that touch, has F rows a body and stays sparse where contacts are many: masonry. y is the change of
// the body velocities that the impulses (W + rho)^-1 b make.
#pragma once

#include <vector>

#include "cairn/problem/bodies.hpp"
#include "cairn/solver/sparse_cholesky.hpp"

namespace cairn {

// Bodies that share a contact.
template <ContactLaw L, int F>
std::vector<SparseCholesky::Pair> touching(const BodyProblem<L, F>& p) {
  std::vector<SparseCholesky::Pair> out;
  out.reserve(p.contact.size());
  for (const auto& c : p.contact)
    if (c.body[0] >= 0 && c.body[1] >= 0) out.push_back({c.body[0], c.body[1]});
  return out;
}

template <ContactLaw L, int F>
class BodyResolvent {
 public:
  using P = BodyProblem<L, F>;
  static constexpr int D = L::dim;

  explicit BodyResolvent(const P& problem)
      : p_(problem), cholesky_(F, problem.bodies(), touching(problem)), r_(size()), y_(size()) {
    gram_.assign(cholesky_.values().size(), 0);
    for (const auto& c : p_.contact) {
      for (int s = 0; s < 2; ++s) add(c.body[s], c.body[s], c.G[s], c.G[s]);
      add(c.body[0], c.body[1], c.G[0], c.G[1]);
    }
  }

  // False when K is not positive definite, which only data that are not finite can cause.
  bool factorise(Real rho) {
    rho_ = rho;
    std::vector<Real>& value = cholesky_.values();
    value = gram_;
    for (int b = 0; b < p_.bodies(); ++b) {
      const SparseCholesky::Slot slot = cholesky_.slot(b, b);
      for (int k = 0; k < F; ++k) {
        const Real inverse = p_.inverse_inertia[P::at(b) + k];
        Real& entry = value[slot.first + k * (slot.down + slot.across)];
        entry = inverse > 0 ? entry + rho / inverse : 1;
      }
    }
    return cholesky_.factorise();
  }

  // x = (W + rho)^-1 b
  void solve(const Real* b, Real* x) {
    p_.body_impulses(b, r_.data());
    for (std::size_t i = 0; i < r_.size(); ++i)
      if (!(p_.inverse_inertia[i] > 0)) r_[i] = 0;
    cholesky_.solve(r_.data(), y_.data());
    const Real f = 1 / rho_;
    for (int a = 0; a < p_.contacts(); ++a) {
      Vec<D> g = Vec<D>::zero();
      for (int s = 0; s < 2; ++s)
        if (p_.contact[a].body[s] >= 0) P::add_product(p_.contact[a].G[s], &y_[P::at(p_.contact[a].body[s])], g);
      const std::size_t i = static_cast<std::size_t>(a) * D;
      (f * (Vec<D>::load(b + i) - g)).store(x + i);
    }
  }

  void subtract_lagged(const Real*, Real*) const {}   // W is symmetric
  double flops() const { return cholesky_.flops(); }  // of a factorisation

 private:
  std::size_t size() const { return p_.inverse_inertia.size(); }

  // G_r^T G_c, without the freedoms that nothing moves.
  void add(int r, int c, const Mat<D, F>& G_r, const Mat<D, F>& G_c) {
    if (r < 0 || c < 0) return;
    const SparseCholesky::Slot slot = cholesky_.slot(r, c);
    for (int j = 0; j < F; ++j) {
      if (!(p_.inverse_inertia[P::at(c) + j] > 0)) continue;
      for (int i = 0; i < F; ++i) {
        if (!(p_.inverse_inertia[P::at(r) + i] > 0)) continue;
        Real sum = 0;
        for (int l = 0; l < D; ++l) sum += G_r(l, i) * G_c(l, j);
        gram_[slot.first + i * slot.down + j * slot.across] += sum;
      }
    }
  }

  const P& p_;
  SparseCholesky cholesky_;
  std::vector<Real> gram_;   // G^T G in the places of K
  std::vector<Real> r_, y_;  // (bodies * F)
  Real rho_ = 1;
};

}  // namespace cairn
