// Ranges of undetermined forces, against cases that statics solves by hand.
#include "cairn/solver/force_range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cairn/base/test/share.hpp"
#include "cairn/solver/test/statics.hpp"

namespace cairn {
namespace {

constexpr Real exact = 1e-8;
const Real infinite = std::numeric_limits<Real>::infinity();

void expect_range(const ForceReport& r, std::size_t a, Real least, Real greatest) {
  EXPECT_NEAR(r.range[a].least, least, exact * r.scale) << "contact " << a;
  if (std::isinf(greatest))
    EXPECT_TRUE(std::isinf(r.range[a].greatest)) << "contact " << a;
  else
    EXPECT_NEAR(r.range[a].greatest, greatest, exact * r.scale) << "contact " << a;
}

// Legs at x = -1, 0, 1 under a table of weight 1 with its centre at c: (t, 1 - c - 2 t, t + c).
Statics<2> three_legs(Real c, Real t) {
  Statics<2> s({Vec<2>{c, 1}});
  s.add(0, -1, {-1, 0}, {0, 1}, 0, {t, 0});
  s.add(0, -1, {0, 0}, {0, 1}, 0, {1 - c - 2 * t, 0});
  s.add(0, -1, {1, 0}, {0, 1}, 0, {t + c, 0});
  return s;
}

TEST(ForceRange, TwoLegsAreDetermined) {
  Statics<2> s({Vec<2>{0.2, 1}});
  s.add(0, -1, {-1, 0}, {0, 1}, 0, {0.4, 0});
  s.add(0, -1, {1, 0}, {0, 1}, 0, {0.6, 0});
  const ForceReport r = s.ranges();
  EXPECT_EQ(r.hyperstaticity, 0);
  EXPECT_EQ(r.freedom, 0);
  expect_range(r, 0, 0.4, 0.4), expect_range(r, 1, 0.6, 0.6);
  EXPECT_EQ(r.central[1], 0.6);
}

TEST(ForceRange, ThreeLegsHaveOneFreedom) {
  for (const Real t : {0.1, 0.25, 0.5}) {  // whatever a solver chose
    const ForceReport r = three_legs(0, t).ranges();
    EXPECT_EQ(r.hyperstaticity, 1);
    EXPECT_EQ(r.freedom, 1);
    EXPECT_TRUE(r.bounded);
    expect_range(r, 0, 0, 0.5), expect_range(r, 1, 0, 1), expect_range(r, 2, 0, 0.5);
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_NEAR(r.central[a], 1.0 / 3, exact);  // t^2 (1 - 2 t) is greatest
      EXPECT_NEAR(r.least_norm[a], 1.0 / 3, exact);
    }
  }
}

TEST(ForceRange, ThreeLegsUnderALoadAsideHaveOneThatIsCertain) {
  const Real c = 0.2;
  const ForceReport r = three_legs(c, 0.15).ranges();
  expect_range(r, 0, 0, (1 - c) / 2), expect_range(r, 1, 0, 1 - c), expect_range(r, 2, c, (1 + c) / 2);
  const Real t = (2 - 3 * c) / 6;  // least t^2 + (t + c)^2 + (1 - c - 2 t)^2
  EXPECT_NEAR(r.least_norm[0], t, exact);
  EXPECT_NEAR(r.least_norm[2], t + c, exact);
  const Real slope = 1 / r.central[0] + 1 / r.central[2] - 2 / r.central[1];  // of the product of all three
  EXPECT_NEAR(slope, 0, 1e-6);
}

TEST(ForceRange, FourLegsInSpace) {
  for (const Vec<2>& c : {Vec<2>{0, 0}, Vec<2>{0.3, -0.2}}) {
    Statics<3> s({Vec<3>{c[0], c[1], 1}});
    Real mean[4], turn[4] = {1, -1, -1, 1};
    int k = 0;
    for (const Real x : {-1.0, 1.0})
      for (const Real y : {-1.0, 1.0}) {
        mean[k] = (1 + x * c[0] + y * c[1]) / 4;
        s.add(0, -1, {x, y, 0}, {0, 0, 1}, 0, {mean[k] + 0.03 * turn[k], 0, 0});
        ++k;
      }
    const ForceReport r = s.ranges();
    EXPECT_EQ(r.hyperstaticity, 1);
    const Real up = std::min(mean[1], mean[2]), down = -std::min(mean[0], mean[3]);  // mean + q turn >= 0
    for (std::size_t a = 0; a < 4; ++a) {
      const Real one = mean[a] + up * turn[a], other = mean[a] + down * turn[a];
      expect_range(r, a, std::min(one, other), std::max(one, other));
    }
    if (c[0] == 0) expect_range(r, 0, 0, 0.5);
  }
}

// Friction adds a self-stress between two legs that normal forces do not see.
TEST(ForceRange, AFreedomOfFrictionLeavesNormalForcesCertain) {
  Statics<2> s({Vec<2>{0, 1}});
  s.add(0, -1, {-1, 0}, {0, 1}, 0.5, {0.5, 0.1});
  s.add(0, -1, {1, 0}, {0, 1}, 0.5, {0.5, -0.1});
  const ForceReport r = s.ranges();
  EXPECT_EQ(r.hyperstaticity, 1);
  EXPECT_EQ(r.freedom, 1);
  expect_range(r, 0, 0.5, 0.5), expect_range(r, 1, 0.5, 0.5);
}

TEST(ForceRange, ADiscWedgedBetweenWallsIsPressedWithoutBound) {
  const Real mu = 0.4;
  Statics<2> s({Vec<2>{0, 0}});
  s.add(0, -1, {-1, 0}, {1, 0}, mu, {3, 0.5});   // tangent (0, 1): half the weight each
  s.add(0, -1, {1, 0}, {-1, 0}, mu, {3, -0.5});  // tangent (0, -1)
  const ForceReport r = s.ranges();
  EXPECT_FALSE(r.bounded);
  EXPECT_TRUE(r.central.empty());
  expect_range(r, 0, 0.5 / mu, infinite), expect_range(r, 1, 0.5 / mu, infinite);
  EXPECT_NEAR(r.least_norm[0], 0.5 / mu, 1e-6);
}

TEST(ForceRange, WhatOpensOrSlidesIsHeldToIt) {
  Statics<2> s = three_legs(0, 0.5);  // the middle one carries nothing
  s.state[1] = ContactState::opens;
  const ForceReport open = s.ranges();
  EXPECT_EQ(open.hyperstaticity, 0);
  expect_range(open, 0, 0.5, 0.5), expect_range(open, 1, 0, 0);

  Statics<2> wedged({Vec<2>{0, 0}});  // sliding down between walls: friction is known, and with it the pressure
  wedged.add(0, -1, {-1, 0}, {1, 0}, 0.4, {1.25, 0.5}, ContactState::slides);
  wedged.add(0, -1, {1, 0}, {-1, 0}, 0.4, {1.25, -0.5}, ContactState::slides);
  const ForceReport slid = wedged.ranges();
  expect_range(slid, 0, 1.25, 1.25);
}

TEST(ForceRange, AWeldTakesWhatALegDoesNot) {
  Statics<2> s({Vec<2>{0, 1}});
  s.add(0, -1, {1, 0}, {0, 1}, 0, {0.3, 0});
  s.add(0, -1, {-1, 0}, {0, 1}, 0, {0, 0});
  s.problem.law[1] = MixedLaw<2>::bilateral();  // a pin
  expect_range(s.ranges(), 0, 0.3, 0.3);
  s.add(0, -1, {-1, 0}, {0, 1}, 0, {0, 0});
  s.problem.law[2] = MixedLaw<2>::bilateral(1);  // and what keeps it from turning
  s.problem.contact[2].G[0] = Mat<2, 3>::zero();
  s.problem.contact[2].G[0](0, 2) = 1;
  expect_range(s.ranges(), 0, 0, infinite);
}

// A particle in a groove, one side rough, pulled along it by P: a family in the friction tau across, up to the circle
// tau^2 + P^2 = mu^2 n^2, with n = W sin b / sin(a + b) + tau cot(a + b).
TEST(ForceRange, ARoughGrooveReachesTheCircleOfFriction) {
  const Real a = 0.9, b = 0.5, mu = 0.6, P = 0.15, W = 1;
  const Real rest = W * std::sin(b) / std::sin(a + b), slope = 1 / std::tan(a + b);
  const auto other = [&](Real tau) {
    return (W - (rest + slope * tau) * std::cos(a) - tau * std::sin(a)) / std::cos(b);
  };
  Statics<3> s({Vec<3>{0, 0, 0}});
  const Vec<3> first{std::sin(a), 0, std::cos(a)}, up{-std::cos(a), 0, std::sin(a)};
  const Mat<3> axes = Statics<3>::axes(first);
  const Vec<3> friction = 0.05 * up + Vec<3>{0, P, 0};
  const Vec<3> local = transpose(axes) * ((rest + slope * 0.05) * first + friction);
  s.add(0, -1, {0, 0, 0}, first, mu, local);
  s.add(0, -1, {0, 0, 0}, {-std::sin(b), 0, std::cos(b)}, 0, {other(0.05), 0, 0});
  const ForceReport r = s.ranges();
  EXPECT_EQ(r.freedom, 1);
  // tau^2 + P^2 = mu^2 (rest + slope tau)^2
  const Real A = 1 - mu * mu * slope * slope, B = -mu * mu * rest * slope, C = P * P - mu * mu * rest * rest;
  const Real root = std::sqrt(B * B - A * C), low = (-B - root) / A, high = (-B + root) / A;
  ASSERT_GT(other(low), 0);
  ASSERT_GT(other(high), 0);
  expect_range(r, 0, rest + slope * std::min(low, high), rest + slope * std::max(low, high));
  EXPECT_LT(r.bracket, exact);
}

// Fifteen discs of weight 1 in a smooth V, as a rack of billiard balls on its corner: wall forces have known sums.
TEST(ForceRange, ARackOfFifteenDiscsInAV) {
  std::vector<Vec<2>> place;
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i <= row; ++i) place.push_back({2.0 * i - row, std::sqrt(3.0) * row});
  Statics<2> s(place);
  std::vector<std::size_t> left, right;
  for (int b = 0; b < 15; ++b) {
    const Vec<2>& x = place[static_cast<std::size_t>(b)];
    const auto wall = [&](Real side, std::vector<std::size_t>& list) {
      const Vec<2> n{-side * std::sqrt(3.0) / 2, 0.5};
      list.push_back(s.state.size());
      s.add(b, -1, x - n, n, 0, {0, 0});
    };
    for (int c = 0; c < b; ++c) {
      const Vec<2> d = x - place[static_cast<std::size_t>(c)];
      if (norm(d) < 2.001) s.add(b, c, x - 0.5 * d, 0.5 * d, 0, {0, 0});
    }
    if (std::fabs(x[0] + std::sqrt(1.0 / 3) * x[1]) < 1e-9) wall(-1, left);
    if (std::fabs(x[0] - std::sqrt(1.0 / 3) * x[1]) < 1e-9) wall(1, right);
  }
  ASSERT_EQ(s.state.size(), 40u);
  s.solve({0, -1, 0});
  const ForceReport r = s.ranges();
  EXPECT_EQ(r.hyperstaticity, 10);  // 40 forces, 30 rows of the discs' places
  EXPECT_TRUE(r.bounded);
  for (std::size_t a = 0; a < s.state.size(); ++a) {
    const Real own = s.S[2 * a];
    EXPECT_GE(own, r.range[a].least - 1e-12) << a;
    EXPECT_LE(own, r.range[a].greatest + 1e-12) << a;
    EXPECT_GE(r.central[a], r.range[a].least - 1e-9);
    EXPECT_LE(r.central[a], r.range[a].greatest + 1e-9);
  }
  Real sum_left = 0, sum_right = 0;  // vertical parts carry the weight of 15, horizontal ones balance
  for (const std::size_t a : left) sum_left += r.central[a];
  for (const std::size_t a : right) sum_right += r.central[a];
  EXPECT_NEAR(sum_left, 15, 1e-7);
  EXPECT_NEAR(sum_right, 15, 1e-7);
  for (std::size_t k = 0; k < 5; ++k) {  // mirror images
    EXPECT_NEAR(r.range[left[k]].greatest, r.range[right[k]].greatest, 1e-7);
    EXPECT_NEAR(r.range[left[k]].least, r.range[right[k]].least, 1e-7);
  }
  EXPECT_LE(r.range[left[0]].greatest, 15 + 1e-7);
}

// Bodies in space held by random contacts, loaded by what random impulses give them.
TEST(ForceRange, ContainsTheSolutionOfRandomProblemsWhateverTheirOrder) {
  std::mt19937 random(7);
  std::uniform_real_distribution<Real> any(-1, 1);
  const int problems = test::sanitized ? 3 : 15;
  for (int k = 0; k < problems; ++k) {
    Statics<3> s({Vec<3>{0, 0, 0}, Vec<3>{2, 0.1, 0}});
    Statics<3> reversed = s;
    struct Given {
      int first, second;
      Vec<3> point, normal, impulse;
    };
    std::vector<Given> given;
    for (int a = 0; a < 7; ++a) {
      const Vec<3> n = normalised(Vec<3>{any(random), any(random), 1 + any(random)});
      const Real size = 0.5 + std::fabs(any(random)), mu = 0.3 * size, angle = 3 * any(random);
      const Real t = mu * std::fabs(any(random));
      given.push_back({a % 2,
                       a < 5 ? -1 : 1 - a % 2,
                       {any(random) + a % 2, any(random), any(random)},
                       n,
                       {size, t * std::cos(angle), t * std::sin(angle)}});
    }
    for (const Given& g : given) s.add(g.first, g.second, g.point, g.normal, 0.3, g.impulse);
    for (auto g = given.rbegin(); g != given.rend(); ++g)
      reversed.add(g->first, g->second, g->point, g->normal, 0.3, g->impulse);
    const ForceReport one = s.ranges(), two = reversed.ranges();
    ASSERT_EQ(one.trouble, "");
    EXPECT_EQ(one.hyperstaticity, 21 - 12);
    EXPECT_LT(one.bracket, 1e-7);
    for (std::size_t a = 0; a < given.size(); ++a) {
      const ForceRange& range = one.range[a];
      EXPECT_LE(range.least, given[a].impulse[0]);
      EXPECT_GE(range.greatest, given[a].impulse[0]);
      const ForceRange& same = two.range[given.size() - 1 - a];
      EXPECT_NEAR(range.least, same.least, 1e-7 * one.scale);
      EXPECT_EQ(std::isinf(range.greatest), std::isinf(same.greatest));
      if (!std::isinf(range.greatest)) {
        EXPECT_NEAR(range.greatest, same.greatest, 1e-7 * one.scale);
      }
      if (one.central.empty()) continue;
      EXPECT_GT(one.central[a], range.least - 1e-7);
      EXPECT_LT(one.central[a], range.greatest + 1e-7);
    }
  }
}

TEST(ForceRange, StopsWhenAsked) {
  const Statics<2> s = three_legs(0, 0.2);
  ForceOptions options;
  options.progress = [](int, int) { return false; };
  EXPECT_TRUE(force_ranges(force_set<2, 3>(s.problem, s.S, s.U, s.state), options).stopped);
}

}  // namespace
}  // namespace cairn
