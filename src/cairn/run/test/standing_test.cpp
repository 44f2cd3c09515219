// Measures of structures against what was done to them by hand, and of a wall that stands.
#include "cairn/run/history.hpp"
#include "cairn/run/test/running.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn::run {
namespace {

using namespace test;

TYPED_TEST_SUITE(Measured, Dimensions);

scene::Wall small_wall() {
  scene::Wall wall;
  wall.courses = 3, wall.blocks = 2;
  return wall;
}

TYPED_TEST(Measured, a_wall_at_rest_stands_and_nothing_has_moved) {
  constexpr int D = TypeParam::value;
  const auto world = world_of<D>(small_wall(), 0.5);
  const auto out = outcomes<D>(
      world, 1e-3, 50,
      {"stands", "drift", "sag", "displaced", "fallen", "spread", "max_opening", "toppled", "tilt_max_deg", "reach"});
  EXPECT_EQ(out.at("stands"), 1);
  for (const char* none : {"displaced", "fallen", "toppled"}) EXPECT_EQ(out.at(none), 0) << none;
  for (const char* small : {"drift", "sag", "spread", "max_opening", "tilt_max_deg", "reach"})
    EXPECT_LT(out.at(small), 1e-9) << small;
}

// Three blocks of 1 x 0.5 m: one stays, one goes by d along x, one falls by 0.3 m.
TYPED_TEST(Measured, blocks_moved_by_hand_are_counted_as_by_hand) {
  constexpr int D = TypeParam::value;
  scene::Column column;
  column.count = 3, column.width = 1, column.height = 0.5, column.depth = 0.4;
  const auto world = world_of<D>(column, 0.5);
  ByHand<D> end(world);
  EXPECT_TRUE(end.value("stands").is_flag);
  EXPECT_EQ(end.number("stands"), 1);
  end.state.x[1][0] += 0.049;
  EXPECT_EQ(end.number("stands"), 1);  // 5 % of a metre
  end.state.x[1][0] += 0.002;
  EXPECT_EQ(end.number("stands"), 0);
  EXPECT_EQ(end.number("displaced"), 1);
  end.state.x[1][0] = world.state.x[1][0] + 0.09;
  end.state.x[2][D - 1] -= 0.3;
  EXPECT_NEAR(end.number("drift"), 0.3, 1e-15);
  EXPECT_NEAR(end.number("sag"), 0.3, 1e-15);
  EXPECT_NEAR(end.number("reach"), 0.09, 1e-15);
  EXPECT_EQ(end.number("fallen"), 1);  // 0.3 > 0.5 / 2
  EXPECT_EQ(end.number("displaced"), 2);
  // d = (0, 0), (0.09, 0), (0, -0.3); mean (0.03, -0.1)
  const Real spread = (std::hypot(0.03, 0.1) + std::hypot(0.06, 0.1) + std::hypot(0.03, 0.2)) / 3;
  EXPECT_NEAR(end.number("spread"), spread, 1e-15);
  // Joint 0-1 has slid by 0.09; of 1-2 one block went by (-0.09, -0.3) against the other.
  EXPECT_NEAR(end.number("max_opening"), std::hypot(0.09, 0.3), 1e-12);
  end.state.x[0][0] = std::nan("");
  EXPECT_EQ(end.number("stands"), 0);  // not a number is not standing
}

TYPED_TEST(Measured, the_motion_of_a_driven_ground_is_taken_off) {
  constexpr int D = TypeParam::value;
  const auto world = world_of<D>(small_wall(), 0.5);
  ByHand<D> end(world);
  for (Vec<D>& x : end.state.x) x[0] += 0.7, x[D - 1] -= 0.4;
  EXPECT_EQ(end.number("stands"), 1);
  for (const char* none : {"drift", "sag", "spread", "displaced", "fallen", "reach"})
    EXPECT_NEAR(end.number(none), 0, 1e-14) << none;
  // Of the centre of mass one wants the motion in the world.
  EXPECT_NEAR(end.number("x"), 0.7, 1e-14);
}

TYPED_TEST(Measured, a_rigid_motion_opens_no_joint) {
  constexpr int D = TypeParam::value;
  const auto world = world_of<D>(small_wall(), 0.5);
  ByHand<D> end(world);
  const Pose<D> by = scene::in_plane<D>({0.3, 0.2}, 0.4);
  for (std::size_t b = 0; b < end.state.x.size(); ++b) {
    end.state.x[b] = by.to_world(end.state.x[b]);
    if constexpr (D == 2)
      end.state.r[b].angle += 0.4;
    else
      end.state.r[b].r = by.R * end.state.r[b].r;
  }
  EXPECT_LT(end.number("max_opening"), 1e-14);
}

TEST(Outcomes, are_named_once_and_say_what_they_are) {
  std::map<std::string, int> seen;
  for (const MeasureDoc& d : measure_docs()) {
    EXPECT_EQ(++seen[d.name], 1) << d.name;
    EXPECT_GT(std::string(d.doc).size(), 20u) << d.name;
  }
  EXPECT_GE(seen.size(), 35u);
}

TEST(Outcomes, bad_names_are_refused_with_what_was_expected) {
  const auto world = world_of<2>(small_wall(), 0.5);
  const auto unknown = make_measure<2>("stand", world);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().find("outcome \"stand\" is not known, expected one of stands, drift, sag"), 0u);
  const auto lidless = make_measure<2>("phi_peak_deg", world);
  ASSERT_FALSE(lidless);
  EXPECT_EQ(lidless.error(), "outcome \"phi_peak_deg\" needs a body named \"lid\", and the scene has none");
  const auto many = make_measure<2>("theta", world);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error(), "outcome \"theta\" needs exactly one free body, and the scene has 9");
  const auto square = make_measure<2>("roll_time", world_of<2>(scene::Column{.count = 1}, 0.5));
  ASSERT_FALSE(square);
  EXPECT_EQ(square.error(), "outcome \"roll_time\" needs a free body that is a ball, and the scene's is not");
  EXPECT_FALSE(make_measure<2>("drift", empty_world<2>(0.5)));
}

TEST(Outcomes, are_written_as_JSON) {
  EXPECT_EQ(json(Value::flag(true)), "true");
  EXPECT_EQ(json(Value::flag(false)), "false");
  EXPECT_EQ(json(Value::of(std::nan(""))), "null");
  EXPECT_EQ(json(Value::of(INFINITY)), "null");
  EXPECT_EQ(std::stod(json(Value::of(0.1 + 0.2))), 0.1 + 0.2);
  EXPECT_EQ(std::stod(json(Value::count(7))), 7);
}

TEST(History, keeps_means_and_lines_whatever_the_length) {
  for (const int steps : {5, 8, 9, 1000, 1025}) {
    History history(2, 8);
    Real weights = 0, sum = 0;
    for (int k = 0; k < steps; ++k) {
      const Real w = k % 3 + 1, x = k * 0.25;
      history.add(w, std::vector<Real>{x, 5 - 3 * x});
      weights += w, sum += w * x;
    }
    const auto all = [](int) { return true; };
    EXPECT_LE(history.size(), 8);
    EXPECT_GE(history.size(), std::min(steps, 5));
    EXPECT_NEAR(mean(history, 0, all), sum / weights, 1e-12 * sum / weights) << steps;
    EXPECT_NEAR(slope(history, 0, 1, all), -3, 1e-12) << steps;
    EXPECT_NEAR(slope(history, 0, 1, last_half(history, 0, 0, 0.25 * steps)), -3, 1e-12) << steps;
    EXPECT_TRUE(std::isnan(slope(history, 0, 1, [](int bin) { return bin == 0; })));
    EXPECT_TRUE(std::isnan(mean(history, 0, [](int) { return false; })));
  }
}

TEST(History, goes_on_from_its_memory_with_the_same_bits) {
  History whole(1, 8), resumed(1, 8);
  for (int k = 0; k < 100; ++k) {
    const std::vector<Real> value{std::sin(k)};
    whole.add(0.1, value);
    History next(1, 8);
    next.recall(resumed.memory());
    next.add(0.1, value);
    resumed = next;
    ASSERT_EQ(whole.memory(), resumed.memory()) << k;
  }
}

}  // namespace
}  // namespace cairn::run
