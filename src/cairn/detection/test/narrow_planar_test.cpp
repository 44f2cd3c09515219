// Discs, stadiums and polygons in the plane against brute force, and the stability of their manifolds.
#include <gtest/gtest.h>

#include "pair_checks.hpp"
#include "planar_reference.hpp"

namespace cairn {
namespace {

using test::brick;
using test::Dice;
using test::Pair;

Shape<2> random_shape(Dice& dice, Real size) {
  switch (dice.integer(0, 3)) {
    case 0: return Ball<2>{size * dice.real(0.01, 1)};
    case 1: return Capsule<2>{size * dice.real(0, 1), size * dice.real(0.01, 0.5)};
    default: return test::random_polygon(dice, size);
  }
}

// Sizes from 1e-6 to 1e6, one up to a hundred times the other, near to each other or deep in each other; often with
// aligned axes, so that faces are parallel.
Pair<2> random_pair(Dice& dice) {
  const Real size = dice.log_uniform(1e-6, 1e6), other = size * dice.log_uniform(0.01, 1);
  Pair<2> p{random_shape(dice, size), random_shape(dice, other), {}, {}, size};
  if (dice.flip()) std::swap(p.a, p.b);
  p.pa = dice.pose<2>(2.5 * size);
  p.pb = dice.pose<2>(0.1 * size);
  if (dice.integer(0, 3) == 0) {
    if (dice.flip()) p.a = brick(size * dice.real(0.1, 1), size * dice.real(0.1, 1));
    if (dice.flip()) p.b = brick(other * dice.real(0.1, 1), other * dice.real(0.1, 1), dice.flip() ? 0 : 0.1 * other);
    p.pa.R = p.pb.R * Rotation<2>::by(dice.integer(0, 3) * std::numbers::pi / 2);
  }
  return p;
}

TEST(NarrowPlanar, LeastGapIsTheSignedDistance) {
  test::least_gap_is_the_signed_distance<2>(random_pair, 100000, 1e-12);
}
TEST(NarrowPlanar, ShiftAlongTheNormalByTheGapMakesTouch) {
  test::shift_along_the_normal_by_the_gap_makes_touch<2>(random_pair, 50000, 2e-12);
}
TEST(NarrowPlanar, PointIsHalfwayBetweenTheSurfaces) {
  test::point_is_halfway_between_the_surfaces<2>(random_pair, 50000, 2e-12);
}
TEST(NarrowPlanar, NothingBeyondTheAlertDistanceAndSomethingWithin) {
  test::nothing_beyond_the_alert_distance_and_something_within<2>(random_pair, 50000);
}
TEST(NarrowPlanar, SwappedShapesGiveTheSamePointsAndTheOppositeNormal) {
  test::swapped_shapes_give_the_same_points_and_the_opposite_normal<2>(random_pair, 50000, 0);  // to the bit
}
TEST(NarrowPlanar, RigidMotionsCarryTheManifoldAlong) {
  test::rigid_motions_carry_the_manifold_along<2>(random_pair, 50000, 1e-12);
}

// --- stability
// --------------------------------------------------------------------------------------------------------

TEST(NarrowPlanar, BlocksFaceOnFaceKeepTwoPointsUnderNoise) {
  Dice dice(7);
  const Real size = 0.3;
  const Shape<2> block = brick(size, 0.2);
  for (const Real noise : {0.0, 1e-15, 1e-12, 1e-9, 1e-6}) {
    std::uint32_t features[2] = {0, 0};
    for (int i = 0; i < 1000; ++i) {
      const auto jolt = [&] { return noise * dice.real(-1, 1); };
      const Pose<2> low{{jolt(), jolt()}, Rotation<2>::by(jolt())};
      const Pose<2> high{{jolt(), 0.4 + jolt()}, Rotation<2>::by(jolt())};
      const Manifold<2> m = collide<2>(block, low, block, high, 1e-3);
      ASSERT_EQ(m.size, 2) << noise;
      for (int k = 0; k < 2; ++k) {
        ASSERT_NEAR(std::fabs(m.points[k].point[0]), size, 5 * noise + 1e-15);
        ASSERT_NEAR(m.points[k].gap, 0, 10 * noise + 1e-15);
        if (i == 0) features[k] = m.points[k].feature;
        ASSERT_EQ(m.points[k].feature, features[k]);
      }
      ASSERT_NE(features[0], features[1]);
      ASSERT_NEAR(m.normal[1], -1, 5 * noise + 1e-15);
    }
  }
}

TEST(NarrowPlanar, HalfOverlappingBlocksTouchAlongTheirCommonPart) {
  const Shape<2> block = brick(0.3, 0.2);
  const Manifold<2> m = collide<2>(block, {{0.3, 0.4}, {}}, block, {{0, 0}, {}}, 1e-3);
  ASSERT_EQ(m.size, 2);
  EXPECT_NEAR(std::min(m.points[0].point[0], m.points[1].point[0]), 0, 1e-15);
  EXPECT_NEAR(std::max(m.points[0].point[0], m.points[1].point[0]), 0.3, 1e-15);
  EXPECT_NEAR(m.points[0].point[1], 0.2, 1e-15);
  EXPECT_NEAR(m.normal[1], 1, 1e-15);
}

TEST(NarrowPlanar, CornerToCornerIsOnePointWithTheNormalBetweenThem) {
  const Shape<2> block = brick(0.5, 0.5);
  const Manifold<2> apart = collide<2>(block, {{1.003, 1.004}, {}}, block, {{0, 0}, {}}, 0.01);
  ASSERT_EQ(apart.size, 1);
  EXPECT_NEAR(apart.points[0].gap, 0.005, 1e-15);
  EXPECT_NEAR(apart.normal[0], 0.6, 1e-12);
  const Manifold<2> touching = collide<2>(block, {{1, 1}, {}}, block, {{0, 0}, {}}, 0.01);
  ASSERT_EQ(touching.size, 1);
  EXPECT_NEAR(touching.points[0].gap, 0, 1e-15);
  EXPECT_NEAR(norm(touching.points[0].point - Vec<2>{0.5, 0.5}), 0, 1e-15);
}

TEST(NarrowPlanar, BlocksFarFromTheOriginTouchAsNearIt) {
  const Shape<2> block = brick(0.5, 0.5);
  const Manifold<2> m = collide<2>(block, {{1 << 20, 1}, {}}, block, {{1 << 20, 0}, {}}, 0.01);
  ASSERT_EQ(m.size, 2);
  EXPECT_EQ(m.points[0].gap, 0);
  EXPECT_EQ(m.points[1].gap, 0);
}

TEST(NarrowPlanar, ConcentricDiscsArePartedByTheSumOfTheirRadii) {
  const Manifold<2> m = collide<2>(Ball<2>{1}, {}, Ball<2>{2}, {}, 0);
  ASSERT_EQ(m.size, 1);
  EXPECT_EQ(m.points[0].gap, -3);
  EXPECT_EQ(norm(m.normal), 1);
}

}  // namespace
}  // namespace cairn
