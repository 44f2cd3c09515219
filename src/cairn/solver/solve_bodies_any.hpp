// solve_bodies() for any law; the .cpp files beside compile it for those of bodies, a few each.
#pragma once

#include <memory>

#include "cairn/problem/delassus.hpp"
#include "cairn/solver/admm.hpp"
#include "cairn/solver/automatic.hpp"
#include "cairn/solver/forecast.hpp"
#include "cairn/solver/solve_bodies.hpp"
#include "cairn/solver/solve_local.hpp"

namespace cairn {
namespace detail {

template <ContactLaw L, int F>
class BodySolver {
 public:
  using P = BodyProblem<L, F>;
  using Primal = Admm<P, BodyResolvent<L, F>>;

  BodySolver(const P& problem, Monitor<P>& monitor, const SolverOptions& options)
      : p_(problem), monitor_(monitor), options_(options) {}

  // False: what is left is for the local form.
  bool run(std::vector<Real>& S) {
    switch (options_.method) {
      case Method::gauss_seidel: return sweeps(S, 0);
      case Method::anderson: return sweeps(S, SweepOptions{}.window);
      case Method::admm: return admm(S);
      case Method::automatic: break;
      default: return false;
    }
    return automatic(S);
  }

 private:
  bool finished() const { return monitor_.enough() || monitor_.exhausted(); }

  // A structure at rest takes ADMM a dozen iterations, however large: that is tried first, from no impulses. Otherwise
  // sweeps, in case they are fast; then Newton's method and an interior point over bodies. False: what is left is for
  // the local form.
  bool automatic(std::vector<Real>& S) {
    std::unique_ptr<Primal> primal;
    if (options_.swept) {
      monitor_.observe(Method::gauss_seidel, S);
      if (finished() || !factorisable()) return true;
      if (!options_.warm_start) S.assign(S.size(), 0);
    }
    if (!options_.warm_start && structure() && factorisable()) {
      primal = std::make_unique<Primal>(p_, *resolvent_);
      if (primal->begin(monitor_, S, {}))
        primal->proceed(monitor_, S, [](long k) { return k >= 40; });
      else
        primal.reset();
      if (finished()) return true;
    }
    if (!monitor_.best().empty()) S = monitor_.best();
    if (!options_.swept) forecast_sweeps(S);
    if (finished()) return true;
    if (primal) {
      Forecast forecast(monitor_.tolerance(), 1000);
      primal->proceed(monitor_, S, [&](long k) { return forecast.hopeless(k, monitor_.last_errors().own); });
    }
    // A warm start is a step of a run, near its solution, structure or not.
    if (finished() || !(structure() || options_.warm_start) || !factorisable()) return finished();
    if (monitor_.best_errors().own < Real(1e-2) && newton(30)) return true;
    return interior() || newton(120) || options_.swept;
  }

  bool newton(int factorisations) {
    ProximalOptions o;
    o.alpha = Real(1e-4), o.least_alpha = Real(1e-10);
    o.max_factorisations = factorisations;
    std::vector<Real> S = monitor_.best();
    Proximal<P>(p_).run(monitor_, S, o);
    return finished();
  }

  // Over bodies it soon runs into rounding, but near enough to the solution for sweeps.
  bool interior() {
    if constexpr (LorentzLaw<L>)
      if (suits_interior_point(p_)) {
        GaussSeidel<P> gs(p_);
        InteriorPoint<P> interior(p_, gs);
        InteriorOptions o;
        o.last_patience = 3;
        interior.run(monitor_, o);
        std::vector<Real> S = interior.best();
        if (!finished() && !S.empty()) forecast_sweeps(S);
      }
    return finished();
  }

  // Structures have many more contact rows than freedoms.
  bool structure() const { return p_.rows() >= Real(1.3) * static_cast<Real>(p_.inverse_inertia.size()); }

  // A factor over bodies that costs no more than some hundred sweeps: masonry, not packings of grains in space.
  bool factorisable() {
    if (p_.contacts() == 0) return false;
    if (!resolvent_) resolvent_ = std::make_unique<BodyResolvent<L, F>>(p_);
    return resolvent_->flops() < 4e4 * p_.contacts();
  }

  bool sweeps(std::vector<Real>& S, int window) {
    GaussSeidel<P> gs(p_);
    SweepOptions o;
    o.window = window;
    if (options_.max_iterations > 0) o.max_sweeps = options_.max_iterations;
    run_sweeps(gs, monitor_, S, o, [](long) { return false; });
    return true;
  }

  // As long as they may reach what is enough, or from there the tolerance, before a direct method would. The error of
  // accelerated sweeps falls by leaps: where little is missing they are not given up soon.
  void forecast_sweeps(std::vector<Real>& S) {
    GaussSeidel<P> gs(p_);
    const Real goal = std::max(options_.enough, options_.tolerance);
    Forecast to_goal(goal, 300), to_tolerance(options_.tolerance, 60);
    run_sweeps(gs, monitor_, S, {}, [&](long k) {
      const Real error = monitor_.last_errors().own;
      const bool far = to_goal.hopeless(k, error), further = to_tolerance.hopeless(k, error);
      return monitor_.enough() ? further : far && (k > 150 || error > 100 * goal);
    });
  }

  bool admm(std::vector<Real>& S) {
    resolvent_ = std::make_unique<BodyResolvent<L, F>>(p_);
    AdmmOptions o;
    if (options_.max_iterations > 0) o.max_iterations = options_.max_iterations;
    Primal(p_, *resolvent_).run(monitor_, S, o);
    return true;
  }

  const P& p_;
  Monitor<P>& monitor_;
  const SolverOptions& options_;
  std::unique_ptr<BodyResolvent<L, F>> resolvent_;
};

// One method in local form, from the best impulses so far; the report goes on where it was.
template <ContactLaw L>
void go_on(const LocalProblem<L>& problem, SolverOptions options, Report& report, std::vector<Real>& S) {
  options.max_seconds -= report.seconds;
  if (options.method == Method::automatic && options.max_iterations > 0) options.max_iterations -= report.iterations;
  std::vector<Real> found = S;
  Report more = solve_local(problem, options, found);
  for (ErrorPoint& point : more.history) point.iteration += report.iterations, point.seconds += report.seconds;
  report.history.insert(report.history.end(), more.history.begin(), more.history.end());
  report.iterations += more.iterations;
  report.factorisations += more.factorisations;
  report.seconds += more.seconds;
  report.status = more.status;
  report.reason = more.reason;
  report.certificate = more.certificate;
  if (more.error <= report.error) {
    report.error = more.error;
    report.method = more.method;
    S = found;
  }
}

template <ContactLaw L, int F>
void continue_in_local_form(const BodyProblem<L, F>& problem, SolverOptions options, Report& report,
                            std::vector<Real>& S) {
  const LocalProblem<L> local = to_local(problem);
  if (options.method == Method::automatic) {
    options.warm_start = true;
    options.tolerance = std::max(options.tolerance, options.enough);
  }
  go_on(local, options, report, S);
}

}  // namespace detail

template <ContactLaw L, int F>
Report solve_bodies(const BodyProblem<L, F>& given, const SolverOptions& options, std::vector<Real>& S,
                    std::vector<Real>& u) {
  using P = BodyProblem<L, F>;
  constexpr int D = L::dim;
  Report report;
  P problem = given;
  const Units units = make_dimensionless(problem);
  Monitor<P> monitor(problem, units, options, report);
  std::vector<Real> start(problem.rows(), 0);
  if (options.warm_start || options.swept)
    for (int i = 0; i < problem.rows(); ++i) start[i] = S[i] / impulse_unit<L>(units, i / D, i % D);
  const bool ended = detail::BodySolver<L, F>(problem, monitor, options).run(start);
  if (!monitor.best().empty()) start = monitor.best();
  S.resize(start.size());
  for (int i = 0; i < problem.rows(); ++i) S[i] = start[i] * impulse_unit<L>(units, i / D, i % D);
  monitor.conclude();
  if (report.status != Stop::converged && !ended && !monitor.exhausted())
    detail::continue_in_local_form(given, options, report, S);
  u.resize(given.inverse_inertia.size());
  given.body_velocities(S.data(), u.data());
  return report;
}

}  // namespace cairn
