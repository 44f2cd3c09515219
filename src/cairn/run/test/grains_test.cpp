// Measures of packings and of the biaxial cell.
#include <numbers>

#include "cairn/run/test/running.hpp"
#include "cairn/scene/cell.hpp"
#include "cairn/scene/discs.hpp"
#include "cairn/scene/packing.hpp"

namespace cairn::run {
namespace {

using namespace test;

TYPED_TEST_SUITE(Measured, Dimensions);

// Bodies 0 to n - 1 are balls in a row that stand apart, n is the ground.
template <int D>
scene::World<D> row(int n, Real height = 0) {
  scene::World<D> w = empty_world<D>(0.5);
  scene::Blocks<D> s;
  for (int k = 0; k < n; ++k) s.blocks.push_back(ball_at<D>({0.5 * k, 0.1 + height}, 0.1));
  s.blocks.push_back(scene::ground_at<D>(0, 0));
  put<D>(w, s);
  return w;
}

TYPED_TEST(Measured, balls_on_the_ground_settle_and_are_held_by_it_alone) {
  constexpr int D = TypeParam::value;
  const Real drop = 0.05, h = 1e-3;
  const auto out = outcomes<D>(row<D>(3, drop), h, 150, {"settle_time", "active_contacts", "floor_only", "kinetic"});
  EXPECT_NEAR(out.at("settle_time"), std::sqrt(2 * drop / 9.81), h);
  EXPECT_EQ(out.at("active_contacts"), 3);
  EXPECT_EQ(out.at("floor_only"), 3);
  EXPECT_NEAR(out.at("kinetic"), 0, 1e-15);
  const auto falling = outcomes<D>(row<D>(3, drop), h, 50, {"settle_time", "kinetic", "active_contacts"});
  EXPECT_TRUE(std::isnan(falling.at("settle_time")));
  const Real mass = 1000 * (D == 2 ? std::numbers::pi * 0.01 : std::numbers::pi * 4 / 3 * 0.001);
  EXPECT_NEAR(falling.at("kinetic"), 3 * mass / 2 * std::pow(9.81 * 0.05, 2), 1e-12 * mass);
  EXPECT_EQ(falling.at("active_contacts"), 0);
}

TYPED_TEST(Measured, a_pile_of_discs_is_held_by_the_contacts_that_carry_it) {
  constexpr int D = TypeParam::value;
  const auto world = world_of<D>(scene::DiscPile{}, 0.5);
  const auto out = outcomes<D>(world, 1e-3, 20, {"active_contacts", "floor_only", "coordination"});
  EXPECT_EQ(out.at("floor_only"), 0);
  EXPECT_GE(out.at("active_contacts"), 2 * D);  // on the floor, and below the upper one
  // In space the lower ones have fewer than three contacts unless they press on each other.
  if (D == 2 || out.at("active_contacts") > 2 * D)
    EXPECT_EQ(out.at("coordination"), 2 * out.at("active_contacts") / (D + 1));
  else
    EXPECT_EQ(out.at("coordination"), 0);
}

// Discs 0 to 3 in a square, each pressed on the next; 4 hangs on 3 alone, 5 on 4 and so on 3 no more.
TEST(Coordination, leaves_out_rattlers_and_what_only_they_hold) {
  const auto world = row<2>(6);
  ByHand<2> end(world);
  end.touch(0, 1, {100, 0}), end.touch(0, 3, {0, 100}), end.touch(1, 2, {0, 100}), end.touch(2, 3, {100, 0});
  end.touch(3, 4, {100, 0}), end.touch(4, 5, {100, 0});
  EXPECT_EQ(end.number("coordination"), 2);  // 4 contacts, 4 discs
  end.touch(5, 6, {0, 100});                 // now the ground holds the chain
  EXPECT_EQ(end.number("coordination"), 2 * 7 / 6.0);
  end.touch(0, 2, {1e-9, 0});  // no force to speak of
  EXPECT_EQ(end.number("active_contacts"), 7);
  EXPECT_EQ(end.number("coordination"), 2 * 7 / 6.0);
}

TYPED_TEST(Measured, a_ball_in_a_box_as_wide_fills_its_part) {
  constexpr int D = TypeParam::value;
  scene::Packing packing;
  packing.grains.count = 0, packing.width = packing.depth = 0.2;
  const auto walls = build<D>(packing);
  ASSERT_TRUE(walls) << walls.error();
  scene::World<D> world = empty_world<D>(0.5);
  put<D>(world, {{ball_at<D>({0, 0.1}, 0.1), ball_at<D>({0, 0.3}, 0.1)}});
  put<D>(world, *walls);
  const Real one = D == 2 ? std::numbers::pi / 4 : std::numbers::pi / 6;
  EXPECT_NEAR(ByHand<D>(world).number("solid_fraction"), one, 1e-14);
  // A lid above says how high the box is.
  put<D>(world, {{{scene::brick<D>({0.1, 0.01}, 0.2), scene::in_plane<D>({0, 0.51}), 1000, 0, false, 0, "lid"}}});
  EXPECT_NEAR(ByHand<D>(world).number("solid_fraction"), one * 0.4 / 0.5, 1e-14);
}

TEST(Packings, at_rest_have_enough_contacts_and_a_plausible_density) {
  scene::Packing packing;
  packing.grains.count = 60, packing.width = 0.3;
  CollectionOptions o;
  o.tolerance = o.required = 1e-4;
  const auto out = outcomes<2>(world_of<2>(packing, 0.5), 1e-3, sanitized ? 5 : 600,
                               {"coordination", "solid_fraction", "settle_time"}, o);
  if (sanitized) return;
  EXPECT_GT(out.at("coordination"), 3);
  EXPECT_LT(out.at("coordination"), 4.2);
  EXPECT_GT(out.at("solid_fraction"), 0.7);
  EXPECT_LT(out.at("solid_fraction"), 0.9);
  EXPECT_GT(out.at("settle_time"), 0);
}

// A cell of one grain, its walls pushed by given forces.
TYPED_TEST(Measured, stresses_of_a_cell_give_the_angle_of_friction) {
  constexpr int D = TypeParam::value;
  scene::Cell cell;
  cell.grains.count = 1, cell.width = cell.depth = 0.1, cell.grains.least = cell.grains.most = 0.02;
  scene::World<D> world = world_of<D>(cell, 0.5);
  const int lid = world.find("lid")[0], left = world.find("left wall")[0], right = world.find("right wall")[0];
  const auto driven = [](Real t) { return Excursion<D>{flat<D>(t, 0), {}}; };
  world.model.bodies[at(right)].drive = 0, world.model.drives.push_back(driven);
  const Real l = world.state.x[at(lid)][D - 1] - 0.01, lid_width = 0.1 - 2 * cell.clearance;
  ByHand<D> end(world);
  const auto push = [&](Real vertical, Real horizontal) {  // stresses over the depth
    end.state.contact.clear(), end.state.impulse.clear();
    end.touch(0, lid, flat<D>(0, -vertical * lid_width));
    end.touch(0, left, flat<D>(0.9 * horizontal * l, 0)), end.touch(0, right, flat<D>(-1.1 * horizontal * l, 0));
    end.touch(lid, right, flat<D>(-1e6, 0));  // the lid rubs on a wall: not the grains' stress
  };
  const auto peak = measure<D>("phi_peak_deg", world), residual = measure<D>("phi_residual_deg", world);
  const auto volume = measure<D>("volume_change", world);
  // 3 : 1 (30 degrees) in the middle fifth of the strain, 2 : 1 at its end, 1 : 1 before it begins.
  push(1, 1);
  end.state.x[at(lid)][D - 1] -= 0.002;  // settles, and the volume counts from here
  const auto see = [&] { peak->see(end.now()), residual->see(end.now()), volume->see(end.now()); };
  see();
  for (int k = 1; k <= 200; ++k) {
    end.state.x[at(right)][0] = world.state.x[at(right)][0] + 0.01 * k / 200;
    const Real now_l = (l - 0.002) / l;  // the walls' forces act on the height that is left
    const Real s = k > 80 && k <= 120 ? 3 : 2;
    push(s, now_l);
    see();
  }
  EXPECT_NEAR(peak->result(end.now()).number, 30, 1e-9);
  EXPECT_NEAR(residual->result(end.now()).number, std::asin(1 / 3.0) * 180 / std::numbers::pi, 1e-9);
  EXPECT_NEAR(volume->result(end.now()).number, 0.1, 1e-12);  // as wide by a tenth, and as high
}

// A cell of discs whose right wall gives way: the lid's weight is eight times the grains'.
template <int D>
scene::World<D> pressed_cell(Real scale, Real density) {
  scene::Cell cell;
  cell.grains.count = 60, cell.grains.least *= scale, cell.grains.most *= scale;
  cell.width = cell.depth = 0.25 * scale, cell.lid_thickness *= scale, cell.clearance *= scale;
  cell.matter.density = density, cell.lid_density = 100 * density;
  scene::World<D> world = world_of<D>(cell, 0.5);
  const int lid = world.find("lid")[0], right = world.find("right wall")[0];
  for (int k = 0; k < freedoms<D>; ++k) world.model.bodies[at(lid)].locked[k] = k != D - 1;
  const Real time = std::sqrt(scale);
  world.model.bodies[at(right)].drive = 0;
  world.model.drives.push_back([=](Real t) {
    return Excursion<D>{flat<D>(0.05 * scale / time * std::max(Real(0), t - 0.2 * time), 0), {}};
  });
  return world;
}
// The same motion in other units: lengths times 4, times times 2, masses times 4.
void rescale(const ModelState<2>& from, ModelState<2>& to) {
  to.t = 2 * from.t;
  for (std::size_t b = 0; b < from.x.size(); ++b) to.x[b] = 4 * from.x[b], to.r[b] = from.r[b];
  to.contact = from.contact, to.impulse = from.impulse;
  for (Vec<2>& p : to.impulse) p *= 8;
}
TEST(BiaxialCell, has_an_angle_of_friction_that_no_unit_changes) {
  const auto world = pressed_cell<2>(1, 2000), scaled = pressed_cell<2>(4, 500);
  std::vector<std::unique_ptr<Measure<2>>> here, there;
  for (const char* name : {"phi_peak_deg", "phi_residual_deg", "volume_change"})
    here.push_back(measure<2>(name, world)), there.push_back(measure<2>(name, scaled));
  CollectionOptions o;
  o.tolerance = o.required = 1e-4;
  Running<2> run(world, 1e-3, o);
  ByHand<2> copy(scaled);
  copy.h = 2e-3;
  for (int k = 0; k < (sanitized ? 10 : 500); ++k) {
    run.run(1);
    rescale(run.state, copy.state);
    for (std::size_t m = 0; m < here.size(); ++m) here[m]->see(run.now()), there[m]->see(copy.now());
  }
  if (sanitized) return;
  Real found[3];
  for (std::size_t m = 0; m < here.size(); ++m) {
    found[m] = here[m]->result(run.now()).number;
    EXPECT_NEAR(there[m]->result(copy.now()).number, found[m], 1e-12 * std::abs(found[m])) << m;
  }
  // Rankine's state of discs with friction 0.5: they give way at about 20 degrees, never as much as blocks that slide.
  EXPECT_GT(found[1], 8);
  EXPECT_GT(found[0], found[1]);
  EXPECT_LT(found[0], 40);
}

}  // namespace
}  // namespace cairn::run
