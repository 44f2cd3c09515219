// solve_local() for any law; the .cpp files beside compile it for the laws of the list, a few each.
#pragma once

#include "cairn/law/laws.hpp"
#include "cairn/solver/automatic.hpp"
#include "cairn/solver/solve_local.hpp"

namespace cairn {

template <ContactLaw L>
Report solve_local(LocalProblem<L> problem, const SolverOptions& options, std::vector<Real>& S) {
  constexpr int D = L::dim;
  using P = LocalProblem<L>;
  Report report;
  const Units units = make_dimensionless(problem);
  Monitor<P> monitor(problem, units, options, report);
  std::vector<Real> start(problem.rows(), 0);
  if (options.warm_start)
    for (int i = 0; i < problem.rows(); ++i) start[i] = S[i] / impulse_unit<L>(units, i / D, i % D);
  if (!(monitor.norm_of_q() > 0))
    monitor.observe(options.method, std::vector<Real>(start.size(), 0));  // nothing moves: no impulse
  else
    run(problem, monitor, options, start);
  const std::vector<Real>& best = monitor.best();
  S.resize(best.size());
  for (int i = 0; i < problem.rows(); ++i) S[i] = best[i] * impulse_unit<L>(units, i / D, i % D);
  // The certificate speaks of impulses: back to the caller's units, the largest 1.
  Real largest = 0;
  for (std::size_t i = 0; i < report.certificate.size(); ++i) {
    report.certificate[i] *= impulse_unit<L>(units, static_cast<int>(i) / D, static_cast<int>(i) % D);
    largest = std::max(largest, report.certificate[i]);
  }
  for (Real& x : report.certificate) x /= largest;
  monitor.conclude();
  return report;
}

}  // namespace cairn
