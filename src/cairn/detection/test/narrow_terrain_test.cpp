// Shapes on polylines and meshes.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "cairn/shape/test/grid_mesh.hpp"
#include "planar_reference.hpp"
#include "random_pairs.hpp"
#include "solid_reference.hpp"

namespace cairn {
namespace {

using test::Dice;

template <int D>
std::vector<Manifold<D>> touch(const Shape<D>& a, const Pose<D>& pa, const Shape<D>& b, const Pose<D>& pb, Real alert) {
  std::vector<Manifold<D>> out;
  collide_all<D>(a, pa, b, pb, alert, out);
  return out;
}

template <int D>
Real least(const std::vector<Manifold<D>>& all) {
  Real gap = std::numeric_limits<Real>::infinity();
  for (const Manifold<D>& m : all) gap = std::min(gap, test::least_gap(m));
  return gap;
}

template <int D>
void expect_distinct_features(const std::vector<Manifold<D>>& all) {
  std::set<std::uint32_t> features;
  for (const Manifold<D>& m : all)
    for (int i = 0; i < m.size; ++i) ASSERT_TRUE(features.insert(m.points[i].feature).second);
}

Polyline random_hills(Dice& dice, Real roughness) {
  Polyline line;  // from left to right: the solid is below
  for (int i = -10; i <= 10; ++i) line.points.push_back({0.5 * i + dice.real(-0.2, 0.2), roughness * dice.real(-1, 1)});
  return line;
}

TriangleMesh random_land(Dice& dice, Real roughness) {
  return test::grid_mesh(7, 0.5, [&] { return roughness * dice.real(-1, 1); });
}

Shape<2> random_shape(Dice& dice, Shape<2>*) {
  switch (dice.integer(0, 2)) {
    case 0: return Ball<2>{dice.real(0.1, 0.6)};
    case 1: return Capsule<2>{dice.real(0.1, 0.6), dice.real(0.05, 0.3)};
    default: return test::random_polygon(dice, 0.7);
  }
}
Shape<3> random_shape(Dice& dice, Shape<3>*) {
  switch (dice.integer(0, 2)) {
    case 0: return Ball<3>{dice.real(0.1, 0.6)};
    case 1: return Capsule<3>{dice.real(0.1, 0.5), dice.real(0.05, 0.3)};
    default:
      return Polyhedron::box({dice.real(0.1, 0.4), dice.real(0.1, 0.4), dice.real(0.1, 0.4)}, dice.flip() ? 0 : 0.1);
  }
}

Real distance(const Shape<2>& shape, const Pose<2>& pose, const Polyline& line) {
  Real least = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < line.size(); ++i) {
    const test::Corners piece{{line.points[static_cast<std::size_t>(i)], line.points[static_cast<std::size_t>(i) + 1]},
                              0};
    least = std::min(least, test::signed_distance(test::corners_of(shape, pose, {}), piece));
  }
  return least;
}
Real distance(const Shape<3>& shape, const Pose<3>& pose, const TriangleMesh& mesh) {
  Real least = std::numeric_limits<Real>::infinity();
  const test::Features f = test::features_of(shape, pose, {});
  for (int i = 0; i < mesh.size(); ++i) {
    test::Features piece;
    piece.points = {mesh.corner(i, 0), mesh.corner(i, 1), mesh.corner(i, 2)};
    piece.edges = {{0, 1}, {1, 2}, {0, 2}};
    piece.faces = {{0, 1, 2}, {0, 2, 1}};
    const Real separation = test::greatest_separation(f, piece);
    const bool point = f.points.size() == 1;
    least = std::min(least, (separation > 0 || point ? test::feature_distance(f, piece) : separation) - f.radius);
  }
  return least;
}

// Shapes above the terrain: what is nearest is found, with its distance.
template <int D, class Make>
void check_distances(const Make& make, int count) {
  Dice dice(1);
  int near = 0;
  for (int i = 0; i < count / test::share; ++i) {
    const auto terrain = make(dice, dice.real(0, 0.5));
    const Shape<D> shape = random_shape(dice, static_cast<Shape<D>*>(nullptr));
    Pose<D> pose = dice.pose<D>(0.7);
    pose.x[D - 1] = dice.real(0.6, 1.8);  // above all of it
    const Real exact = distance(shape, pose, terrain), alert = 0.2;
    if (exact < 1e-6) continue;
    const Pose<D> moved = dice.pose<D>(1), there = moved * pose;
    const auto all = touch<D>(shape, there, terrain, moved, alert);
    ASSERT_EQ(!all.empty(), exact <= alert) << i;
    if (all.empty()) continue;
    ++near;
    ASSERT_NEAR(least(all), exact, 1e-12) << i;
    ASSERT_NO_FATAL_FAILURE(expect_distinct_features(all)) << i;
    const auto swapped = touch<D>(terrain, moved, shape, there, alert);
    ASSERT_EQ(all.size(), swapped.size());
    ASSERT_EQ(norm(all[0].normal + swapped[0].normal), 0);
  }
  EXPECT_GT(near, count / 100 / test::share);
}

TEST(NarrowTerrain, NearestPartOfAPolylineIsFound) { check_distances<2>(random_hills, 20000); }
TEST(NarrowTerrain, NearestPartOfAMeshIsFound) { check_distances<3>(random_land, 4000); }

// A shallow overlap: a shape that touches is pressed in by a little along the normal.
template <int D, class Make>
void check_overlaps(const Make& make, int count) {
  Dice dice(2);
  for (int i = 0; i < count / test::share; ++i) {
    const auto terrain = make(dice, dice.real(0, 0.3));
    const Shape<D> shape = random_shape(dice, static_cast<Shape<D>*>(nullptr));
    Pose<D> pose = dice.pose<D>(0.7);
    pose.x[D - 1] = dice.real(0.5, 1.8);
    if (distance(shape, pose, terrain) < 1e-6) continue;
    const auto all = touch<D>(shape, pose, terrain, {}, 2);
    const auto nearest = std::min_element(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return test::least_gap(a) < test::least_gap(b); });
    const Real press = 1e-5;
    pose.x -= (test::least_gap(*nearest) + press) * nearest->normal;
    const auto pressed = touch<D>(shape, pose, terrain, {}, 1e-3);
    ASSERT_FALSE(pressed.empty()) << i;
    ASSERT_LT(least(pressed), 0) << i;
    ASSERT_GE(least(pressed), -1.5 * press) << i;  // corner in corner the normal turns a little
  }
}

TEST(NarrowTerrain, ShallowOverlapWithAPolylineIsAsDeepAsItIs) { check_overlaps<2>(random_hills, 5000); }
TEST(NarrowTerrain, ShallowOverlapWithAMeshIsAsDeepAsItIs) { check_overlaps<3>(random_land, 1000); }

TEST(NarrowTerrain, EvenPolylineIsAHalfPlane) {
  Dice dice(3);
  const Shape<2> line = random_hills(dice, 0), block = test::brick(0.8, 0.2);
  for (const Real tilt : {0.0, 1e-12, 1e-6, -1e-4})
    for (int i = 0; i < 1000; ++i) {
      const Pose<2> pose{{dice.real(-2, 2), 0.2 + dice.real(-1e-4, 1e-4)}, Rotation<2>::by(tilt)};
      const Manifold<2> plane = collide<2>(block, pose, HalfSpace<2>{}, {}, 1e-3);
      const auto all = touch<2>(block, pose, line, {}, 1e-3);
      ASSERT_NEAR(least(all), test::least_gap(plane), 1e-14);
      ASSERT_EQ(plane.size, 2);
      for (const Manifold<2>& m : all) ASSERT_LE(norm(m.normal - plane.normal), 1e-14) << i;
      for (const ContactPoint<2>& corner : plane.points) {
        Real nearest = 1;
        for (const Manifold<2>& m : all)
          for (int k = 0; k < m.size; ++k) nearest = std::min(nearest, norm(m.points[k].point - corner.point));
        ASSERT_LE(nearest, 1e-3) << i;
      }
    }
}

TEST(NarrowTerrain, EvenMeshIsAHalfSpace) {
  Dice dice(4);
  const Shape<3> land = random_land(dice, 0), box = Polyhedron::box({0.4, 0.3, 0.2});
  for (int i = 0; i < 500 / test::share + 1; ++i) {
    const Pose<3> pose{{dice.real(-0.5, 0.5), dice.real(-0.5, 0.5), 0.2 + dice.real(-1e-4, 1e-4)},
                       Rotation<3>::by(Vec<3>{0, 0, dice.real(0, 3)})};
    const Manifold<3> plane = collide<3>(box, pose, HalfSpace<3>{}, {}, 1e-3);
    const auto all = touch<3>(box, pose, land, {}, 1e-3);
    ASSERT_NEAR(least(all), test::least_gap(plane), 1e-14) << i;
    for (const Manifold<3>& m : all) ASSERT_LE(norm(m.normal - plane.normal), 1e-9) << i;
    for (const ContactPoint<3>& corner : plane.points) {
      Real nearest = 1;
      for (const Manifold<3>& m : all)
        for (int k = 0; k < m.size; ++k) nearest = std::min(nearest, norm(m.points[k].point - corner.point));
      ASSERT_LE(nearest, 1e-3) << i;
    }
  }
}

// Near the ridge of a roof: the far slope, whose plane cuts the shape, must not hold it.
TEST(NarrowTerrain, FarSideOfARidgeDoesNotAct) {
  const Shape<2> roof = Polyline{{{-2, -2}, {0, 0}, {2, -2}}};
  const Rotation<2> slope = Rotation<2>::by(std::numbers::pi / 4);
  const Vec<2> n = slope * Vec<2>{0, 1};
  for (const Real gap : {1e-4, 0.0, -1e-4}) {
    const Pose<2> pose{slope * Vec<2>{-0.35, 0.3 + gap}, slope};  // its end 5 cm from the ridge
    const auto all = touch<2>(test::brick(0.3, 0.3), pose, roof, {}, 1e-3);
    ASSERT_EQ(all.size(), 1U) << gap;
    EXPECT_LE(norm(all[0].normal - n), 1e-14);
    EXPECT_NEAR(least(all), gap, 1e-15);
  }
}

TEST(NarrowTerrain, EllipsoidsRestOnTerrain) {
  const Shape<3> egg = Ellipsoid<3>{{0.5, 0.4, 0.3}};
  Dice dice(5);
  const Shape<3> land = random_land(dice, 0);
  for (const Real gap : {1e-4, -1e-4}) {
    const auto all = touch<3>(egg, {{0.13, 0.21, 0.3 + gap}, {}}, land, {}, 1e-3);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_NEAR(least(all), gap, 1e-12);
    EXPECT_NEAR(all[0].normal[2], 1, 1e-12);
  }
}

}  // namespace
}  // namespace cairn
