// Random problems that have a solution: all are solved, and no energy is made.
#include <gtest/gtest.h>

#include "cairn/law/laws.hpp"
#include "cairn/solver/solve_local.hpp"
#include "cairn/solver/test/local_problems.hpp"

namespace cairn {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr int problems_a_part = 40;
#else
constexpr int problems_a_part = 1250;
#endif
constexpr int parts = 8;

template <class P>
void expect_solved(const P& bodies) {
  const auto p = test::local(bodies);
  SolverOptions options;
  options.max_seconds = 20;
  std::vector<Real> S;
  const Report report = solve_local(p, options, S);
  EXPECT_EQ(report.status, Stop::converged) << report.reason << ", error " << report.error;
  ASSERT_EQ(static_cast<int>(S.size()), p.rows());
  const Real residual = test::natural_residual(p, S), norm_q = test::length(p.q);
  EXPECT_LE(residual, 1e-8 * norm_q);
  // S.U <= |residual| (|S| + |residual| + |U|): what a solution with that residual may make, and no more. The last term
  // is rounding in the energies.
  const std::vector<Real> none(S.size(), 0);
  const Real before = test::kinetic_energy(bodies, none), after = test::kinetic_energy(bodies, S);
  const Real allowed = residual * (test::length(S) + residual + test::length(test::velocities(p, S)));
  EXPECT_LE(after - before, allowed + 1e-13 * before);
}

class RandomProblems : public testing::TestWithParam<int> {};

TEST_P(RandomProblems, AreAllSolvedAndMakeNoEnergy) {
  for (int k = 0; k < problems_a_part; ++k) {
    const int seed = GetParam() * problems_a_part + k;
    const RandomBodies o = test::random_options(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (seed % 2)
      expect_solved(random_bodies_2d(o));
    else
      expect_solved(random_bodies_3d(o));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProblems, testing::Range(0, parts));

}  // namespace
}  // namespace cairn
