// Polygons from points.
#include <gtest/gtest.h>

#include <numbers>

#include "cairn/shape/test/random_shapes.hpp"

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi;

using test::Dice;
using Points = std::vector<Vec<2>>;

void expect_hull(const Polygon& p, const Points& points, Real size) {
  EXPECT_EQ(p.complaint(), "");
  ASSERT_EQ(p.normals.size(), p.vertices.size());
  Real outside = -1;
  for (int i = 0; i < p.size(); ++i) {
    EXPECT_NEAR(norm(p.normal(i)), 1, 1e-15);
    EXPECT_LE(std::fabs(dot(p.normal(i), p.vertex(p.next(i)) - p.vertex(i))), 1e-15 * size);
    for (const Vec<2>& x : points) outside = std::fmax(outside, dot(p.normal(i), x - p.vertex(i)));
  }
  EXPECT_LE(outside, 1e-12 * size);
}

TEST(Polygon, ContainsItsPoints) {
  Dice dice(1);
  for (int k = 0; k < 2000 / test::share; ++k) {
    const Real size = std::pow(10, dice.within(-6, 6));
    const Points points = dice.points<2>(3 + dice.below(40), size);
    const auto p = Polygon::make(points);
    ASSERT_TRUE(p) << p.error();
    expect_hull(*p, points, size);
  }
}

TEST(Polygon, BoxIsTheHullOfItsCorners) {
  const Polygon box = Polygon::box({0.3, 0.1}, 0.02);
  EXPECT_EQ(box.complaint(), "");
  const auto hull = Polygon::make({{0.3, 0.1}, {-0.3, -0.1}, {-0.3, 0.1}, {0.3, -0.1}}, 0.02);
  ASSERT_TRUE(hull);
  ASSERT_EQ(hull->size(), 4);
  EXPECT_EQ(hull->radius, 0.02);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(norm(hull->vertex(i) - box.vertex(i)), 0);
    EXPECT_EQ(norm(hull->normal(i) - box.normal(i)), 0);
  }
}

TEST(Polygon, GridsAreBoxes) {
  Dice dice(2);
  for (int k = 0; k < 500 / test::share; ++k) {
    const Pose<2> pose = dice.pose<2>(10);
    const Real noise = std::pow(10, dice.within(-16, -13));
    Points points;
    for (int i = 0; i < 30; ++i)
      points.push_back(pose.to_world({0.2 * (i % 6), 0.25 * (i / 6)}) + dice.point<2>(noise));
    const auto p = Polygon::make(points);
    ASSERT_TRUE(p) << p.error();
    EXPECT_EQ(p->size(), 4);
    expect_hull(*p, points, 1);
  }
}

TEST(Polygon, KeepsAllPointsOfACircle) {
  Points points;
  for (int i = 0; i < 1000; ++i) points.push_back({std::cos(2 * pi * i / 1000), std::sin(2 * pi * i / 1000)});
  const auto p = Polygon::make(points);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->size(), 1000);
  EXPECT_NEAR(p->mass_properties().volume, 500 * std::sin(2 * pi / 1000), 1e-13);
}

TEST(Polygon, DuplicatesAndNearCornersCountOnce) {
  const auto p = Polygon::make({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {1, 1}, {1 + 1e-14, 1}, {0, 1e-14}, {0.5, 0}});
  ASSERT_TRUE(p);
  EXPECT_EQ(p->size(), 4);
  EXPECT_NEAR(p->mass_properties().volume, 1, 1e-13);
}

// Bulges of an edge below the tolerance once took a corner with them.
TEST(Polygon, NearlyStraightEdgesKeepTheirEnds) {
  Dice dice(3);
  for (int k = 0; k < 1000 / test::share; ++k) {
    Points points{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int i = 0; i < 20; ++i) {
      const Real along = dice.within(0.1, 0.9), out = std::pow(10, dice.within(-17, -13));
      const Points bulges{{-out, along}, {1 + out, along}, {along, -out}, {along, 1 + out}};
      points.push_back(bulges[static_cast<std::size_t>(dice.below(4))]);
    }
    const auto p = Polygon::make(points);
    ASSERT_TRUE(p) << p.error();
    ASSERT_EQ(p->size(), 4);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(norm(p->vertex(i) - points[static_cast<std::size_t>(i)]), 0);
  }
}

void expect_refused(const Points& points, const std::string& words, Real radius = 0) {
  const auto p = Polygon::make(points, radius);
  ASSERT_FALSE(p);
  EXPECT_NE(p.error().find(words), std::string::npos) << p.error();
}

TEST(Polygon, RefusesWhatHasNoArea) {
  expect_refused({}, "found 0 distinct points among 0, expected at least 3");
  expect_refused({{0, 0}, {1, 0}, {1, 0}, {0, 0}}, "found 2 distinct points among 4");
  expect_refused({{0, 0}, {1, 0}, {std::nan(""), 1}}, "coordinate 0 of point 2 is nan");
  expect_refused({{0, 0}, {1, 0}, {0, 1}}, "radius around a polygon: found -0.5 m", -0.5);
  expect_refused({{0, 0}, {1, 0}, {0, 1}}, "radius around a polygon: found nan m", std::nan(""));
  const Rotation<2> R = Rotation<2>::by(1);
  Points line;
  for (int i = 0; i < 30; ++i) line.push_back(R * Vec<2>{0.1 * i, 0});
  expect_refused(line, "its 30 points lie on one line");
  line.push_back(R * Vec<2>{1, 1e-10});
  expect_refused(line, "its 31 points lie on one line");
}

}  // namespace
}  // namespace cairn
