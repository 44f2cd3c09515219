#include "cairn/solver/file_solutions.hpp"

#include <algorithm>

#include "cairn/problem/reduce.hpp"
#include "cairn/solver/all_solutions.hpp"
#include "cairn/solver/solve.hpp"

namespace cairn {
namespace {

template <ContactLaw L, class Make>
LocalProblem<L> local(const fclib::Problem& p, const Reduction& reduction, const Make& make) {
  std::vector<L> laws;
  for (int a = 0; a < p.contacts(); ++a) laws.push_back(make(p.mu[a]));
  return to_local(reduction.W(), reduction.q(), std::move(laws));
}

// The reduction to contacts may lose digits; what counts is the problem as it was given.
void judge(const fclib::Problem& problem, AllSolutions& all) {
  all.error = 0;
  for (SolutionSet& set : all.sets)
    for (SolutionPoint& x : set.points) {
      x.error = error_of(problem, Eigen::Map<const fclib::Vector>(x.S.data(), static_cast<Eigen::Index>(x.S.size())));
      all.error = std::max(all.error, x.error);
    }
}

}  // namespace

Expected<AllSolutions> all_solutions(const fclib::Problem& problem, const SampleOptions& options) {
  if (problem.kind == fclib::Kind::global_rolling)
    return Error{"rolling friction: solutions are listed for Coulomb friction alone"};
  const Reduction reduction(problem);
  if (!reduction.good()) return Error{"the inertia matrix or the bilateral constraints are singular"};
  auto all =
      problem.spacedim == 2
          ? all_solutions(local<Coulomb2>(problem, reduction, Coulomb2::with))
          : sampled_solutions(local<Coulomb3>(problem, reduction, [](Real mu) { return Coulomb3{mu}; }), options);
  const bool reduced = problem.kind != fclib::Kind::local || problem.equations() > 0;
  if (all && reduced && problem.contacts() > 0) judge(problem, *all);
  return all;
}

}  // namespace cairn
