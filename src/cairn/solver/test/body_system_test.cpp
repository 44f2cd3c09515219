// Newton systems and methods over bodies, against the local form.
#include "cairn/solver/body_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cairn/problem/delassus.hpp"
#include "cairn/problem/generate.hpp"
#include "cairn/solver/interior_point.hpp"
#include "cairn/solver/proximal.hpp"
#include "cairn/solver/test/body_answer.hpp"

namespace cairn {
namespace {

using test::shaken_wall;

// A W + B with unsymmetric blocks, B between `least` and 1 and A between -1 and 1.
template <class P>
void expect_same_solutions(P p, Real least) {
  constexpr int D = P::dim;
  make_dimensionless(p);
  const auto local = to_local(p);
  const std::size_t n = p.contact.size();
  std::vector<Mat<D>> A(n), B(n);
  std::vector<Vec<D>> b(n), x(n), y(n);
  for (std::size_t a = 0; a < n; ++a)
    for (int j = 0; j < D; ++j) {
      const Real s = std::sin(1 + 2.0 * static_cast<Real>(a) + j);
      b[a][j] = s;
      for (int i = 0; i < D; ++i) {
        A[a](i, j) = i == j ? 1 : 0.3 * s;
        B[a](i, j) = i == j ? least + (1 - least) * s * s : 0.1 * least * s;
      }
    }
  BlockSystem<P> bodies(p);
  BlockSystem<LocalProblem<typename P::Law>> contacts(local);
  ASSERT_TRUE(bodies.factorise(A, B) && bodies.solve(b, x));
  ASSERT_TRUE(contacts.factorise(A, B) && contacts.solve(b, y));
  Real size = 0;
  for (const Vec<D>& v : y) size = std::max(size, norm(v));
  for (std::size_t a = 0; a < n; ++a) EXPECT_LE(norm(x[a] - y[a]), 1e-8 * size) << a;
}

TEST(BodySystem, GivesTheSolutionOfTheLocalForm) {
  for (const Real least : {1e-1, 1e-6}) {
    expect_same_solutions(shaken_wall(), least);
    expect_same_solutions(plank_tower(4, 3, 0.4), least);
  }
}

TEST(BodySystem, SaysWhenItIsSingular) {
  const PlaneProblem p = wall(2, 2, 0.3);
  BlockSystem<PlaneProblem> system(p);
  const std::vector<Mat<2>> A(p.contact.size(), Mat<2>::identity()), B(p.contact.size(), Mat<2>::zero());
  EXPECT_FALSE(system.factorise(A, B));
}

// Errors that each method reaches alone.
template <class P, class Method>
Real error_after(P p, Method method) {
  const Units units = make_dimensionless(p);
  SolverOptions options;
  Report report;
  Monitor<P> monitor(p, units, options, report);
  method(p, monitor);
  return monitor.best_errors().own;
}

template <class P>
void expect_methods_to_answer(const P& problem) {
  EXPECT_LE(error_after(problem,
                        [](const P& p, Monitor<P>& monitor) {
                          GaussSeidel<P> gs(p);
                          InteriorPoint<P>(p, gs).run(monitor, {});
                        }),
            1e-5);
  EXPECT_LE(error_after(problem,
                        [](const P& p, Monitor<P>& monitor) {
                          std::vector<Real> S(p.rows(), 0);
                          Proximal<P>(p).run(monitor, S, {});
                        }),
            1e-8);
}

TEST(BodySystem, CarriesTheInteriorPointAndNewton) {
  expect_methods_to_answer(shaken_wall());
  expect_methods_to_answer(plank_tower(4, 3, 0.4));
}

TEST(SolveBodies, WhatIsEnoughSparesFurtherMethods) {
  const PlaneProblem p = shaken_wall();
  SolverOptions strict, lax;
  strict.tolerance = lax.tolerance = 1e-13;
  lax.enough = 1e-2;
  const test::Answer a = test::solve_whole(p, strict), b = test::solve_whole(p, lax);
  EXPECT_LT(b.report.iterations, a.report.iterations);
  EXPECT_LE(b.report.error, 1e-2);
  EXPECT_EQ(b.report.status, Stop::converged);
}

}  // namespace
}  // namespace cairn
