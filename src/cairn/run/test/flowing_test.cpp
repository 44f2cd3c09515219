// Measures of flowing grains: states made by hand, a silo without friction, a ball that bounces.
#include <numbers>

#include "cairn/run/test/running.hpp"
#include "cairn/scene/bed.hpp"
#include "cairn/scene/drum.hpp"
#include "cairn/scene/hopper.hpp"
#include "cairn/scene/rocks.hpp"

namespace cairn::run {
namespace {

using namespace test;

TYPED_TEST_SUITE(Measured, Dimensions);

TYPED_TEST(Measured, a_heap_is_what_holds_nearly_all_the_mass) {
  constexpr int D = TypeParam::value;
  scene::World<D> world = empty_world<D>(0.5);
  scene::Blocks<D> s;
  for (int k = 0; k < 40; ++k) s.blocks.push_back(ball_at<D>({0.2 * (k % 2), 0.1 + 0.2 * (k / 2)}, 0.1));
  s.blocks.push_back(scene::ground_at<D>(0, 0));
  put<D>(world, s);  // two columns, 0.4 m wide
  ByHand<D> end(world);
  for (int k = 0; k < 40; ++k) end.state.x[at(k)] = flat<D>(k < 38 ? 0.2 * k : 100 * k, 0.1);  // two roll away
  EXPECT_NEAR(end.number("runout"), 38 * 0.2 / 0.4 - 1, 1e-12);
  // Against a wall on the left the number is the same.
  for (Vec<D>& x : end.state.x) x[0] += 0.05;
  EXPECT_NEAR(end.number("runout"), 38 * 0.2 / 0.4 - 1, 1e-12);
}

TYPED_TEST(Measured, the_bottom_of_a_silo_without_friction_carries_all) {
  constexpr int D = TypeParam::value;
  scene::Hopper silo;
  silo.opening = 0, silo.slope = 0, silo.width = 0.15, silo.depth = 0.08, silo.grains.count = 20;
  const auto out = outcomes<D>(world_of<D>(silo, 0), 1e-3, sanitized ? 20 : 600, {"bottom_stress_ratio", "flow_rate"});
  if (!sanitized) {
    EXPECT_NEAR(out.at("bottom_stress_ratio"), 1, 0.01);
  }
  EXPECT_EQ(out.at("flow_rate"), 0);
}

TYPED_TEST(Measured, the_part_of_the_weight_is_that_of_the_grains_above_the_slabs) {
  constexpr int D = TypeParam::value;
  scene::Hopper silo;
  silo.slope = 0, silo.width = 0.2, silo.depth = 0.08, silo.grains.count = 10;
  const auto world = world_of<D>(silo, 0.5);
  ByHand<D> end(world);
  Real weight = 0;
  for (int k = 0; k < 10; ++k) weight += k < 7 ? 9.81 * world.model.bodies[at(k)].mass : 0;
  for (int k = 7; k < 10; ++k) end.state.x[at(k)][D - 1] = 0.05;  // fell through
  end.touch(0, world.find("left slab")[0], flat<D>(3, 0.3 * weight));
  end.touch(1, world.find("right slab")[0], flat<D>(-3, 0.2 * weight));
  end.touch(7, world.find("ground")[0], flat<D>(0, 7));
  end.state.t = end.h;
  EXPECT_NEAR(end.number("bottom_stress_ratio"), 0.5, 1e-14);
}

// One grain passes every 10 ms from 0.1 s on, the last 3 never.
TYPED_TEST(Measured, the_flow_rate_is_the_mass_that_passes_in_time) {
  constexpr int D = TypeParam::value;
  scene::Hopper hopper;
  hopper.grains.count = 103, hopper.grains.least = hopper.grains.most = 0.01, hopper.width = 0.4;
  const auto world = world_of<D>(hopper, 0.5);
  const auto rate = measure<D>("flow_rate", world);
  ByHand<D> end(world);
  for (int k = 1; k <= 2000; ++k) {
    end.state.t = k * end.h;
    if (k > 100 && k % 10 == 0 && k / 10 - 11 < 100) end.state.x[at(k / 10 - 11)][D - 1] = 0.05;
    rate->see(end.now());
  }
  EXPECT_NEAR(rate->result(end.now()).number, world.model.bodies[0].mass / 0.01,
              0.02 * world.model.bodies[0].mass / 0.01);
}

TYPED_TEST(Measured, the_slope_in_a_drum_is_that_of_the_surface) {
  constexpr int D = TypeParam::value;
  scene::Drum drum;
  drum.grains.count = 40;
  const auto world = world_of<D>(drum, 0.5);
  ByHand<D> end(world);
  end.state.t = end.h;
  for (const Real angle : {0.5, -0.5}) {  // either way of turning
    for (int k = 0; k < 40; ++k) {        // evenly on a chord at right angles to the radius at that angle
      const Real s = 0.01 * (k - 19.5), r = 0.2;
      end.state.x[at(k)] =
          flat<D>(r * std::sin(angle) + s * std::cos(angle), -r * std::cos(angle) + s * std::sin(angle));
    }
    // Grains differ in mass; the mean along the chord is not quite its middle.
    Real mass = 0, off = 0;
    for (int k = 0; k < 40; ++k)
      mass += world.model.bodies[at(k)].mass, off += world.model.bodies[at(k)].mass * 0.01 * (k - 19.5);
    const Real exact = std::abs(angle + std::atan2(off / mass, 0.2));
    EXPECT_NEAR(end.number("slope_deg"), exact * 180 / std::numbers::pi, 1e-9);
  }
}

TYPED_TEST(Measured, a_bed_lifts_and_heaps_as_its_grains_do) {
  constexpr int D = TypeParam::value;
  scene::Bed bed;
  bed.packing.grains.count = 3, bed.packing.grains.least = bed.packing.grains.most = 0.01;
  bed.packing.width = bed.packing.depth = 0.3;
  const auto world = world_of<D>(bed, 0.5);
  ByHand<D> end(world);
  end.state.t = end.h;
  for (Vec<D>& x : end.state.x) x[D - 1] += 0.004;  // all with the box
  EXPECT_NEAR(end.number("lift"), 0, 1e-15);
  const Real floor = end.state.x.back()[D - 1], places[3] = {-0.12, 0, 0.1}, up[3] = {0.01, 0.05, 0.03};
  Real start = 0;
  for (int k = 0; k < 3; ++k) start += world.state.x[at(k)][D - 1] / 3;
  for (int k = 0; k < 3; ++k) end.state.x[at(k)] = flat<D>(places[k], floor + up[k]);
  EXPECT_NEAR(end.number("lift"), 0.03 - start, 1e-15);
  EXPECT_NEAR(end.number("heap"), 2 * (0.05 - 0.02), 1e-14);
}

// A box that waits before it moves: what the grains sank by until then is no lift.
TYPED_TEST(Measured, lift_counts_from_when_the_box_begins_to_move) {
  constexpr int D = TypeParam::value;
  scene::Bed bed;
  bed.packing.grains.count = 3, bed.packing.grains.least = bed.packing.grains.most = 0.01;
  bed.packing.width = bed.packing.depth = 0.3;
  const Drive<D> late = [](Real t) { return Excursion<D>{flat<D>(0, t > Real(0.0015) ? Real(0.002) : 0), {}}; };
  const auto world = world_of<D>(bed, 0.5, 0, late);
  const auto lift = measure<D>("lift", world);
  ByHand<D> now(world);
  const int ground = world.find("ground")[0];
  const auto see = [&](Real t, Real grains, Real box) {
    now.state.t = t;
    for (int k = 0; k < 3; ++k) now.state.x[at(k)][D - 1] = world.state.x[at(k)][D - 1] + grains;
    now.state.x[at(ground)][D - 1] = world.state.x[at(ground)][D - 1] + box;
    lift->see(now.now());
  };
  see(0.001, -0.005, 0);
  EXPECT_NEAR(lift->result(now.now()).number, 0, 1e-15);
  see(0.003, -0.001, 0.002);
  EXPECT_NEAR(lift->result(now.now()).number, 0.002, 1e-15);   // -0.003 above the box, and -0.005 before
  see(0.005, -0.002, 0);                                       // back where it was: it has moved all the same
  EXPECT_NEAR(lift->result(now.now()).number, 0.0025, 1e-15);  // mean of 0.002 and 0.003
}

// Flights after the first landing last 2 e^k v/g; those above a tenth of sqrt(2 size/g) count.
TYPED_TEST(Measured, bounces_are_counted_while_they_are_flights) {
  constexpr int D = TypeParam::value;
  const Real e = 0.6, radius = 0.05, drop = 0.3;
  scene::World<D> world = empty_world<D>(0.5, e);
  scene::Blocks<D> s{{ball_at<D>({0, radius + drop}, radius)}};
  s.blocks.push_back(scene::ground_at<D>(0, 0));
  put<D>(world, s);
  const Real v = std::sqrt(2 * 9.81 * drop), shortest = 0.1 * std::sqrt(2 * 2 * radius / 9.81);
  int exact = 1;
  for (Real flight = 2 * e * v / 9.81; flight > shortest; flight *= e) ++exact;
  EXPECT_EQ(outcomes<D>(world, 2e-4, 8000, {"bounces"}).at("bounces"), exact);
}

TYPED_TEST(Measured, rocks_reach_as_far_as_they_are_brought) {
  constexpr int D = TypeParam::value;
  scene::Rocks rocks;
  rocks.count = 2, rocks.length = rocks.run_out = 10, rocks.width = 4;
  const auto world = world_of<D>(rocks, 0.5);
  ByHand<D> end(world);
  end.state.x[0] += flat<D>(12, -30), end.state.x[1] += flat<D>(-3, -100);
  EXPECT_NEAR(end.number("reach"), 12, 1e-14);
  if constexpr (D == 3) {
    end.state.x[0][1] += 5;
    EXPECT_NEAR(end.number("reach"), 13, 1e-14);
  }
}

}  // namespace
}  // namespace cairn::run
