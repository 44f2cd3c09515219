// Spheres, capsules and polyhedra against brute force, and the stability of their manifolds.
#include <gtest/gtest.h>

#include "pair_checks.hpp"
#include "solid_reference.hpp"

namespace cairn {
namespace {

using test::Dice;
using test::Pair;

// The hull of a few random points, drawn from a store: making one takes long.
Polyhedron random_polyhedron(Dice& dice, Real size) {
  static const std::vector<Polyhedron> store = [] {
    Dice own(99);
    std::vector<Polyhedron> all;
    while (all.size() < 200) {
      std::vector<Vec<3>> points;
      const Vec<3> stretch{own.real(0.2, 1), own.real(0.2, 1), own.real(0.2, 1)};
      for (int i = own.integer(4, 8); i > 0; --i) {
        Vec<3> x = own.direction<3>();
        for (int k = 0; k < 3; ++k) x[k] *= stretch[k];
        points.push_back(x);
      }
      if (auto made = Polyhedron::make(points)) all.push_back(*made);
    }
    return all;
  }();
  Polyhedron p = store[static_cast<std::size_t>(dice.integer(0, 199))];
  for (Vec<3>& v : p.vertices) v *= size;
  for (Polyhedron::Face& f : p.faces) f.offset *= size;
  p.radius = dice.flip() ? 0 : size * dice.real(0, 0.2);
  return p;
}

Polyhedron random_box(Dice& dice, Real size) {
  const Vec<3> half{size * dice.real(0.1, 0.6), size * dice.real(0.1, 0.6), size * dice.real(0.1, 0.6)};
  return Polyhedron::box(half, dice.flip() ? 0 : size * dice.real(0, 0.2));
}

Shape<3> random_shape(Dice& dice, Real size) {
  switch (dice.integer(0, 5)) {
    case 0: return Ball<3>{size * dice.real(0.01, 1)};
    case 1: return Capsule<3>{size * dice.real(0.01, 1), size * dice.real(0.01, 0.5)};
    case 2: return random_polyhedron(dice, size);
    default: return random_box(dice, size);
  }
}

Pair<3> random_pair(Dice& dice) {
  const Real size = dice.log_uniform(1e-6, 1e6), other = size * dice.log_uniform(0.01, 1);
  Pair<3> p{random_shape(dice, size), random_shape(dice, other), {}, {}, size};
  if (dice.flip()) std::swap(p.a, p.b);
  p.pa = dice.pose<3>(2 * size);
  p.pb = dice.pose<3>(0.1 * size);
  if (dice.integer(0, 3) == 0) {  // faces or edges parallel
    Vec<3> turn{};
    turn[dice.integer(0, 2)] = dice.flip() ? std::numbers::pi / 2 : dice.flip() ? dice.real(0, 3) : 0;
    p.pa.R = p.pb.R * Rotation<3>::by(turn);
  }
  return p;
}

Pair<3> random_boxes(Dice& dice) {
  Pair<3> p = random_pair(dice);
  p.a = random_box(dice, p.size);
  p.b = random_box(dice, p.size * dice.log_uniform(0.01, 1));
  return p;
}
Pair<3> random_capsules(Dice& dice) {
  Pair<3> p = random_pair(dice);
  p.a = Capsule<3>{p.size * dice.real(0.01, 1), p.size * dice.real(0.01, 0.5)};
  p.b = Capsule<3>{p.size * dice.real(0.01, 1), p.size * dice.real(0.01, 0.5)};
  if (dice.flip()) p.pa.R = p.pb.R * Rotation<3>::by(dice.log_uniform(1e-14, 0.1) * dice.direction<3>());
  return p;
}

TEST(NarrowSolid, LeastGapIsTheSignedDistance) { test::least_gap_is_the_signed_distance<3>(random_pair, 50000, 1e-12); }
TEST(NarrowSolid, LeastGapOfBoxesIsTheSignedDistance) {
  test::least_gap_is_the_signed_distance<3>(random_boxes, 50000, 1e-12);
}
TEST(NarrowSolid, LeastGapOfCapsulesIsTheSignedDistance) {
  test::least_gap_is_the_signed_distance<3>(random_capsules, 100000, 1e-12);
}
TEST(NarrowSolid, ShiftAlongTheNormalByTheGapMakesTouch) {
  test::shift_along_the_normal_by_the_gap_makes_touch<3>(random_pair, 20000, 2e-12);
}
TEST(NarrowSolid, PointIsHalfwayBetweenTheSurfaces) {
  test::point_is_halfway_between_the_surfaces<3>(random_pair, 20000, 2e-12);
}
TEST(NarrowSolid, NothingBeyondTheAlertDistanceAndSomethingWithin) {
  test::nothing_beyond_the_alert_distance_and_something_within<3>(random_pair, 20000);
}
TEST(NarrowSolid, SwappedShapesGiveTheSamePointsAndTheOppositeNormal) {
  test::swapped_shapes_give_the_same_points_and_the_opposite_normal<3>(random_pair, 50000, 1e-12);
}
TEST(NarrowSolid, RigidMotionsCarryTheManifoldAlong) {
  test::rigid_motions_carry_the_manifold_along<3>(random_pair, 50000, 1e-12);
}

// --- stability
// --------------------------------------------------------------------------------------------------------

Pose<3> jolted(Dice& dice, const Vec<3>& x, Real noise, Real turn = 0) {
  const Rotation<3> about_vertical = Rotation<3>::by(Vec<3>{0, 0, turn});
  return {x + (noise * dice.real(-1, 1)) * dice.direction<3>(),
          Rotation<3>::by((noise * dice.real(-1, 1)) * dice.direction<3>()) * about_vertical};
}

// Features of the points, sorted.
std::vector<std::uint32_t> features(const Manifold<3>& m) {
  std::vector<std::uint32_t> f;
  for (int i = 0; i < m.size; ++i) f.push_back(m.points[i].feature);
  std::sort(f.begin(), f.end());
  return f;
}

// Of the polygon that the points span, seen from above.
Real area_of(const Manifold<3>& m) {
  std::vector<Vec<2>> p;
  Vec<2> centre{};
  for (int i = 0; i < m.size; ++i) p.push_back({m.points[i].point[0], m.points[i].point[1]}), centre += p.back();
  centre *= Real(1) / m.size;
  std::sort(p.begin(), p.end(), [&](const Vec<2>& a, const Vec<2>& b) {
    return std::atan2(a[1] - centre[1], a[0] - centre[0]) < std::atan2(b[1] - centre[1], b[0] - centre[0]);
  });
  Real twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) twice += cross(p[i], p[(i + 1) % p.size()]);
  return twice / 2;
}

TEST(NarrowSolid, EqualBoxesFaceOnFaceKeepTheirFourCornersUnderNoise) {
  Dice dice(7);
  const Shape<3> box = Polyhedron::box({0.3, 0.25, 0.2});
  for (const Real noise : {0.0, 1e-15, 1e-12, 1e-9, 1e-8}) {
    std::vector<std::uint32_t> first;
    for (int i = 0; i < 1000; ++i) {
      const Manifold<3> m =
          collide<3>(box, jolted(dice, {0, 0, 0.4}, noise), box, jolted(dice, {0, 0, 0}, noise), 1e-3);
      ASSERT_EQ(m.size, 4) << noise;
      if (i == 0) first = features(m);
      ASSERT_EQ(features(m), first) << noise;
      ASSERT_NEAR(area_of(m), 0.6 * 0.5, 5 * noise + 1e-14);
      for (int k = 0; k < 4; ++k) {
        ASSERT_NEAR(m.points[k].gap, 0, 5 * noise + 1e-15);
        ASSERT_NEAR(m.points[k].point[2], 0.2, 5 * noise + 1e-15);
      }
      ASSERT_NEAR(m.normal[2], 1, 5 * noise + 1e-15);
    }
  }
}

// The deepest points are where edges cross, at an angle of any size: the shared polygon must stay.
TEST(NarrowSolid, CrossedBricksKeepFourPointsUnderNoise) {
  Dice dice(8);
  const Shape<3> brick = Polyhedron::box({0.5, 0.1, 0.05});
  for (const Real noise : {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4}) {
    for (int i = 0; i < 1000; ++i) {
      const Manifold<3> m =
          collide<3>(brick, jolted(dice, {0, 0, 0.1}, noise, 1), brick, jolted(dice, {0, 0, 0}, noise), 1e-3);
      ASSERT_EQ(m.size, 4) << noise;
      ASSERT_NEAR(area_of(m), 0.2 * 0.2 / std::sin(1.), 10 * noise + 1e-14) << noise;
      ASSERT_NEAR(m.normal[2], 1, 10 * noise + 1e-15);
    }
  }
}

TEST(NarrowSolid, RoundFacesKeepTheSamePointsUnderNoise) {
  Dice dice(9);
  std::vector<Vec<3>> rim;
  for (int i = 0; i < 12; ++i)
    for (const Real z : {-0.1, 0.1})
      rim.push_back({std::cos(i * std::numbers::pi / 6), std::sin(i * std::numbers::pi / 6), z});
  const Shape<3> drum = *Polyhedron::make(rim), slab = Polyhedron::box({2, 2, 0.1});
  for (const Shape<3>& base : {slab, drum}) {
    std::vector<std::uint32_t> first;
    for (int i = 0; i < 1000; ++i) {
      const Manifold<3> m =
          collide<3>(drum, jolted(dice, {0, 0, 0.2}, 1e-13), base, jolted(dice, {0, 0, 0}, 1e-13), 1e-3);
      ASSERT_EQ(m.size, 4);
      ASSERT_NEAR(area_of(m), 2, 0.3);  // of 3: the largest quadrangles have 2
      if (i == 0) first = features(m);
      std::vector<std::uint32_t> same, now = features(m);
      std::set_intersection(first.begin(), first.end(), now.begin(), now.end(), std::back_inserter(same));
      ASSERT_GE(same.size(), 3U);  // one may make room for the deepest
    }
  }
}

TEST(NarrowSolid, CapsulesAlongEachOtherTouchAtTwoEnds) {
  Dice dice(10);
  const Shape<3> log = Capsule<3>{1, 0.2};
  for (const Real noise : {0.0, 1e-15, 1e-12, 1e-9}) {
    const Manifold<3> m =
        collide<3>(log, jolted(dice, {0.5, 0, 0.4}, noise), log, jolted(dice, {0, 0, 0}, noise), 1e-3);
    ASSERT_EQ(m.size, 2);
    EXPECT_NEAR(std::min(m.points[0].point[0], m.points[1].point[0]), -0.5, 5 * noise + 1e-15);
    EXPECT_NEAR(std::max(m.points[0].point[0], m.points[1].point[0]), 1, 5 * noise + 1e-15);
    EXPECT_NEAR(m.normal[2], 1, 5 * noise + 1e-15);
  }
}

TEST(NarrowSolid, CapsuleLyingOnABoxTouchesAtTwoEnds) {
  const Manifold<3> m = collide<3>(Capsule<3>{1, 0.2}, {{0.5, 0, 0.4}, {}}, Polyhedron::box({1, 1, 0.2}), {}, 1e-3);
  ASSERT_EQ(m.size, 2);
  EXPECT_NEAR(m.points[0].gap, 0, 1e-15);
  EXPECT_NEAR(m.points[1].gap, 0, 1e-15);
  EXPECT_NEAR(std::fabs(m.points[0].point[0] - m.points[1].point[0]), 1.5, 1e-15);
}

}  // namespace
}  // namespace cairn
