#include <cmath>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("chalk", settings); }

TEST(Chalk, pushed_it_draws_dots_as_far_apart_as_the_hand_goes_in_a_period) {
  const Output out = run_with({});
  EXPECT_GT(number_of(out, "dots"), 15);
  EXPECT_GT(number_of(out, "hops"), 5);
  EXPECT_NEAR(number_of(out, "distance"), 0.1 * number_of(out, "period"), 0.02 * number_of(out, "distance"));
}

TEST(Chalk, period_does_not_depend_on_the_step) {
  const double period = number_of(run_with({}), "period");
  EXPECT_NEAR(number_of(run_with({{"h", 3.7e-6}}), "period"), period, 0.02 * period);
}

TEST(Chalk, without_difference_of_coefficients_and_without_friction_the_line_is_plain) {
  EXPECT_EQ(number_of(run_with({{"mu_s", 0.2}, {"mu_d", 0.2}}), "dots"), 0);
  EXPECT_EQ(number_of(run_with({{"mu_s", 0}, {"mu_d", 0}}), "dots"), 0);
}

TEST(Chalk, drawing_to_the_left_is_drawing_to_the_right_in_a_mirror) {
  const Output out = run_with({}), mirror = run_with({{"V", -0.1}, {"angle_deg", -20}});
  EXPECT_NEAR(number_of(out, "period"), number_of(mirror, "period"), 0.02 * number_of(out, "period"));
  EXPECT_LT(number_of(mirror, "distance"), 0);
}

TEST(Chalk, dragged_it_stays_on_the_board_and_its_dots_run_together) {
  const Output out = run_with({{"angle_deg", -20}});
  EXPECT_EQ(number_of(out, "hops"), 0);
  EXPECT_EQ(number_of(out, "dots"), 0);
  EXPECT_GT(number_of(out, "touching"), 0.99);
}

TEST(Chalk, refuses_a_dynamic_coefficient_above_the_static_one) {
  EXPECT_FALSE(bool(try_example("chalk", {{"mu_d", 0.7}})));
}

}  // namespace
}  // namespace cairn::examples
