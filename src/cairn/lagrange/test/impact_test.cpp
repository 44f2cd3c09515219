#include "cairn/lagrange/impact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cairn/lagrange/test/random_system.hpp"

namespace cairn {
namespace {

using test::PlainSystem;
constexpr Real degree = std::numbers::pi / 180;

// Balls of unit mass on a line, all touching.
struct Cradle {
  using Law = Signorini;
  static constexpr int freedoms = dynamic_size;
  int n;
  Real e = 0;

  int contacts() const { return n - 1; }
  Matrix<-1, -1> inertia(Real, const Vector<-1>&) const { return Matrix<-1, -1>::Identity(n, n); }
  Vector<-1> force(Real, const Vector<-1>&, const Vector<-1>&) const { return Vector<-1>::Zero(n); }
  Real gap(int a, Real, const Vector<-1>& q) const { return q(a + 1) - q(a); }
  Kinematics<1, -1> kinematics(int a, Real, const Vector<-1>&) const {
    Kinematics<1, -1> k{Matrix<1, -1>::Zero(1, n), Vector<1>(0)};
    k.G(a) = -1, k.G(a + 1) = 1;
    return k;
  }
  Law law(int, Real, const Vector<-1>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

TEST(Impact, cradle_shares_the_motion_as_moreaus_law_says) {
  for (const int n : {2, 3, 5, 9})
    for (int k = 1; k < n; ++k)
      for (const Real e : {0.0, 0.4, 1.0}) {
        const Cradle cradle{n, e};
        Vector<-1> q = Vector<-1>::Zero(n), u = q;
        u.head(k).setOnes();
        const auto mean = weighted_mean_impact(cradle, 0, q, u);
        const auto moreau = moreau_impact(cradle, 0, q, u, e);
        ASSERT_TRUE(mean.converged && moreau.converged);
        for (int i = 0; i < n; ++i) {
          const Real expected = i < k ? (k * (1 + e) - e * n) / n : (1 + e) * k / n;
          EXPECT_NEAR(mean.u_plus(i), expected, 1e-13);
          EXPECT_NEAR(moreau.u_plus(i), expected, 1e-13);
        }
        const Real share = Real(k) / n;
        EXPECT_NEAR(mean.energy_after / mean.energy_before, share + e * e * (1 - share), 1e-13);
        EXPECT_LT(std::abs(mean.identity_defect) + std::abs(moreau.identity_defect), 1e-12);
        EXPECT_EQ(static_cast<int>(mean.percussions.size()), n - 1);
      }
}

// Two walls that meet at the origin with interior angle gamma, the bisector upward (BC18 fig. 1).
PlainSystem<Signorini, 2> wedge_of(Real gamma, Real e) {
  PlainSystem<Signorini, 2> system;
  system.resize(2);
  system.A.setIdentity();
  system.rows[0].G << std::cos(gamma / 2), std::sin(gamma / 2);
  system.rows[1].G << -std::cos(gamma / 2), std::sin(gamma / 2);
  system.e = {{e, e}, {e, e}};
  return system;
}

TEST(Impact, corner_of_two_walls_depends_on_the_side_when_the_angle_is_obtuse) {
  const int left[] = {0}, right[] = {1};
  const Vector<2> q = Vector<2>::Zero(), u(0, -1);
  for (const Real gamma : {135.0, 120.0, 90.0, 60.0, 45.0}) {
    const auto system = wedge_of(gamma * degree, 1);
    EXPECT_NEAR((moreau_impact(system, 0, q, u, 1).u_plus - Vector<2>(0, 1)).norm(), 0, 1e-14);
    EXPECT_NEAR((weighted_mean_impact(system, 0, q, u).u_plus - Vector<2>(0, 1)).norm(), 0, 1e-14);
  }
  const auto first = moreau_impact(wedge_of(135 * degree, 1), 0, q, u, right, 1).u_plus;
  EXPECT_NEAR((first - Vector<2>(-std::sqrt(0.5), std::sqrt(0.5))).norm(), 0, 1e-14);
  const auto other = moreau_impact(wedge_of(120 * degree, 1), 0, q, u, left, 1).u_plus;
  EXPECT_NEAR((other - Vector<2>(std::sqrt(0.75), 0.5)).norm(), 0, 1e-14);
}

// Block 2b wide, 2h high, both lower corners on the ground, turning about the left one.
TEST(Impact, block_rocks_on_as_housner_says) {
  const Real b = 0.1, h = 0.5, s2 = b * b / (b * b + h * h), c = h * b / (b * b + h * h);
  PlainSystem<Coulomb2, 3> block;
  block.resize(2);
  block.A = Vector<3>(2, 2, 2 * (b * b + h * h) / 3).asDiagonal();
  block.rows[0].G << 0, 1, -b, 1, 0, h;  // left corner at (-b, -h): normal, tangential
  block.rows[1].G << 0, 1, b, 1, 0, h;
  const Vector<3> u(h, -b, -1);
  for (const Real e : {0.0, 0.3, 1.0}) {
    const Real needed = 3 * c / (4 - 3 * s2);
    for (auto& law : block.laws) law = Coulomb2::with(1.05 * needed);
    block.e = {{e, e}, {e, e}};
    const auto o = weighted_mean_impact(block, 0, Vector<3>::Zero(), u);
    ASSERT_TRUE(o.converged);
    EXPECT_NEAR(-o.u_plus(2), 1 - (1 + e) * (1 - (1 - 1.5 * s2)), 1e-12);
    EXPECT_EQ(o.percussions[0].status, Status::take_off);
    EXPECT_EQ(o.percussions[1].status, Status::stick);
    for (auto& law : block.laws) law = Coulomb2::with(0.95 * needed);
    EXPECT_EQ(weighted_mean_impact(block, 0, Vector<3>::Zero(), u).percussions[1].status, Status::slide);
  }
}

// Kane's double pendulum: uniform rods of unit mass and length, angles from the downward vertical, tip on a plane.
PlainSystem<Coulomb2, 2> kane(Real mu, Real e) {
  const Real a = 20 * degree, b = 30 * degree, c = std::cos(a - b) / 2;
  PlainSystem<Coulomb2, 2> system;
  system.resize(1);
  system.A << Real(4) / 3, c, c, Real(1) / 3;
  system.rows[0].G << std::sin(a), std::sin(b), std::cos(a), std::cos(b);
  system.laws[0] = Coulomb2::with(mu);
  system.e[0] = {e, e};
  return system;
}

TEST(Impact, kanes_pendulum_gains_energy_with_newtons_law_and_not_with_the_weighted_mean) {
  const Vector<2> q = Vector<2>::Zero(), u(-0.1, -0.2);
  const auto system = kane(0.5, 0.5);
  const auto newton = newton_impact(system, 0, q, u, 0.5);
  ASSERT_TRUE(newton.converged);
  EXPECT_NEAR(newton.energy_after / newton.energy_before, 1.587, 5e-4);
  EXPECT_GT(newton.gain(), 0);
  EXPECT_NEAR(newton.percussions[0].after(0), -0.5 * newton.percussions[0].before(0), 1e-15);
  EXPECT_LT(std::abs(newton.identity_defect), 1e-15);

  const auto mean = weighted_mean_impact(system, 0, q, u);
  EXPECT_NEAR(mean.u_plus(0), -0.206293, 5e-7);
  EXPECT_NEAR(mean.u_plus(1), 0.275315, 5e-7);
  EXPECT_NEAR(1 - mean.energy_after / mean.energy_before, 0.438, 5e-4);
  EXPECT_EQ(mean.percussions[0].status, Status::slide);
  const auto soft = weighted_mean_impact(kane(0.5, 0), 0, q, u);
  EXPECT_LT((mean.percussions[0].S - 1.5 * soft.percussions[0].S).norm(), 1e-12 * mean.percussions[0].S.norm());
}

TEST(Impact, newtons_law_in_space_reverses_the_normal_velocity_and_opposes_sliding) {
  PlainSystem<Coulomb3, 4> system;
  for (int i = 0; i < 1000; ++i) {
    RandomStream random(3, static_cast<std::uint64_t>(i));
    test::make_generic(random, 1, system);
    Vector<4> u;
    test::fill(random, u);
    if ((system.rows[0].G * u)(0) > 0) u = -u;
    const auto o = newton_impact(system, 0, Vector<4>::Zero(), u, 0.7);
    ASSERT_TRUE(o.converged);
    const auto& p = o.percussions[0];
    const Real mu = system.laws[0].mu, T = p.S.tail<2>().norm(), V = p.after.tail<2>().norm();
    ASSERT_NEAR(p.after(0), -0.7 * p.before(0), 1e-12);
    ASSERT_LE(T, mu * p.S(0) * (1 + 1e-12));
    ASSERT_NEAR(p.S.tail<2>().dot(p.after.tail<2>()), -mu * p.S(0) * V, 1e-11 * p.S(0));
  }
}

TEST(Impact, moreaus_law_is_the_weighted_mean_without_friction_even_with_moving_walls) {
  PlainSystem<Signorini, 5> system;
  for (int i = 0; i < 2000; ++i) {
    RandomStream random(4, static_cast<std::uint64_t>(i));
    const int contacts = 1 + random.below(4);
    test::make_generic(random, contacts, system);
    for (auto& row : system.rows) row.W(0) = random.normal();
    Vector<5> u;
    test::fill(random, u);
    const auto mean = weighted_mean_impact(system, 0, Vector<5>::Zero(), u);
    const auto moreau = moreau_impact(system, 0, Vector<5>::Zero(), u, system.e[0].normal);
    ASSERT_TRUE(mean.converged && moreau.converged);
    const Real size = u.norm() + mean.u_plus.norm();
    ASSERT_LT((mean.u_plus - moreau.u_plus).norm(), 1e-12 * size);
    for (const auto& o : {mean, moreau}) {
      ASSERT_LT(std::abs(o.identity_defect), 1e-12 * (o.energy_before + o.energy_after));
      ASSERT_LT(o.gain(), 1e-12 * (o.energy_before + o.energy_after));
    }
  }
}

TEST(Impact, body_hit_by_a_moving_wall_takes_energy_from_it) {
  PlainSystem<Signorini, 1> ball;
  ball.resize(1);
  ball.A << 2;
  ball.rows[0] = {Matrix<1, 1>(1), Vector<1>(-3)};  // the wall comes at speed 3
  ball.e[0] = {0.5, 0.5};
  const auto o = weighted_mean_impact(ball, 0, Vector<1>(0), Vector<1>(0));
  EXPECT_DOUBLE_EQ(o.u_plus(0), 4.5);  // U+ = 1.5
  EXPECT_NEAR(o.energy_after, 20.25, 1e-13);
  EXPECT_DOUBLE_EQ(o.boundary, 27);
  EXPECT_NEAR(o.gain(), -6.75, 1e-13);
  EXPECT_NEAR(o.identity_defect, 0, 1e-14);
}

TEST(Impact, without_a_solution_the_outcome_says_so) {
  PlainSystem<Signorini, 1> squeezed;  // two walls that close on one particle
  squeezed.resize(2);
  squeezed.A << 1;
  squeezed.rows[0] = {Matrix<1, 1>(1), Vector<1>(-1)};
  squeezed.rows[1] = {Matrix<1, 1>(-1), Vector<1>(-1)};
  EXPECT_FALSE(weighted_mean_impact(squeezed, 0, Vector<1>(0), Vector<1>(0)).converged);
  EXPECT_FALSE(moreau_impact(squeezed, 0, Vector<1>(0), Vector<1>(0), 0).converged);
  squeezed.A << -1;
  EXPECT_FALSE(weighted_mean_impact(squeezed, 0, Vector<1>(0), Vector<1>(0)).converged);
}

TEST(Impact, touching_contacts_are_those_within_the_tolerance) {
  const Cradle cradle{4};
  const Vector<-1> q = (Vector<-1>(4) << 0, 0, 1e-3, 1).finished();
  EXPECT_EQ(touching(cradle, 0, q), (std::vector<int>{0}));
  EXPECT_EQ(touching(cradle, 0, q, 1e-2), (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace cairn
