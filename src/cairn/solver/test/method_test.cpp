// Every method by its name, and what its report says.
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/problem/generate.hpp"
#include "cairn/problem/transform.hpp"
#include "cairn/solver/solve.hpp"

namespace cairn {
namespace {

constexpr Method methods[] = {Method::automatic, Method::gauss_seidel,   Method::anderson,
                              Method::admm,      Method::interior_point, Method::newton};

RandomBodies few_contacts(std::uint64_t seed) {
  RandomBodies o;
  o.seed = seed, o.contacts = 12, o.redundancy = 0.7, o.mu_max = 0.6;
  return o;
}

std::vector<fclib::Problem> easy_problems() {
  return {to_fclib_local(stack(3, 0.5)), to_fclib_global(stack(3, 0.5)), to_fclib_local(wall(3, 3, 0.5)),
          to_fclib_local(random_bodies_2d(few_contacts(1))), to_fclib_local(random_bodies_3d(few_contacts(2)))};
}

Solved solve_with(const fclib::Problem& p, Method method) {
  SolverOptions options;
  options.method = method;
  options.max_seconds = 20;
  return solve(p, options);
}

class EachMethod : public testing::TestWithParam<Method> {};

TEST_P(EachMethod, HasANameThatParses) {
  Method parsed = Method::automatic;
  EXPECT_TRUE(parse(name(GetParam()), parsed));
  EXPECT_EQ(parsed, GetParam());
}

TEST_P(EachMethod, SolvesEasyProblems) {
  for (const fclib::Problem& p : easy_problems()) {
    const Solved s = solve_with(p, GetParam());
    EXPECT_EQ(s.report.status, Stop::converged) << s.report.reason << ", error " << s.report.error;
    ASSERT_EQ(s.solution.r.size(), p.rows());
    EXPECT_LE(error_of(p, s.solution.r), 1e-8);
  }
}

TEST_P(EachMethod, ReportsWhatItDid) {
  const fclib::Problem p = to_fclib_local(sphere_pyramid(3, 0.3, 1));
  const Report r = solve_with(p, GetParam()).report;
  ASSERT_FALSE(r.history.empty());
  EXPECT_GT(r.iterations, 0);
  EXPECT_GT(r.seconds, 0);
  EXPECT_FALSE(r.reason.empty());
  EXPECT_TRUE(r.certificate.empty());
  if (GetParam() != Method::automatic) {
    EXPECT_TRUE(r.method == GetParam() || GetParam() == Method::newton) << name(r.method);
  }
  Real best = r.history.front().error;
  for (std::size_t k = 1; k < r.history.size(); ++k) {
    EXPECT_GE(r.history[k].iteration, r.history[k - 1].iteration);
    EXPECT_GE(r.history[k].seconds, r.history[k - 1].seconds);
    best = std::min(best, r.history[k].error);
  }
  EXPECT_LE(best, r.history.front().error);
  EXPECT_LE(best, 1.001 * r.error);  // the file's own data may differ by rounding
  EXPECT_LE(r.history.back().iteration, r.iterations);
}

TEST_P(EachMethod, IsTheSameTwice) {
  const fclib::Problem p = to_fclib_local(random_bodies_3d(few_contacts(3)));
  const Solved a = solve_with(p, GetParam()), b = solve_with(p, GetParam());
  EXPECT_EQ(a.solution.r, b.solution.r);
  EXPECT_EQ(a.report.iterations, b.report.iterations);
}

TEST_P(EachMethod, DoesNothingWhereNothingIsToBeDone) {
  const fclib::Problem p = to_fclib_local(stack(3, 0.5, {-9.81, 1e-3}));  // gravity upward: all contacts open
  const Solved s = solve_with(p, GetParam());
  EXPECT_EQ(s.report.status, Stop::converged) << s.report.reason;
  EXPECT_LE(s.solution.r.norm(), 1e-7 * p.q.norm());
}

INSTANTIATE_TEST_SUITE_P(Methods, EachMethod, testing::ValuesIn(methods),
                         [](const auto& method) { return std::string(name(method.param)); });

// Bodies that come to rest have unique velocities; every method must find them.
TEST(Methods, AgreeOnVelocities) {
  for (const fclib::Problem& p : {to_fclib_local(stack(4, 0.5)), to_fclib_local(wall(4, 3, 0.5))}) {
    const fclib::Vector u = solve_with(p, Method::gauss_seidel).solution.u;
    for (const Method method : methods)
      EXPECT_LE((solve_with(p, method).solution.u - u).norm(), 1e-6 * p.q.norm()) << name(method);
  }
}

// Sweeps take up where they were left. (The interior point starts from the centre of the cones, warm or not.)
TEST(Methods, WarmStartSavesIterations) {
  for (const Method method : {Method::automatic, Method::gauss_seidel, Method::anderson}) {
    fclib::Problem p = to_fclib_local(stack(3, 0.5));
    SolverOptions options;
    options.method = method;
    const Solved cold = solve(p, options);
    ASSERT_EQ(cold.report.status, Stop::converged);
    p.solution = cold.solution;
    options.warm_start = true;
    EXPECT_LE(solve(p, options).report.iterations, 2) << name(method);
    p.q *= 1.001;  // bodies a little faster: impulses a little larger
    const long warm = solve(p, options).report.iterations;
    options.warm_start = false;
    EXPECT_LT(warm, solve(p, options).report.iterations) << name(method);
  }
}

TEST(Methods, StopWhenTimeIsOver) {
  const fclib::Problem p = to_fclib_local(wall(16, 11, 0.3));
  for (const Method method : methods) {
    SolverOptions options;
    options.method = method;
    options.tolerance = 0;
    options.max_seconds = 0.2;
    const Report r = solve(p, options).report;
    EXPECT_NE(r.status, Stop::converged) << name(method);
    EXPECT_LT(r.seconds, 10) << name(method);
    EXPECT_FALSE(r.reason.empty());
  }
}

TEST(Methods, StopAfterTheIterationsAllowed) {
  const fclib::Problem p = to_fclib_local(wall(8, 6, 0.3));
  for (const Method method : {Method::gauss_seidel, Method::anderson}) {
    SolverOptions options;
    options.method = method;
    options.max_iterations = 7;
    const Report r = solve(p, options).report;
    EXPECT_LE(r.iterations, 7);
    EXPECT_EQ(r.status, Stop::stalled);
  }
}

TEST(Methods, AProblemWithoutContactsIsSolved) {
  fclib::Problem p;
  p.spacedim = 3;
  p.W.resize(0, 0);
  p.q.resize(0);
  p.mu.resize(0);
  for (const Method method : methods) EXPECT_EQ(solve_with(p, method).report.status, Stop::converged) << name(method);
}

TEST(Methods, AProblemAtRestWithoutLoadIsSolved) {
  const fclib::Problem p = to_fclib_local(stack(3, 0.5, {0, 1e-3}));  // q = 0
  for (const Method method : methods) {
    const Solved s = solve_with(p, method);
    EXPECT_EQ(s.report.status, Stop::converged) << name(method);
    EXPECT_LE(s.solution.u.norm(), 1e-8) << name(method);
  }
}

}  // namespace
}  // namespace cairn
