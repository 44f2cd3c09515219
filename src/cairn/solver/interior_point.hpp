// Primal-dual interior point with Nesterov-Todd scaling and Mehrotra's corrector, for laws with a Lorentz form.
//
// Coulomb's law is not the optimality condition of a convex problem: the shift of De Saxce is kept inside Newton's
// method. That converges on most problems in 15 to 40 iterations; where the path to the solution folds, the step falls
// to nothing and solver/central_path.hpp takes over.
#pragma once

#include <cmath>
#include <vector>

#include "cairn/solver/cone_iterate.hpp"
#include "cairn/solver/gauss_seidel.hpp"

namespace cairn {

struct InteriorOptions {
  int max_iterations = 100;
  int patience = 8;       // iterations without progress before giving up
  int last_patience = 8;  // the same once the error is below 1e-3
  Real smoothing = 0.8;   // [-] of the shift of De Saxce inside the cone, below 1
  Real border = 0.9;      // [-] part of the way to the border taken
  Real least_centering = 1e-3;
  Real feasibility = 0.3;  // [-] x.z is kept above this times the mean squared residual
};

template <StepProblem P>
class InteriorPoint {
 public:
  static constexpr int D = P::Law::dim;

  InteriorPoint(const P& problem, GaussSeidel<P>& gs)
      : gs_(gs),
        it_(problem),
        res_(it_.n),
        c_(it_.n),
        dx_(it_.n),
        dz_(it_.n),
        ax_(it_.n),
        az_(it_.n),
        S_(problem.rows()) {}

  // Leaves the best impulses in the monitor. True when the monitor stopped it.
  bool run(Monitor<P>& monitor, const InteriorOptions& options) {
    Real best = std::numeric_limits<Real>::infinity();
    int idle = 0;
    it_.restart(options.smoothing);
    for (int k = 0; k < options.max_iterations; ++k) {
      const Real m = it_.complementarity();
      it_.evaluate(res_);
      if (observe(monitor)) return true;
      idle = error_ < Real(0.9) * best ? 0 : idle + 1;
      if (error_ < best) best_S_ = S_;
      best = std::min(best, error_);
      if (idle > (best < Real(1e-3) ? options.last_patience : options.patience)) return false;
      if (!step(m, options)) return false;
      ++monitor.report().iterations;
      ++monitor.report().factorisations;
    }
    return false;
  }

  // The best iterate of the last run.
  const std::vector<Real>& best() const { return best_S_; }

 private:
  bool step(Real m, const InteriorOptions& options) {
    if (!it_.factorise()) return false;
    Real infeasible = 0;
    for (int a = 0; a < it_.n; ++a) {
      c_[a] = -it_.z[a].x;
      infeasible += norm2(res_[a]);
    }
    if (!it_.direction(c_, res_, ax_, az_)) return false;
    const Real t = std::min(Real(1), it_.reach(ax_, az_));
    Real left = m * it_.n;
    for (int a = 0; a < it_.n; ++a)
      left +=
          t * (cairn::dot(it_.x[a].x, az_[a]) + cairn::dot(ax_[a], it_.z[a].x)) + t * t * cairn::dot(ax_[a], az_[a]);
    const Real ratio = std::max(left / (m * it_.n), Real(0));
    Real centering = std::clamp(ratio * ratio * ratio, options.least_centering, Real(0.9));
    if (t < Real(0.1)) centering = std::max(centering, Real(0.3));
    // Complementarity must not run ahead of feasibility, or the iterates jam at the border.
    const Real target = std::max(centering * m, std::min(options.feasibility * infeasible / it_.n, 10 * m));
    for (int a = 0; a < it_.n; ++a)
      c_[a] = it_.second_order(a, ax_[a], az_[a]) + target * it_.x[a].inverse() - it_.z[a].x;
    if (!it_.direction(c_, res_, dx_, dz_)) return false;
    const Real length = std::min(Real(1), options.border * it_.reach(dx_, dz_));
    if (!(length > 0)) return false;
    it_.move(length, dx_, dz_);
    return true;
  }

  // The iterate lies inside the cones; one sweep puts it on them. Both are offered once it is near.
  bool observe(Monitor<P>& monitor) {
    it_.impulses(S_);
    if (monitor.observe(Method::interior_point, S_)) return true;
    error_ = monitor.last_errors().own;
    if (error_ > Real(1e-2)) return false;
    gs_.restart(S_.data());
    gs_.sweep(S_.data());
    const bool stop = monitor.observe(Method::interior_point, S_);
    error_ = std::min(error_, monitor.last_errors().own);
    return stop;
  }

  GaussSeidel<P>& gs_;
  ConeIterate<P> it_;
  std::vector<Vec<D>> res_, c_, dx_, dz_, ax_, az_;
  std::vector<Real> S_, best_S_;
  Real error_ = 0;  // of the iterate last observed
};

}  // namespace cairn
