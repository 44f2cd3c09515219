#include "cairn/lagrange/diagnostics.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "cairn/lagrange/test/random_system.hpp"

namespace cairn {
namespace {

using test::PlainSystem;

PlainSystem<Signorini, 2> wedge(Real gamma, Real e) {  // interior angle gamma, in degrees
  const Real half = gamma * std::numbers::pi / 360;
  PlainSystem<Signorini, 2> system;
  system.resize(2);
  system.A.setIdentity();
  system.rows[0].G << std::cos(half), std::sin(half);
  system.rows[1].G << -std::cos(half), std::sin(half);
  system.e = {{e, e}, {e, e}};
  return system;
}

TEST(Diagnostics, right_angle_is_continuous_acute_one_when_soft_obtuse_one_never) {
  const Vector<2> q = Vector<2>::Zero();
  for (const Real e : {0.0, 0.5, 1.0}) {
    EXPECT_EQ(diagnose(wedge(90, e), 0, q).continuity, Continuity::orthogonal);
    EXPECT_EQ(diagnose(wedge(60, e), 0, q).continuity, e == 0 ? Continuity::acute : Continuity::sensitive);
    EXPECT_EQ(diagnose(wedge(135, e), 0, q).continuity, Continuity::sensitive);
  }
  const ImpactDiagnosis d = diagnose(wedge(135, 1), 0, q);
  EXPECT_NEAR(d.worst_cosine, std::sqrt(0.5), 1e-14);
  EXPECT_EQ(d.worst_first, 0);
  EXPECT_EQ(d.worst_second, 1);
  EXPECT_EQ(d.rank, 2);
  EXPECT_NE(describe(d).find("sensitive"), std::string::npos);
}

TEST(Diagnostics, angles_are_those_of_the_kinetic_metric) {
  auto system = wedge(90, 1);
  system.A << 1, 0, 0, 4;  // no more a right angle
  EXPECT_EQ(diagnose(system, 0, Vector<2>::Zero()).continuity, Continuity::sensitive);
  // d1 A^-1 d2 = -1/2 + 1/8, each norm^2 1/2 + 1/8
  EXPECT_NEAR(diagnose(system, 0, Vector<2>::Zero()).cosine(0, 1), -0.6, 1e-14);
}

TEST(Diagnostics, three_balls_in_a_row_are_sensitive_and_two_pairs_apart_are_not) {
  PlainSystem<Signorini, 4> balls;
  balls.resize(2);
  balls.A.setIdentity();
  balls.e = {{1, 1}, {1, 1}};
  balls.rows[0].G << -1, 1, 0, 0;
  balls.rows[1].G << 0, -1, 1, 0;
  EXPECT_EQ(diagnose(balls, 0, Vector<4>::Zero()).continuity, Continuity::sensitive);
  EXPECT_NEAR(diagnose(balls, 0, Vector<4>::Zero()).cosine(0, 1), -0.5, 1e-15);
  balls.rows[1].G << 0, 0, -1, 1;
  EXPECT_EQ(diagnose(balls, 0, Vector<4>::Zero()).continuity, Continuity::orthogonal);
}

TEST(Diagnostics, dependent_constraints_are_named) {
  PlainSystem<Signorini, 3> table;  // vertical, two tilts: four legs, one of them in excess; and a wall
  table.resize(5);
  table.A << 2, 0.1, 0, 0.1, 1, 0, 0, 0, 3;
  table.rows[0].G << 1, 1, 1;
  table.rows[1].G << 0, 1, 0;
  table.rows[2].G << 1, -1, 1;
  table.rows[3].G << 1, 0, -1;
  table.rows[4].G << 2, 0, 2;  // rows 0 + 2
  const ImpactDiagnosis d = diagnose(table, 0, Vector<3>::Zero());
  EXPECT_EQ(d.rank, 3);
  ASSERT_EQ(d.dependent.size(), 2u);
  EXPECT_EQ(d.dependent[0], (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(d.dependent[1], (std::vector<int>{0, 1, 4}));
  EXPECT_EQ(d.hyperstaticity, 2);
  const int some[] = {1, 3, 4};
  EXPECT_TRUE(diagnose(table, 0, Vector<3>::Zero(), some).dependent.empty());
}

TEST(Diagnostics, block_on_two_corners_has_one_self_balanced_pair_of_friction_impulses) {
  PlainSystem<Coulomb2, 3> block;
  block.resize(2);
  block.A = Vector<3>(1, 1, 0.1).asDiagonal();
  block.rows[0].G << 0, 1, -0.5, 1, 0, 1;
  block.rows[1].G << 0, 1, 0.5, 1, 0, 1;
  const ImpactDiagnosis d = diagnose(block, 0, Vector<3>::Zero());
  EXPECT_TRUE(d.frictional);
  EXPECT_EQ(d.rank, 2);
  EXPECT_EQ(d.hyperstaticity, 1);
}

TEST(Diagnostics, none_and_one_contact_are_continuous) {
  const auto system = wedge(135, 1);
  const int one[] = {1};
  EXPECT_EQ(diagnose(system, 0, Vector<2>::Zero(), std::span<const int>{}).continuity, Continuity::free);
  EXPECT_EQ(diagnose(system, 0, Vector<2>::Zero(), one).continuity, Continuity::single);
  EXPECT_FALSE(describe(diagnose(system, 0, Vector<2>::Zero(), one)).empty());
}

}  // namespace
}  // namespace cairn
