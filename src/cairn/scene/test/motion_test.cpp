// Bodies that move: impacts, sliding, driven ground, energy, and what must not matter (order, orientation, speed).
#include <numbers>
#include <random>

#include "cairn/scene/column.hpp"
#include "cairn/scene/packing.hpp"
#include "cairn/scene/test/world.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn {
namespace {

using test::World;

template <class Dimension>
class MovingBodies : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(MovingBodies, Dimensions);

template <int D>
Vec<D> up() {
  Vec<D> e{};
  e[D - 1] = 1;
  return e;
}

template <int D>
std::vector<Part<D>> ball(Real radius) {
  return {{Shape<D>{Ball<D>{radius}}, {}, 1000}};
}
template <int D>
std::vector<Part<D>> cube(Real half) {
  if constexpr (D == 2)
    return {{Shape<2>{Polygon::box({half, half})}, {}, 1000}};
  else
    return {{Shape<3>{Polyhedron::box({half, half, half})}, {}, 1000}};
}
template <int D>
std::vector<Part<D>> thin_plate() {  // 2 mm
  if constexpr (D == 2)
    return {{Shape<2>{Polygon::box({1, 0.001})}, {}, 1000}};
  else
    return {{Shape<3>{Polyhedron::box({1, 1, 0.001})}, {}, 1000}};
}
template <int D>
std::vector<Part<D>> half_space() {
  return {{Shape<D>{HalfSpace<D>{}}, {}, 0}};
}

// Turned by the angle from the first axis towards the last one.
Rotation<2> slope(Real angle, Rotation<2>*) { return Rotation<2>::by(angle); }
Rotation<3> slope(Real angle, Rotation<3>*) { return Rotation<3>::by(Vec<3>{0, -angle, 0}); }

template <int D>
Real kinetic_energy(const World<D>& world) {
  Real twice = 0;
  for (std::size_t b = 0; b < world.state.u.size(); ++b) {
    const Body<D>& body = world.model.bodies[b];
    for (int k = 0; k < freedoms<D>; ++k) twice += body.A(k) * world.state.u[b][k] * world.state.u[b][k];
  }
  return twice / 2;
}

template <int D>
World<D> box_on_incline(Real mu, Real angle) {
  World<D> world(mu);
  const Rotation<D> R = slope(angle, static_cast<Rotation<D>*>(nullptr));
  add_boundary<D>(world.model, world.state, half_space<D>(), {{}, R});
  EXPECT_TRUE(add_body<D>(world.model, world.state, cube<D>(0.25), {R * (0.25 * up<D>()), R}));
  world.start = world.state;
  return world;
}

TYPED_TEST(MovingBodies, a_box_slides_down_an_incline_with_the_exact_acceleration) {
  constexpr int D = TypeParam::value;
  const Real mu = 0.5, limit = std::atan(mu);
  World<D> sticks = box_on_incline<D>(mu, 0.999 * limit);
  sticks.run(1, 1e-3);
  EXPECT_LT(sticks.moved(sticks.start), 1e-12);
  for (const Real angle : {1.001 * limit, std::numbers::pi / 6}) {
    World<D> slides = box_on_incline<D>(mu, angle);
    slides.run(1, 1e-3);
    const Real exact = slides.state.t * 9.81 * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(norm(Vec<D>::load(slides.state.u[1].v)), exact, 1e-6 * exact);
  }
}

// Speeds after k bounces are e^k times the first; the scheme dates impacts to a step.
TYPED_TEST(MovingBodies, a_ball_bounces_to_its_restitution) {
  constexpr int D = TypeParam::value;
  const Real e = 0.7, h = 1e-4;
  World<D> world(0.3, e);
  add_boundary<D>(world.model, world.state, half_space<D>(), {});
  ASSERT_TRUE(add_body<D>(world.model, world.state, ball<D>(0.1), {Real(1.1) * up<D>(), {}}));
  world.start = world.state;
  const Real speed = std::sqrt(2 * 9.81), rise = e * speed / 9.81;
  world.run(speed / 9.81 + rise, h);  // the top of the first bounce
  if (!test::sanitized) {
    EXPECT_NEAR(world.state.x[1][D - 1], 0.1 + e * e, 20 * h);
  }
  EXPECT_NEAR(world.energy.defect(), 0, 1e-12 * world.exchanged);
}

TYPED_TEST(MovingBodies, nothing_tunnels_at_any_speed) {
  constexpr int D = TypeParam::value;
  for (const Real restitution : {0.0, 0.8})
    for (const Real speed : {10., 1e3, 1e5, 1e7}) {
      World<D> world(0.5, restitution);
      world.model.gravity = {};
      add_boundary<D>(world.model, world.state, thin_plate<D>(), {});
      ASSERT_TRUE(add_body<D>(world.model, world.state, ball<D>(0.01), {Real(0.7) * up<D>(), {}}));
      world.state.u[1][D - 1] = -speed;
      world.start = world.state;
      for (int k = 0; k < 20; ++k) {
        world.run(1e-3, 1e-3);
        ASSERT_GT(world.state.x[1][D - 1], 0.0109) << speed << " " << restitution;
      }
    }
}

// Nor does a body at rest that another one hits: its own velocity said nothing of where it goes.
TYPED_TEST(MovingBodies, nothing_is_pushed_through_at_any_speed) {
  constexpr int D = TypeParam::value;
  for (const Real restitution : {0.0, 0.5})
    for (const Real speed : {10., 1e3, 1e5}) {
      World<D> world(0.5, restitution);
      world.model.gravity = {};
      add_boundary<D>(world.model, world.state, thin_plate<D>(), {});
      for (const Real height : {0.0115, 0.032})
        ASSERT_TRUE(add_body<D>(world.model, world.state, ball<D>(0.01), {height * up<D>(), {}}));
      world.state.u[2][D - 1] = -speed;
      world.start = world.state;
      for (int k = 0; k < 10; ++k) {
        world.run(1e-3, 1e-3);
        ASSERT_GT(world.state.x[1][D - 1], 0.0099) << speed << " " << restitution;
      }
    }
}

// Between a floor and a ceiling, at speeds of up to many rooms a step.
TYPED_TEST(MovingBodies, a_fast_ball_keeps_its_bounce) {
  constexpr int D = TypeParam::value;
  for (const Real speed : {1.0, 30.0, 1e3, 1e5}) {
    World<D> world(0, 1);
    world.model.gravity = {};
    add_boundary<D>(world.model, world.state, half_space<D>(), {});
    add_boundary<D>(world.model, world.state, half_space<D>(),
                    {Real(2) * up<D>(), slope(std::numbers::pi, static_cast<Rotation<D>*>(nullptr))});
    const Expected<int> b = add_body<D>(world.model, world.state, ball<D>(0.05), {Real(0.7) * up<D>(), {}});
    ASSERT_TRUE(b);
    world.state.u[static_cast<std::size_t>(*b)][D - 1] = -speed;
    Collection<D> scheme(world.model);
    for (int k = 0; k < 100; ++k) {
      scheme.step(world.state, 1e-3);
      const Real z = world.state.x[static_cast<std::size_t>(*b)][D - 1];
      EXPECT_TRUE(z > 0.05 - 0.1 * 0.05 - 1e-6 && z < 1.95 + 0.1 * 0.05 + 1e-6) << z << " at " << speed << " m/s";
      if (k > 0 && speed < 1e4) {  // above, more than a room in a step: it is only kept inside
        EXPECT_NEAR(std::abs(world.state.u[static_cast<std::size_t>(*b)][D - 1]), speed, 1e-9 * speed);
      }
    }
  }
}

// A cube on ground that shakes sideways: JM92's ground (2 Hz, 25 cm in all) against mu = .3. Once the sliding is
// periodic the velocity is triangular with peak mu g T/4, less what its short sticking takes.
TYPED_TEST(MovingBodies, a_cube_follows_shaking_ground_as_friction_allows) {
  constexpr int D = TypeParam::value;
  const Real mu = 0.3, period = 0.5, h = 1e-3;
  World<D> world(mu);
  Vec<D> along{};
  along[0] = 1;
  add_boundary<D>(world.model, world.state, half_space<D>(), {}, 0, harmonic<D>(along, {{0.125, 1 / period, 0}}));
  ASSERT_TRUE(add_body<D>(world.model, world.state, cube<D>(0.25), {Real(0.25) * up<D>(), {}}));
  world.start = world.state;
  world.run(10 * period, h);
  Collection<D> scheme(world.model);
  Real low = 1e9, high = -1e9;
  for (int k = 0; k < 500; ++k) {
    scheme.step(world.state, h);
    const Real v = world.state.u[1][0];
    low = std::min(low, v), high = std::max(high, v);
    const Vec<D> reaction = scheme.reaction(1);
    ASSERT_LE(std::abs(reaction[0]), mu * reaction[D - 1] * (1 + 1e-9));
  }
  if (!test::sanitized) {
    EXPECT_NEAR((high - low) / 2, mu * 9.81 * period / 4, 2 * mu * 9.81 * h);
  }
}

TYPED_TEST(MovingBodies, a_falling_heap_never_gains_energy_and_stays_feasible) {
  constexpr int D = TypeParam::value;
  World<D> world(0.4);
  scene::Column column;
  column.count = 6, column.width = 0.2, column.height = 0.2, column.depth = 0.2;
  world.put(column);
  std::mt19937 random(7);
  std::uniform_real_distribution<Real> some(-0.5, 0.5);
  for (std::size_t b = 0; b + 1 < world.state.u.size(); ++b)
    for (int k = 0; k < freedoms<D>; ++k) world.state.u[b][k] = some(random);
  const Real before = kinetic_energy(world);
  world.run(1.5, 1e-3);
  EXPECT_EQ(world.missed, 0);
  EXPECT_LT(world.violation, 1e-4 * 0.2);
  EXPECT_LE(std::abs(world.energy.defect()), 1e-12 * world.exchanged);
  EXPECT_GT(world.energy.dissipation, 0);
  EXPECT_LE(world.energy.change, world.energy.applied);
  EXPECT_NEAR(kinetic_energy(world), before + world.energy.change, 1e-12 * world.exchanged);
}

// Bodies given in another order: single-contact motions agree to rounding.
TYPED_TEST(MovingBodies, order_of_bodies_does_not_matter) {
  constexpr int D = TypeParam::value;
  std::vector<Vec<D>> ends[2];
  for (const bool reversed : {false, true}) {
    World<D> world(0.4, 0.3);
    const int n = 5;
    if (!reversed) add_boundary<D>(world.model, world.state, half_space<D>(), {});
    for (int i = 0; i < n; ++i) {
      const int k = reversed ? n - 1 - i : i;
      Vec<D> x = Real(0.3 + 0.05 * k) * up<D>();
      x[0] = k;  // apart: each meets the ground alone
      ASSERT_TRUE(add_body<D>(world.model, world.state, cube<D>(0.1),
                              {x, slope(0.3 + 0.1 * k, static_cast<Rotation<D>*>(nullptr))}));
      world.state.u.back()[0] = 0.2 * k;
    }
    if (reversed) add_boundary<D>(world.model, world.state, half_space<D>(), {});
    world.start = world.state;
    world.run(0.2, 1e-3);
    for (int k = 0; k < n; ++k)
      ends[reversed].push_back(world.state.x[static_cast<std::size_t>(reversed ? n - 1 - k : 1 + k)]);
  }
  for (std::size_t k = 0; k < ends[0].size(); ++k) EXPECT_LT(norm(ends[0][k] - ends[1][k]), 1e-12);
}

// A lid that may move up and down only, pressed off its centre on two balls: it stays level, and the floor carries the
// weights and the load.
TYPED_TEST(MovingBodies, locked_freedoms_stay_locked_and_loads_reach_the_floor) {
  constexpr int D = TypeParam::value;
  World<D> world(0.5);
  const int floor = *add_boundary<D>(world.model, world.state, half_space<D>(), {});
  for (const Real x : {-0.3, 0.2}) {
    Vec<D> place = Real(0.1) * up<D>();
    place[0] = x;
    ASSERT_TRUE(add_body<D>(world.model, world.state, ball<D>(0.1), {place, {}}));
  }
  const Expected<int> lid = add_body<D>(world.model, world.state, cube<D>(0.5), {Real(0.7) * up<D>(), {}});
  ASSERT_TRUE(lid);
  for (int k = 0; k < freedoms<D>; ++k) world.model.bodies[static_cast<std::size_t>(*lid)].locked[k] = k != D - 1;
  const Real load = 500;  // [N]
  Vec<D> off{};           // in the lid's axes: the torque meets a locked freedom
  off[0] = Real(0.2);
  world.model.loads.push_back(point_force<D>(*lid, off, [load](Real) { return -load * up<D>(); }));
  world.start = world.state;
  Collection<D> scheme(world.model);
  Real weight = load;
  for (const Body<D>& body : world.model.bodies) weight += 9.81 * body.mass;
  for (int k = 0; k < 20; ++k) scheme.step(world.state, 1e-3);
  EXPECT_LT(world.moved(world.start), 1e-12);
  EXPECT_NEAR(-scheme.reaction(floor)[D - 1], 1e-3 * weight, 1e-8 * weight);
}

TYPED_TEST(MovingBodies, the_same_start_gives_the_same_bits) {
  constexpr int D = TypeParam::value;
  ModelState<D> ends[2];
  for (ModelState<D>& end : ends) {
    World<D> world(0.5);
    scene::Column column;
    column.count = 4;
    world.put(column);
    world.state.u[1][0] = 1;
    world.run(0.3, 1e-3);
    end = world.state;
  }
  for (std::size_t b = 0; b < ends[0].x.size(); ++b)
    for (int k = 0; k < freedoms<D>; ++k) EXPECT_EQ(ends[0].u[b][k], ends[1].u[b][k]);
}

// Free to go along a wall that leans by a hundredth, to which it is two metres to go: it was there in one step,
// whatever stood between.
TYPED_TEST(MovingBodies, a_wedged_body_is_not_thrown_through_others) {
  constexpr int D = TypeParam::value;
  World<D> world(0);
  world.model.gravity = {};
  const Rotation<D> R = slope(std::numbers::pi / 2 - 0.01, static_cast<Rotation<D>*>(nullptr));
  add_boundary<D>(world.model, world.state, half_space<D>(), {-0.08 * (R * up<D>()), R});
  ASSERT_TRUE(add_body<D>(world.model, world.state, ball<D>(0.1), {}));
  world.model.bodies.back().locked[0] = 1;
  world.start = world.state;
  world.run(1e-3, 1e-3);
  EXPECT_GT(world.moved(world.start), 0.01);
  EXPECT_LT(world.moved(world.start), 0.1);
  for (int k = 0; k < 4; ++k) world.run(0.02, 1e-3);
  EXPECT_NEAR(world.moved(world.start), 2, 0.01);
}

TEST(Wall, slides_as_one_block_on_quaking_ground) {
  World<2> world(0.3);
  world.put(scene::Wall{}, harmonic<2>({1, 0}, {{0.125, 2, 0}}));
  world.run(0.1, 1e-3);
  EXPECT_EQ(world.missed, 0);
  EXPECT_LT(world.error, 1e-6);
  EXPECT_LT(world.violation, 1e-4 * 0.4);
  EXPECT_LE(std::abs(world.energy.defect()), 1e-6 * world.exchanged);
  Real least = 1e9, most = -1e9;
  for (std::size_t b = 0; b < 176; ++b) {
    const Real way = world.state.x[b][0] - world.start.x[b][0];
    least = std::min(least, way), most = std::max(most, way);
  }
  EXPECT_GT(most, 1e-4);
  EXPECT_LT(most - least, 1e-6);
}

}  // namespace
}  // namespace cairn
