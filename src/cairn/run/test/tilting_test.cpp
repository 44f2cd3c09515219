// Dominoes, rocking columns, and impacts in a row.
#include <numbers>

#include "cairn/run/test/running.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/dominoes.hpp"

namespace cairn::run {
namespace {

using namespace test;

TYPED_TEST_SUITE(Measured, Dimensions);

constexpr Real degree = std::numbers::pi / 180;

void tilt(ModelState<2>& s, int body, Real angle) { s.r[at(body)].angle = -angle; }
void tilt(ModelState<3>& s, int body, Real angle) { s.r[at(body)].r = Rotation<3>::by(Vec<3>{0, angle, 0}); }

// Width 0.2, height 1: balance at atan(0.2) = 11.3 degrees.
TYPED_TEST(Measured, columns_topple_beyond_their_balance) {
  constexpr int D = TypeParam::value;
  scene::Column column;
  column.count = 1, column.width = 0.2, column.depth = 0.5;
  const auto world = world_of<D>(column, 0.5);
  const auto most = measure<D>("tilt_max_deg", world);
  ByHand<D> end(world);
  for (const Real angle : {11.0, -11.0, 3.0}) {
    tilt(end.state, 0, angle * degree);
    EXPECT_EQ(end.number("toppled"), 0);
    most->see(end.now());
  }
  EXPECT_NEAR(most->result(end.now()).number, 11, 1e-12);
  for (const Real angle : {12.0, -80.0}) {
    tilt(end.state, 0, angle * degree);
    EXPECT_EQ(end.number("toppled"), 1);
  }
  if constexpr (D == 3) {  // a turn about the vertical is none
    end.state.r[0].r = Rotation<3>::by(Vec<3>{0, 0, 2});
    EXPECT_EQ(end.number("toppled"), 0);
    EXPECT_NEAR(end.number("tilt_max_deg"), 0, 1e-12);
  }
}

// One more falls every 20 ms.
TYPED_TEST(Measured, the_wave_of_dominoes_has_their_distance_over_the_time_between_them) {
  constexpr int D = TypeParam::value;
  scene::Dominoes dominoes;
  dominoes.count = 12;
  const auto world = world_of<D>(dominoes, 0.5);
  const auto speed = measure<D>("speed", world), toppled = measure<D>("toppled", world);
  ByHand<D> end(world);
  for (int k = 1; k <= 300; ++k) {
    end.state.t = k * end.h;
    for (int b = 0; b < 12; ++b)
      tilt(end.state, b, std::min(1.0, std::max(0.0, 40 * (end.state.t - 0.02 * b - 0.0003))));
    speed->see(end.now());
  }
  EXPECT_NEAR(speed->result(end.now()).number, 0.028 / 0.02, 1e-9);
  EXPECT_EQ(toppled->result(end.now()).number, 12);
}

TEST(Dominoes, fall_one_after_the_other) {
  scene::Dominoes dominoes;
  dominoes.count = 8, dominoes.tilt = 0.3;
  const auto out = outcomes<2>(world_of<2>(dominoes, 0.3), 5e-4, sanitized ? 20 : 1000, {"toppled", "speed"});
  if (sanitized) return;
  EXPECT_EQ(out.at("toppled"), 8);
  const Real unit = std::sqrt(9.81 * 0.048);  // the only speed that weight and height make
  EXPECT_GT(out.at("speed"), 0.5 * unit);
  EXPECT_LT(out.at("speed"), 4 * unit);
  const auto upright = outcomes<2>(world_of<2>(scene::Dominoes{.count = 4}, 0.3), 1e-3, 20, {"toppled", "speed"});
  EXPECT_EQ(upright.at("toppled"), 0);
  EXPECT_TRUE(std::isnan(upright.at("speed")));
}

// Moreau's law: the first k of n equal balls get (k(1+e)-en)/n, the others (1+e)k/n; energy k/n + e^2 (1-k/n).
TYPED_TEST(Measured, a_cradle_shares_the_velocity_as_the_law_says) {
  constexpr int D = TypeParam::value;
  for (const Real e : {0.0, 0.5, 1.0})
    for (const int direction : {1, -1}) {
      scene::World<D> world = empty_world<D>(0, e, 0);
      scene::Blocks<D> s;
      for (int k = 0; k < 5; ++k) s.blocks.push_back(ball_at<D>({0.2 * k * direction, 0}, 0.1));
      put<D>(world, s);
      for (int k = 0; k < 2; ++k) world.state.u[at(k)][0] = direction;
      const auto out = outcomes<D>(world, 1e-4, 2, {"first_speed", "last_speed", "energy_ratio"});
      EXPECT_NEAR(out.at("first_speed"), (2 * (1 + e) - e * 5) / 5, 1e-9);
      EXPECT_NEAR(out.at("last_speed"), (1 + e) * 2 / 5, 1e-9);
      EXPECT_NEAR(out.at("energy_ratio"), 0.4 + e * e * 0.6, 1e-9);
    }
}

}  // namespace
}  // namespace cairn::run
