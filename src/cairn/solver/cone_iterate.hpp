// A point inside the cones, and Newton directions from it: shared by the interior point and by the central path.
//
//   z = W x + q + e_0 s(z) + [a given term],   x o z = [a given right-hand side],
//   s(z) = (|z_T|^2 + eps^2 (z_0 - |z_T|)^2)^(1/2)
// in the variables of solver/lorentz_form.hpp. The shift of De Saxce, s = |z_T| on the border, is smooth inside the
// cone and stays inside Newton's method: E = I - e_0 (ds/dz)^T.
#pragma once

#include <vector>

#include "cairn/solver/block_system.hpp"
#include "cairn/solver/lorentz.hpp"
#include "cairn/solver/lorentz_form.hpp"

namespace cairn {

template <LorentzLaw L>
class ConeIterate {
 public:
  static constexpr int D = L::dim;
  using Vectors = std::vector<Vec<D>>;

  explicit ConeIterate(const LocalProblem<L>& problem)
      : n(problem.contacts()),
        p_(transform(problem)),
        system_(p_),
        T_(n),
        identity_(n, Mat<D>::identity()),
        B_(n),
        rhs_(n) {
    for (int a = 0; a < n; ++a) T_[a] = lorentz_form(problem.law[a]).T;
    X_.resize(n);
    slope.resize(n);
  }

  // Back to the centre of the cones. eps: smoothing of the shift, between 0 and 1; it decides by which path the
  // solution is reached, not what it is.
  void restart(Real eps) {
    Real sum = 0;
    for (Real q : p_.q) sum += q * q;
    x.assign(n, ConeElement<D>::identity(sum > 0 ? std::sqrt(sum / n) : 1));
    z = x;
    eps_ = eps;
  }

  // W x + q - z + s e_0; prepares scaling and slopes for directions.
  void evaluate(Vectors& residual) {
    const Real e2 = eps_ * eps_;
    scaling.clear();
    for (int a = 0; a < n; ++a) X_[a] = x[a].x;
    for (int a = 0; a < n; ++a) {
      const Real t = z[a].tangent, g = z[a].gap, s = std::sqrt(t * t + e2 * g * g);
      const Real f = t > 0 ? (t - e2 * g) / (t * s) : 0;
      slope[a] = f * z[a].x;
      slope[a][0] = e2 * g / s;
      residual[a] = p_.velocity(a, X_[0].v) - z[a].x;
      residual[a][0] += s;
      scaling.emplace_back(x[a], z[a]);
    }
  }

  // Factorises W + E F^-2.
  bool factorise() {
    for (int a = 0; a < n; ++a) {
      const Mat<D> G = scaling[a].inverse_square();
      B_[a] = G;
      for (int j = 0; j < D; ++j)
        for (int k = 0; k < D; ++k) B_[a](0, j) -= slope[a][k] * G(k, j);
    }
    return system_.factorise(identity_, B_);
  }
  int determinant_sign() const { return system_.determinant_sign(); }

  // F^-2 dx + dz = c,  E dz = W dx + f. The right-hand side is taken in the space of z, and dz from the second
  // equation: both avoid products of large and small numbers of F^-2.
  bool direction(const Vectors& c, const Vectors& f, Vectors& dx, Vectors& dz) {
    for (int a = 0; a < n; ++a) {
      Vec<D> t = c[a];
      t[0] -= cairn::dot(slope[a], t);
      rhs_[a] = t - f[a];
    }
    if (!system_.solve(rhs_, dx)) return false;
    for (int a = 0; a < n; ++a) {
      Vec<D> t = p_.velocity(a, dx[0].v) - Vec<D>::load(&p_.q[static_cast<std::size_t>(a) * D]) + f[a];
      t[0] = (t[0] + dot_T(slope[a], t)) / (1 - slope[a][0]);
      dz[a] = t;
    }
    return std::isfinite(norm2(dx[0]));
  }

  // The second-order term of the complementarity along (dx, dz), as a right-hand side c.
  Vec<D> second_order(int a, const Vec<D>& dx, const Vec<D>& dz) const {
    return scaling[a].divide(scaling[a].divide_by_lambda(-jordan(scaling[a].divide(dx), scaling[a].times(dz))));
  }

  // Largest step, at most 1e30, that keeps x and z in the cones.
  Real reach(const Vectors& dx, const Vectors& dz) const {
    Real t = Real(1e30);
    for (int a = 0; a < n; ++a) t = std::min({t, x[a].reach(dx[a]), z[a].reach(dz[a])});
    return t;
  }
  void move(Real t, const Vectors& dx, const Vectors& dz) {
    for (int a = 0; a < n; ++a) x[a].move(t, dx[a]), z[a].move(t, dz[a]);
  }

  Real complementarity() const {  // mean of x.z
    Real m = 0;
    for (int a = 0; a < n; ++a) m += dot(x[a], z[a]);
    return m / n;
  }

  void impulses(std::vector<Real>& S) const {
    for (int a = 0; a < n; ++a) (T_[a] * x[a].x).store(&S[static_cast<std::size_t>(a) * D]);
  }

  int n;
  std::vector<ConeElement<D>> x, z;
  std::vector<Scaling<D>> scaling;
  Vectors slope;  // (contacts) ds/dz

 private:
  // R W T, R q
  static LocalProblem<L> transform(const LocalProblem<L>& problem) {
    LocalProblem<L> p = problem;
    std::vector<LorentzForm<D>> form;
    for (const L& law : p.law) form.push_back(lorentz_form(law));
    const auto change = [&](Real* block, int a, int b) {
      (form[a].R * (Mat<D>::load(block) * form[b].T)).store(block);
    };
    for (int a = 0; a < p.contacts(); ++a) {
      change(&p.diagonal[static_cast<std::size_t>(a) * D * D], a, a);
      for (int k = p.begin[a]; k < p.begin[a + 1]; ++k)
        change(&p.block[static_cast<std::size_t>(k) * D * D], a, p.column[k]);
      Real* q = &p.q[static_cast<std::size_t>(a) * D];
      (form[a].R * Vec<D>::load(q)).store(q);
    }
    return p;
  }

  Real eps_ = 0;
  LocalProblem<L> p_;
  BlockSystem<L> system_;
  std::vector<Mat<D>> T_, identity_, B_;
  Vectors rhs_, X_;
};

}  // namespace cairn
