// Probes against forces and motions that are known.
#include "cairn/run/probe.hpp"

#include <numbers>

#include "cairn/model/add_joint.hpp"
#include "cairn/record/writer.hpp"
#include "cairn/run/stop.hpp"
#include "cairn/run/test/running.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn::run {
namespace {

using namespace test;

TYPED_TEST_SUITE(Measured, Dimensions);

template <int D>
std::unique_ptr<Probe<D>> probe(const ProbeSpec& spec, const scene::World<D>& w) {
  auto made = make_probe<D>(spec, w);
  EXPECT_TRUE(made) << (made ? "" : made.error());
  return made ? std::move(*made) : nullptr;
}
template <int D>
Real read(const ProbeSpec& spec, const Running<D>& run) {
  const auto p = probe<D>(spec, run.world);
  p->see(run.now());
  return p->read(run.now());
}

template <int D>
const char* up() {
  return D == 2 ? "y" : "z";
}

// Two balls, one on the other, on the ground; they balance for the few steps.
template <int D>
scene::World<D> two_balls(Real radius) {
  scene::World<D> w = empty_world<D>(0.5);
  scene::Blocks<D> s{{ball_at<D>({0, radius}, radius), ball_at<D>({0, 3 * radius}, radius)}};
  s.blocks.push_back(scene::ground_at<D>(0, 0));
  put<D>(w, s);
  return w;
}

TYPED_TEST(Measured, forces_and_stress_of_two_balls_are_their_weight) {
  constexpr int D = TypeParam::value;
  const Real R = 0.1;
  const auto world = two_balls<D>(R);
  const Real W = 9.81 * world.model.bodies[0].mass;
  Running<D> run(world, 1e-3);
  const ProbeSpec on_ground{.name = "f", .kind = "reaction", .body = "ground", .component = up<D>()};
  EXPECT_EQ(read<D>(on_ground, run), 0);  // before the first step
  run.run(5);
  EXPECT_NEAR(read<D>(on_ground, run), -2 * W, 1e-6 * W);
  EXPECT_NEAR(read<D>({.name = "f", .kind = "reaction", .body = "ground"}, run), 2 * W, 1e-6 * W);
  EXPECT_NEAR(read<D>({.name = "f", .kind = "reaction", .body = "0", .component = up<D>()}, run), W, 1e-6 * W);
  EXPECT_NEAR(read<D>({.name = "s", .kind = "wall_stress", .body = "ground", .component = up<D>(), .area = 0.25}, run),
              -8 * W, 1e-6 * W);
  EXPECT_EQ(read<D>({.name = "n", .kind = "contacts"}, run), 2);
  // On the ground 2 W over R, between them W over 2 R.
  ProbeSpec stress{.name = "s", .kind = "stress", .component = std::string(2, *up<D>())};
  const Real box = std::pow(2 * R, D - 1) * 4 * R;
  EXPECT_NEAR(read<D>(stress, run), 4 * W * R / box, 0.01 * 4 * W * R / box);
  stress.low.assign(D, -1), stress.high.assign(D, 1);
  EXPECT_NEAR(read<D>(stress, run), 4 * W * R / std::pow(2, D), 1e-6 * W);
  stress.low[D - 1] = R;  // the upper contact alone
  EXPECT_NEAR(read<D>(stress, run), 2 * W * R / (std::pow(2, D - 1) * (1 - R)), 1e-6 * W);
  stress.component = "xx";
  EXPECT_NEAR(read<D>(stress, run), 0, 1e-6 * W);
}

// Contacts that show up in the course of a step stand last in the scheme: each counts with its own impulse.
TEST(Probes, stress_counts_contacts_that_show_up_late_with_their_own_impulses) {
  scene::World<3> world = empty_world<3>(0.5);
  scene::Blocks<3> blocks;
  for (int k = 0; k < 225; ++k) {
    blocks.blocks.push_back(ball_at<3>({Real(0.1003) * (k % 15), Real(0.05)}, Real(0.05)));
    blocks.blocks.back().pose.x[1] = Real(0.1003) * (k / 15);
  }
  blocks.blocks.push_back(scene::ground_at<3>(0, 0));
  put<3>(world, blocks);
  world.state.u[60][0] = 2;  // what it hits hits the next in the same step
  Running<3> run(world, 1e-3);
  const ProbeSpec stress{.name = "s", .kind = "stress", .component = "xx", .low = {-2, -2, -2}, .high = {2, 2, 2}};
  int late = 0;
  for (int step = 0; step < 20; ++step) {
    run.run(1);
    const Moment<3> now = run.now();
    if (std::ranges::is_sorted(now.scheme->contacts(), {}, &Contact<3>::key)) continue;
    ++late;
    Real sum = 0, scale = 0;
    for (const record::ContactRow<3>& c : record::frame_of<3>(world.model, now.state, now.scheme, 1, now.h).contacts) {
      const auto end = [&](int body) { return world.model.bodies[at(body)].free() ? now.state.x[at(body)] : c.point; };
      sum += c.impulse[0] / now.h * (end(c.body[0]) - end(c.body[1]))[0] / 64, scale += norm(c.impulse) / now.h;
    }
    EXPECT_NEAR(read<3>(stress, run), sum, 1e-12 * scale);
  }
  EXPECT_GT(late, 0);
}

TYPED_TEST(Measured, a_thrown_ball_is_followed) {
  constexpr int D = TypeParam::value;
  scene::World<D> world = empty_world<D>(0.5);
  put<D>(world, {{ball_at<D>({1, 2}, 0.1)}});
  world.state.u[0][0] = 3, world.state.u[0][freedoms<D> - 1] = -20;
  const Real m = world.model.bodies[0].mass;
  Running<D> run(world, 1e-2);
  const auto angle = probe<D>({.name = "a", .kind = "angle", .body = "0"}, world);
  run.run(100, *angle);
  EXPECT_NEAR(angle->read(run.now()), -20, 1e-10);
  const auto value = [&](const char* kind, const char* component) {
    return read<D>({.name = "p", .kind = kind, .body = "0", .component = component}, run);
  };
  EXPECT_NEAR(value("position", "x"), 4, 1e-12);
  EXPECT_NEAR(value("displacement", "x"), 3, 1e-12);
  EXPECT_NEAR(value("displacement", up<D>()), -9.81 / 2, 1e-12);
  EXPECT_NEAR(value("velocity", ""), std::hypot(3, 9.81), 1e-12);
  EXPECT_NEAR(value("spin", "z"), -20, 1e-12);
  const Real total = value("energy", "total");
  EXPECT_NEAR(value("energy", "kinetic") + value("energy", "potential"), total, 1e-12 * total);
  const Real spin = world.model.bodies[0].inertia[0] * 200;
  EXPECT_NEAR(total, m * (9.81 * 2 + 4.5) + spin, 1e-12 * total);
}

TYPED_TEST(Measured, a_driven_boundary_has_a_velocity) {
  constexpr int D = TypeParam::value;
  scene::Column column;
  column.count = 1;
  const auto world = world_of<D>(column, 0.5, 0, constant_velocity<D>(flat<D>(0.2, 0)));
  Running<D> run(world, 1e-3);
  run.run(3);
  EXPECT_NEAR(read<D>({.name = "v", .kind = "velocity", .body = "ground", .component = "x"}, run), 0.2, 1e-12);
  EXPECT_NEAR(read<D>({.name = "x", .kind = "displacement", .body = "ground"}, run), 6e-4, 1e-15);
}

TEST(Probes, a_pin_holds_the_weight_that_hangs_on_it) {
  scene::World<2> world = empty_world<2>(0.5);
  put<2>(world, {{ball_at<2>({0, 0}, 0.1)}});
  const auto joint = add_joint<2>(world.model, world.state, JointKind::pin, 0, -1, {{0, 0.5}, {}});
  ASSERT_TRUE(joint) << joint.error();
  Running<2> run(world, 1e-3);
  run.run(5);
  const Real W = 9.81 * world.model.bodies[0].mass;
  EXPECT_NEAR(read<2>({.name = "r", .kind = "joint_reaction", .component = "y", .joint = 0}, run), W, 1e-6 * W);
  EXPECT_FALSE(make_probe<2>({.name = "r", .kind = "joint_reaction", .joint = 1}, world));
}

TEST(Probes, say_what_is_wrong_with_them) {
  const auto world = two_balls<2>(0.1);
  const auto refused = [&](const ProbeSpec& spec) {
    const auto made = make_probe<2>(spec, world);
    return made ? std::string() : made.error();
  };
  EXPECT_EQ(refused({.name = "p", .kind = "place"}).find("probe \"p\": kind is \"place\", expected one of position"),
            0u);
  EXPECT_EQ(refused({.name = "p", .kind = "position"}),
            "probe \"p\" of kind position: body is missing, expected the name or the number of a body");
  EXPECT_EQ(refused({.name = "p", .kind = "position", .body = "3"}),
            "probe \"p\" of kind position: body is \"3\", expected a name in the scene or a number below 3");
  EXPECT_EQ(refused({.name = "p", .kind = "velocity", .body = "0", .component = "z"}),
            "probe \"p\" of kind velocity: component is \"z\", expected x, y or nothing");
  EXPECT_NE(refused({.name = "p", .kind = "angle", .body = ""}), "");
  EXPECT_NE(refused({.name = "p", .kind = "wall_stress", .body = "ground"}), "");
  EXPECT_NE(refused({.name = "p", .kind = "energy", .component = "heat"}), "");
  EXPECT_NE(refused({.name = "p", .kind = "stress", .component = "x"}), "");
  EXPECT_NE(refused({.name = "p", .kind = "stress", .component = "xyx"}), "");
  EXPECT_NE(refused({.name = "p", .kind = "stress", .component = "xy", .low = {0}, .high = {1}}), "");
  EXPECT_NE(refused({.name = "p", .kind = "stress", .component = "xy", .low = {0, 1}, .high = {1, 1}}), "");
  EXPECT_NE(refused({.name = "p", .kind = "stress_ratio"}), "");
}

TEST(Probes, carry_their_units) {
  EXPECT_EQ(probe<2>({.name = "s", .kind = "stress", .component = "xx"}, two_balls<2>(0.1))->unit, "N/m");
  EXPECT_EQ(probe<3>({.name = "s", .kind = "stress", .component = "xx"}, two_balls<3>(0.1))->unit, "Pa");
  EXPECT_EQ(probe<3>({.name = "s", .kind = "energy"}, two_balls<3>(0.1))->unit, "J");
}

TYPED_TEST(Measured, a_run_stops_when_all_has_been_at_rest_for_long_enough) {
  constexpr int D = TypeParam::value;
  scene::World<D> world = empty_world<D>(0.5);
  scene::Blocks<D> s{{ball_at<D>({0, 0.15}, 0.1)}};
  s.blocks.push_back(scene::ground_at<D>(0, 0));
  put<D>(world, s);
  StopRule<D> rule({.rest_speed = 1e-6, .rest_for = 0.05}, world), off({}, world);
  Running<D> run(world, 1e-3);
  EXPECT_EQ(rule.see(run.now()), "");
  std::string reason;
  while (reason.empty() && run.steps < 1000) {
    run.run(1);
    reason = rule.see(run.now());
    EXPECT_EQ(off.see(run.now()), "");
    if (run.steps == 130) {  // a resumed one goes on
      StopRule<D> next({.rest_speed = 1e-6, .rest_for = 0.05}, world);
      next.recall(rule.memory());
      rule = next;
    }
  }
  EXPECT_EQ(reason, "at rest: slower than 1e-06 m/s for 0.05 s");
  EXPECT_NEAR(run.state.t, std::sqrt(2 * 0.05 / 9.81) + 0.05, 2e-3);
}

TYPED_TEST(Measured, a_run_stops_when_bodies_have_fallen_or_gone_far) {
  constexpr int D = TypeParam::value;
  scene::Wall wall;
  wall.courses = 3, wall.blocks = 2;
  const auto world = world_of<D>(wall, 0.5);
  StopRule<D> two({.fallen = 2}, world), far({.collapse = 0.5}, world);
  ByHand<D> end(world);
  for (Vec<D>& x : end.state.x) x[0] += 3;  // the ground and all on it
  EXPECT_EQ(far.see(end.now()), "");
  end.state.x[4][D - 1] -= 0.21;
  EXPECT_EQ(two.see(end.now()), "");
  end.state.x[5][D - 1] -= 0.21;
  EXPECT_EQ(two.see(end.now()), "fallen: 2 bodies");
  EXPECT_EQ(far.see(end.now()), "");
  end.state.x[2][0] += 0.6;
  EXPECT_EQ(far.see(end.now()), "collapse: body 2 has moved by 0.6 m");
}

TEST(StopRules, refuse_bad_numbers) {
  EXPECT_EQ(complaint(StopSpec{}), "");
  EXPECT_EQ(complaint(StopSpec{.rest_speed = -1}), "rest_speed is -1, expected 0 or more");
  EXPECT_NE(complaint(StopSpec{.rest_for = std::nan("")}), "");
  EXPECT_NE(complaint(StopSpec{.fallen = -1}), "");
  EXPECT_NE(complaint(StopSpec{.collapse = -1}), "");
}

}  // namespace
}  // namespace cairn::run
