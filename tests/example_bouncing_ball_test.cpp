#include "example_run.hpp"

namespace cairn::examples {
namespace {

TEST(BouncingBall, moreau_errs_by_the_stated_multiple_of_the_step_with_order_one) {
  const std::pair<double, double> stated[] = {{0, 0.96}, {0.5, 1.53}, {0.9, 3.40}, {1, 4.24}};
  for (const auto& [e, factor] : stated) {
    const Order order = order_of("bouncing-ball", {{"e", e}}, 1e-2, 60);
    EXPECT_GT(order.slope, 0.85) << "e = " << e;
    EXPECT_LT(order.slope, 1.15) << "e = " << e;
    EXPECT_NEAR(order.factor, factor, 0.3 * factor) << "e = " << e;
  }
}

TEST(BouncingBall, paoli_errs_by_no_more_than_stated) {
  const std::pair<double, double> stated[] = {{0, 4.0}, {0.5, 6.3}, {0.9, 12.6}, {1, 16.7}};
  for (const auto& [e, factor] : stated) {
    const Order order = order_of("bouncing-ball", {{"e", e}, {"scheme", "paoli"}}, 1e-2, 60);
    EXPECT_GT(order.slope, 0.85) << "e = " << e;
    EXPECT_LT(order.slope, 1.15) << "e = " << e;
    EXPECT_LT(order.worst_factor, 1.2 * factor) << "e = " << e;
  }
}

TEST(BouncingBall, penalty_errs_like_the_root_of_its_softness) {
  const std::pair<double, double> stated[] = {{1e-4, 1.23e-1}, {1e-6, 1.26e-2}, {1e-8, 1.26e-3}};
  for (const auto& [eps, error] : stated) {
    const Output out = run_example("bouncing-ball", {{"e", 1}, {"scheme", "penalty"}, {"eps", eps}, {"h", 1e-3}});
    EXPECT_NEAR(number_of(out, "error_sup"), error, 0.03 * error) << "eps = " << eps;
  }
}

TEST(BouncingBall, event_driven_reference_has_the_exact_motion) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const Output out = run_example("bouncing-ball", {{"e", e}, {"scheme", "event_driven"}, {"h", 0.013}});
    EXPECT_LT(number_of(out, "error_sup"), 1e-8) << "e = " << e;
  }
}

TEST(BouncingBall, monteiro_marques_is_for_soft_impacts) {
  const Order order = order_of("bouncing-ball", {{"e", 0}, {"scheme", "monteiro_marques"}}, 1e-2, 40);
  EXPECT_GT(order.slope, 0.85);
  EXPECT_LT(order.slope, 1.15);
  EXPECT_FALSE(try_example("bouncing-ball", {{"e", 0.5}, {"scheme", "monteiro_marques"}}));
}

TEST(BouncingBall, elastic_ball_keeps_its_energy) {
  const Output out = run_example("bouncing-ball", {{"e", 1}, {"h", 1.37e-3}});
  EXPECT_LT(std::abs(number_of(out, "energy_drift")), 1e-13 * 4);
  EXPECT_EQ(number_of(out, "impacts"), 2);
}

TEST(BouncingBall, stops_when_the_rebounds_have_accumulated) {
  for (const double e : {0.0, 0.3, 0.5, 0.7}) {  // from 1 m at g = 2: impact at 1 s, rest from (1 + e)/(1 - e) on
    const Output out = run_example("bouncing-ball", {{"e", e}, {"h", 1.1e-4}, {"T", 8}});
    EXPECT_NEAR(number_of(out, "stop_time"), (1 + e) / (1 - e), 20 * 1.1e-4 / (1 - e)) << "e = " << e;
    EXPECT_NEAR(number_of(out, "q"), 0, 1e-3);
  }
}

TEST(BouncingBall, another_start_lands_when_it_should) {  // q0 = 0, thrown up at 3 m/s under g = 10: back at .6 s
  const Output out = run_example("bouncing-ball", {{"q0", 0}, {"v0", 3}, {"g", 10}, {"e", 0}, {"h", 1.3e-4}, {"T", 1}});
  EXPECT_NEAR(number_of(out, "stop_time"), 0.6, 2 * 1.3e-4);
}

TEST(BouncingBall, a_start_into_the_obstacle_is_refused) {
  const auto out = try_example("bouncing-ball", {{"q0", 0}, {"v0", -1}});
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().find("v0"), std::string::npos);
}

TEST(SweepingDisc, follows_the_exact_motion_with_order_one) {
  const Output out = run_example("sweeping-disc", {{"h", 1e-4}});
  EXPECT_NEAR(number_of(out, "qx"), 2.00272458, 0.22e-4);
  EXPECT_NEAR(number_of(out, "qy"), 0.07376814, 0.22e-4);
  const Order order = order_of("sweeping-disc", {}, 1e-2, 40);
  EXPECT_GT(order.slope, 0.85);
  EXPECT_LT(order.slope, 1.15);
  EXPECT_LT(order.worst_factor, 0.22);
}

}  // namespace
}  // namespace cairn::examples
