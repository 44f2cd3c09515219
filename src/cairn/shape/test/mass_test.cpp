// Mass properties: closed forms, cutting and adding, moving.
#include <gtest/gtest.h>

#include <numbers>

#include "cairn/shape/moments.hpp"
#include "cairn/shape/test/random_shapes.hpp"

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi;

using test::Dice;
using test::difference;

// What can be compared of solids: volume, first moments, inertia about the origin.
template <int D>
struct Totals {
  Real volume = 0;
  Vec<D> first{};
  Mat<spins<D>> inertia{};

  Totals& add(const MassProperties<D>& m, Real sign = 1) {
    volume += sign * m.volume;
    first += (sign * m.volume) * m.centre;
    inertia += sign * (m.inertia + m.volume * inertia_of(outer(m.centre, m.centre)));
    return *this;
  }
};

template <int D>
Totals<D> totals(const MassProperties<D>& m) {
  return Totals<D>().add(m);
}

template <int D>
void expect_equal(const Totals<D>& a, const Totals<D>& b, Real tolerance) {
  EXPECT_NEAR(a.volume, b.volume, tolerance);
  EXPECT_LE(norm(a.first - b.first), tolerance);
  EXPECT_LE(difference(a.inertia, b.inertia), tolerance);
}

template <int D>
MassProperties<D> moved(MassProperties<D> m, const Pose<D>& pose) {
  m.centre = pose.to_world(m.centre);
  if constexpr (D == 3) {
    const Mat<3> R = pose.R.matrix();
    m.inertia = R * m.inertia * transpose(R);
  }
  return m;
}

TEST(Mass, BallCapsuleEllipsoid) {
  const auto disc = Ball<2>{2}.mass_properties();
  EXPECT_NEAR(disc.volume, 4 * pi, 1e-14);
  EXPECT_NEAR(disc.inertia(0, 0), 8 * pi, 1e-14);
  const auto sphere = Ball<3>{2}.mass_properties();
  EXPECT_NEAR(sphere.volume, 32 * pi / 3, 1e-14);
  EXPECT_NEAR(sphere.inertia(2, 2), 0.4 * 4 * 32 * pi / 3, 1e-13);

  // Cylinder and two half balls, whose centres lie 3/8 of the radius from their flat side.
  const Real l = 1.5, r = 0.5, cylinder = 2 * l * pi * r * r, half_ball = 2 * pi / 3 * r * r * r;
  const auto capsule = Capsule<3>{l, r}.mass_properties();
  EXPECT_NEAR(capsule.volume, cylinder + 2 * half_ball, 1e-14);
  EXPECT_NEAR(capsule.inertia(0, 0), cylinder * r * r / 2 + 2 * half_ball * 0.4 * r * r, 1e-14);
  const Real across = cylinder * (3 * r * r + 4 * l * l) / 12 +
                      2 * half_ball * (83.0 / 320 * r * r + (l + 0.375 * r) * (l + 0.375 * r));
  EXPECT_NEAR(capsule.inertia(1, 1), across, 1e-14);
  EXPECT_NEAR(capsule.inertia(2, 2), across, 1e-14);

  const auto ellipsoid = Ellipsoid<3>{{1, 2, 3}}.mass_properties();
  EXPECT_NEAR(ellipsoid.volume, 8 * pi, 1e-14);
  EXPECT_NEAR(ellipsoid.inertia(0, 0), 8 * pi * 13 / 5, 1e-13);
  EXPECT_NEAR(ellipsoid.inertia(1, 1), 8 * pi * 10 / 5, 1e-13);
  EXPECT_NEAR((Ellipsoid<2>{{1, 2}}.mass_properties().inertia(0, 0)), 2 * pi * 5 / 4, 1e-14);
}

TEST(Mass, RoundShapesWithoutLengthAreBalls) {
  expect_equal<2>(totals(Capsule<2>{0, 0.7}.mass_properties()), totals(Ball<2>{0.7}.mass_properties()), 1e-15);
  expect_equal<3>(totals(Capsule<3>{0, 0.7}.mass_properties()), totals(Ball<3>{0.7}.mass_properties()), 1e-15);
  expect_equal<2>(totals(Ellipsoid<2>{{2, 2}}.mass_properties()), totals(Ball<2>{2}.mass_properties()), 1e-13);
  expect_equal<3>(totals(Ellipsoid<3>{{2, 2, 2}}.mass_properties()), totals(Ball<3>{2}.mass_properties()), 1e-13);
  const Real small = 1e-9;
  expect_equal<2>(totals(Polygon::box({small, small}, 1).mass_properties()), totals(Ball<2>{1}.mass_properties()),
                  1e-7);
  expect_equal<3>(totals(Polyhedron::box({small, small, small}, 1).mass_properties()),
                  totals(Ball<3>{1}.mass_properties()), 1e-7);
}

TEST(Mass, Boxes) {
  const auto plate = Polygon::box({0.3, 0.1}).mass_properties();
  EXPECT_NEAR(plate.volume, 0.12, 1e-16);
  EXPECT_NEAR(plate.inertia(0, 0), 0.12 * (0.09 + 0.01) / 3, 1e-17);
  const auto brick = Polyhedron::box({1, 2, 3}).mass_properties();
  EXPECT_NEAR(brick.volume, 48, 1e-13);
  EXPECT_LE(norm(brick.centre), 1e-15);
  EXPECT_LE(difference(brick.inertia, Mat<3>{208, 0, 0, 0, 160, 0, 0, 0, 80}), 1e-12);
}

// Integral of x^2 over a box of half sizes h thickened by r, cell by cell: x is in the middle of the box or beyond an
// end.
Real rounded_box_second(const Vec<3>& h, Real r) {
  const Real a = h[0], b = h[1], c = h[2], r2 = r * r;
  const Real disc = pi * r2, ball = 4 * pi / 3 * r2 * r;
  const Real beyond = 2 * (std::pow(a + r, 3) - std::pow(a, 3)) / 3, middle = 2 * a * a * a / 3;
  const Real disc_ends = disc * (r2 / 4 + a * a) + 2 * a * (4 * r2 * r / 3);
  const Real ball_ends = ball * (r2 / 5 + a * a) + 2 * a * (pi * r2 * r2 / 2);
  return middle * (4 * b * c + 4 * (b + c) * r + disc) + beyond * 4 * b * c + disc_ends * 2 * (b + c) + ball_ends;
}

TEST(Mass, RoundedBoxCellByCell) {
  const Vec<3> h{1, 2, 3};
  const Real r = 0.5;
  const auto m = Polyhedron::box(h, r).mass_properties();
  EXPECT_NEAR(m.volume, 48 + 2 * r * 4 * (2 + 6 + 3) + pi * r * r * 12 + 4 * pi / 3 * r * r * r, 1e-12);
  const Real xx = rounded_box_second(h, r), yy = rounded_box_second({2, 3, 1}, r),
             zz = rounded_box_second({3, 1, 2}, r);
  EXPECT_LE(difference(m.inertia, Mat<3>{yy + zz, 0, 0, 0, xx + zz, 0, 0, 0, xx + yy}), 1e-11);

  const auto flat = Polygon::box({1, 2}, r).mass_properties();  // A + P r + pi r^2
  EXPECT_NEAR(flat.volume, 8 + 12 * r + pi * r * r, 1e-14);
}

// The corners of a convex solid on one side of a plane, and where its edges cross it.
std::vector<Vec<3>> cut(const Polyhedron& p, const Vec<3>& normal, Real offset) {
  std::vector<Vec<3>> kept;
  for (const Vec<3>& x : p.vertices)
    if (dot(normal, x) <= offset) kept.push_back(x);
  for (const auto& edge : p.edges) {
    const Vec<3>&a = p.vertex(edge.a), &b = p.vertex(edge.b);
    const Real at_a = dot(normal, a) - offset, at_b = dot(normal, b) - offset;
    if ((at_a <= 0) != (at_b <= 0)) kept.push_back(a + (at_a / (at_a - at_b)) * (b - a));
  }
  return kept;
}

std::vector<Vec<2>> cut(const Polygon& p, const Vec<2>& normal, Real offset, std::vector<Vec<2>>* chord = nullptr) {
  std::vector<Vec<2>> kept;
  for (int i = 0; i < p.size(); ++i) {
    const Vec<2>&a = p.vertex(i), &b = p.vertex(p.next(i));
    const Real at_a = dot(normal, a) - offset, at_b = dot(normal, b) - offset;
    if (at_a <= 0) kept.push_back(a);
    if ((at_a <= 0) == (at_b <= 0)) continue;
    kept.push_back(a + (at_a / (at_a - at_b)) * (b - a));
    if (chord) chord->push_back(kept.back());
  }
  return kept;
}

TEST(Mass, TwoPiecesOfAPolygonHaveItsMass) {
  Dice dice(1);
  for (int k = 0; k < 1000 / test::share; ++k) {
    const Polygon whole = dice.polygon();
    const Vec<2> n = dice.direction<2>();
    const Real offset = dot(n, whole.mass_properties().centre);
    const auto left = Polygon::make(cut(whole, n, offset)), right = Polygon::make(cut(whole, -n, -offset));
    ASSERT_TRUE(left && right);
    expect_equal(totals(left->mass_properties()).add(right->mass_properties()), totals(whole.mass_properties()), 1e-13);
  }
}

// Thickened, the two pieces share what is around their common side: a capsule.
TEST(Mass, TwoPiecesOfARoundedPolygonCountTheirSideTwice) {
  Dice dice(2);
  for (int k = 0; k < 1000 / test::share; ++k) {
    const Real r = dice.within(0.01, 2);
    const Polygon whole = dice.polygon(8, r);
    const Vec<2> n = dice.direction<2>();
    const Real offset = dot(n, whole.mass_properties().centre);
    std::vector<Vec<2>> chord;
    const auto left = Polygon::make(cut(whole, n, offset, &chord), r),
               right = Polygon::make(cut(whole, -n, -offset), r);
    ASSERT_TRUE(left && right);
    ASSERT_EQ(chord.size(), 2u);
    const Vec<2> along = chord[1] - chord[0];
    const Real length = norm(along);
    const Pose<2> place{Real(0.5) * (chord[0] + chord[1]), {along[0] / length, along[1] / length}};
    const auto common = moved(Capsule<2>{length / 2, r}.mass_properties(), place);
    expect_equal(totals(left->mass_properties()).add(right->mass_properties()).add(common, -1),
                 totals(whole.mass_properties()), 1e-12 * (1 + std::pow(r, 4)) * 10);
  }
}

// A cut in two that overlap: with any radius, whole and overlap together have the mass of the two.
TEST(Mass, TwoPiecesOfARoundedPolyhedronCountTheirOverlapTwice) {
  Dice dice(3);
  int counted = 0;
  for (int k = 0; k < 200 / test::share; ++k) {
    const Real r = k % 4 == 0 ? 0 : dice.within(0.01, 2);
    const Polyhedron whole = dice.polyhedron(12, r);
    const Vec<3> n = dice.direction<3>();
    const Real middle = dot(n, whole.mass_properties().centre), low = middle - 0.1, high = middle + 0.1;
    const auto left = Polyhedron::make(cut(whole, n, high), r), right = Polyhedron::make(cut(whole, -n, -low), r);
    ASSERT_TRUE(left && right);
    const auto both = Polyhedron::make(cut(*left, -n, -low), r);
    ASSERT_TRUE(both);
    expect_equal(totals(left->mass_properties()).add(right->mass_properties()),
                 totals(whole.mass_properties()).add(both->mass_properties()), 1e-12 * (1 + std::pow(r, 5)) * 10);
    ++counted;
  }
  EXPECT_GE(counted, 10);
}

TEST(Mass, DoesNotDependOnTheAxes) {
  Dice dice(4);
  for (int k = 0; k < 300 / test::share; ++k) {
    const Real r = k % 2 == 0 ? 0 : dice.within(0, 1);
    const Polygon flat = dice.polygon(9, r);
    const Pose<2> in_plane = dice.pose<2>(3);
    const auto turned = Polygon::make(test::moved(flat.vertices, in_plane), r);
    ASSERT_TRUE(turned);
    expect_equal(totals(turned->mass_properties()), totals(moved(flat.mass_properties(), in_plane)), 1e-11);
    const Polyhedron solid = dice.polyhedron(10, r);
    const Pose<3> in_space = dice.pose<3>(3);
    const auto other = Polyhedron::make(test::moved(solid.vertices, in_space), r);
    ASSERT_TRUE(other);
    expect_equal(totals(other->mass_properties()), totals(moved(solid.mass_properties(), in_space)), 1e-10);
  }
}

// Moments about a point a million sizes away would lose twelve digits.
TEST(Mass, FarFromTheOriginNoDigitsAreLost) {
  const Vec<2> away{1e6, -1e6};
  const Polygon near = Polygon::box({0.5, 0.25}, 0.125);
  Polygon far = near;
  for (Vec<2>& p : far.vertices) p += away;
  const auto a = near.mass_properties(), b = far.mass_properties();
  EXPECT_NEAR(a.volume, b.volume, 1e-14);
  EXPECT_NEAR(a.inertia(0, 0), b.inertia(0, 0), 1e-14);
  EXPECT_LE(norm(b.centre - a.centre - away), 1e-9);
}

TEST(Mass, TetrahedronByHand) {
  const auto p = Polyhedron::make({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  ASSERT_TRUE(p);
  const auto m = p->mass_properties();
  EXPECT_NEAR(m.volume, 1.0 / 6, 1e-16);
  EXPECT_LE(norm(m.centre - Vec<3>{0.25, 0.25, 0.25}), 1e-16);
  // Integrals of x^2 and x y over it are 1/60 and 1/120.
  const Real xx = 1.0 / 60 - 1.0 / 96, xy = 1.0 / 120 - 1.0 / 96;
  EXPECT_LE(difference(m.inertia, Mat<3>{2 * xx, -xy, -xy, -xy, 2 * xx, -xy, -xy, -xy, 2 * xx}), 1e-16);
}

TEST(Mass, UnboundedShapesAndTerrain) {
  EXPECT_TRUE(std::isinf(mass_properties(Shape<2>(HalfSpace<2>{})).volume));
  EXPECT_TRUE(std::isinf(mass_properties(Shape<3>(HalfSpace<3>{})).inertia(1, 1)));
  EXPECT_EQ(mass_properties(Shape<2>(Polyline{{{0, 0}, {1, 0}}})).volume, 0);
  EXPECT_EQ(mass_properties(Shape<3>(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}})).volume, 0);
}

}  // namespace
}  // namespace cairn
