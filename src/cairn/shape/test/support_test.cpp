// Support points, bounds and reach of every shape.
#include <gtest/gtest.h>

#include <numbers>

#include "cairn/shape/test/random_shapes.hpp"

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi;

using test::Dice;

static_assert(ConvexShape<Ball<2>, 2> && ConvexShape<Ball<3>, 3> && ConvexShape<Capsule<2>, 2>);
static_assert(ConvexShape<Capsule<3>, 3> && ConvexShape<Polygon, 2> && ConvexShape<Polyhedron, 3>);
static_assert(ConvexShape<Ellipsoid<2>, 2> && ConvexShape<Ellipsoid<3>, 3> && !ConvexShape<HalfSpace<2>, 2>);

// Points of a shape's surface or core, found without its support function.
template <int D>
std::vector<Vec<D>> core_points(const Ball<D>&, Dice&) {
  return {Vec<D>{}};
}
template <int D>
std::vector<Vec<D>> core_points(const Capsule<D>& c, Dice&) {
  Vec<D> end{};
  end[0] = c.half_length;
  return {end, -end, Vec<D>{}};
}
std::vector<Vec<2>> core_points(const Polygon& p, Dice&) { return p.vertices; }
std::vector<Vec<3>> core_points(const Polyhedron& p, Dice&) { return p.vertices; }
template <int D>
std::vector<Vec<D>> core_points(const Ellipsoid<D>& e, Dice& dice) {
  std::vector<Vec<D>> points;
  for (int k = 0; k < 50; ++k) {
    points.push_back(dice.direction<D>());
    for (int i = 0; i < D; ++i) points.back()[i] *= e.semi[i];
  }
  return points;
}

template <int D>
bool inside(const Ball<D>&, const Vec<D>& x) {
  return norm(x) == 0;
}
template <int D>
bool inside(const Capsule<D>& c, const Vec<D>& x) {
  return std::fabs(x[0]) <= c.half_length && norm2(x) == x[0] * x[0];
}
bool inside(const Polygon& p, const Vec<2>& x) {
  for (int i = 0; i < p.size(); ++i)
    if (dot(p.normal(i), x - p.vertex(i)) > 1e-14) return false;
  return true;
}
bool inside(const Polyhedron& p, const Vec<3>& x) {
  for (const auto& face : p.faces)
    if (dot(face.normal, x) > face.offset + 1e-14) return false;
  return true;
}
template <int D>
bool inside(const Ellipsoid<D>& e, const Vec<D>& x) {
  Real sum = 0;
  for (int i = 0; i < D; ++i) sum += x[i] * x[i] / (e.semi[i] * e.semi[i]);
  return sum <= 1 + 1e-14;
}

template <int D, class T>
void expect_supports(const T& shape, Dice& dice) {
  const auto points = core_points(shape, dice);
  for (int k = 0; k < 50; ++k) {
    const Vec<D> direction = dice.within(0.01, 100) * dice.direction<D>();
    const Vec<D> s = shape.support(direction);
    EXPECT_TRUE(inside(shape, s));
    for (const Vec<D>& p : points) EXPECT_GE(dot(s - p, direction), -1e-14 * norm(direction));
  }
}

TEST(Support, IsInTheShapeAndBeatsItsPoints) {
  Dice dice(1);
  for (int k = 0; k < 40 / test::share + 1; ++k) {
    expect_supports<2>(Ball<2>{1}, dice);
    expect_supports<3>(Ball<3>{1}, dice);
    expect_supports<2>(Capsule<2>{dice.within(0, 2), 1}, dice);
    expect_supports<3>(Capsule<3>{dice.within(0, 2), 1}, dice);
    expect_supports<2>(dice.polygon(3 + dice.below(20)), dice);
    expect_supports<3>(dice.polyhedron(4 + dice.below(20)), dice);
    expect_supports<2>(Ellipsoid<2>{{dice.within(0.1, 2), dice.within(0.1, 2)}}, dice);
    expect_supports<3>(Ellipsoid<3>{{dice.within(0.1, 2), dice.within(0.1, 2), dice.within(0.1, 2)}}, dice);
  }
}

// Many vertices: the support climbs from neighbour to neighbour.
TEST(Support, ClimbsToTheTopOfALargePolyhedron) {
  Dice dice(2);
  std::vector<Vec<3>> points;
  for (int k = 0; k < 2000 / test::share; ++k) points.push_back(dice.direction<3>());
  const auto p = Polyhedron::make(points);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->vertices.size(), points.size());
  int start = 0;
  for (int k = 0; k < 100; ++k) {
    const Vec<3> direction = dice.direction<3>();
    Real most = -2;
    for (const Vec<3>& x : p->vertices) most = std::fmax(most, dot(x, direction));
    EXPECT_EQ(dot(p->support(direction), direction), most);
    start = p->support_index(direction, start);
    EXPECT_EQ(dot(p->vertex(start), direction), most);
  }
}

// Its short edges rise by less than the rounding of heights, and lead to long ones that rise by more.
TEST(Support, ClimbsAlongShortEdges) {
  Dice dice(3);
  const Real width = 1e-7;
  std::vector<Vec<3>> points;  // a cube whose upright edges are rounded
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i)
      for (const Real z : {-1.0, 1.0}) {
        const Real angle = pi / 2 * (k + i / 3.0);
        const Real x = k == 0 || k == 3 ? 1 : -1, y = k < 2 ? 1 : -1;
        points.push_back({x + width * std::cos(angle), y + width * std::sin(angle), z});
      }
  const auto p = Polyhedron::make(points);
  ASSERT_TRUE(p) << p.error();
  ASSERT_EQ(p->vertices.size(), 32u);
  for (int k = 0; k < 200; ++k) {
    const Vec<3> direction = Vec<3>{0, 0, k % 2 == 0 ? 1.0 : -1.0} + dice.point<3>(1e-10);
    Real most = -2;
    for (const Vec<3>& x : p->vertices) most = std::fmax(most, dot(x, direction));
    EXPECT_GE(dot(p->support(direction), direction), most - 1e-15);
  }
}

template <int D>
void expect_bounds(const Shape<D>& shape, Dice& dice) {
  const Pose<D> pose = dice.pose<D>();
  const Bounds<D> box = bounds(shape, pose);
  Vec<D> touched_low = box.high, touched_high = box.low;
  Real furthest = 0;
  std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.support(Vec<D>{}); }) {
          for (int k = 0; k < 200; ++k) {
            Vec<D> u = dice.direction<D>();
            if (k < 2 * D) {  // world axes, where the box is touched
              u = {};
              u[k / 2] = k % 2 == 0 ? 1 : -1;
            }
            const Vec<D> local = pose.R.inverse() * u, x = s.support(local) + s.radius * local;
            const Vec<D> at = pose.to_world(x);
            furthest = std::fmax(furthest, norm(x));
            for (int i = 0; i < D; ++i) {
              touched_low[i] = std::fmin(touched_low[i], at[i]);
              touched_high[i] = std::fmax(touched_high[i], at[i]);
            }
          }
        }
      },
      shape);
  EXPECT_LE(norm(touched_low - box.low), 1e-14);
  EXPECT_LE(norm(touched_high - box.high), 1e-14);
  EXPECT_LE(furthest, reach(shape) + 1e-14);
  EXPECT_TRUE(bounded(shape));
  EXPECT_EQ(complaint(shape), "");
}

TEST(Bounds, AreTheLeastBoxAndWithinReach) {
  Dice dice(4);
  for (int k = 0; k < 40 / test::share + 1; ++k) {
    const Real r = dice.within(0.01, 1);
    expect_bounds<2>(Ball<2>{r}, dice);
    expect_bounds<3>(Ball<3>{r}, dice);
    expect_bounds<2>(Capsule<2>{1, r}, dice);
    expect_bounds<3>(Capsule<3>{1, r}, dice);
    expect_bounds<2>(dice.polygon(9, r), dice);
    expect_bounds<3>(dice.polyhedron(40, r), dice);
    expect_bounds<2>(Ellipsoid<2>{{1, r}}, dice);
    expect_bounds<3>(Ellipsoid<3>{{1, r, 0.3}}, dice);
  }
}

TEST(Reach, IsTheFurthestPoint) {
  EXPECT_EQ(reach(Ball<2>{2}), 2);
  EXPECT_EQ(reach(Capsule<3>{2, 0.5}), 2.5);
  EXPECT_EQ(reach(Polygon::box({3, 4}, 1)), 6);
  EXPECT_EQ(reach(Polyhedron::box({2, 3, 6}, 1)), 8);
  EXPECT_EQ(reach(Ellipsoid<3>{{1, 3, 2}}), 3);
}

TEST(Unbounded, HalfSpaceAndTerrain) {
  EXPECT_TRUE(std::isinf(reach(HalfSpace<2>{})));
  EXPECT_FALSE(bounded(HalfSpace<3>{}));
  const auto all = bounds(Shape<3>(HalfSpace<3>{}), Pose<3>{});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isinf(all.low[i]) && all.low[i] < 0 && std::isinf(all.high[i]));
  EXPECT_EQ(HalfSpace<3>::normal()[2], 1);

  const Polyline ground{{{0, 0}, {2, 0}, {3, 1}}};
  EXPECT_FALSE(bounded(ground));
  EXPECT_EQ(ground.size(), 2);
  EXPECT_EQ(ground.normal(0)[1], 1);  // left of the way
  const auto box = bounds(Shape<2>(ground), Pose<2>{{1, 1}, Rotation<2>::by(0)});
  EXPECT_EQ(box.low[0], 1);
  EXPECT_EQ(box.high[0], 4);
  EXPECT_EQ(box.high[1], 2);

  const TriangleMesh floor{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  EXPECT_EQ(floor.normal(0)[2], 1);  // the side from which the corners turn counter-clockwise
  EXPECT_FALSE(bounded(floor));
}

void expect_words(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(Complaint, SaysWhatIsWrong) {
  expect_words(complaint(Ball<2>{-1}), "radius of a ball: found -1 m, expected a finite length > 0");
  expect_words(complaint(Ball<3>{std::nan("")}), "radius of a ball");
  expect_words(complaint(Capsule<2>{-1, 1}), "half length of a capsule");
  expect_words(complaint(Ellipsoid<3>{{1, 0, 1}}), "semi-axis of an ellipsoid");
  expect_words(complaint(Ellipsoid<2>{{1, 1}, 0.5}), "radius around an ellipsoid");
  expect_words(complaint(Polygon::box({-1, 1})), "does not turn left");
  expect_words(complaint(Polygon{{{0, 0}, {1, 0}, {0, 1}}, {}, 0}), "normals");
  expect_words(complaint(Polyhedron::box({1, 1, -1})), "polyhedron");
  expect_words(complaint(Polyhedron{}), "do not make one");
  expect_words(complaint(Polyline{{{0, 0}}}), "at least 2");
  expect_words(complaint(Polyline{{{0, 0}, {1, 0}, {1, 0}}}), "points 1 and 2 coincide");
  expect_words(complaint(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}), "triangle 0 has no area");
  expect_words(complaint(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}}}), "vertex 3, expected 0 to 2");
  expect_words(complaint(TriangleMesh{}), "no triangle");
  EXPECT_EQ(complaint(Polyline{{{0, 0}, {1, 0}}}), "");
  EXPECT_EQ(complaint(HalfSpace<2>{}), "");
}

}  // namespace
}  // namespace cairn
