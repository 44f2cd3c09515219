// Grains that flow: chutes, vibrated beds, hoppers and silos.
#include <cmath>
#include <numbers>

#include "cairn/scene/bed.hpp"
#include "cairn/scene/chute.hpp"
#include "cairn/scene/hopper.hpp"
#include "cairn/scene/test/touch.hpp"
#include "cairn/scene/test/world.hpp"

namespace cairn::scene {
namespace {

using cairn::test::World;

TYPED_TEST_SUITE(Scenes, Dims);

template <int D>
Bounds<D> box_of(const World<D>& world, std::size_t body) {  // bodies of one part, in their order
  return bounds<D>(world.model.parts[body].shape,
                   world.state.pose(static_cast<int>(body)) * world.model.parts[body].pose);
}

TYPED_TEST(Scenes, a_chute_holds_its_grains_at_its_upper_end) {
  constexpr int D = TypeParam::value;
  for (const auto kind : {Grains::balls, Grains::angular})
    for (const Real slope : {0.0, 0.6, 1.4}) {
      Chute o;
      o.slope = slope, o.grains = {.count = 80, .kind = kind};
      const Blocks<D> s = built<D>(o);
      ASSERT_EQ(s.blocks.size(), D == 2 ? 82u : 84u);
      EXPECT_EQ(touching(s).deepest, 0);
      EXPECT_EQ(s.find("incline"), 80);
      const Pose<D> incline = incline_of<D>(o);
      for (std::size_t i = 0; i < 80; ++i) {
        const Vec<D> x = incline.to_local(s.blocks[i].pose.x);
        EXPECT_GT(x[0], 0);
        EXPECT_LT(x[0], o.stock);
        EXPECT_GT(x[D - 1], 0);
      }
      // The upper face ends on the ground.
      Vec<D> foot{};
      foot[0] = o.length;
      EXPECT_NEAR(incline.to_world(foot)[D - 1], 0, 1e-15);
    }
}

TYPED_TEST(Scenes, a_block_slides_down_a_chute_with_the_acceleration_of_statics) {
  constexpr int D = TypeParam::value;
  const Real mu = 0.4, half = 0.05, h = 1e-3;
  for (const Real slope : {0.5, 1.0}) {
    Chute o;
    o.slope = slope, o.grains.count = 0;
    World<D> world(mu);
    world.put(o);
    Vec<D> at{};
    at[0] = 0.1, at[D - 1] = half;
    const Expected<int> block = add_body<D>(world.model, world.state, {{brick<D>({half, half}, 2 * half), {}, 1000}},
                                            incline_of<D>(o) * Pose<D>{at, {}});
    ASSERT_TRUE(block) << block.error();
    world.start = world.state;
    world.run(0.3, h);
    const Real exact = world.state.t * 9.81 * (std::sin(slope) - mu * std::cos(slope));
    const Vec<D> u = Vec<D>::load(world.state.u[static_cast<std::size_t>(*block)].v);
    EXPECT_NEAR(norm(u), exact, 1e-6 * exact);
    EXPECT_NEAR(u[0], exact * std::cos(slope), 1e-6 * exact);
    EXPECT_NEAR(u[D - 1], -exact * std::sin(slope), 1e-6 * exact);
  }
}

TYPED_TEST(Scenes, grains_flow_down_a_chute_and_stay_on_it) {
  constexpr int D = TypeParam::value;
  Chute o;
  o.grains = {.count = 30, .kind = Grains::angular}, o.slope = 0.8, o.width = 0.1;
  World<D> world(0.3);
  world.put(o);
  world.run(0.2, 1e-3);
  const Pose<D> incline = incline_of<D>(o);
  Real way = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const Vec<D> x = incline.to_local(world.state.x[i]);
    way += (x[0] - incline.to_local(world.start.x[i])[0]) / 30;
    EXPECT_GT(x[D - 1], 0);
    if constexpr (D == 3) {
      EXPECT_LT(std::abs(x[1]), o.width / 2);
    }
  }
  EXPECT_GT(way, 0);
  EXPECT_LE(way, 9.81 * std::sin(o.slope) * world.state.t * world.state.t / 2);
  EXPECT_EQ(world.missed, 0);
}

TYPED_TEST(Scenes, grains_stay_in_a_shaken_box_whose_work_is_recorded) {
  constexpr int D = TypeParam::value;
  Bed o;
  o.packing.grains = {.count = 40}, o.packing.width = o.packing.depth = 0.12;
  EXPECT_GT(peak_acceleration(o), 3 * 9.81);
  EXPECT_EQ(touching(built<D>(o)).deepest, 0);
  World<D> world(0.5);
  world.put(o, shaking<D>(o));
  world.run(4 / o.frequency, 1e-3);
  const Real floor = o.amplitude * std::sin(2 * std::numbers::pi * o.frequency * world.state.t), slack = 1e-5;
  for (std::size_t i = 0; i < 40; ++i) {
    const Bounds<D> box = box_of(world, i);
    EXPECT_GT(box.low[D - 1], floor - slack);
    for (int k = 0; k + 1 < D; ++k) {
      EXPECT_GT(box.low[k], -0.06 - slack);
      EXPECT_LT(box.high[k], 0.06 + slack);
    }
  }
  EXPECT_NE(world.energy.boundary, 0);
  EXPECT_LE(std::abs(world.energy.defect()), 1e-12 * world.exchanged);
  if (!cairn::test::sanitized) {  // thrown up and caught inelastically: it must be paid for
    EXPECT_GT(world.energy.boundary, 0);
    EXPECT_GT(world.energy.dissipation, 0);
  }
  EXPECT_EQ(world.missed, 0);
}

TYPED_TEST(Scenes, a_silo_discharges_through_its_opening_alone) {
  constexpr int D = TypeParam::value;
  for (const Real opening : {0.0, 0.1}) {
    Hopper o;
    o.slope = 0, o.opening = opening, o.fall = 0.1, o.width = 0.2, o.depth = 0.08;
    o.grains = {.count = 30};
    World<D> world(0.3);
    world.put(o);
    world.run(0.3, 1e-3);
    int out = 0;
    for (std::size_t i = 0; i < 30; ++i) {
      const Vec<D>& x = world.state.x[i];
      EXPECT_GT(box_of(world, i).low[D - 1], -1e-5);
      if (x[D - 1] > o.fall) continue;
      ++out;
      EXPECT_TRUE(std::abs(x[0]) < opening / 2 || x[D - 1] < o.fall - o.thickness) << i;
    }
    if (!cairn::test::sanitized) {
      EXPECT_EQ(out > 0, opening > 0);
    }
    EXPECT_EQ(world.missed, 0);
  }
}

}  // namespace
}  // namespace cairn::scene
