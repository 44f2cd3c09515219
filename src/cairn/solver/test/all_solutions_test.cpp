#include "cairn/solver/all_solutions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <random>

#include "cairn/problem/full.hpp"

namespace cairn {
namespace {

using LocalPlane = LocalProblem<Coulomb2>;

LocalPlane plane(const Eigen::MatrixXd& W, const Eigen::VectorXd& q, Real mu) {
  return full_problem_of(std::vector<Coulomb2>(static_cast<std::size_t>(q.size() / 2), Coulomb2::with(mu)), W, q);
}

// A body of unit mass and moment of inertia k2, its centre at the origin; contacts below it at (x, y), on flat ground.
LocalPlane body(const std::vector<Vec<2>>& at, const Eigen::Vector3d& u, Real mu, Real k2 = 1) {
  const Eigen::Index rows = 2 * static_cast<Eigen::Index>(at.size());
  Eigen::MatrixXd G(rows, 3);
  for (std::size_t a = 0; a < at.size(); ++a) {
    G.row(2 * static_cast<Eigen::Index>(a)) << 0, 1, at[a][0];
    G.row(2 * static_cast<Eigen::Index>(a) + 1) << 1, 0, -at[a][1];
  }
  const Eigen::Vector3d inverse(1, 1, 1 / k2);
  return plane(G * inverse.asDiagonal() * G.transpose(), G * u, mu);
}

AllSolutions found(const LocalPlane& p) {
  const auto all = all_solutions(p);
  EXPECT_TRUE(all) << (all ? "" : all.error());
  if (!all) return {};
  EXPECT_LT(all->error, 1e-10);
  return *all;
}

void expect_point(const SolutionPoint& x, const std::vector<Real>& S, Real within = 1e-14) {
  ASSERT_EQ(x.S.size(), S.size());
  for (std::size_t i = 0; i < S.size(); ++i) EXPECT_NEAR(x.S[i], S[i], within) << i;
}

TEST(AllSolutions, three_of_a_contact_with_strong_coupling) {
  const AllSolutions all =
      found(plane((Eigen::Matrix2d() << 1.6, 1.2, 1.2, 3.4).finished(), Eigen::Vector2d(.1, 1), 2));
  ASSERT_EQ(all.sets.size(), 3u);
  EXPECT_EQ(all.groups, 3);
  EXPECT_EQ(all.motions, 3);
  expect_point(all.sets[0].points[0], {0, 0});
  expect_point(all.sets[1].points[0], {.125, -.25});
  expect_point(all.sets[2].points[0], {.215, -.37});
  EXPECT_EQ(all.sets[0].points[0].modes[0], ContactMode::take_off);
  EXPECT_EQ(all.sets[1].points[0].modes[0], ContactMode::slide_plus);
  EXPECT_EQ(all.sets[2].points[0].modes[0], ContactMode::stick);
  EXPECT_EQ(describe(all), "3 solutions, 3 motions");
  // S.W S/2 + S.q at stick, where S = -W^-1 q, is -q.W^-1 q/2 = S.q/2.
  EXPECT_NEAR(all.sets[2].points[0].work, (.215 * .1 - .37) / 2, 1e-15);
  EXPECT_NEAR(all.sets[1].points[0].friction, .25 * .3, 1e-15);
}

TEST(AllSolutions, none_where_nothing_can_stop_the_approach) {
  LocalProblem<Signorini> p =
      full_problem_of(std::vector<Signorini>(2), Eigen::Matrix2d{{1, -1}, {-1, 1}}, Eigen::Vector2d(-1, -1));
  const auto all = all_solutions(p);
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->sets.empty());
  EXPECT_EQ(describe(*all), "no solution");
  p.q = {-1, 1};  // the second goes away as fast: impulses (1 + s, s), but the second contact alone would not close
  const auto line = all_solutions(p);
  ASSERT_TRUE(line);
  ASSERT_EQ(line->sets.size(), 1u);
  EXPECT_EQ(line->sets[0].dimension, 1);
  ASSERT_EQ(line->sets[0].rays.size(), 1u);  // unbounded: the contacts may press on each other
  EXPECT_NEAR(line->sets[0].rays[0][0], std::sqrt(.5), 1e-15);
  EXPECT_NEAR(line->sets[0].points[0].S[0], 1, 1e-15);
  EXPECT_TRUE(line->sets[0].one_motion);
}

// A rod of length 2 at the angle theta, its lower end on the ground; forces of one instant are a step problem: q is the
// free normal acceleration and a sliding velocity so large that it does not change sign (BC18 5.1).
LocalPlane rod(Real theta, Real mu, Real free_normal) {
  LocalPlane p = body({{{std::cos(theta), -std::sin(theta)}}}, {0, 0, 0}, mu, 1.0 / 3);
  p.q = {free_normal, 1e3};
  return p;
}

TEST(AllSolutions, painleve_rod_has_one_or_none_or_several_in_its_four_regimes) {
  // The end slides ahead of the rod, which leans back from it: paradox where mu > (tan^2 + 4)/(3 tan) = 4/3.
  const Real theta = std::atan(2.0);
  const auto yield = [&](Real mu) {  // of U_N with S_N while the end slides: W_NN - mu W_NT
    const LocalPlane p = rod(theta, mu, 0);
    return p.diagonal[0] - mu * p.diagonal[2];
  };
  EXPECT_NEAR(yield(4.0 / 3), 0, 1e-15);
  const auto modes = [&](Real mu, Real free_normal) {
    std::string text;
    for (const SolutionSet& set : found(rod(theta, mu, free_normal)).sets)
      text += std::string(text.empty() ? "" : ", ") + name(set.points[0].modes[0]);
    return text;
  };
  EXPECT_EQ(modes(1, 1), "take-off");
  EXPECT_EQ(modes(1, -1), "slide +");
  // Beyond, an impulse may end the sliding altogether: the jump of Lecornu.
  EXPECT_EQ(modes(2, 1), "take-off, slide +, stick");
  EXPECT_EQ(modes(2, -1), "stick");
}

TEST(AllSolutions, at_the_catastrophe_a_segment_of_motions_from_full_sliding_to_stick) {
  const LocalPlane p = rod(std::atan(2.0), 4.0 / 3, 0);
  const AllSolutions all = found(p);
  ASSERT_EQ(all.sets.size(), 1u) << describe(all);
  const SolutionSet& set = all.sets[0];
  EXPECT_EQ(set.dimension, 1);
  EXPECT_FALSE(set.one_motion);
  EXPECT_TRUE(all.many_motions);
  ASSERT_EQ(set.points.size(), 2u);
  EXPECT_TRUE(set.rays.empty());
  EXPECT_EQ(set.points[0].S[0], 0);
  EXPECT_NEAR(set.points[0].U[1], 1e3, 1e-9);
  EXPECT_NEAR(set.points[1].U[1], 0, 1e-9);
  EXPECT_EQ(set.points[1].modes[0], ContactMode::stick);
}

TEST(AllSolutions, one_contact_written_twice_shares_its_impulse_in_all_ways) {
  for (const Real mu : {.1, .6}) {  // slides, sticks
    const AllSolutions once = found(body({{{.2, -1}}}, {.5, -1, .1}, mu));
    const AllSolutions twice = found(body({{{.2, -1}}, {{.2, -1}}}, {.5, -1, .1}, mu));
    ASSERT_EQ(once.sets.size(), 1u);
    ASSERT_EQ(twice.sets.size(), 1u) << describe(twice);
    EXPECT_EQ(describe(twice), "1 solution, 1 motion, impulses not determined");
    const SolutionPoint& whole = once.sets[0].points[0];
    EXPECT_EQ(whole.modes[0], mu < .5 ? ContactMode::slide_plus : ContactMode::stick);
    EXPECT_EQ(twice.sets[0].dimension, mu < .5 ? 1 : 2);
    EXPECT_EQ(twice.sets[0].points.size(), mu < .5 ? 2u : 4u);  // the parts of a cone: a parallelogram
    for (const SolutionPoint& x : twice.sets[0].points)
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(x.S[i] + x.S[2 + i], whole.S[i], 1e-14);
        EXPECT_NEAR(x.U[i], whole.U[i], 1e-14);
      }
  }
}

TEST(AllSolutions, block_on_three_legs_rests_with_one_motion_and_a_polytope_of_impulses) {
  const std::vector<Vec<2>> legs{{{-1, -1}}, {{.25, -1}}, {{1, -1}}};
  const AllSolutions rest = found(body(legs, {0, -1, 0}, .5));
  ASSERT_EQ(rest.sets.size(), 1u);
  EXPECT_EQ(rest.sets[0].dimension, 3);  // six impulses, three freedoms
  EXPECT_TRUE(rest.sets[0].one_motion);
  for (const SolutionPoint& x : rest.sets[0].points) {
    EXPECT_NEAR(x.S[0] + x.S[2] + x.S[4], 1, 1e-14);         // the weight of the step
    EXPECT_NEAR(x.S[1] + x.S[3] + x.S[5], 0, 1e-14);         // no push
    EXPECT_NEAR(-x.S[0] + .25 * x.S[2] + x.S[4], 0, 1e-14);  // no turn
  }
  // Sliding, its three impulses keep on the edge: one freedom of normal impulses less the two balances.
  const AllSolutions slides = found(body(legs, {1, -1, 0}, .5));
  ASSERT_EQ(slides.sets.size(), 1u);
  EXPECT_EQ(slides.sets[0].dimension, 1);
  EXPECT_EQ(slides.sets[0].points[0].modes[0] == ContactMode::slide_plus || slides.sets[0].points[0].S[0] == 0, true);
}

TEST(AllSolutions, without_friction_there_is_one_motion) {
  std::mt19937_64 gen(3);
  std::normal_distribution<Real> normal;
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + k % 5, freedoms = 2 + k % 4;
    const Eigen::MatrixXd G = Eigen::MatrixXd::NullaryExpr(n, freedoms, [&] { return normal(gen); });
    const Eigen::VectorXd q = G * Eigen::VectorXd::NullaryExpr(freedoms, [&] { return normal(gen); });
    const Eigen::MatrixXd W = G * G.transpose();
    const auto all = all_solutions(full_problem_of(std::vector<Signorini>(static_cast<std::size_t>(n)), W, q));
    ASSERT_TRUE(all);
    EXPECT_LT(all->error, 1e-10);
    EXPECT_EQ(all->groups, 1) << k;
    EXPECT_EQ(all->motions, 1) << k;
    EXPECT_FALSE(all->many_motions) << k;
  }
}

TEST(AllSolutions, units_change_no_bit) {
  const std::vector<Vec<2>> legs{{{-1, -1}}, {{.25, -.9}}, {{1, -1.1}}};
  for (const Real mu : {.0, .3, 3.0}) {
    const LocalPlane p = body(legs, {2, -1, .3}, mu);
    const AllSolutions all = found(p);
    LocalPlane scaled = p;
    for (Real& x : scaled.diagonal) x *= 0x1p-20;
    for (Real& x : scaled.block) x *= 0x1p-20;
    for (Real& x : scaled.q) x *= 0x1p7;
    const auto other = all_solutions(scaled);
    ASSERT_TRUE(other);
    ASSERT_EQ(other->sets.size(), all.sets.size());
    for (std::size_t k = 0; k < all.sets.size(); ++k) {
      ASSERT_EQ(other->sets[k].points.size(), all.sets[k].points.size());
      for (std::size_t i = 0; i < all.sets[k].points.size(); ++i)
        for (std::size_t r = 0; r < 6; ++r)
          EXPECT_EQ(other->sets[k].points[i].S[r], 0x1p27 * all.sets[k].points[i].S[r]);
    }
  }
}

TEST(AllSolutions, two_coefficients_bound_the_two_directions) {
  LocalPlane p = plane(Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1, 1), 0);
  p.law[0] = {.5, .25};  // S_T in [-S_N/4, S_N/2]
  expect_point(found(p).sets.at(0).points[0], {1, -.25});
  p.q[1] = -1;
  expect_point(found(p).sets.at(0).points[0], {1, .5});
  p.q[1] = .25;  // at the border of stick and slide: one solution
  EXPECT_EQ(found(p).groups, 1);
}

TEST(AllSolutions, too_many_contacts_and_bad_numbers_are_refused) {
  const auto many = all_solutions(plane(Eigen::MatrixXd::Identity(26, 26), Eigen::VectorXd::Constant(26, -1), .5));
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error(), "13 contacts: the solutions of at most 12 are enumerated");
  EXPECT_FALSE(all_solutions(plane(Eigen::Matrix2d::Constant(std::nan("")), Eigen::Vector2d(1, 1), .5)));
  EXPECT_FALSE(all_solutions(plane(Eigen::Matrix2d::Identity(), Eigen::Vector2d(1, 1), -.5)));
}

TEST(AllSolutions, no_contact_has_the_empty_solution) {
  const AllSolutions all = found(plane(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0), .5));
  EXPECT_EQ(all.groups, 1);
}

}  // namespace
}  // namespace cairn
