// The choice of method.
//
// Sweeps first: they are cheap and often enough. When their error falls too slowly to be worth waiting for, the
// interior point, which does not care about hyperstatic or badly conditioned problems, and Newton's method from the
// best iterate. Where the interior point jams, because the way to the solution folds, it is tried by other ways, and at
// last the central path is followed round its folds. Laws without a Lorentz form go by proximal steps and ADMM instead.
// The monitor keeps the best iterate of all.
#pragma once

#include "cairn/solver/admm.hpp"
#include "cairn/solver/central_path.hpp"
#include "cairn/solver/forecast.hpp"
#include "cairn/solver/infeasible.hpp"
#include "cairn/solver/interior_point.hpp"
#include "cairn/solver/newton.hpp"
#include "cairn/solver/proximal.hpp"

namespace cairn {

template <ContactLaw L>
class Automatic {
 public:
  using P = LocalProblem<L>;

  Automatic(const P& problem, Monitor<P>& monitor) : p_(problem), monitor_(monitor), gs_(problem) {}

  void run(std::vector<Real>& S) {
    S_ = S;
    Forecast forecast(monitor_.tolerance(), 1000);
    if (sweeps({}, [&](long k) { return forecast.hopeless(k, monitor_.last_errors().own); })) return;
    const std::vector<Real> swept = S_;
    if (admm(200)) return;
    // Not far to go: sweeps may well get there before one interior point has run.
    if (monitor_.best_errors().own < 20 * monitor_.tolerance() && more_sweeps(3000, swept)) return;
    if constexpr (LorentzLaw<L>)
      interior();
    else
      general();
  }

 private:
  static constexpr long last_sweeps = 20000;

  void interior() {
    InteriorPoint<L> interior(p_, gs_);
    for (Real smoothing : {0.8, 0.5, 0.9, 0.3}) {  // each leads by a way of its own: where one folds, another may pass
      InteriorOptions options;
      options.smoothing = smoothing;
      interior.run(monitor_, options);
      if (stop() || polish()) return;
      if (smoothing == 0.8 && (infeasible() || more_sweeps(4000, interior.best()))) return;
      if (smoothing == 0.5 && (proximal(200) || polish() || proximal(200) || polish())) return;
    }
    CentralPath<L> path(p_);
    for (Real smoothing : {0.8, 0.5, 0.3}) {
      PathOptions options;
      options.smoothing = smoothing;
      path.run(monitor_, options, [&] { return polish(); });
      if (stop()) return;
    }
    more_sweeps(last_sweeps, monitor_.best());
  }

  void general() {
    if (proximal(200) || infeasible() || more_sweeps(1000, monitor_.best())) return;
    if (admm(1000) || proximal(200)) return;
    more_sweeps(last_sweeps, monitor_.best());
  }

  template <class Enough>
  bool sweeps(const SweepOptions& options, Enough enough) {
    run_sweeps(gs_, monitor_, S_, options, enough);
    return stop();
  }
  bool more_sweeps(long most, const std::vector<Real>& from) {
    S_ = from;
    SweepOptions options;
    options.max_sweeps = most;
    return sweeps(options, [](long) { return false; });
  }

  // One factorisation serves many iterations, so that it is worth a look; on through `least` iterations and as long as
  // the error then falls well.
  bool admm(long least) {
    LocalResolvent<L> resolvent(p_);
    Admm<P, LocalResolvent<L>> admm(p_, resolvent);
    S_.assign(S_.size(), 0);
    Forecast forecast(monitor_.tolerance(), 400);
    if (admm.begin(monitor_, S_, {}))
      admm.proceed(monitor_, S_,
                   [&](long k) { return forecast.hopeless(k, monitor_.last_errors().own) && k >= least; });
    return stop();
  }

  bool polish() {
    if (monitor_.best_errors().own > Real(1e-2)) return false;
    S_ = monitor_.best();
    Newton<L>(p_, gs_).run(monitor_, S_, {});
    return stop();
  }

  bool proximal(int steps) {
    S_ = monitor_.best();
    ProximalOptions options;
    options.max_steps = steps;
    Proximal<L>(p_).run(monitor_, S_, options);
    return stop();
  }

  bool infeasible() {
    Report& report = monitor_.report();
    report.certificate = infeasibility_certificate(p_);
    if (report.certificate.empty()) return false;
    report.status = Stop::infeasible;
    report.reason =
        "bodies are squeezed: normal impulses in balance (the certificate) forbid that all contacts have U_N >= 0";
    return true;
  }

  bool stop() const { return monitor_.done() || monitor_.out_of_time(); }

  const P& p_;
  Monitor<P>& monitor_;
  GaussSeidel<P> gs_;
  std::vector<Real> S_;
};

template <ContactLaw L>
void run(const LocalProblem<L>& p, Monitor<LocalProblem<L>>& monitor, const SolverOptions& options,
         std::vector<Real>& S) {
  using P = LocalProblem<L>;
  const auto never = [](long) { return false; };
  SweepOptions sweeps;
  if (options.max_iterations > 0) sweeps.max_sweeps = options.max_iterations;
  switch (options.method) {
    case Method::automatic: return Automatic<L>(p, monitor).run(S);
    case Method::gauss_seidel: sweeps.window = 0; [[fallthrough]];
    case Method::anderson: {
      GaussSeidel<P> gs(p);
      return run_sweeps(gs, monitor, S, sweeps, never);
    }
    case Method::admm: {
      AdmmOptions admm;
      if (options.max_iterations > 0) admm.max_iterations = options.max_iterations;
      monitor.observe(Method::admm, S);
      run_admm(p, monitor, S, admm);
      return;
    }
    case Method::interior_point:
      if constexpr (LorentzLaw<L>) {
        GaussSeidel<P> gs(p);
        InteriorOptions interior;
        if (options.max_iterations > 0) interior.max_iterations = static_cast<int>(options.max_iterations);
        InteriorPoint<L>(p, gs).run(monitor, interior);
        return;
      }
      [[fallthrough]];  // no Lorentz form: Newton's method instead
    case Method::newton: {
      GaussSeidel<P> gs(p);
      sweeps.max_sweeps = 20;
      run_sweeps(gs, monitor, S, sweeps, never);
      if (monitor.done()) return;
      ProximalOptions proximal;
      if (options.max_iterations > 0) proximal.max_steps = static_cast<int>(options.max_iterations);
      Proximal<L>(p).run(monitor, S, proximal);
      return;
    }
  }
}

}  // namespace cairn
