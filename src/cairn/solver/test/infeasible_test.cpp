// Certificates of infeasibility: found where bodies are squeezed, checked by other means, and never where a solution
// exists.
#include "cairn/solver/infeasible.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/base/test/share.hpp"
#include "cairn/law/laws.hpp"
#include "cairn/problem/generate_parts.hpp"
#include "cairn/solver/test/local_problems.hpp"

namespace cairn {
namespace {

using test::local;

// U.x is the same number, below zero, whatever the impulses: U_N >= 0 cannot be.
template <class L>
void expect_proof(const LocalProblem<L>& p, const std::vector<Real>& x) {
  ASSERT_EQ(static_cast<int>(x.size()), p.rows());
  EXPECT_DOUBLE_EQ(*std::max_element(x.begin(), x.end()), 1);
  for (int i = 0; i < p.rows(); ++i) {
    EXPECT_GE(x[i], 0);
    if (i % L::dim != 0) {
      EXPECT_EQ(x[i], 0);
    }
  }
  const auto power = [&](const std::vector<Real>& S) {
    const std::vector<Real> U = test::velocities(p, S);
    Real sum = 0;
    for (int i = 0; i < p.rows(); ++i) sum += U[i] * x[i];
    return sum;
  };
  const std::vector<Real> none(p.rows(), 0);
  const Real work = power(none), largest = *std::max_element(p.diagonal.begin(), p.diagonal.end());
  EXPECT_LT(work, -1e-9 * test::length(p.q) * test::length(x));
  generate::Random random(1);
  for (int k = 0; k < 10; ++k) {
    std::vector<Real> S(p.rows());
    for (Real& s : S) s = 1e3 * test::length(p.q) / largest * random.within(-1, 1);
    EXPECT_NEAR(power(S), work, 1e-9 * largest * test::length(S) * test::length(x));
  }
}

using Plane = generate::Builder<PlaneProblem>;
using Space = generate::Builder<SpaceProblem>;

// A block between a floor and a lid that approach each other at `speed`.
PlaneProblem squeezed_block(Real mu, Real speed) {
  Plane b;
  b.add_body({0, 0.5}, 2, {0.3}, {0.1, -0.2, 0.4});
  for (const Real x : {-0.5, 0.5}) {
    b.add_contact(0, -1, {x, 0}, {0, 1}, mu, -speed / 2);
    b.add_contact(0, -1, {x, 1}, {0, -1}, mu, -speed / 2);
  }
  return b.problem;
}

SpaceProblem squeezed_cube(Real mu, Real speed) {
  Space b;
  b.add_body({0, 0, 0}, 2, {0.3, 0.4, 0.5}, {0.1, -0.2, 0.4, 1, 2, 3});
  for (const Real x : {-0.5, 0.5})
    for (const Real y : {-0.5, 0.5}) {
      b.add_contact(0, -1, {x, y, -0.5}, {0, 0, 1}, mu, -speed / 2);
      b.add_contact(0, -1, {x, y, 0.5}, {0, 0, -1}, mu, -speed / 2);
    }
  return b.problem;
}

// A column of blocks between floor and lid, each `ratio` times heavier than the one below.
PlaneProblem squeezed_column(int blocks, Real ratio) {
  Plane b;
  for (int k = 0; k < blocks; ++k) {
    const Real mass = std::pow(ratio, k);
    b.add_body({0, k + 0.5}, mass, {mass / 6}, {0, 0, 0});
    for (const Real x : {-0.5, 0.5}) b.add_contact(k, k - 1, {x, Real(k)}, {0, 1}, 0.5);
  }
  b.add_contact(blocks - 1, -1, {0.1, Real(blocks)}, {0, -1}, 0.5, -1);
  return b.problem;
}

// A lid that pushes all blocks of the top course down.
PlaneProblem pressed_wall(int courses, int bricks) {
  PlaneProblem p = wall(courses, bricks, 0.3);
  for (int k = p.bodies() - bricks; k < p.bodies(); ++k) {
    PlaneProblem::Contact c{{k, -1}, {}};
    c.G[0] = generate::velocity_map(generate::frame(Vec<2>{0, -1}), {0, 0.25}, 1);
    p.contact.push_back(c);
    p.w.insert(p.w.end(), {-0.1, 0});
    p.law.push_back(Coulomb2::with(0.3));
  }
  return p;
}

TEST(Infeasible, TwoContactsThatWorkAgainstEachOther) {
  const LocalProblem<Signorini> p = local<Signorini>({1, -1, -1, 1}, {-1, -1}, {{}, {}});
  const std::vector<Real> x = infeasibility_certificate(p);
  ASSERT_EQ(x.size(), 2u);
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(x[1], 1, 1e-12);
  expect_proof(p, x);
}

TEST(Infeasible, NoneWhereTheSameContactsCanOpen) {
  EXPECT_TRUE(infeasibility_certificate(local<Signorini>({1, -1, -1, 1}, {-1, 1}, {{}, {}})).empty());
  EXPECT_TRUE(infeasibility_certificate(local<Signorini>({1, -1, -1, 1}, {-1, 2}, {{}, {}})).empty());
  EXPECT_TRUE(infeasibility_certificate(local<Signorini>({1, -0.9, -0.9, 1}, {-1, -1}, {{}, {}})).empty());
}

TEST(Infeasible, ABoundaryThatEntersAnotherIsItsOwnCertificate) {
  const LocalProblem<Signorini> p = local<Signorini>({2, 0, 0, 0}, {-1, -1}, {{}, {}});
  const std::vector<Real> x = infeasibility_certificate(p);
  expect_proof(p, x);
  EXPECT_EQ(x[1], 1);
}

TEST(Infeasible, SqueezedBlockWithAndWithoutFriction) {
  for (const Real mu : {0.0, 0.3, 2.0}) {
    const auto plane = local(squeezed_block(mu, 1));
    expect_proof(plane, infeasibility_certificate(plane));
    EXPECT_TRUE(infeasibility_certificate(local(squeezed_block(mu, -1))).empty());
    EXPECT_TRUE(infeasibility_certificate(local(squeezed_block(mu, 0))).empty());
    const auto space = local(squeezed_cube(mu, 1));
    expect_proof(space, infeasibility_certificate(space));
    EXPECT_TRUE(infeasibility_certificate(local(squeezed_cube(mu, -1))).empty());
    EXPECT_TRUE(infeasibility_certificate(local(squeezed_cube(mu, 0))).empty());
  }
}

TEST(Infeasible, SlowSqueezingIsSqueezing) {
  const auto p = local(squeezed_block(0.3, 1e-6));
  expect_proof(p, infeasibility_certificate(p));
}

TEST(Infeasible, ColumnsWallsAndUnequalMasses) {
  for (const Real ratio : {1.0, 10.0, 100.0}) {
    const auto p = local(squeezed_column(5, ratio));
    expect_proof(p, infeasibility_certificate(p));
  }
  for (const int size : {3, 8}) {
    const auto p = local(pressed_wall(2 * size, size));
    expect_proof(p, infeasibility_certificate(p));
  }
}

TEST(Infeasible, UnsymmetricMatrices) {
  std::vector<Real> W(9);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) W[3 * i + j] = (i == j ? 2 : -1) + (i == j ? 0 : (j == (i + 1) % 3 ? 1e-3 : -1e-3));
  const auto p = local<Signorini>(W, {-1, -2, 1}, {{}, {}, {}});
  expect_proof(p, infeasibility_certificate(p));
  EXPECT_TRUE(infeasibility_certificate(local<Signorini>(W, {-1, -2, 4}, {{}, {}, {}})).empty());
}

// A body pushed into the open side of a wedge leaves through the other.
TEST(Infeasible, NoneForAWedgeThatLetsGo) {
  Plane b;
  b.add_body({0, 0}, 1, {0.4}, {0, 0, 0});
  b.add_contact(0, -1, {-0.5, -0.5}, {0.999, 0.0447}, 1, -1);
  b.add_contact(0, -1, {0.5, -0.5}, {-0.999, 0.0447}, 1, -1);
  EXPECT_TRUE(infeasibility_certificate(local(b.problem)).empty());
}

TEST(Infeasible, NoFalseAlarmInMasonryAndGrains) {
  EXPECT_TRUE(infeasibility_certificate(local(wall(8, 6, 0.3))).empty());
  EXPECT_TRUE(infeasibility_certificate(local(arch(17, 0.15, 0.5))).empty());
  EXPECT_TRUE(infeasibility_certificate(local(arch(17, 0.05, 0.5))).empty());  // it falls: no reason for alarm
  EXPECT_TRUE(infeasibility_certificate(local(stack(10, 0.5))).empty());
  EXPECT_TRUE(infeasibility_certificate(local(plank_tower(6, 3, 0.5))).empty());
  EXPECT_TRUE(infeasibility_certificate(local(disc_packing(100, 0.3, 1))).empty());
  EXPECT_TRUE(infeasibility_certificate(local(sphere_packing(100, 0.3, 1))).empty());
  EXPECT_TRUE(infeasibility_certificate(local(sphere_pyramid(5, 0.3, 1))).empty());
}

TEST(Infeasible, NoFalseAlarmInAThousandRandomProblems) {
  int alarms = 0;
  for (int seed = 0; seed < (test::sanitized ? 100 : 1000); ++seed) {
    const RandomBodies o = test::random_options(seed);
    const auto x = seed % 2 ? infeasibility_certificate(local(random_bodies_2d(o)))
                            : infeasibility_certificate(local(random_bodies_3d(o)));
    if (!x.empty()) ++alarms;
  }
  EXPECT_EQ(alarms, 0);
}

// Random bodies, one of them squeezed: the certificate is found among contacts that have nothing to do with it.
TEST(Infeasible, OneSqueezedBodyAmongMany) {
  for (int seed = 0; seed < 100; ++seed) {
    SpaceProblem b = random_bodies_3d(test::random_options(seed));
    Vec<3> n = generate::Random(static_cast<std::uint64_t>(seed)).direction<3>();
    for (const Real side : {1.0, -1.0}) {
      SpaceProblem::Contact c{{0, -1}, {}};
      c.G[0] = generate::velocity_map(generate::frame(side * n), (-side) * n, 1);
      b.contact.push_back(c);
      b.w.insert(b.w.end(), {-0.5, 0, 0});
      b.law.push_back({0.5});
    }
    const auto p = local(b);
    expect_proof(p, infeasibility_certificate(p));
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace cairn
