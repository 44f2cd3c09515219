// A point inside the cones, and Newton directions from it: shared by the interior point and by the central path.
//
//   z = W x + q + e_0 s(z) + [a given term],   x o z = [a given right-hand side],
//   s(z) = (|z_T|^2 + eps^2 (z_0 - |z_T|)^2)^(1/2)
// in the variables of solver/lorentz_form.hpp. The shift of De Saxce, s = |z_T| on the border, is smooth inside the
// cone and stays inside Newton's method: E = I - e_0 (ds/dz)^T.
#pragma once

#include <vector>

#include "cairn/solver/body_system.hpp"
#include "cairn/solver/lorentz.hpp"
#include "cairn/solver/lorentz_form.hpp"

namespace cairn {

// The problem in the variables of the cones: R W T, R q.
template <LorentzLaw L>
LocalProblem<L> in_cones(LocalProblem<L> p) {
  constexpr int D = L::dim;
  std::vector<LorentzForm<D>> form;
  for (const L& law : p.law) form.push_back(lorentz_form(law));
  const auto change = [&](Real* block, int a, int b) { (form[a].R * (Mat<D>::load(block) * form[b].T)).store(block); };
  for (int a = 0; a < p.contacts(); ++a) {
    change(&p.diagonal[static_cast<std::size_t>(a) * D * D], a, a);
    for (int k = p.begin[a]; k < p.begin[a + 1]; ++k)
      change(&p.block[static_cast<std::size_t>(k) * D * D], a, p.column[k]);
    Real* q = &p.q[static_cast<std::size_t>(a) * D];
    (form[a].R * Vec<D>::load(q)).store(q);
  }
  return p;
}
// Over bodies for laws with R = T^T, that is with a friction set about the origin.
template <LorentzLaw L, int F>
BodyProblem<L, F> in_cones(BodyProblem<L, F> p) {
  constexpr int D = L::dim;
  for (int a = 0; a < p.contacts(); ++a) {
    const Mat<D> R = lorentz_form(p.law[a]).R;
    for (Mat<D, F>& G : p.contact[a].G) G = R * G;
    Real* w = &p.w[static_cast<std::size_t>(a) * D];
    (R * Vec<D>::load(w)).store(w);
  }
  return p;
}

template <StepProblem P>
requires LorentzLaw<typename P::Law>
class ConeIterate {
 public:
  using L = typename P::Law;
  static constexpr int D = L::dim;
  static constexpr bool over_bodies = requires { P::freedoms; };
  using Cone = ConeElement<D>;
  using Vectors = std::vector<Vec<D>>;

  explicit ConeIterate(const P& problem)
      : n(problem.contacts()),
        p_(in_cones(problem)),
        system_(p_),
        T_(n),
        identity_(n, Mat<D>::identity()),
        B_(n),
        C_(n),
        rhs_(n),
        X_(n),
        U_(n),
        q_(n) {
    for (int a = 0; a < n; ++a) T_[a] = lorentz_form(problem.law[a]).T;
    p_.velocities(X_[0].v, q_[0].v);
    slope.resize(n);
  }

  // Back to the centre of the cones. eps: smoothing of the shift, between 0 and 1; it decides by which path the
  // solution is reached, not what it is.
  void restart(Real eps) {
    Real sum = 0;
    for (const Vec<D>& q : q_) sum += norm2(q);
    x.assign(n, ConeElement<D>::identity(sum > 0 ? std::sqrt(sum / n) : 1));
    z = x;
    eps_ = eps;
  }

  // W x + q - z + s e_0; prepares scaling and slopes for directions.
  void evaluate(Vectors& residual) {
    const Real e2 = eps_ * eps_;
    scaling.clear();
    for (int a = 0; a < n; ++a) X_[a] = x[a].x;
    p_.velocities(X_[0].v, U_[0].v);
    for (int a = 0; a < n; ++a) {
      const Real t = z[a].tangent, g = z[a].gap, s = std::sqrt(t * t + e2 * g * g);
      slope[a] = z[a].combine(e2 * g / s, (t - e2 * g) / s);
      residual[a] = U_[a] - z[a].x;
      Cone::add_axis(residual[a], s);
      scaling.emplace_back(x[a], z[a]);
    }
  }

  // Factorises W + E F^-2; over bodies W + E (F^-2 + d). There a large F^2 drowns the inertia of bodies in rounding; d
  // bounds it, and changes the complementarity that the step aims at by a hundredth.
  bool factorise() {
    Real size = 0;
    for (int a = 0; a < n; ++a) size += norm2(x[a].x);
    const Real d = over_bodies ? Real(0.01) * complementarity() * n / size : 0;
    for (int a = 0; a < n; ++a) {
      Mat<D> G = scaling[a].inverse_square();
      for (int i = 0; i < D; ++i) G(i, i) += d;
      B_[a] = outer(a, -1) * G;
      if constexpr (over_bodies) {
        if (!invert(G, C_[a])) return false;
        C_[a] = C_[a] * outer(a, 1 / (1 - Cone::along_axis(slope[a])));
      }
    }
    if constexpr (over_bodies)
      return system_.factorise(identity_, B_, C_);
    else
      return system_.factorise(identity_, B_);
  }
  int determinant_sign() const { return system_.determinant_sign(); }

  // F^-2 dx + dz = c,  E dz = W dx + f. The right-hand side is taken in the space of z, and dz from the second
  // equation: both avoid products of large and small numbers of F^-2.
  bool direction(const Vectors& c, const Vectors& f, Vectors& dx, Vectors& dz) {
    for (int a = 0; a < n; ++a) {
      Vec<D> t = c[a];
      Cone::add_axis(t, -cairn::dot(slope[a], t));
      rhs_[a] = t - f[a];
    }
    if (!system_.solve(rhs_, dx)) return false;
    p_.velocities(dx[0].v, U_[0].v);
    for (int a = 0; a < n; ++a) {
      Vec<D> t = U_[a] - q_[a] + f[a];
      Cone::add_axis(t, cairn::dot(slope[a], t) / (1 - Cone::along_axis(slope[a])));
      dz[a] = t;
    }
    return std::isfinite(norm2(dx[0]));
  }

  // The second-order term of the complementarity along (dx, dz), as a right-hand side c.
  Vec<D> second_order(int a, const Vec<D>& dx, const Vec<D>& dz) const { return scaling[a].second_order(dx, dz); }

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
  // I + f e_0 slope^T: E for f = -1, its inverse for f = 1 / (1 - slope_0).
  Mat<D> outer(int a, Real f) const {
    Mat<D> E;
    for (int j = 0; j < D; ++j) {
      Vec<D> column = Vec<D>::zero();
      column[j] = 1;
      Cone::add_axis(column, f * slope[a][j]);
      for (int i = 0; i < D; ++i) E(i, j) = column[i];
    }
    return E;
  }

  Real eps_ = 0;
  P p_;
  BlockSystem<P> system_;
  std::vector<Mat<D>> T_, identity_, B_, C_;  // C: inverse of B, over bodies
  Vectors rhs_, X_, U_, q_;
};

}  // namespace cairn
