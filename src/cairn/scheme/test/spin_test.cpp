#include "cairn/scheme/spin.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

const Vec<3> J{1, 2, 3};  // [kg m^2]

Real energy(const Vec<3>& w) { return (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]) / 2; }
Vec<3> momentum(const Vec<3>& w) { return {J[0] * w[0], J[1] * w[1], J[2] * w[2]}; }

// A body that spins about its middle axis flips to and fro (Dzhanibekov); energy and the length of the momentum stay
// through a hundred thousand large steps.
TEST(Spin, flips_about_the_middle_axis_for_ever) {
  Vec<3> w{1e-3, 5, 1e-3};
  const Real E = energy(w), L = norm(momentum(w));
  int flips = 0;
  Real last = 1;
  for (int k = 0; k < 100000; ++k) {
    w = free_spin(J, w, {}, 0.02);
    if (w[1] * last < 0) ++flips, last = w[1];
    ASSERT_NEAR(energy(w), E, 1e-11 * E);
    ASSERT_NEAR(norm(momentum(w)), L, 1e-11 * L);
  }
  // Euler's motion in elliptic functions, for L^2 > 2 E J_2: the middle component changes sign every 2 K(k)/n.
  const Real more = L * L - 2 * E * J[0], n = std::sqrt((J[2] - J[1]) * more / (J[0] * J[1] * J[2]));
  const Real k = std::sqrt((J[1] - J[0]) * (2 * E * J[2] - L * L) / ((J[2] - J[1]) * more));
  EXPECT_NEAR(flips, 2000 * n / (2 * std::comp_ellint_1(k)), 1);
}

// The direction of the momentum in the world's axes: second order in h.
TEST(Spin, keeps_the_momentum_in_space_to_second_order) {
  Real error[2];
  for (int level = 0; level < 2; ++level) {
    const Real h = level == 0 ? 2e-3 : 1e-3;
    Vec<3> w{1, 2, -1.5};
    Rotation<3> R;
    const Vec<3> start = momentum(w);
    for (int k = 0; k < static_cast<int>(std::lround(2 / h)); ++k) {
      R = R * Rotation<3>::by(h / 2 * w);
      w = free_spin(J, w, {}, h);
      R = (R * Rotation<3>::by(h / 2 * w)).unit();
    }
    error[level] = norm(R * momentum(w) - start) / norm(start);
  }
  EXPECT_LT(error[1], 1e-5);
  EXPECT_NEAR(error[0] / error[1], 4, 0.3);
}

TEST(Spin, follows_a_torque_about_a_principal_axis_exactly) {
  const Vec<3> w = free_spin(J, {0, 0, 2}, {0, 0, 6}, 0.5);
  EXPECT_DOUBLE_EQ(w[2], 3);
  EXPECT_DOUBLE_EQ(w[0], 0);
}

}  // namespace
}  // namespace cairn
