// Problems over bodies: the matrix-free form against the local one, walls at rest, units, order of contacts.
#include "cairn/solver/solve_bodies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cairn/problem/delassus.hpp"
#include "cairn/problem/generate.hpp"
#include "cairn/solver/gauss_seidel.hpp"
#include "cairn/solver/solve_local.hpp"
#include "cairn/solver/test/body_answer.hpp"

namespace cairn {
namespace {

using test::Answer;
using test::largest;
using test::shaken_wall;
using test::solve_whole;

template <class P>
void expect_same_velocities(const P& p) {
  const auto local = to_local(p);
  std::vector<Real> S(p.rows()), U(S.size()), V(S.size());
  for (std::size_t i = 0; i < S.size(); ++i) S[i] = std::sin(1 + 3.0 * i);
  p.velocities(S.data(), U.data());
  local.velocities(S.data(), V.data());
  const Real size = largest(U);
  for (std::size_t i = 0; i < S.size(); ++i) EXPECT_NEAR(U[i], V[i], 1e-12 * size);
  typename P::Sweep sweep(p);
  sweep.restart(S.data());
  for (int a = 0; a < p.contacts(); ++a) {
    const auto x = sweep.velocity_without(a, S.data()), y = local.velocity_without(a, S.data());
    for (int i = 0; i < P::dim; ++i) EXPECT_NEAR(x[i], y[i], 1e-12 * size);
  }
}

TEST(BodyProblems, GiveTheVelocitiesOfTheLocalForm) {
  expect_same_velocities(wall(4, 3, 0.3));
  expect_same_velocities(plank_tower(4, 3, 0.4));
  RandomBodies o;
  o.mass_ratio = 1e4;
  expect_same_velocities(random_bodies_3d(o));
}

TEST(BodyProblems, ASweepKeepsVelocitiesUpToDate) {
  const PlaneProblem p = wall(5, 4, 0.3);
  GaussSeidel<PlaneProblem> gs(p);
  std::vector<Real> S(p.rows(), 0), T = S;
  gs.restart(S.data());
  for (int k = 0; k < 10; ++k) gs.sweep(S.data());
  const auto local = to_local(p);
  GaussSeidel<LocalProblem<Coulomb2>> dense(local);
  for (int k = 0; k < 10; ++k) dense.sweep(T.data());
  const Real size = largest(S);
  for (std::size_t i = 0; i < S.size(); ++i) EXPECT_NEAR(S[i], T[i], 1e-12 * size);
}

TEST(SolveBodies, AWallAtRestStaysAtRest) {
  for (const int scale : {1, 2}) {
    const PlaneProblem p = wall(8 * scale, 6 * scale, 0.3);
    const Answer a = solve_whole(p);
    EXPECT_EQ(a.report.status, Stop::converged);
    EXPECT_LE(a.report.error, 1e-8);
    EXPECT_LE(largest(a.u), 1e-6 * Fall{}.speed());
    EXPECT_LE(a.report.iterations, 15);  // hardly grows with the wall
  }
}

TEST(SolveBodies, StacksArchesAndTowersStand) {
  for (const Answer& a :
       {solve_whole(stack(10, 0.5)), solve_whole(plank_tower(6, 3, 0.4)), solve_whole(arch(21, 0.2, 0.8))}) {
    EXPECT_EQ(a.report.status, Stop::converged);
    EXPECT_LE(largest(a.u), 1e-5 * Fall{}.speed());
  }
}

TEST(SolveBodies, BothFormsFindTheSameMotion) {
  RandomBodies o;
  for (const PlaneProblem& p : {shaken_wall(), random_bodies_2d(o)}) {
    const Answer a = solve_whole(p);
    EXPECT_EQ(a.report.status, Stop::converged);
    std::vector<Real> S, u(a.u.size());
    EXPECT_EQ(solve_local(to_local(p), {}, S).status, Stop::converged);
    p.body_velocities(S.data(), u.data());
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(a.u[i], u[i], 1e-5 * largest(p.u_free));
  }
}

TEST(SolveBodies, EveryMethodAnswers) {
  test::expect_every_method_answers(wall(4, 3, 0.5), [](const Answer&, auto) {});
}

TEST(SolveBodies, WithoutContactsBodiesFly) {
  PlaneProblem p = wall(2, 2, 0.3);
  p.contact.clear(), p.w.clear(), p.law.clear();
  for (const Method m : {Method::automatic, Method::admm, Method::anderson}) {
    SolverOptions options;
    options.method = m;
    const Answer a = solve_whole(p, options);
    EXPECT_EQ(a.report.status, Stop::converged);
    EXPECT_EQ(a.u, p.u_free);
  }
}

TEST(SolveBodies, AWarmStartFromTheSolutionTakesOneSweep) {
  const PlaneProblem p = shaken_wall();
  Answer a = solve_whole(p);
  SolverOptions options;
  options.warm_start = true;
  options.tolerance = 1e-7;
  EXPECT_EQ(solve_bodies(p, options, a.S, a.u).iterations, 1);
}

// In other units of length, mass and time. Spins are not lengths over time.
PlaneProblem rescaled(PlaneProblem p, Real length, Real mass, Real time) {
  for (std::size_t i = 0; i < p.u_free.size(); ++i) {
    p.u_free[i] *= i % 3 == 2 ? 1 / time : length / time;
    p.inverse_inertia[i] /= i % 3 == 2 ? mass * length * length : mass;
  }
  for (Real& w : p.w) w *= length / time;
  for (auto& c : p.contact)
    for (auto& G : c.G)
      for (int i = 0; i < 2; ++i) G(i, 2) *= length;
  return p;
}

TEST(SolveBodies, UnitsThatArePowersOfTwoChangeNoBitOfTheIterates) {
  for (const PlaneProblem& p : {wall(8, 6, 0.3), shaken_wall()})
    for (const Method m : {Method::automatic, Method::admm, Method::anderson}) {
      SolverOptions options;
      options.method = m;
      const Answer a = solve_whole(p, options);
      const Real length = 0x1p7, mass = 0x1p-12, time = 0x1p-4;
      const Answer b = solve_whole(rescaled(p, length, mass, time), options);
      EXPECT_EQ(a.report.iterations, b.report.iterations) << name(m);
      EXPECT_EQ(a.report.factorisations, b.report.factorisations);
      ASSERT_EQ(a.S.size(), b.S.size());
      for (std::size_t i = 0; i < a.S.size(); ++i) EXPECT_EQ(a.S[i] * (mass * length / time), b.S[i]);
    }
}

PlaneProblem shuffled(const PlaneProblem& p, unsigned seed) {
  std::vector<int> order(p.contacts());
  for (int a = 0; a < p.contacts(); ++a) order[a] = a;
  std::mt19937 engine(seed);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[engine() % k]);
  PlaneProblem q = p;
  for (int a = 0; a < p.contacts(); ++a) {
    q.contact[a] = p.contact[order[a]];
    q.law[a] = p.law[order[a]];
    for (int i = 0; i < 2; ++i) q.w[2 * a + i] = p.w[2 * order[a] + i];
  }
  return q;
}

TEST(SolveBodies, TheOrderOfContactsHardlyMatters) {
  const PlaneProblem p = wall(10, 8, 0.3);
  const long iterations = solve_whole(p).report.iterations;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Answer a = solve_whole(shuffled(p, seed));
    EXPECT_EQ(a.report.status, Stop::converged);
    EXPECT_LE(a.report.iterations, 2 * iterations);
  }
}

}  // namespace
}  // namespace cairn
