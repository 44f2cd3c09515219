// Proximal steps for problems whose solution is not determined or hardly so: W is replaced by W + alpha and q by
// q - alpha c, where c is the last iterate. Each such problem is well conditioned and solved by Newton's method; as c
// converges, the added terms cancel. alpha falls while that works and rises when it does not.
#pragma once

#include <cmath>
#include <vector>

#include "cairn/solver/law_residual.hpp"

namespace cairn {

struct ProximalOptions {
  int max_steps = 200;
  int max_factorisations = 100000;
  Real alpha = 1e-3;  // [-] at the start, W being near 1
  Real least_alpha = 1e-12, most_alpha = 10;
  int inner = 10;        // Newton iterations a step
  Real reduction = 0.3;  // [-] of the residual, that ends a step
};

template <StepProblem P>
class Proximal {
 public:
  static constexpr int D = P::Law::dim;

  explicit Proximal(const P& problem)
      : p_(problem), n_(problem.contacts()), system_(problem), A_(n_), B_(n_), F_(n_), d_(n_), U_(n_) {}

  // Improves S until the monitor stops it. True when the monitor stopped it.
  bool run(Monitor<P>& monitor, std::vector<Real>& S, const ProximalOptions& options) {
    Real alpha = options.alpha, error = monitor.errors(S.data()).own;
    const int most = monitor.report().factorisations + options.max_factorisations;
    for (int k = 0; k < options.max_steps && monitor.report().factorisations < most; ++k) {
      const std::vector<Real> center = S;
      const int used = reduce(monitor.report(), alpha, center, S, options);
      if (monitor.observe(Method::newton, S)) return true;
      Real found = monitor.last_errors().own;
      if (used > 0 && extrapolate(monitor, S, center, found)) return true;
      if (monitor.enough() && used != 1) return false;  // what is left is not worth more than a step of Newton's each
      if (used > 0 && found <= error)
        alpha = std::max(alpha * (used <= 5 ? Real(0.1) : Real(0.3)), options.least_alpha);
      else if (used <= 0)
        alpha = std::min(3 * alpha, options.most_alpha);
      if (used > 0 || found < error)
        error = found;
      else
        S = center;
    }
    return false;
  }

 private:
  // |F| at S of the problem near the centre; with_derivatives: A, B as well, dF = (A W + B) dS.
  Real residual(Real alpha, const std::vector<Real>& center, const std::vector<Real>& S, bool with_derivatives) {
    Real sum = 0;
    p_.velocities(S.data(), U_[0].v);
    for (int a = 0; a < n_; ++a) {
      const std::size_t i = static_cast<std::size_t>(a) * D;
      const Vec<D> R = Vec<D>::load(&S[i]), U = U_[a] + alpha * (R - Vec<D>::load(&center[i]));
      if (with_derivatives) {
        law_residual(p_.law[a], U, R, F_[a], A_[a], B_[a]);
        B_[a] += alpha * A_[a];
      } else {
        law_residual(p_.law[a], U, R, F_[a]);
      }
      sum += norm2(F_[a]);
    }
    return std::sqrt(sum);
  }

  // Newton's method on the problem near the centre, with a line search that looks back five values, so that it may pass
  // over kinks. Returns the iterations used, 0 when the residual did not fall enough.
  int reduce(Report& report, Real alpha, const std::vector<Real>& center, std::vector<Real>& S,
             const ProximalOptions& options) {
    const Real first = residual(alpha, center, S, true);
    Real size = first, last[5] = {first, 0, 0, 0, 0};
    std::vector<Real> trial(S.size());
    for (int k = 0; k < options.inner; ++k) {
      ++report.iterations;
      ++report.factorisations;
      if (!system_.factorise(A_, B_) || !system_.solve(F_, d_) || !std::isfinite(norm2(d_[0]))) return 0;
      const Real reference = *std::max_element(last, last + 5);
      const Real* const d = d_[0].v;  // of all contacts
      Real t = 1, best = std::numeric_limits<Real>::infinity(), best_t = 0;
      for (int halving = 0; halving < 10; ++halving, t /= 2) {
        for (std::size_t i = 0; i < S.size(); ++i) trial[i] = S[i] - t * d[i];
        const Real found = residual(alpha, center, trial, false);
        if (found < best) best = found, best_t = t;
        if (found <= (1 - t / 1000) * reference) break;
      }
      if (!(best < 2 * size)) return 0;
      for (std::size_t i = 0; i < S.size(); ++i) S[i] -= best_t * d[i];
      size = last[(k + 1) % 5] = residual(alpha, center, S, true);
      if (size <= options.reduction * first) return k + 1;
    }
    return 0;
  }

  // Successive steps drift along flat directions: go on along the last one while the error falls.
  bool extrapolate(Monitor<P>& monitor, std::vector<Real>& S, const std::vector<Real>& center, Real& error) {
    std::vector<Real> trial(S.size()), best = S;
    bool moved = false;
    for (Real t = 1; t < 20000; t *= 2) {
      for (std::size_t i = 0; i < S.size(); ++i) trial[i] = S[i] + t * (S[i] - center[i]);
      const Real found = monitor.errors(trial.data()).own;
      if (!(found <= error)) break;
      error = found;
      best = trial;
      moved = true;
    }
    S = best;
    return moved && monitor.observe(Method::newton, S);
  }

  const P& p_;
  int n_;
  BlockSystem<P> system_;
  std::vector<Mat<D>> A_, B_;
  std::vector<Vec<D>> F_, d_, U_;
};

}  // namespace cairn
