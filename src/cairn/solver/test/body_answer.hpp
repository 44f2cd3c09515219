// A problem over bodies, solved, for the tests.
#pragma once

#include <gtest/gtest.h>

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
Answer solve_whole(const P& p, SolverOptions options = {}) {
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

// Each method reaches 1e-8; what it found goes to check(answer, its name).
template <class P, class Check>
void expect_every_method_answers(const P& p, Check check) {
  for (const Method m :
       {Method::gauss_seidel, Method::anderson, Method::admm, Method::interior_point, Method::newton}) {
    SolverOptions options;
    options.method = m;
    options.max_seconds = 20;
    const Answer a = solve_whole(p, options);
    EXPECT_EQ(a.report.status, Stop::converged) << name(m);
    EXPECT_LE(a.report.error, 1e-8) << name(m);
    check(a, name(m));
  }
}

}  // namespace cairn::test
