#include "cairn/lagrange/certify_impact.hpp"

#include <gtest/gtest.h>

#include "cairn/lagrange/test/random_system.hpp"

namespace cairn {
namespace {

template <int N>
ImpactState<N> random_state(RandomStream& random) {
  return random_impact_state<N>(random, 4);
}

class MoreausLaw : public testing::TestWithParam<int> {};

// (i) to (iii) of BC18 4.2: a million random (A, G, u-) over the eight parts.
TEST_P(MoreausLaw, is_an_impact_law) {
  const Real e = GetParam() / Real(7);
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const long count = 62500 / test::share;
  const auto three = certify(moreau_map<3>(e), random_state<3>, count, seed);  // four rows: dependent
  EXPECT_TRUE(three.passes()) << describe(three);
  const auto six = certify(moreau_map<6>(e), random_state<6>, count, seed);
  EXPECT_TRUE(six.passes(1e-12)) << describe(six, 1e-12);
}
INSTANTIATE_TEST_SUITE_P(part, MoreausLaw, testing::Range(0, 8));

// Newton's rule at one contact after the other, once each: not an impact law when they interact.
Vector<3> one_after_the_other(const ImpactState<3>& state) {
  Vector<3> u = state.u_minus;
  for (Eigen::Index a = 0; a < state.G.rows(); ++a) {
    const Vector<3> y = state.A.llt().solve(state.G.row(a).transpose());
    const Real U = state.G.row(a).dot(u);
    if (U < 0) u -= Real(1.5) * U / state.G.row(a).dot(y) * y;
  }
  return u;
}

TEST(CertifyImpact, catches_newtons_rule_applied_in_sequence_and_shows_where) {
  const auto found = certify(ImpactMap<3>(one_after_the_other), random_state<3>, 1000, 1);
  EXPECT_FALSE(found.passes());
  EXPECT_GT(found.inadmissible.value, 0.1);
  EXPECT_LT(found.off_cone.value, 1e-11);
  EXPECT_LT(found.energy_gain.value, 1e-11);
  ASSERT_GE(found.inadmissible.member, 0);
  // The state shown does violate the condition, and comes back from its number.
  const auto& v = found.inadmissible;
  EXPECT_LT((v.state.G * one_after_the_other(v.state)).minCoeff(), 0);
  RandomStream random(1, static_cast<std::uint64_t>(v.member));
  EXPECT_EQ(random_state<3>(random).u_minus, v.state.u_minus);
  EXPECT_NE(describe(found).find("(i)"), std::string::npos);
  EXPECT_EQ(describe(found).find("(iii)"), std::string::npos);
}

TEST(CertifyImpact, sees_friction_and_energy_creation) {
  const ImpactMap<3> stops = [](const ImpactState<3>&) { return Vector<3>(Vector<3>::Zero()); };
  const auto stopped = certify(stops, random_state<3>, 100, 2);
  EXPECT_GT(stopped.off_cone.value, 0.1);
  EXPECT_EQ(stopped.energy_gain.value, 0);
  EXPECT_EQ(stopped.inadmissible.value, 0);
  const auto springy = certify(moreau_map<3>(1.5), random_state<3>, 100, 2);
  EXPECT_LT(springy.off_cone.value, 1e-11);
  EXPECT_GT(springy.energy_gain.value, 0.1);
}

TEST(CertifyImpact, energy_brought_by_a_moving_wall_is_no_violation) {
  ImpactState<1> state{0, Vector<1>(0), Vector<1>(0), Matrix<1, 1>(2), Matrix<-1, 1>::Ones(1, 1), {}, {0}};
  state.W = Vector<-1>::Constant(1, -3);
  EXPECT_LT(check_impact(state, moreau_velocity(state, 0.5)).worst(), 1e-14);
  EXPECT_GT(check_impact(state, Vector<1>(7)).energy_gain, 0.1);   // e above 1
  EXPECT_GT(check_impact(state, Vector<1>(2)).inadmissible, 0.1);  // the wall goes through
}

TEST(CertifyImpact, result_that_is_not_a_number_is_a_violation) {
  const ImpactMap<3> broken = [](const ImpactState<3>&) { return Vector<3>(0, 0, std::nan("")); };
  EXPECT_FALSE(certify(broken, random_state<3>, 1, 2).passes());
}

}  // namespace
}  // namespace cairn
