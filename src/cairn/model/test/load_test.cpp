// Forces and torques that loads give.
#include "cairn/model/load.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

template <int D>
struct Forces {
  std::vector<Pose<D>> pose;
  std::vector<Vec<freedoms<D>>> u, force;

  explicit Forces(std::size_t n) : pose(n), u(n), force(n) {}
  void add(const Load<D>& load, Real t = 0) { load({t, pose, u, force}); }
};

TEST(Loads, APointForceHasATorqueInTheBodysAxes) {
  Forces<3> f(1);
  f.pose[0] = {{1, 2, 3}, Rotation<3>::by({0, 0, std::acos(Real(-1)) / 2})};  // x of the body is y of the world
  f.add(point_force<3>(0, {2, 0, 0}, [](Real t) { return Vec<3>{5 * t, 0, 0}; }), 2);
  EXPECT_NEAR(f.force[0][0], 10, 1e-14);
  // r = (0, 2, 0) in the world, r x f = (0, 0, -20): the same about the body's z.
  EXPECT_NEAR(f.force[0][5], -20, 1e-14);
  EXPECT_NEAR(std::abs(f.force[0][3]) + std::abs(f.force[0][4]), 0, 1e-14);
}

TEST(Loads, DragOpposesVelocityAndSpin) {
  Forces<2> f(2);
  f.u[1] = {1, -2, 3};
  f.add(drag<2>(1, 10, 4));
  EXPECT_EQ(f.force[1][0], -10);
  EXPECT_EQ(f.force[1][1], 20);
  EXPECT_EQ(f.force[1][2], -12);
  EXPECT_EQ(norm(f.force[0]), 0);
}

TEST(Loads, ASpringPullsBothEndsAndDampsTheirApproach) {
  Forces<2> f(2);
  f.pose[1].x = {3, 0};
  f.u[1] = {-2, 7, 0};
  f.add(spring<2>(0, {}, 1, {}, {100, 5, 1}));
  EXPECT_NEAR(f.force[0][0], 100 * 2 - 5 * 2, 1e-12);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(f.force[0][i], -f.force[1][i]);
  Forces<2> held(1);
  held.pose[0].x = {0, -2};
  held.add(spring<2>(0, {}, -1, {0, 1}, {10, 0, 1}));
  EXPECT_NEAR(held.force[0][1], 20, 1e-12);
}

}  // namespace
}  // namespace cairn
