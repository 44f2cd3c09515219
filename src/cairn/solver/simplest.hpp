// A problem of laws chosen at run time, solved as the simplest one that it is.
#pragma once

#include <algorithm>

#include "cairn/law/mixed.hpp"
#include "cairn/solver/joint_elimination.hpp"
#include "cairn/solver/solve_bodies.hpp"

namespace cairn {

// Where every law is Coulomb's own the methods made for it apply. Joints are eliminated first where that is cheap; what
// comes after checks the answer, and goes on from it if it has to.
template <int D, int F>
Report solve_simplest(const BodyProblem<MixedLaw<D>, F>& problem, const SolverOptions& options, std::vector<Real>& S,
                      std::vector<Real>& u) {
  using Coulomb = typename MixedLaw<D>::Coulomb;
  const auto plain = [](const MixedLaw<D>& law) { return law.kind == LawKind::coulomb; };
  if (!std::all_of(problem.law.begin(), problem.law.end(), plain)) {
    if (!suits_joint_elimination(problem)) return solve_bodies(problem, options, S, u);
    SolverOptions then = options;
    then.tolerance /= 10, then.enough /= 10;  // it measures contacts alone
    const Report eliminated = solve_without_joints(problem, then, S);
    then = options, then.warm_start = true;
    Report report = solve_bodies(problem, then, S, u);
    report.iterations += eliminated.iterations, report.factorisations += eliminated.factorisations;
    return report;
  }
  BodyProblem<Coulomb, F> same;
  same.inverse_inertia = problem.inverse_inertia, same.u_free = problem.u_free, same.w = problem.w;
  same.contact.resize(problem.contact.size());
  for (std::size_t a = 0; a < problem.contact.size(); ++a) {
    const auto& c = problem.contact[a];
    same.contact[a] = {{c.body[0], c.body[1]}, {c.G[0], c.G[1]}};
    same.law.push_back(problem.law[a].data.coulomb);
  }
  return solve_bodies(same, options, S, u);
}

}  // namespace cairn
