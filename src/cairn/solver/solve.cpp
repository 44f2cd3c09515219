#include "cairn/solver/solve.hpp"

#include <chrono>

#include "cairn/law/laws.hpp"
#include "cairn/problem/reduce.hpp"
#include "cairn/solver/solve_local.hpp"

namespace cairn {

namespace {

// Calls f with the laws of the problem's contacts, in their own type.
template <class F>
auto with_laws(const fclib::Problem& p, F f) {
  const auto make = [&](auto law_of) {
    std::vector<decltype(law_of(0))> laws;
    laws.reserve(p.contacts());
    for (int a = 0; a < p.contacts(); ++a) laws.push_back(law_of(a));
    return laws;
  };
  if (p.kind == fclib::Kind::global_rolling) {
    if (p.spacedim == 5) return f(make([&](int a) { return Rolling5{{p.mu[a], p.mu_r[a]}}; }));
    return f(make([&](int a) { return Rolling3{{p.mu[a], p.mu_r[a]}}; }));  // in the plane
  }
  if (p.spacedim == 2) return f(make([&](int a) { return Coulomb2::with(p.mu[a]); }));
  return f(make([&](int a) { return Coulomb3{p.mu[a]}; }));
}

Real natural_error(const fclib::Problem& p, const fclib::Vector& u, const fclib::Vector& r, Real norm_q) {
  return with_laws(p, [&](const auto& laws) {
    using L = typename std::decay_t<decltype(laws)>::value_type;
    Real sum = 0;
    for (int a = 0; a < p.contacts(); ++a)
      sum += norm2(natural_map(laws[a], Vec<L::dim>::load(&u[a * L::dim]), Vec<L::dim>::load(&r[a * L::dim])));
    return std::sqrt(sum) / (norm_q > 0 ? norm_q : 1);
  });
}

}  // namespace

Real error_of(const fclib::Problem& problem, const fclib::Vector& r) {
  const Reduction reduction(problem);
  return natural_error(problem, reduction.recover(r).u, r, reduction.q().norm());
}

Solved solve(const fclib::Problem& problem, const SolverOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Solved out;
  const Reduction reduction(problem);
  fclib::Vector r = fclib::Vector::Zero(problem.rows());
  if (!reduction.good()) {
    out.report.status = Stop::infeasible;
    out.report.reason = "the inertia matrix or the bilateral constraints are singular";
    out.solution = {fclib::Vector::Zero(problem.rows()), r, {}, {}};
    return out;
  }
  out.report = with_laws(problem, [&](auto laws) {
    std::vector<Real> S(problem.rows(), 0);
    if (options.warm_start && problem.solution && problem.solution->r.size() == r.size())
      S.assign(problem.solution->r.data(), problem.solution->r.data() + r.size());
    Report report = solve_local(to_local(reduction.W(), reduction.q(), std::move(laws)), options, S);
    r = Eigen::Map<const fclib::Vector>(S.data(), static_cast<Eigen::Index>(S.size()));
    return report;
  });
  out.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.solution = reduction.recover(r);
  out.report.error = natural_error(problem, out.solution.u, r, reduction.q().norm());
  if (out.report.status == Stop::converged && !(out.report.error <= options.tolerance)) {
    out.report.status = Stop::stalled;
    out.report.reason = "converged in the reduced problem, but not in the file's own data";
  }
  return out;
}

}  // namespace cairn
