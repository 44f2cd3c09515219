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
  bool finished() const { return monitor_.done() || monitor_.exhausted(); }

  // A structure at rest takes ADMM a dozen iterations, however large: that is tried first, from no impulses. Otherwise
  // sweeps, in case they are fast; then ADMM again as long as its error falls well. False: what is left is for the
  // local form.
  bool automatic(std::vector<Real>& S) {
    std::unique_ptr<Primal> primal;
    if (factorisable()) primal = std::make_unique<Primal>(p_, *resolvent_);
    const auto begin = [&](const std::vector<Real>& from) {
      if (primal && !primal->begin(monitor_, from, {})) primal.reset();
    };
    if (!options_.warm_start) {
      begin(S);
      if (primal) primal->proceed(monitor_, S, [](long k) { return k >= 40; });
    }
    if (finished()) return true;
    if (!monitor_.best().empty()) S = monitor_.best();
    forecast_sweeps(S);
    if (finished()) return true;
    if (options_.warm_start) begin(monitor_.best());
    if (!primal) return false;
    Forecast forecast(monitor_.tolerance(), 1000);
    primal->proceed(monitor_, S, [&](long k) { return forecast.hopeless(k, monitor_.last_errors().own) && k > 150; });
    return finished();
  }

  // Structures with many more contact rows than freedoms, and a factor that costs no more than some hundred sweeps:
  // masonry, not packings of grains in space.
  bool factorisable() {
    if (p_.contacts() == 0 || p_.rows() < Real(1.3) * static_cast<Real>(p_.inverse_inertia.size())) return false;
    resolvent_ = std::make_unique<BodyResolvent<L, F>>(p_);
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

  void forecast_sweeps(std::vector<Real>& S) {
    GaussSeidel<P> gs(p_);
    Forecast forecast(monitor_.tolerance(), 300);
    run_sweeps(gs, monitor_, S, {}, [&](long k) { return forecast.hopeless(k, monitor_.last_errors().own); });
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

// Sweeps and ADMM have had their chance here. In a run, whose steps start warm, the interior point comes next; else,
// and where it fails, all that `auto` knows.
template <ContactLaw L, int F>
void continue_in_local_form(const BodyProblem<L, F>& problem, SolverOptions options, Report& report,
                            std::vector<Real>& S) {
  const LocalProblem<L> local = to_local(problem);
  if (options.method == Method::automatic && options.warm_start && suits_interior_point(local)) {
    SolverOptions direct = options;
    direct.method = Method::interior_point;
    direct.max_iterations = 0;  // its own bound
    go_on(local, direct, report, S);
    if (report.status == Stop::converged) return;
  }
  if (options.method == Method::automatic) options.warm_start = true;
  if (options.max_iterations == 0 || report.iterations < options.max_iterations) go_on(local, options, report, S);
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
  if (options.warm_start)
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
