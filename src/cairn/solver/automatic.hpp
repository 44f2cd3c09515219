// The choice of method.
//
// Sweeps first: they are cheap and often enough. When their error falls too slowly to be worth waiting for, the
// interior point, which does not care about hyperstatic or badly conditioned problems, and Newton's method from the
// best iterate. Where the interior point jams, because the way to the solution folds, it is tried by other ways, and at
// last the central path is followed round its folds. All the while plain sweeps go on, from no impulse and from a
// prestressed start by turns, for about as long as the factorisations take: on packings that are wedged and slide at
// once they are what gets there in the end, after 1e5 sweeps and more. Laws without a Lorentz form go by proximal steps
// and ADMM instead. The monitor keeps the best iterate of all.
#pragma once

#include <algorithm>

#include "cairn/problem/transform.hpp"
#include "cairn/solver/admm.hpp"
#include "cairn/solver/central_path.hpp"
#include "cairn/solver/forecast.hpp"
#include "cairn/solver/infeasible.hpp"
#include "cairn/solver/interior_point.hpp"
#include "cairn/solver/mixed_residual.hpp"
#include "cairn/solver/newton.hpp"
#include "cairn/solver/patient_sweeps.hpp"
#include "cairn/solver/proximal.hpp"

namespace cairn {

// Whether the interior point applies: every law of the problem has a Lorentz form; over bodies, R = T^T.
template <ContactLaw L>
bool suits_interior_point(const LocalProblem<L>& p) {
  if constexpr (LorentzLaw<L>)
    return std::all_of(p.law.begin(), p.law.end(), [](const L& law) { return has_lorentz_form(law); });
  return false;
}
template <LorentzLaw L, int F>
bool suits_interior_point(const BodyProblem<L, F>& p) {
  return std::all_of(p.law.begin(), p.law.end(), [](const L& law) {
    const LorentzForm<L::dim> form = lorentz_form(law);
    const Mat<L::dim> dual = transpose(form.T);
    return has_lorentz_form(law) && std::equal(dual.v, dual.v + L::dim * L::dim, form.R.v);
  });
}

template <ContactLaw L>
class Automatic {
 public:
  using P = LocalProblem<L>;

  Automatic(const P& problem, Monitor<P>& monitor)
      : p_(problem), monitor_(monitor), gs_(problem, sweep_order(problem.contacts())) {}

  void run(std::vector<Real>& S) {
    S_ = S;
    Forecast forecast(monitor_.tolerance(), worth_of_admm);
    if (sweeps({}, [&](long k) { return forecast.hopeless(k, monitor_.last_errors().own); })) return;
    const std::vector<Real> swept = S_;
    if (admm(200)) return;
    // Not far to go: sweeps may well get there before one interior point has run.
    if (monitor_.best_errors().own < 20 * monitor_.tolerance() && more_sweeps(3000, swept)) return;
    if constexpr (LorentzLaw<L>)
      if (suits_interior_point(p_)) return interior();
    general();
  }

 private:
  // The order of a file is often that of a structure, from below to above or along its courses, in which sweeps carry
  // news one way only: a stack takes twice the sweeps. So a problem whose numbers are all near is swept in a random
  // order, always the same.
  static std::vector<int> sweep_order(int contacts) {
    return contacts >= 8 && contacts <= 256 ? random_order(contacts, 1) : std::vector<int>{};
  }
  static constexpr long worth_of_admm = 250;  // sweeps that its factorisation and iterations take the time of
  static constexpr long last_sweeps = 20000, sweeps_per_factorisation = 300;

  void interior() {
    InteriorPoint<P> interior(p_, gs_);
    for (Real smoothing : {0.8, 0.5, 0.9, 0.3}) {  // each leads by a way of its own: where one folds, another may pass
      InteriorOptions options;
      options.smoothing = smoothing;
      interior.run(monitor_, options);
      if (stop() || polish()) return;
      if (smoothing == 0.8 && (infeasible() || more_sweeps(8000, interior.best()))) return;
      if (smoothing == 0.5 && (proximal(200) || polish() || proximal(200) || polish())) return;
      if (smoothing != 0.8 && patience()) return;
    }
    CentralPath<P> path(p_);
    for (Real smoothing : {0.8, 0.5, 0.3}) {
      PathOptions options;
      options.smoothing = smoothing;
      path.run(monitor_, options, [&] { return polish() || patience(); });
      if (stop() || patience()) return;
    }
    if (patience(3)) return;
    more_sweeps(last_sweeps, monitor_.best());
  }

  // Plain sweeps for as long as the factorisations have taken since the last time (counted, not measured: the same
  // sweeps on any machine), or a multiple of that; and Newton's method from where they are when they got nearer.
  bool patience(int times = 1) {
    const long due = times * sweeps_per_factorisation * monitor_.report().factorisations - patient_sweeps_;
    if (due <= 0) return false;
    if (patient_.empty()) {
      patient_.emplace_back(std::vector<Real>(S_.size(), 0));
      patient_.emplace_back(prestress());
    }
    patient_sweeps_ += due;
    for (PatientSweeps<P>& sweeps : patient_) {
      sweeps.run(gs_, monitor_, due / 2);
      if (stop()) return true;
      if (sweeps.nearer() && polish(sweeps.impulses())) return true;
    }
    return false;
  }

  // At every contact ten times what the largest |q_a| needs to be stopped.
  std::vector<Real> prestress() const {
    Real largest = 0;
    for (int a = 0; a < p_.contacts(); ++a)
      for (int i = 0; i < L::dim; ++i)
        largest = std::max(largest, std::abs(p_.q[static_cast<std::size_t>(a) * L::dim + i]) / gs_.weight()[a]);
    std::vector<Real> S(S_.size(), 0);
    for (int a = 0; a < p_.contacts(); ++a) S[static_cast<std::size_t>(a) * L::dim] = 10 * largest;
    return S;
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

  bool polish() { return monitor_.best_errors().own < Real(1e-2) && polish(monitor_.best()); }
  bool polish(const std::vector<Real>& from) {
    S_ = from;
    Newton<L>(p_, gs_).run(monitor_, S_, {});
    return stop();
  }

  bool proximal(int steps) {
    S_ = monitor_.best();
    ProximalOptions options;
    options.max_steps = steps;
    Proximal<P>(p_).run(monitor_, S_, options);
    return stop();
  }

  bool infeasible() {
    if constexpr (requires(const L& law) { law.bounds_normal(); })  // else U_N >= 0 is not asked of every contact
      if (!std::all_of(p_.law.begin(), p_.law.end(), [](const L& law) { return law.bounds_normal(); })) return false;
    Report& report = monitor_.report();
    report.certificate = infeasibility_certificate(p_);
    if (report.certificate.empty()) return false;
    report.status = Stop::infeasible;
    report.reason =
        "bodies are squeezed: normal impulses in balance (the certificate) forbid that all contacts have U_N >= 0";
    return true;
  }

  bool stop() const { return monitor_.done() || monitor_.exhausted(); }

  const P& p_;
  Monitor<P>& monitor_;
  GaussSeidel<P> gs_;
  std::vector<Real> S_;
  std::vector<PatientSweeps<P>> patient_;  // see patience()
  long patient_sweeps_ = 0;
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
      if constexpr (LorentzLaw<L>)
        if (suits_interior_point(p)) {
          GaussSeidel<P> gs(p);
          InteriorOptions interior;
          if (options.max_iterations > 0) interior.max_iterations = static_cast<int>(options.max_iterations);
          InteriorPoint<P>(p, gs).run(monitor, interior);
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
      Proximal<P>(p).run(monitor, S, proximal);
      return;
    }
  }
}

}  // namespace cairn
