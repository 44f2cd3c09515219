#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("slope-particle", settings); }

TEST(SlopeParticle, stops_where_the_closed_form_says) {
  for (const double k : {1.5, 2.0, 4.0})
    for (const double theta : {20.0, 30.0}) {
      const double h = 2.3e-5, v0 = 1.2, a = 9.81 * std::sin(theta * std::numbers::pi / 180);
      const Output out = run_with({{"k", k}, {"theta", theta}, {"v0", v0}, {"h", h}});
      EXPECT_NEAR(number_of(out, "stop_time"), k * v0 / (a * (k * k - 1)), 1.6 * h);
      EXPECT_NEAR(number_of(out, "x"), v0 * v0 / (2 * a) * 4 * k / (4 * k * k - 1), 1.6 * h);
      EXPECT_NEAR(number_of(out, "y"), v0 * v0 / (4 * a * (k * k - 1)), 1.6 * h);
      EXPECT_EQ(number_of(out, "speed"), 0);
    }
}

TEST(SlopeParticle, at_k_one_the_speed_falls_to_half) {
  const Output out = run_with({{"k", 1}, {"T", 10}, {"h", 1.1e-3}});
  EXPECT_NEAR(number_of(out, "speed"), 0.5, 1.6 * 1.1e-3);
  EXPECT_TRUE(std::isinf(number_of(out, "stop_time")));
}

TEST(SlopeParticle, errs_by_a_multiple_of_the_step) {
  for (const double k : {0.5, 1.3, 2.0}) {
    const Order order = order_of("slope-particle", {{"k", k}}, 3e-3);
    EXPECT_LT(order.factor, 1.6) << k;
    EXPECT_NEAR(order.slope, 1, 0.15) << k;
  }
}

TEST(SlopeParticle, without_friction_it_is_a_projectile) {
  const Output out = run_with({{"k", 0}, {"v0", -2}, {"T", 0.5}});
  EXPECT_NEAR(number_of(out, "x"), -1, 1e-12);
  EXPECT_NEAR(number_of(out, "y"), 9.81 * 0.5 * 0.25 / 2, 1e-12);
}

}  // namespace
}  // namespace cairn::examples
