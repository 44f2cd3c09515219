// Ranges along central paths, against those of the simplex method.
#include "cairn/solver/force_path.hpp"

#include <random>

#include "cairn/base/test/share.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/solver/linear_program.hpp"
#include "cairn/solver/test/statics.hpp"

namespace cairn {
namespace {

ForceOptions by(ForceMethod method) {
  ForceOptions options;
  options.method = method;
  return options;
}

void expect_same(const ForceReport& one, const ForceReport& two, Real exact) {
  ASSERT_EQ(one.trouble, "");
  ASSERT_EQ(two.trouble, "");
  EXPECT_EQ(one.bounded, two.bounded);
  EXPECT_EQ(one.freedom, two.freedom);
  for (std::size_t a = 0; a < one.range.size(); ++a) {
    EXPECT_NEAR(one.range[a].least, two.range[a].least, exact * one.scale) << a;
    EXPECT_EQ(std::isinf(one.range[a].greatest), std::isinf(two.range[a].greatest)) << a;
    if (std::isinf(one.range[a].greatest)) continue;
    EXPECT_NEAR(one.range[a].greatest, two.range[a].greatest, exact * one.scale) << a;
  }
}

// Blocks of 2 x 1 in courses, each on two of the course below, with contacts at corners as a wall without mortar.
Statics<2> wall(int courses, int blocks, Real mu) {
  std::vector<Vec<2>> place;
  for (int row = 0; row < courses; ++row)
    for (int i = 0; i < blocks; ++i) place.push_back({2.0 * i + row % 2, row + 0.5});
  Statics<2> s(place);
  const int n = static_cast<int>(place.size());
  for (int b = 0; b < n; ++b) {
    const Vec<2>& x = s.centre[static_cast<std::size_t>(b)];
    for (int c = -1; c < b; ++c) {
      if (c < 0 && b >= blocks) continue;
      const Vec<2> y = c < 0 ? Vec<2>{x[0], x[1] - 1} : s.centre[static_cast<std::size_t>(c)];
      const Real across = std::fabs(x[0] - y[0]);
      if (std::fabs(x[1] - y[1] - 1) < 1e-9 && across < 1.5)
        for (const Real end : {std::max(x[0], y[0]) - 1, std::min(x[0], y[0]) + 1})
          s.add(b, c, {end, x[1] - 0.5}, {0, 1}, mu, {0, 0});
      if (std::fabs(x[1] - y[1]) < 1e-9 && std::fabs(across - 2) < 1e-9)
        for (const Real end : {-0.5, 0.5}) s.add(b, c, {x[0] - 1, x[1] + end}, {1, 0}, mu, {0, 0});
    }
  }
  s.solve({0, -1, 0});
  return s;
}

TEST(ForcePath, AgreesWithTheSimplexMethodOnAWall) {
  const Statics<2> s = wall(4, 4, 0.4);
  const ForceReport path = s.ranges(by(ForceMethod::path)), simplex = s.ranges(by(ForceMethod::simplex));
  EXPECT_GT(path.newton_steps, 500);
  EXPECT_EQ(simplex.newton_steps, 0);
  EXPECT_LT(path.bracket, 1e-10);
  expect_same(path, simplex, 1e-8);
  // The part of a leg of the wall: nothing is certain of the joints between neighbours, their least is none.
  Real most = 0;
  for (const ForceRange& r : path.range) most = std::max(most, r.greatest - r.least);
  EXPECT_GT(most, 1);
}

TEST(ForcePath, HasTheRangesOfStaticsForATableOnThreeLegs) {
  Statics<2> s({Vec<2>{0.2, 1}});
  for (const Real x : {-1.0, 0.0, 1.0}) s.add(0, -1, {x, 0}, {0, 1}, 0, {x < 0 ? 0.1 : x > 0 ? 0.3 : 0.6, 0});
  const ForceReport r = s.ranges(by(ForceMethod::path));
  EXPECT_GT(r.newton_steps, 0);
  const Real least[3] = {0, 0, 0.2}, greatest[3] = {0.4, 0.8, 0.6};
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(r.range[a].least, least[a], 1e-10);
    EXPECT_NEAR(r.range[a].greatest, greatest[a], 1e-10);
  }
}

// Random contacts in space: circles of friction are met, and sets without a bound are left to the simplex method.
TEST(ForcePath, AgreesWithTheSimplexMethodInSpace) {
  std::mt19937 random(11);
  std::uniform_real_distribution<Real> any(-1, 1);
  int bounded = 0;
  for (int k = 0; k < (test::sanitized ? 5 : 12); ++k) {
    Statics<3> s({Vec<3>{0, 0, 0}, Vec<3>{1.5, 0.1, 0}});
    for (int a = 0; a < 8; ++a) {
      const Vec<3> n = normalised(Vec<3>{any(random), any(random), 1.5 + any(random)});
      const Real size = 0.5 + std::fabs(any(random)), t = 0.3 * size * std::fabs(any(random)), angle = 3 * any(random);
      s.add(a % 2, a < 6 ? -1 : 1 - a % 2, {any(random) + a % 2, any(random), any(random)}, n, 0.3,
            {size, t * std::cos(angle), t * std::sin(angle)});
    }
    const ForceReport path = s.ranges(by(ForceMethod::path)), simplex = s.ranges(by(ForceMethod::simplex));
    expect_same(path, simplex, 1e-7);  // what the simplex method has left: edges below its price
    if (!path.bounded) continue;
    EXPECT_LT(path.bracket, 1e-8);
    EXPECT_GT(path.newton_steps, 50);
    ++bounded;
  }
  EXPECT_GT(bounded, test::sanitized ? 1 : 3);
}

TEST(ForcePath, LeavesASetWithoutAnInteriorToTheSimplexMethod) {
  Statics<2> s({Vec<2>{1, 1}});  // the weight above one leg of three: nothing is open
  for (const Real x : {-1.0, 0.0, 1.0}) s.add(0, -1, {x, 0}, {0, 1}, 0, {x > 0.5 ? 1.0 : 0.0, 0});
  const ForceReport r = s.ranges(by(ForceMethod::path));
  ASSERT_EQ(r.trouble, "");
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(r.range[a].least, a == 2 ? 1 : 0, 1e-8);
    EXPECT_NEAR(r.range[a].greatest, a == 2 ? 1 : 0, 1e-8);
  }
}

TEST(ForcePath, LeavesASetWithoutABoundToTheSimplexMethod) {
  Statics<2> s({Vec<2>{0, 0}});
  s.add(0, -1, {-1, 0}, {1, 0}, 0.4, {3, 0.5});
  s.add(0, -1, {1, 0}, {-1, 0}, 0.4, {3, -0.5});
  const ForceReport r = s.ranges(by(ForceMethod::path));
  EXPECT_FALSE(r.bounded);
  EXPECT_NEAR(r.range[0].least, 1.25, 1e-8);
  EXPECT_TRUE(std::isinf(r.range[0].greatest));
}

TEST(ForcePath, HasTheSameBitsForAnyNumberOfThreads) {
  const Statics<2> s = wall(3, 4, 0.5);
  const ForceReport one = s.ranges(by(ForceMethod::path));
  set_threads(3);
  const ForceReport three = s.ranges(by(ForceMethod::path));
  set_threads(1);
  for (std::size_t a = 0; a < one.range.size(); ++a) {
    EXPECT_EQ(one.range[a].least, three.range[a].least);
    EXPECT_EQ(one.range[a].greatest, three.range[a].greatest);
  }
  EXPECT_EQ(one.newton_steps, three.newton_steps);
}

// x_0 + 1e6 x_1 = 1, x_1 + x_2 = b: where b is below zero by less than the tolerance, the greatest x_0 may be off by
// 1e6 b.
TEST(LinearProgram, TellsWhatItsToleranceMayHaveAdded) {
  for (const Real b : {0.5, -5e-10}) {
    LinearProgram program({1, b});
    program.add_column({{0, 1}}, false);
    program.add_column({{0, 1e6}, {1, 1}}, false);
    program.add_column({{1, 1}}, false);
    const LinearProgram::Cost cost[] = {{0, -1}};
    ASSERT_EQ(program.minimise(cost), LinearProgram::Outcome::optimal);
    EXPECT_NEAR(program.overstated(), b < 0 ? 5e-4 : 0, 1e-6);
  }
}

}  // namespace
}  // namespace cairn
