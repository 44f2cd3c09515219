// Proximal steps for problems whose solution is not determined or hardly so: W is replaced by W + alpha W_d, W_d the
// mean of each diagonal block, and q by q - alpha W_d c, where c is the last iterate. Each such problem is well
// conditioned and solved by Newton's method; as c converges, the added terms cancel. alpha falls while that works.
#pragma once

#include <cmath>
#include <vector>

#include "cairn/solver/newton.hpp"

namespace cairn {

struct ProximalOptions {
  int max_steps = 200;
  Real alpha = 1e-2;  // [-] at the start
  Real least_alpha = 1e-12, most_alpha = 10;
  int inner = 15;        // Newton iterations a step
  Real reduction = 0.1;  // [-] of the inner residual, that ends a step
};

template <ContactLaw L>
class Proximal {
 public:
  static constexpr int D = L::dim;
  using P = LocalProblem<L>;

  Proximal(const P& problem, const GaussSeidel<P>& gs) : p_(problem), weight_(gs.weight()), near_(problem) {}

  bool run(Monitor<P>& monitor, std::vector<Real>& S, const ProximalOptions& options) {
    Real alpha = options.alpha, error = monitor.errors(S.data()).worst();
    std::vector<Real> center;
    for (int k = 0; k < options.max_steps; ++k) {
      center = S;
      set(alpha, center);
      GaussSeidel<P> gs(near_);
      Newton<L> newton(near_, gs);
      const int used = newton.reduce(monitor.report(), S, options.inner, options.reduction);
      const bool good = used >= 0;
      if (monitor.observe(Method::newton, S)) return true;
      Real found = monitor.last_errors().worst();
      if (good) {
        if (extrapolate(monitor, S, center, found)) return true;
        if (found <= error) alpha = std::max(alpha * (used <= 4 ? Real(0.1) : Real(0.3)), options.least_alpha);
        error = found;
      } else {
        alpha = std::min(3 * alpha, options.most_alpha);
        if (!(found < error))
          S = center;
        else
          error = found;
      }
    }
    return false;
  }

 private:
  void set(Real alpha, const std::vector<Real>& center) {
    for (int a = 0; a < p_.contacts(); ++a)
      for (int i = 0; i < D; ++i) {
        const std::size_t row = static_cast<std::size_t>(a) * D + i;
        near_.diagonal[(static_cast<std::size_t>(a) * D + i) * D + i] =
            p_.diagonal[(static_cast<std::size_t>(a) * D + i) * D + i] + alpha * weight_[a];
        near_.q[row] = p_.q[row] - alpha * weight_[a] * center[row];
      }
  }

  // Successive steps drift along flat directions: go on along the last one while the error falls.
  bool extrapolate(Monitor<P>& monitor, std::vector<Real>& S, const std::vector<Real>& center, Real& error) {
    std::vector<Real> trial(S.size()), best = S;
    bool moved = false;
    for (Real t = 1; t < 20000; t *= 2) {
      for (std::size_t i = 0; i < S.size(); ++i) trial[i] = S[i] + t * (S[i] - center[i]);
      const Real found = monitor.errors(trial.data()).worst();
      if (!(found <= error)) break;
      error = found;
      best = trial;
      moved = true;
    }
    S = best;
    return moved && monitor.observe(Method::newton, S);
  }

  const P& p_;
  std::vector<Real> weight_;
  P near_;
};

}  // namespace cairn
