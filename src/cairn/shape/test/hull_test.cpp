// Polyhedra from points: containment, consistency, degenerate input.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include "cairn/shape/test/random_shapes.hpp"

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi;

using test::Dice;
using Points = std::vector<Vec<3>>;

Real extent(const Points& points) {
  Real most = 0;
  for (const Vec<3>& p : points) most = std::fmax(most, norm(p - points[0]));
  return most;
}

void expect_contains(const Polyhedron& p, const Points& points, Real tolerance) {
  Real outside = -1;
  for (const auto& face : p.faces)
    for (const Vec<3>& x : points) outside = std::fmax(outside, dot(face.normal, x) - face.offset);
  EXPECT_LE(outside, tolerance * extent(points));
}

// Faces, edges and neighbours tell the same story, and Euler's formula holds.
void expect_consistent(const Polyhedron& p) {
  EXPECT_EQ(p.vertices.size() + p.faces.size(), p.edges.size() + 2);
  EXPECT_EQ(p.complaint(), "");
  const Real size = extent(p.vertices);
  std::size_t corners = 0;
  for (const auto& face : p.faces) {
    corners += face.ring.size();
    EXPECT_NEAR(norm(face.normal), 1, 1e-15);
    for (const int v : face.ring) EXPECT_NEAR(dot(face.normal, p.vertex(v)), face.offset, 4e-12 * size);
  }
  EXPECT_EQ(corners, 2 * p.edges.size());
  const auto follows = [&](int face, int a, int b) {
    const auto& ring = p.face(face).ring;
    const auto at = std::find(ring.begin(), ring.end(), a);
    return at != ring.end() && (at + 1 == ring.end() ? ring.front() : at[1]) == b;
  };
  std::vector<std::set<int>> near(p.vertices.size());
  for (const auto& edge : p.edges) {
    EXPECT_LT(edge.a, edge.b);
    EXPECT_TRUE(follows(edge.left, edge.a, edge.b));
    EXPECT_TRUE(follows(edge.right, edge.b, edge.a));
    near[static_cast<std::size_t>(edge.a)].insert(edge.b);
    near[static_cast<std::size_t>(edge.b)].insert(edge.a);
  }
  for (std::size_t v = 0; v < near.size(); ++v) {
    EXPECT_GE(near[v].size(), 3u);
    EXPECT_EQ(p.neighbours[v], std::vector<int>(near[v].begin(), near[v].end()));
  }
}

TEST(Hull, ContainsItsPoints) {
  Dice dice(1);
  for (int k = 0; k < 500 / test::share; ++k) {
    const Points points = dice.points<3>(4 + dice.below(60), std::pow(10, dice.within(-6, 6)));
    const auto p = Polyhedron::make(points);
    ASSERT_TRUE(p) << p.error();
    expect_contains(*p, points, 1e-12);
    expect_consistent(*p);
  }
}

TEST(Hull, KeepsAllPointsOfASphere) {
  Dice dice(2);
  Points points;
  for (int k = 0; k < 300; ++k) points.push_back(dice.direction<3>());
  const auto p = Polyhedron::make(points);
  ASSERT_TRUE(p);
  ASSERT_EQ(p->vertices.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(norm(p->vertices[i] - points[i]), 0);  // in their order
  EXPECT_EQ(p->faces.size(), 2 * points.size() - 4);
  expect_consistent(*p);
}

TEST(Hull, BoxIsTheHullOfItsCorners) {
  const Polyhedron box = Polyhedron::box({0.3, 0.7, 0.1}, 0.01);
  expect_consistent(box);
  const auto hull = Polyhedron::make(box.vertices, 0.01);
  ASSERT_TRUE(hull);
  expect_consistent(*hull);
  EXPECT_EQ(hull->radius, box.radius);
  ASSERT_EQ(hull->faces.size(), 6u);
  for (const auto& face : box.faces) {
    const auto same = std::find_if(hull->faces.begin(), hull->faces.end(),
                                   [&](const auto& f) { return norm(f.normal - face.normal) == 0; });  // exactly
    ASSERT_NE(same, hull->faces.end());
    EXPECT_EQ(same->offset, face.offset);
    EXPECT_EQ(same->ring.size(), 4u);
  }
}

// Grid points within faces, on edges and inside, turned and moved: nothing but the box remains.
TEST(Hull, GridsAreBoxes) {
  Dice dice(3);
  for (int k = 0; k < 100 / test::share; ++k) {
    const Real scale = std::pow(10, dice.within(-6, 6));
    const Vec<3> step{dice.within(0.1, 1), dice.within(0.1, 1), dice.within(0.1, 1)};
    const Pose<3> pose = dice.pose<3>(10);
    Points points;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 4; ++j)
        for (int l = 0; l < 3; ++l) points.push_back(scale * pose.to_world({step[0] * i, step[1] * j, step[2] * l}));
    std::shuffle(points.begin(), points.end(), std::mt19937(static_cast<unsigned>(k)));
    const auto p = Polyhedron::make(points);
    ASSERT_TRUE(p) << p.error();
    EXPECT_EQ(p->vertices.size(), 8u);
    EXPECT_EQ(p->faces.size(), 6u);
    expect_contains(*p, points, 1e-12);
    expect_consistent(*p);
    EXPECT_NEAR(p->mass_properties().volume / (scale * scale * scale), 24 * step[0] * step[1] * step[2], 1e-12);
  }
}

TEST(Hull, PrismHasTwoPolygons) {
  const int n = 100;
  const Rotation<3> R = Rotation<3>::by({0.3, 0.4, 0.5});
  Points points;
  for (int i = 0; i < n; ++i)
    for (int z = 0; z < 2; ++z) {
      const Real angle = 2 * pi * i / n;
      points.push_back(R * Vec<3>{std::cos(angle), std::sin(angle), Real(z)});
    }
  const auto p = Polyhedron::make(points);
  ASSERT_TRUE(p);
  expect_consistent(*p);
  std::map<std::size_t, int> faces;
  for (const auto& face : p->faces) ++faces[face.ring.size()];
  EXPECT_EQ(faces, (std::map<std::size_t, int>{{4, n}, {100, 2}}));
}

// Whatever the noise, from rounding to well above: a solid comes out that contains the points up to that noise.
TEST(Hull, TakesNoisyPlanes) {
  Dice dice(4);
  for (const Real noise : {1e-16, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6})
    for (int k = 0; k < 40 / test::share + 1; ++k) {
      const Rotation<3> R = k % 2 == 0 ? Rotation<3>{} : dice.rotation<3>();
      Points points;
      for (int i = 0; i < 64; ++i)
        points.push_back(R * Vec<3>{(i % 4) / 3.0, (i / 4 % 4) / 3.0, (i / 16) / 3.0} + dice.point<3>(noise));
      const auto p = Polyhedron::make(points);
      ASSERT_TRUE(p) << noise << ": " << p.error();
      EXPECT_EQ(p->vertices.size() + p->faces.size(), p->edges.size() + 2);
      expect_contains(*p, points, std::fmax(1e-12, std::fmin(10 * noise, 4e-9)));
      EXPECT_NEAR(p->mass_properties().volume, 1, 20 * noise + 1e-12);
    }
}

TEST(Hull, DuplicatesCountOnce) {
  Points points = Polyhedron::box({1, 1, 1}).vertices;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 8; ++i)
      points.push_back(points[static_cast<std::size_t>(i)] + Vec<3>{1e-14 * k, 0, -1e-14 * k});
  const auto p = Polyhedron::make(points);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->vertices.size(), 8u);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(norm(p->vertex(i) - points[static_cast<std::size_t>(i)]), 0);  // the first given
}

TEST(Hull, SamePointsGiveSameBits) {
  Dice dice(5);
  const Points points = dice.points<3>(50);
  const auto a = Polyhedron::make(points), b = Polyhedron::make(points);
  ASSERT_TRUE(a && b);
  ASSERT_EQ(a->faces.size(), b->faces.size());
  for (std::size_t f = 0; f < a->faces.size(); ++f) {
    EXPECT_EQ(a->faces[f].ring, b->faces[f].ring);
    EXPECT_EQ(norm(a->faces[f].normal - b->faces[f].normal), 0);
  }
}

void expect_refused(const Points& points, const std::string& words, Real radius = 0) {
  const auto p = Polyhedron::make(points, radius);
  ASSERT_FALSE(p);
  EXPECT_NE(p.error().find(words), std::string::npos) << p.error();
}

TEST(Hull, RefusesWhatHasNoVolume) {
  Dice dice(6);
  expect_refused({}, "found 0 distinct points among 0, expected at least 4");
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "found 3 distinct points among 3");
  expect_refused(Points(10, {1, 2, 3}), "found 1 distinct points among 10");
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}, "coordinate 2 of point 3 is nan");
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, INFINITY, 0}}, "coordinate 1 of point 3 is inf");
  expect_refused(Polyhedron::box({1, 1, 1}).vertices, "radius around a polyhedron: found -1 m", -1);
  Points line, plane;
  const Pose<3> pose = dice.pose<3>();
  for (int i = 0; i < 20; ++i) line.push_back(pose.to_world({0.1 * i, 0, 0}));
  for (int i = 0; i < 25; ++i) plane.push_back(pose.to_world({0.1 * (i % 5), 0.1 * (i / 5), 0}));
  expect_refused(line, "lie in one plane");
  expect_refused(plane, "its 25 points lie in one plane");
  for (Vec<3>& x : plane) x += dice.point<3>(1e-11);
  expect_refused(plane, "lie in one plane");
}

}  // namespace
}  // namespace cairn
