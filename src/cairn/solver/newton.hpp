// Nonsmooth Newton on the residual of exact one-contact solutions.
//
// With the other impulses held, contact a has the solution S^_a(b_a), b_a = q_a + sum_{b != a} W_ab S_b. A solution of
// the problem is a fixed point S = S^(b(S)), and Newton's method is applied to R(S) = S^(b(S)) - S. The point (U^, S^)
// lies on the law exactly, so the law is linearised where it holds: N_U dU + N_S dS = 0. Then
//   (N_U W + N_S) dS = (N_U W_aa + N_S) R.
// Compared with Newton on the natural map (Alart and Curnier), stick, slide and take-off are decided by the exact local
// solution and not by a parameter.
#pragma once

#include <cmath>
#include <vector>

#include "cairn/solver/block_system.hpp"
#include "cairn/solver/gauss_seidel.hpp"

namespace cairn {

// Derivatives of the natural map N(U, S) = S - P_K(S - (U + shift(U)) / h), times h for U: central differences, which
// serve every law. h: the contact's own 1/kg, so that U / h and S are of one size.
template <ContactLaw L>
void linearise(const L& law, const Vec<L::dim>& U, const Vec<L::dim>& S, Real h, Mat<L::dim>& N_U, Mat<L::dim>& N_S) {
  constexpr int D = L::dim;
  const Vec<D> v = (1 / h) * U;
  const Real size = norm(v) + norm(S);
  if (!(size > 0)) {  // an idle contact: impulse kept at zero
    N_U = Mat<D>::zero();
    N_S = Mat<D>::identity();
    return;
  }
  const Real d = Real(1e-6) * size;
  for (int j = 0; j < D; ++j) {
    Vec<D> plus = v, minus = v;
    plus[j] += d, minus[j] -= d;
    const Vec<D> by_v = natural_map(law, plus, S) - natural_map(law, minus, S);
    plus = S, minus = S;
    plus[j] += d, minus[j] -= d;
    const Vec<D> by_s = natural_map(law, v, plus) - natural_map(law, v, minus);
    for (int i = 0; i < D; ++i) {
      N_U(i, j) = by_v[i] / (2 * d * h);
      N_S(i, j) = by_s[i] / (2 * d);
    }
  }
}

struct NewtonOptions {
  int max_iterations = 40;
  Real damping = 1e-8;  // [-] of W_aa added to W at the start; grows tenfold on failure, falls on success
  Real max_damping = 1e-1;
};

template <ContactLaw L>
class Newton {
 public:
  static constexpr int D = L::dim;
  using P = LocalProblem<L>;

  Newton(const P& problem, GaussSeidel<P>& gs)
      : p_(problem),
        gs_(gs),
        n_(problem.contacts()),
        system_(problem),
        A_(n_),
        B_(n_),
        S_(n_),
        U_(n_),
        R_(n_),
        d_(n_),
        rhs_(n_) {}

  // Improves S until the monitor stops it or no step helps. True when the monitor stopped it.
  bool run(Monitor<P>& monitor, std::vector<Real>& S, const NewtonOptions& options) {
    Real damping = options.damping, size = residual(S.data());
    std::vector<Real> trial(S.size());
    for (int k = 0; k < options.max_iterations; ++k) {
      if (!direction(damping)) return false;
      ++monitor.report().iterations;
      ++monitor.report().factorisations;
      Real t = 1, found = size;
      for (int halving = 0; halving < 8; ++halving, t /= 2) {
        for (std::size_t i = 0; i < S.size(); ++i) trial[i] = S[i] + t * d_[0].v[i];
        found = residual(trial.data());
        if (found < (1 - t / 10) * size) break;
      }
      if (!(found < (1 - t / 10) * size)) {
        damping *= 10;
        if (damping > options.max_damping || monitor.exhausted()) return false;
        residual(S.data());
        continue;
      }
      S = trial;
      size = found;
      damping = t == 1 ? std::max(damping / 10, Real(1e-12)) : std::min(damping * 3, options.max_damping);
      if (observe(monitor)) return true;
    }
    return false;
  }

 private:
  // R(S), the local solutions and velocities; returns |R| weighted by the diagonal of W.
  Real residual(const Real* S) {
    Real sum = 0;
    for (int a = 0; a < n_; ++a) {
      const Vec<D> b = p_.velocity_without(a, S);
      S_[a] = p_.law[a].solve(gs_.local()[a], b).S;
      U_[a] = p_.diagonal_block(a) * S_[a] + b;
      R_[a] = S_[a] - Vec<D>::load(S + static_cast<std::size_t>(a) * D);
      sum += gs_.weight()[a] * norm2(R_[a]);
    }
    return std::sqrt(sum);
  }

  bool direction(Real damping) {
    for (int a = 0; a < n_; ++a) {
      const Mat<D> H = p_.diagonal_block(a);
      linearise(p_.law[a], U_[a], S_[a], gs_.weight()[a], A_[a], B_[a]);
      rhs_[a] = A_[a] * (H * R_[a]) + B_[a] * R_[a];
      B_[a] += damping * gs_.weight()[a] * A_[a];
    }
    return system_.factorise(A_, B_) && system_.solve(rhs_, d_) && std::isfinite(norm2(d_[0]));
  }

  // The local solutions themselves are the better iterate: they lie on the cones.
  bool observe(Monitor<P>& monitor) {
    std::vector<Real> S(S_[0].v, S_[0].v + S_.size() * D);
    return monitor.observe(Method::newton, S);
  }

  const P& p_;
  GaussSeidel<P>& gs_;
  int n_;
  BlockSystem<P> system_;
  std::vector<Mat<D>> A_, B_;
  std::vector<Vec<D>> S_, U_, R_, d_, rhs_;
};

}  // namespace cairn
