// Bodies put into a model: where they are, what they weigh, what is refused.
#include "cairn/model/build.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "cairn/model/reach.hpp"

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi, nan = std::numeric_limits<Real>::quiet_NaN();

template <class Dimension>
class BuiltModel : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BuiltModel, Dimensions);

Rotation<2> some_turn(Rotation<2>*) { return Rotation<2>::by(0.6); }
Rotation<3> some_turn(Rotation<3>*) { return Rotation<3>::by({0.4, -0.9, 0.3}); }
template <int D>
Rotation<D> some_turn() {
  return some_turn(static_cast<Rotation<D>*>(nullptr));
}

template <int D>
Vec<D> point(Real a, Real b) {  // in the first two axes
  Vec<D> x{};
  x[0] = a, x[1] = b;
  return x;
}

template <int D>
Shape<D> ball(Real radius) {
  return Ball<D>{radius};
}

// Two balls of radius 1/2, the second twice as dense, 5 apart: their centre is at 2/3 of the way.
template <int D>
std::vector<Part<D>> dumbbell() {
  return {{ball<D>(0.5), {point<D>(1, 1), {}}, 3}, {ball<D>(0.5), {point<D>(4, 5), some_turn<D>()}, 6}};
}

template <int D>
Real distance(const Pose<D>& a, const Pose<D>& b) {
  Real most = norm(a.x - b.x);
  for (int i = 0; i < D; ++i) {
    Vec<D> e{};
    e[i] = 1;
    most = std::max(most, norm(a.to_world(e) - b.to_world(e)));
  }
  return most;
}

Real ball_volume(int dimension, Real r) { return dimension == 2 ? pi * r * r : 4 * pi / 3 * r * r * r; }

TYPED_TEST(BuiltModel, a_compound_keeps_its_parts_where_they_were_placed) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  const std::vector<Part<D>> parts = dumbbell<D>();
  const Pose<D> pose{point<D>(-7, 2), some_turn<D>()};
  const Expected<int> body = add_body<D>(model, state, parts, pose);
  ASSERT_TRUE(body) << body.error();
  ASSERT_EQ(model.parts.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(model.parts[i].body, *body);
    EXPECT_LT(distance(state.pose(*body) * model.parts[i].pose, pose * parts[i].pose), 1e-14);
  }
  EXPECT_LT(norm(state.x[0] - pose.to_world(point<D>(3, 3 + 2.0 / 3))), 1e-14);
}

TYPED_TEST(BuiltModel, a_compound_has_the_mass_and_inertia_of_its_parts) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  ASSERT_TRUE(add_body<D>(model, state, dumbbell<D>(), {{}, some_turn<D>()}));
  const Body<D>& body = model.bodies[0];
  const Real volume = ball_volume(D, 0.5), own = (D == 2 ? 0.5 : 0.4) * 9 * volume * 0.25;
  const Real apart = 3 * volume * 100 / 9 + 6 * volume * 25 / 9;  // m d^2 about the common centre
  EXPECT_TRUE(body.free());
  EXPECT_NEAR(body.mass, 9 * volume, 1e-13 * body.mass);
  EXPECT_NEAR(model.size, 10.0 / 3 + 0.5, 1e-14);
  for (int i = 0; i < spins<D>; ++i) {
    // About an own axis: (1 - c^2) of `apart`, c its cosine with the line from ball to ball.
    Real c = 0;
    if constexpr (D == 3) {
      Vec<3> e{};
      e[i] = 1;
      c = dot(state.pose(0).R * e, some_turn<3>() * Vec<3>{0.6, 0.8, 0});
    }
    EXPECT_NEAR(std::abs(c), std::round(std::abs(c)), 1e-7);  // along it or across it: principal
    EXPECT_NEAR(body.inertia[i], own + (1 - c * c) * apart, 1e-12 * apart);
  }
}

TYPED_TEST(BuiltModel, a_symmetric_body_keeps_the_axes_given) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  const Pose<D> pose{point<D>(1, 2), some_turn<D>()};
  ASSERT_TRUE(add_body<D>(model, state, {{ball<D>(2), {}, 1}}, pose));
  EXPECT_LT(distance(state.pose(0), pose), 1e-15);
  EXPECT_EQ(norm(model.parts[0].pose.x), 0);
}

TYPED_TEST(BuiltModel, bodies_and_boundaries_are_numbered_as_they_come) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  const Pose<D> pose{point<D>(1, 2), some_turn<D>()};
  const Drive<D> drive = constant_velocity<D>(point<D>(1, 0));
  const Expected<int> ground = add_boundary<D>(model, state, {{Shape<D>{HalfSpace<D>{}}, {}, 0}}, {}, 4);
  const Expected<int> first = add_body<D>(model, state, dumbbell<D>(), pose, 2);
  const Expected<int> wall = add_boundary<D>(model, state, {{ball<D>(9), pose, 0}}, pose, 5, drive);
  const Expected<int> second = add_body<D>(model, state, {{ball<D>(1), {}, 1}}, pose);
  ASSERT_TRUE(ground && first && wall && second);
  EXPECT_EQ(*ground, 0);
  EXPECT_EQ(*first, 1);
  EXPECT_EQ(*wall, 2);
  EXPECT_EQ(*second, 3);
  EXPECT_EQ(state.x.size(), 4u);
  EXPECT_EQ(state.r.size(), 4u);
  EXPECT_EQ(state.u.size(), 4u);
  const int bodies[] = {0, 1, 1, 2, 3}, materials[] = {4, 2, 2, 5, 0};
  ASSERT_EQ(model.parts.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(model.parts[i].body, bodies[i]);
    EXPECT_EQ(model.parts[i].material, materials[i]);
  }
  EXPECT_LT(model.size, 4);  // boundaries do not count
  for (const Vec<freedoms<D>>& u : state.u) EXPECT_EQ(norm(u), 0);
}

TYPED_TEST(BuiltModel, a_boundary_is_fixed_unless_it_is_driven) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  const Pose<D> pose{point<D>(1, 2), some_turn<D>()}, part{point<D>(0, 3), some_turn<D>()};
  add_boundary<D>(model, state, {{ball<D>(1), part, 7}}, pose);
  add_boundary<D>(model, state, {{ball<D>(1), part, 7}}, pose, 0, constant_velocity<D>(point<D>(1, 0)));
  add_boundary<D>(model, state, {{ball<D>(1), part, 7}}, pose, 0, constant_velocity<D>(point<D>(0, 2)));
  const int drives[] = {-1, 0, 1};
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_FALSE(model.bodies[b].free());
    EXPECT_EQ(model.bodies[b].drive, drives[b]);
    EXPECT_LT(distance(state.pose(static_cast<int>(b)), pose), 1e-15);
    EXPECT_EQ(distance(model.parts[b].pose, part), 0);  // its own frame: not moved to a centre
  }
  EXPECT_LT(distance(boundary_pose(model, 0, 2), pose), 1e-15);
  EXPECT_LT(norm(boundary_pose(model, 1, 2).x - (pose.x + point<D>(2, 0))), 1e-15);
  EXPECT_LT(norm(boundary_pose(model, 2, 2).x - (pose.x + point<D>(0, 4))), 1e-15);
}

TYPED_TEST(BuiltModel, nothing_is_locked_at_first) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  ASSERT_TRUE(add_body<D>(model, state, dumbbell<D>(), {}));
  add_boundary<D>(model, state, {{ball<D>(1), {}, 0}}, {});
  for (const Body<D>& body : model.bodies) EXPECT_EQ(norm(body.locked), 0);
}

TYPED_TEST(BuiltModel, bad_parts_are_refused_and_leave_the_model_alone) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  const auto refusal = [&](std::vector<Part<D>> parts) {
    const Expected<int> body = add_body<D>(model, state, std::move(parts), {});
    return body ? "accepted" : body.error();
  };
  const Part<D> good{ball<D>(1), {}, 1};
  EXPECT_EQ(refusal({}), "body: found no part, expected at least 1");
  EXPECT_EQ(refusal({good, {Shape<D>{HalfSpace<D>{}}, {}, 1}}),
            "part 1: a half-space or terrain has no mass, expected a bounded shape");
  EXPECT_EQ(refusal({{ball<D>(1), {}, -2}}), "part 0: density -2, expected a finite number >= 0");
  EXPECT_EQ(refusal({{ball<D>(1), {}, 0}}),
            "body: mass 0 kg, expected a finite mass > 0 (density > 0 of a part at least)");
  EXPECT_EQ(refusal({good, good, {ball<D>(1), {point<D>(nan, 0), {}}, 1}}),
            "part 2: pose: coordinate 0 is nan m, expected a finite length");
  EXPECT_EQ(refusal({{ball<D>(nan), {}, 1}}).substr(0, 8), "part 0: ");
  EXPECT_TRUE(model.bodies.empty() && model.parts.empty());
  EXPECT_TRUE(state.x.empty() && state.r.empty() && state.u.empty());
  EXPECT_EQ(model.size, 0);
}

TYPED_TEST(BuiltModel, bad_places_and_materials_are_refused_and_leave_the_model_alone) {
  constexpr int D = TypeParam::value;
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  Model<D> model;
  ModelState<D> state;
  const std::vector<Part<D>> good{{ball<D>(1), {}, 1}};
  Rotation<D> doubled;
  if constexpr (D == 2)
    doubled.c = 2;
  else
    doubled.w = 2;
  const struct {
    std::vector<Part<D>> parts;
    Pose<D> pose;
    int material;
    Drive<D> drive;
    std::string message;  // of a boundary, of a body too where it names neither
  } cases[] = {
      {good, {point<D>(0, nan), {}}, 0, {}, "pose of a boundary: coordinate 1 is nan m, expected a finite length"},
      {good, {point<D>(-inf, 0), {}}, 0, {}, "pose of a boundary: coordinate 0 is -inf m, expected a finite length"},
      {good, {{}, doubled}, 0, {}, "pose of a boundary: its rotation has length 2, expected 1"},
      {good, {}, -3, {}, "material is -3, expected 0 or more"},
      {{{ball<D>(-1), {}, 1}}, {}, 0, {}, "part 0: radius of a ball: found -1 m, expected a finite length > 0"},
      {{{ball<D>(0), {}, 1}}, {}, 0, {}, "part 0: radius of a ball: found 0 m, expected a finite length > 0"},
      {{{ball<D>(1), {{}, doubled}, 1}}, {}, 0, {}, "part 0: pose: its rotation has length 2, expected 1"},
      {good, {}, 0, constant_velocity<D>(point<D>(nan, 0)), "drive: the excursion at time 0 is not finite"},
  };
  for (const auto& c : cases) {
    const Expected<int> boundary = add_boundary<D>(model, state, c.parts, c.pose, c.material, c.drive);
    EXPECT_FALSE(boundary) << c.message;
    if (!boundary) {
      EXPECT_EQ(boundary.error(), c.message);
    }
    if (c.drive) continue;
    const Expected<int> body = add_body<D>(model, state, c.parts, c.pose, c.material);
    std::string message = c.message;
    if (const auto k = message.find("boundary"); k != std::string::npos) message.replace(k, 8, "body");
    EXPECT_FALSE(body) << message;
    if (!body) {
      EXPECT_EQ(body.error(), message);
    }
  }
  const Expected<int> nothing = add_body<D>(model, state, {}, {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error(), "body: found no part, expected at least 1");
  EXPECT_TRUE(model.bodies.empty() && model.parts.empty() && model.drives.empty());
  EXPECT_TRUE(state.x.empty() && state.r.empty() && state.u.empty());
}

TYPED_TEST(BuiltModel, bodies_reach_as_far_as_their_parts) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  ASSERT_TRUE(add_body<D>(model, state, dumbbell<D>(), {}));
  ASSERT_TRUE(add_boundary<D>(model, state, {{ball<D>(2), {point<D>(3, 4), {}}, 0}, {ball<D>(1), {}, 0}}, {}));
  ASSERT_TRUE(add_boundary<D>(model, state, {{Shape<D>{HalfSpace<D>{}}, {}, 0}}, {}));
  Shape<D> land;
  if constexpr (D == 2)
    land = Polyline{{{-3, 0}, {0, 1}, {3, 4}}};
  else
    land = TriangleMesh{{{-3, 0, 0}, {0, 0, 0}, {3, 4, 0}}, {{0, 1, 2}}};
  ASSERT_TRUE(add_boundary<D>(model, state, {{land, {}, 0}}, {point<D>(7, 7), {}}));
  const std::vector<Real> reach = reach_of_bodies(model);
  EXPECT_NEAR(reach[0], model.size, 1e-14);
  EXPECT_NEAR(reach[1], 7, 1e-14);
  EXPECT_TRUE(std::isinf(reach[2]));
  EXPECT_NEAR(reach[3], 5, 1e-14);
}

TEST(Materials, hold_for_both_orders_and_fall_back_to_the_standard) {
  Materials m;
  m.standard.mu = 0.25;
  EXPECT_EQ(m.between(0, 0).mu, 0.25);
  EXPECT_EQ(m.between(7, 3).mu, 0.25);
  m.set(3, 1, {0.1, 0.2, 0.3});
  m.set(0, 0, {0.7, 0, 0});
  m.set(2, 5, {0.9, 0, 0});
  for (const auto& [a, b] : {std::pair{1, 3}, {3, 1}}) {
    EXPECT_EQ(m.between(a, b).mu, 0.1);
    EXPECT_EQ(m.between(a, b).restitution, 0.2);
    EXPECT_EQ(m.between(a, b).restitution_tangent, 0.3);
  }
  EXPECT_EQ(m.between(0, 0).mu, 0.7);
  EXPECT_EQ(m.between(5, 2).mu, 0.9);
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 1}, {3, 3}, {5, 5}, {0, 6}, {90, 2}})
    EXPECT_EQ(m.between(a, b).mu, 0.25) << a << " " << b;
  m.set(1, 3, {0.4, 0, 0});  // said again
  EXPECT_EQ(m.between(3, 1).mu, 0.4);
  m.standard.mu = 0.5;
  EXPECT_EQ(m.between(0, 1).mu, 0.5);
}

TEST(Orientation, counts_turns_in_the_plane_and_stays_a_rotation_in_space) {
  Orientation<2> plane;
  for (int k = 0; k < 10; ++k) plane.turn({1.5});
  EXPECT_NEAR(plane.angle, 15, 1e-14);
  Orientation<3> space;
  for (int k = 0; k < 4000; ++k) space.turn({0, 0, 2 * pi / 1000});  // four turns
  EXPECT_LT(distance(Pose<3>{{}, space.rotation()}, Pose<3>{}), 1e-11);
  const Rotation<3>& r = space.rotation();
  EXPECT_NEAR(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z, 1, 1e-15);
}

}  // namespace
}  // namespace cairn
