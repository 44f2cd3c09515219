// A problem over bodies, solved, for the tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/problem/generate.hpp"
#include "cairn/solver/solve_bodies.hpp"

namespace cairn::test {

struct Answer {
  Report report;
  std::vector<Real> S, u;
};

template <class P>
Answer solve(const P& p, SolverOptions options = {}) {
  Answer a;
  a.report = solve_bodies(p, options, a.S, a.u);
  return a;
}

inline Real largest(const std::vector<Real>& x) {
  Real m = 0;
  for (Real e : x) m = std::max(m, std::fabs(e));
  return m;
}

// A wall carried sideways: some contacts slide, some open.
inline PlaneProblem shaken_wall() {
  PlaneProblem p = wall(6, 5, 0.3);
  for (int b = 0; b < p.bodies(); ++b) p.u_free[PlaneProblem::at(b)] += 0.25 * Fall{}.speed();
  return p;
}

}  // namespace cairn::test
