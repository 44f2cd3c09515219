// Bodies at rest are held by the impulses of the step before, and move again as soon as anything asks them to.
#include "cairn/model/build.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/test/world.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn {
namespace {

using test::World;

template <class T>
struct Rest : ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Rest, Dimensions);

template <int D>
CollectionReport steps(Collection<D>& scheme, ModelState<D>& state, int n) {
  CollectionReport last;
  for (int k = 0; k < n; ++k) last = scheme.step(state, 1e-3);
  return last;
}

TYPED_TEST(Rest, velocities_are_zero_and_nothing_is_solved) {
  constexpr int D = TypeParam::value;
  World<D> world(0.5);
  scene::Column column;
  column.count = 5;
  world.put(column);
  Collection<D> scheme(world.model);
  const CollectionReport r = steps(scheme, world.state, 1000);
  EXPECT_EQ(r.at_rest, 1);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_LE(r.error, CollectionOptions().tolerance / 10);  // what is left of free velocities is part of it
  EXPECT_LT(std::abs(r.energy.defect()), 1e-12);
  for (const auto& u : world.state.u) EXPECT_EQ(norm2(u), 0);
  EXPECT_LT(world.moved(world.start), 1e-12);
}

TYPED_TEST(Rest, a_push_however_small_is_felt) {
  constexpr int D = TypeParam::value;
  World<D> world(0.5);
  scene::Column column;
  column.count = 3;
  world.put(column);
  Collection<D> scheme(world.model);
  steps(scheme, world.state, 1000);
  int top = 0;
  for (std::size_t b = 0; b < world.state.x.size(); ++b)
    if (world.model.bodies[b].free()) top = static_cast<int>(b);
  world.state.u[static_cast<std::size_t>(top)][D - 1] = 1e-9;  // [m/s] upwards: gravity stops it within the step
  EXPECT_EQ(scheme.step(world.state, 1e-3).at_rest, 0);
  world.state.u[static_cast<std::size_t>(top)][0] = 0.1;
  const Real x = world.state.x[static_cast<std::size_t>(top)][0];
  steps(scheme, world.state, 10);
  EXPECT_GT(world.state.x[static_cast<std::size_t>(top)][0], x + 0.5e-3);
}

// Under a weight a thousand times its own a block bears impulses a thousand times those that stop it. Where errors are
// over impulses, what is small beside these is rest.
TYPED_TEST(Rest, over_impulses_what_a_loaded_body_feels_is_relative_to_its_load) {
  constexpr int D = TypeParam::value;
  for (const ErrorScale scale : {ErrorScale::free_velocities, ErrorScale::impulses}) {
    World<D> world(0.5);
    scene::Column column;
    column.count = 2;
    world.put(column);
    std::vector<std::size_t> blocks;
    for (std::size_t b = 0; b < world.model.bodies.size(); ++b)
      if (world.model.bodies[b].free()) blocks.push_back(b);
    ASSERT_EQ(blocks.size(), 2u);
    if (world.state.x[blocks[0]][D - 1] > world.state.x[blocks[1]][D - 1]) std::swap(blocks[0], blocks[1]);
    Body<D>& heavy = world.model.bodies[blocks[1]];
    heavy.mass *= 1000, heavy.inertia = Real(1000) * heavy.inertia;
    CollectionOptions options;
    options.tolerance = options.required = 1e-4, options.scale = scale;
    Collection<D> scheme(world.model, options);
    ASSERT_EQ(steps(scheme, world.state, 100).at_rest, 1);
    world.state.u[blocks[0]][D - 1] = 3e-3 * 9.81e-3;  // [m/s] upwards
    const CollectionReport r = scheme.step(world.state, 1e-3);
    EXPECT_EQ(r.at_rest, scale == ErrorScale::impulses ? 1 : 0);
    EXPECT_FALSE(r.missed);
    if (scale == ErrorScale::impulses) {
      EXPECT_GT(r.error, 1e-9);  // what is left out is said
    }
  }
}

// The ground stands still for .3 s and then moves off gently enough to take the column along.
TYPED_TEST(Rest, ground_that_starts_to_move_takes_bodies_along) {
  constexpr int D = TypeParam::value;
  World<D> world(0.5);
  scene::Column column;
  column.count = 2;
  world.put(column, [](Real t) {
    Excursion<D> e;
    e.shift[0] = t > 0.3 ? 0.5 * (t - 0.3) * (t - 0.3) : 0;  // 1 m/s^2
    return e;
  });
  Collection<D> scheme(world.model);
  EXPECT_EQ(steps(scheme, world.state, 290).at_rest, 1);
  EXPECT_EQ(steps(scheme, world.state, 210).at_rest, 0);
  for (std::size_t b = 0; b < world.state.x.size(); ++b)
    if (world.model.bodies[b].free()) {
      EXPECT_NEAR(world.state.x[b][0] - world.start.x[b][0], 0.02, 1e-6);
    }
}

// A wall with a ball above the middle of its top, at a distance.
template <int D>
std::size_t put_wall_and_ball(World<D>& world, Real radius, Real above) {
  scene::Wall wall;
  wall.courses = 8, wall.blocks = 5;
  world.put(wall);
  Pose<D> pose;
  pose.x[D - 1] = wall.courses * wall.height + radius + above;
  const Expected<int> ball = add_body<D>(world.model, world.state, {{Ball<D>{radius}, {}, wall.matter.density}}, pose);
  EXPECT_TRUE(ball) << ball.error();
  return static_cast<std::size_t>(*ball);
}

CollectionOptions coarse() {
  CollectionOptions options;
  options.tolerance = 1e-3, options.required = 1e-2;
  return options;
}

// A pebble that weighs next to nothing rolls along the top: the blocks rest on in what holds them.
TYPED_TEST(Rest, few_bodies_that_move_are_solved_for_alone) {
  constexpr int D = TypeParam::value;
  constexpr Real radius = 5e-3, speed = 0.1;
  World<D> world(0.5);
  const std::size_t pebble = put_wall_and_ball(world, radius, 0);
  Collection<D> scheme(world.model, coarse());
  const CollectionReport before = steps(scheme, world.state, 50);
  ASSERT_EQ(before.at_rest, 1);
  ASSERT_GT(before.active, 100);
  world.state.u[pebble][0] = speed;
  world.state.u[pebble][D == 2 ? 2 : 4] = (D == 2 ? -1 : 1) * speed / radius;
  const Vec<D> start = world.state.x[pebble];
  for (int k = 0; k < 20; ++k) {
    const CollectionReport r = scheme.step(world.state, 1e-3);
    EXPECT_EQ(r.at_rest, 0);
    EXPECT_LT(r.swept, 50);  // contacts in all sweeps together
    EXPECT_LT(r.error, 1e-4);
    EXPECT_LT(std::abs(r.energy.defect()), 1e-15);
    for (std::size_t b = 0; b < world.state.u.size(); ++b) {
      if (b != pebble) {
        EXPECT_EQ(norm2(world.state.u[b]), 0);
      }
    }
  }
  EXPECT_NEAR(world.state.x[pebble][0] - start[0], 20e-3 * speed, 1e-9);
  EXPECT_NEAR(world.state.x[pebble][D - 1], start[D - 1], 1e-9);
}

// A ball as heavy as blocks falls on a wall that rests: all of it feels the ball, and the ground carries both.
TYPED_TEST(Rest, bodies_that_bear_more_join_those_that_move) {
  constexpr int D = TypeParam::value;
  World<D> world(0.5);
  put_wall_and_ball(world, 0.2, 0.01);
  Collection<D> scheme(world.model, coarse());
  bool held = false, woken = false;
  for (int k = 0; k < 150; ++k) {
    const CollectionReport r = scheme.step(world.state, 1e-3);
    EXPECT_FALSE(r.missed);
    held |= k < 40 && r.at_rest == 1;
    woken |= k >= 40 && r.swept > r.active;
  }
  EXPECT_TRUE(held);   // while the ball falls
  EXPECT_TRUE(woken);  // when it lands
  Real weight = 0, carried = 0;
  for (std::size_t b = 0; b < world.model.bodies.size(); ++b) {
    if (world.model.bodies[b].free())
      weight += world.model.bodies[b].mass * Real(9.81e-3);
    else
      carried -= scheme.reaction(static_cast<int>(b))[D - 1];
  }
  EXPECT_NEAR(carried, weight, 1e-3 * weight);
}

}  // namespace
}  // namespace cairn
