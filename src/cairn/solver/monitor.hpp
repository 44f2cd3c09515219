// What watches a solve: the error of an iterate, the best one so far, the clock.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "cairn/problem/step_problem.hpp"
#include "cairn/solver/report.hpp"
#include "cairn/solver/units.hpp"

namespace cairn {

// Errors of an iterate: natural map (rho = 1, De Saxce) over |q|, in the caller's units and in the problem's own.
// Both must pass: the first is the one that is reported; the second does not depend on units, and alone steers the
// solvers.
struct Errors {
  Real given = std::numeric_limits<Real>::infinity();
  Real own = std::numeric_limits<Real>::infinity();
  Real worst() const { return given > own ? given : own; }
};

template <StepProblem P>
class Monitor {
 public:
  using L = typename P::Law;
  static constexpr int D = L::dim;
  using Clock = std::chrono::steady_clock;

  Monitor(const P& problem, const Units& units, const SolverOptions& options, Report& report)
      : p_(problem), u_(units), options_(options), report_(report), start_(Clock::now()) {
    U_.resize(index(p_.contacts()));
    const std::vector<Real> zero(U_.size(), 0);
    p_.velocities(zero.data(), U_.data());
    for (int a = 0; a < p_.contacts(); ++a)
      for (int i = 0; i < D; ++i) {
        const Real own = U_[index(a) + i] / u_.stretch[a], given = is_torque<L>(i) ? own / u_.length : own;
        norm_given_ += given * given;
        norm_own_ += own * own;
      }
    norm_ = std::sqrt(norm_own_);
    norm_given_ = norm_given_ > 0 ? std::sqrt(norm_given_) : 1;
    norm_own_ = norm_own_ > 0 ? std::sqrt(norm_own_) : 1;
  }

  // Errors of impulses S (in the problem's own units), U = W S + q.
  Errors errors(const Real* S) {
    p_.velocities(S, U_.data());
    Real given = 0, own = 0;
    const Real ratio = u_.velocity / u_.impulse;
    for (int a = 0; a < p_.contacts(); ++a) {
      Vec<D> U = Vec<D>::load(&U_[index(a)]), R = Vec<D>::load(S + index(a));
      U *= 1 / u_.stretch[a];
      R *= u_.stretch[a];
      // What rounding hides beside a large impulse counts as error: no iterate is believed because it is huge.
      const Real hidden = std::numeric_limits<Real>::epsilon() * norm(R);
      L law = p_.law[a];
      divide_units(law, 1, 1 / u_.stretch[a]);
      own += norm2(natural_map(law, U, R)) + hidden * hidden;
      U *= ratio;  // in units of the impulse now, as the natural map with rho = 1 subtracts them
      if constexpr (is_torque<L>(D - 1)) {
        divide_units(law, 1 / u_.length, 1);
        for (int i = 0; i < D; ++i)
          if (is_torque<L>(i)) U[i] /= u_.length, R[i] *= u_.length;
      }
      given += norm2(natural_map(law, U, R));
    }
    return {std::sqrt(given) / (ratio * norm_given_), std::sqrt(own) / norm_own_};
  }

  // Records S; true when the solve may stop: converged or out of time.
  bool observe(Method method, const std::vector<Real>& S) {
    const Errors e = errors(S.data());
    // The best by what does not depend on units, so that solvers that start from it do not either.
    if (e.own < best_.own || e.worst() <= options_.tolerance || best_S_.empty()) {
      best_ = e;
      best_S_ = S;
      best_method_ = method;
    }
    last_ = e;
    report_.history.push_back({method, report_.iterations, seconds(), e.given});
    return done() || exhausted();
  }

  bool done() const { return best_.worst() <= options_.tolerance; }
  bool enough() const { return best_.worst() <= std::fmax(options_.enough, options_.tolerance); }
  bool out_of_time() const { return seconds() > options_.max_seconds; }
  // Of all methods together, where `auto` chooses them; each method keeps its own count otherwise.
  bool out_of_iterations() const {
    return options_.method == Method::automatic && options_.max_iterations > 0 &&
           report_.iterations >= options_.max_iterations;
  }
  bool exhausted() const { return out_of_time() || out_of_iterations(); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  Real norm_of_q() const { return norm_; }  // |q| in the problem's own units
  Real tolerance() const { return options_.tolerance; }
  const Errors& best_errors() const { return best_; }
  const Errors& last_errors() const { return last_; }
  const std::vector<Real>& best() const { return best_S_; }
  Method best_method() const { return best_method_; }
  Report& report() { return report_; }

  // Fills the report from the best iterate; a verdict of infeasibility stands.
  void conclude() {
    report_.error = best_.given;
    report_.method = best_method_;
    report_.seconds = seconds();
    // The error in own units may stay a little above: where impulses are small numbers it is the stricter of the two.
    if (best_.given <= options_.tolerance && best_.own <= 1000 * options_.tolerance) {
      report_.status = Stop::converged;
      report_.reason = "error below tolerance";
    } else if (enough()) {
      report_.status = Stop::converged;
      report_.reason = "error small enough";
    } else if (report_.status != Stop::infeasible) {
      report_.status = out_of_time() ? Stop::time : Stop::stalled;
      report_.reason = out_of_time()         ? "out of time"
                       : out_of_iterations() ? "out of iterations"
                                             : "no method made further progress";
    }
  }

 private:
  static std::size_t index(int a) { return static_cast<std::size_t>(a) * D; }

  const P& p_;
  const Units& u_;
  const SolverOptions& options_;
  Report& report_;
  Clock::time_point start_;
  Real norm_given_ = 0, norm_own_ = 0;  // |q|, or 1 where it vanishes
  Real norm_ = 0;
  Errors best_, last_;
  std::vector<Real> U_;  // (rows) velocities of the iterate last observed
  std::vector<Real> best_S_;
  Method best_method_ = Method::automatic;
};

}  // namespace cairn
