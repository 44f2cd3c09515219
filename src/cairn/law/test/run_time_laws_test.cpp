// Dry friction of known bound, and laws with torques chosen at run time: they are what they are made of.
#include <gtest/gtest.h>

#include "cairn/law/mixed_torque.hpp"
#include "cairn/law/test/random_law.hpp"

namespace cairn {
namespace {

TEST(DryRow, SolvesAnyOneContactProblemExactly) {
  test::Random r(5);
  for (int k = 0; k < 100000; ++k) {
    const DryRow<2> law{r.uniform(0, 2)};
    Mat<2> H = Mat<2>::zero();
    H(0, 0) = std::exp(r.uniform(-5, 5));
    const Vec<2> b{r.uniform(-3, 3), r.uniform(-3, 3)};
    const LocalSolution<2> found = solve_one(law, H, b);
    const Real U = H(0, 0) * found.S[0] + b[0];
    EXPECT_LE(std::abs(found.S[0]), law.bound);
    EXPECT_EQ(found.S[1], 0);
    if (found.status == Status::stick) {
      EXPECT_LE(std::abs(U), 1e-14 * std::abs(b[0]));
    } else {
      EXPECT_EQ(std::abs(found.S[0]), law.bound);
      EXPECT_LE(U * found.S[0], 0);
    }
  }
}

TEST(DryRow, BoundZeroDoesNothing) {
  EXPECT_EQ(DryRow<3>{0}.project({1, 2, 3})[0], 0);
  EXPECT_EQ(solve_one(DryRow<3>{0}, Mat<3>::identity(), {1, 0, 0}).S[0], 0);
}

template <int D>
void same_as_rolling() {
  constexpr int R = torque_rows<D>;
  test::Random r(7);
  for (int k = 0; k < 2000; ++k) {
    const Rolling<R> law = test::random_law<Rolling<R>>(r);
    const MixedTorque<D> mixed = MixedTorque<D>::rolling(law.mu[0], law.mu[1], law.mu[Rolling<R>::B::count - 1]);
    Mat<R> L, H;
    for (int i = 0; i < R * R; ++i) L.v[i] = r.uniform(-1, 1);
    H = L * transpose(L) + Mat<R>::identity();
    const Vec<R> b = r.vector<R>();
    const LocalSolution<R> expected = solve_one(law, H, b), found = solve_one(mixed, H, b);
    for (int i = 0; i < R; ++i) {
      EXPECT_EQ(found.S[i], expected.S[i]);
      EXPECT_EQ(mixed.project(b)[i], law.project(b)[i]);
      EXPECT_EQ(mixed.shift(b)[i], law.shift(b)[i]);
    }
  }
}
TEST(MixedTorque, IsRollingWhereItRolls) { same_as_rolling<2>(), same_as_rolling<3>(); }

TEST(MixedTorque, IsAJointWhereItHolds) {
  const MixedTorque<3> law = MixedTorque<3>::of(MixedLaw<3>::bilateral_rows(5));
  const Vec<6> S = solve_one(law, Mat<6>::identity(), {1, 2, 3, 4, 5, 6}).S;
  for (int i = 0; i < 6; ++i) EXPECT_EQ(S[i], i == 0 ? -1 : i == 2 ? -3 : 0) << i;
}

}  // namespace
}  // namespace cairn
