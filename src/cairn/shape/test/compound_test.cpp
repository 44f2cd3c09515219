// Bodies put together from parts.
#include "cairn/shape/compound.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "cairn/shape/test/random_shapes.hpp"

namespace cairn {
namespace {

using test::Dice;
using test::difference;

// Inertia of a body about the origin, and in the axes, that its parts were given in.
Mat<3> inertia_in_given_frame(const RigidBody<3>& body) {
  Mat<3> diagonal{};
  for (int i = 0; i < 3; ++i) diagonal(i, i) = body.inertia[i];
  const Mat<3> R = body.axes.R.matrix();
  return R * diagonal * transpose(R) + body.mass * inertia_of(outer(body.axes.x, body.axes.x));
}

TEST(Compound, TwoHalvesOfABrickAreTheBrick) {
  const auto whole = assemble_parts<3>({{Polyhedron::box({2, 1, 0.5}), {}, 3}});
  const auto halves = assemble_parts<3>(
      {{Polyhedron::box({1, 1, 0.5}), {{-1, 0, 0}, {}}, 3}, {Polyhedron::box({1, 1, 0.5}), {{1, 0, 0}, {}}, 3}});
  ASSERT_TRUE(whole && halves);
  EXPECT_NEAR(whole->mass, 24, 1e-13);
  EXPECT_NEAR(halves->mass, 24, 1e-13);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(whole->inertia[i], halves->inertia[i], 1e-13);
  EXPECT_NEAR(whole->inertia[2], 24 * (16 + 4) / 12.0, 1e-13);
}

TEST(Compound, InThePlaneByHand) {
  // A disc of mass 2 pi at 3 and a box of mass 4 at 0, along the first axis.
  const auto body = assemble_parts<2>({{Ball<2>{1}, {{3, 1}, {}}, 2}, {Polygon::box({1, 1}), {{0, 1}, {}}, 1}});
  ASSERT_TRUE(body);
  const Real disc = 2 * std::numbers::pi, mass = disc + 4;
  EXPECT_NEAR(body->mass, mass, 1e-14);
  EXPECT_NEAR(body->axes.x[0], 3 * disc / mass, 1e-15);
  EXPECT_NEAR(body->axes.x[1], 1, 1e-15);
  EXPECT_NEAR(body->inertia[0], disc / 2 + 4 * 2 / 3.0 + disc * 4 / mass * 9, 1e-13);
  EXPECT_EQ(body->axes.R.c, 1);
  EXPECT_NEAR(body->parts[0].pose.x[0], 3 - 3 * disc / mass, 1e-15);
}

// Symmetric as given, symmetric as kept: no digit of the axes changes.
TEST(Compound, PrincipalAxesAreKeptAsGiven) {
  for (const Vec<3>& half : {Vec<3>{1, 1, 1}, Vec<3>{0.3, 0.1, 0.2}, Vec<3>{0.7, 0.7, 0.1}}) {
    for (const Real radius : {0.0, 0.05}) {
      const auto body = assemble_parts<3>({{Polyhedron::box(half, radius), {}, 2000}});
      const auto hull = assemble_parts<3>({{*Polyhedron::make(Polyhedron::box(half).vertices, radius), {}, 2000}});
      for (const auto* b : {&body, &hull}) {
        ASSERT_TRUE(*b);
        EXPECT_EQ(norm((*b)->axes.x), 0);
        EXPECT_EQ((*b)->axes.R.w, 1);
        EXPECT_EQ(norm((*b)->parts[0].pose.x), 0);
        EXPECT_EQ((*b)->parts[0].pose.R.w, 1);
      }
    }
  }
}

TEST(Compound, OnlyAxesThatMustTurn) {
  const auto body = assemble_parts<3>({{Polyhedron::box({3, 1, 2}), {{}, Rotation<3>::by({0, 0, 0.4})}, 1}});
  ASSERT_TRUE(body);
  EXPECT_EQ(body->axes.R.x, 0);
  EXPECT_EQ(body->axes.R.y, 0);
  EXPECT_NEAR(2 * std::atan2(body->axes.R.z, body->axes.R.w), 0.4, 1e-14);
  EXPECT_NEAR(body->inertia[1], 48 * (9 + 4) / 3.0, 1e-12);
}

TEST(Compound, RandomBodiesKeepTheirInertia) {
  Dice dice(1);
  for (int k = 0; k < 300 / test::share; ++k) {
    std::vector<Part<3>> parts;
    for (int i = 0; i < 4; ++i) {
      const Real r = dice.within(0.1, 1);
      const std::vector<Shape<3>> shapes{Ball<3>{r}, Capsule<3>{1, r}, dice.polyhedron(8, i % 2 == 0 ? 0 : r),
                                         Ellipsoid<3>{{1, r, 0.5}}};
      parts.push_back({shapes[static_cast<std::size_t>(i)], dice.pose<3>(2), dice.within(0.1, 5)});
    }
    // The sum about the origin by hand.
    Mat<3> expected{};
    for (const auto& part : parts) {
      const auto m = mass_properties(part.shape);
      const Mat<3> R = part.pose.R.matrix();
      const Vec<3> c = part.pose.to_world(m.centre);
      expected += part.density * (R * m.inertia * transpose(R) + m.volume * inertia_of(outer(c, c)));
    }
    const auto body = assemble_parts(parts);
    ASSERT_TRUE(body) << body.error();
    EXPECT_LE(difference(inertia_in_given_frame(*body), expected), 1e-12 * trace(expected));
    for (int i = 0; i < 3; ++i)
      EXPECT_GE(trace(Mat<3>{body->inertia[0], 0, 0, 0, body->inertia[1], 0, 0, 0, body->inertia[2]}),
                2 * body->inertia[i]);  // triangle inequality
    // Put together again in its own axes, it is there already.
    const auto again = assemble_parts(body->parts);
    ASSERT_TRUE(again);
    EXPECT_LE(norm(again->axes.x), 1e-14);
    EXPECT_EQ(std::fabs(again->axes.R.w), 1);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(again->inertia[i], body->inertia[i], 1e-12 * trace(expected));
    // Parts are where they were.
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Vec<3> x{0.1, 0.2, 0.3};
      EXPECT_LE(norm(body->axes.to_world(body->parts[i].pose.to_world(x)) - parts[i].pose.to_world(x)), 1e-13);
    }
  }
}

TEST(PrincipalAxes, DiagonaliseAndTurnRight) {
  Dice dice(2);
  for (int k = 0; k < 2000 / test::share; ++k) {
    const Rotation<3> turn = dice.rotation<3>();
    const Mat<3> Q = turn.matrix();
    Mat<3> diagonal{};
    for (int i = 0; i < 3; ++i) diagonal(i, i) = k % 5 == i ? 1 : dice.within(0.5, 3);
    if (k % 7 == 0) diagonal(1, 1) = diagonal(0, 0);  // axes not unique
    if (k % 11 == 0) diagonal(2, 2) = 1e-6;           // a needle
    const Mat<3> inertia = Q * diagonal * transpose(Q);
    const Mat<3> R = principal_axes(inertia).matrix(), found = transpose(R) * inertia * R;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) EXPECT_LE(std::fabs(found(i, j)), 2e-12 * trace(inertia));
    EXPECT_LE(difference(transpose(R) * R, Mat<3>::identity()), 1e-14);
  }
}

TEST(PrincipalAxes, RoundingDoesNotTurnACube) {
  const Real e = 3e-15;
  EXPECT_EQ(principal_axes({1, e, -e, e, 1, e, -e, e, 1}).w, 1);
  EXPECT_NEAR(principal_axes({1, 1e-9, 0, 1e-9, 1, 0, 0, 0, 1}).w, std::cos(std::numbers::pi / 8), 1e-12);
}

template <int D>
void expect_refused(std::vector<Part<D>> parts, const std::string& words) {
  const auto body = assemble_parts(std::move(parts));
  ASSERT_FALSE(body);
  EXPECT_NE(body.error().find(words), std::string::npos) << body.error();
}

TEST(Compound, RefusesWhatHasNoMass) {
  expect_refused<2>({}, "found no part");
  expect_refused<2>({{Ball<2>{1}, {}, 1}, {HalfSpace<2>{}, {}, 1}}, "part 1: a half-space or terrain has no mass");
  expect_refused<3>({{TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, {}, 1}}, "part 0: a half-space");
  expect_refused<2>({{Ball<2>{0}, {}, 1}}, "part 0: radius of a ball: found 0 m");
  expect_refused<3>({{Ellipsoid<3>{{1, 1, 1}, 0.1}, {}, 1}}, "radius around an ellipsoid");
  expect_refused<2>({{Ball<2>{1}, {}, -1}}, "part 0: density -1");
  expect_refused<2>({{Ball<2>{1}, {}, 0}}, "mass 0 kg");
  expect_refused<3>({{Ball<3>{1}, {{}, {2, 0, 0, 0}}, 1}}, "part 0: pose: its rotation has length 2, expected 1");
  expect_refused<3>({{Ball<3>{1}, {{0, std::nan(""), 0}, {}}, 1}},
                    "part 0: pose: coordinate 1 is nan m, expected a finite length");
  EXPECT_TRUE(assemble_parts<2>({{Ball<2>{1}, {}, 0}, {Ball<2>{1}, {{1, 0}, {}}, 1}}));  // one part may have no mass
}

}  // namespace
}  // namespace cairn
