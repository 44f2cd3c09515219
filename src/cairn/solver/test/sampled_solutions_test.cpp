#include "cairn/solver/sampled_solutions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <random>

#include "cairn/base/test/share.hpp"
#include "cairn/problem/full.hpp"
#include "cairn/solver/all_solutions.hpp"

namespace cairn {
namespace {

// `copies` of a contact with three solutions in its plane, none of which feels the others.
LocalProblem<Coulomb3> threefold(int copies) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(3 * copies, 3 * copies);
  Eigen::VectorXd q(3 * copies);
  for (int a = 0; a < copies; ++a) {
    W.block<3, 3>(3 * a, 3 * a) << 1.6, 1.2, 0, 1.2, 3.4, 0, 0, 0, 3.4;
    q.segment<3>(3 * a) << .1, 1, 0;
  }
  return full_problem_of(std::vector<Coulomb3>(static_cast<std::size_t>(copies), Coulomb3{2}), W, q);
}

TEST(SampledSolutions, one_contact_in_space_has_them_all) {
  const auto all = sampled_solutions(threefold(1));
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->complete);
  ASSERT_EQ(all->groups, 3);
  EXPECT_NEAR(all->sets[1].points[0].S[1], -.25, 1e-14);
  EXPECT_EQ(all->sets[1].points[0].modes[0], ContactMode::slide);
  EXPECT_NEAR(all->sets[2].points[0].S[0], .215, 1e-14);
  EXPECT_EQ(all->sets[2].points[0].modes[0], ContactMode::stick);
  EXPECT_LT(all->error, 1e-10);
}

TEST(SampledSolutions, of_two_contacts_are_nine_and_said_to_be_perhaps_not_all) {
  const auto all = sampled_solutions(threefold(2), {300, 1});
  ASSERT_TRUE(all);
  EXPECT_FALSE(all->complete);
  EXPECT_EQ(all->groups, 9);
  EXPECT_EQ(describe(*all), "found 9 solutions, 9 motions; there may be more");
  EXPECT_LT(all->error, 1e-10);
}

TEST(SampledSolutions, contact_written_twice_is_one_motion_with_impulses_not_determined) {
  Eigen::MatrixXd W(6, 6);
  const Eigen::Matrix3d H = Eigen::Vector3d(1, 2, 2).asDiagonal();
  W << H, H, H, H;
  const Eigen::VectorXd q{{-1, .2, .1, -1, .2, .1}};
  const auto all = sampled_solutions(full_problem_of(std::vector<Coulomb3>(2, Coulomb3{.5}), W, q), {50, 1});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->motions, 1);
  EXPECT_EQ(all->sets[0].dimension, 3);
  EXPECT_EQ(describe(*all), "found 1 solution, 1 motion, impulses not determined; there may be more");
}

TEST(SampledSolutions, none_is_found_where_there_is_none) {
  const Eigen::Matrix3d W = Eigen::Vector3d(0, 1, 1).asDiagonal();
  const auto all =
      sampled_solutions(full_problem_of(std::vector<Coulomb3>(1, Coulomb3{.5}), W, Eigen::Vector3d(-1, 0, 0)), {10, 1});
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->sets.empty());
  EXPECT_EQ(describe(*all), "no solution found");
}

TEST(SampledSolutions, too_many_contacts_are_refused) { EXPECT_FALSE(sampled_solutions(threefold(41))); }

TEST(SampledSolutions, the_same_seed_gives_the_same_bits) {
  const auto p = threefold(2);
  EXPECT_EQ(sampled_points(p, {40, 5}), sampled_points(p, {40, 5}));
}

// The short form of bench/solutions.cpp: what random starts find in the plane is among what the enumeration lists.
TEST(SampledSolutions, of_random_planar_problems_are_all_enumerated) {
  std::mt19937_64 gen(1);
  std::normal_distribution<Real> normal;
  const int problems = test::sanitized ? 30 : 200;
  long found = 0;
  for (int k = 0; k < problems; ++k) {
    const int n = 1 + k % 5, freedoms = 3 + 3 * (k / 5 % 2);
    Eigen::MatrixXd G = Eigen::MatrixXd::NullaryExpr(2 * n, freedoms, [&] { return normal(gen); });
    if (n > 1 && k % 4 == 0) G.bottomRows<2>() = G.topRows<2>().eval();
    const Eigen::MatrixXd W = G * G.transpose();
    const Eigen::VectorXd q = G * Eigen::VectorXd::NullaryExpr(freedoms, [&] { return normal(gen); });
    std::vector<Coulomb2> laws;
    for (int a = 0; a < n; ++a) laws.push_back(Coulomb2::with(std::abs(normal(gen))));
    const auto p = full_problem_of(std::move(laws), W, q);
    const auto all = all_solutions(p);
    ASSERT_TRUE(all);
    EXPECT_LT(all->error, 1e-10);
    for (const std::vector<Real>& S : sampled_points(p, {20, static_cast<std::uint64_t>(k)})) {
      ++found;
      EXPECT_TRUE(std::any_of(all->sets.begin(), all->sets.end(),
                              [&](const SolutionSet& set) { return contains(p, set, S, 1e-7); }))
          << "problem " << k;
    }
  }
  EXPECT_GE(found, problems);  // each has one at least
}

}  // namespace
}  // namespace cairn
