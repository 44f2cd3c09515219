#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("anisotropic-slider", settings); }

TEST(AnisotropicSlider, stops_where_and_when_an_independent_integration_says) {
  const double h = 3.7e-5;
  const Output out = run_with({{"h", h}});
  EXPECT_NEAR(number_of(out, "stop_time"), 0.4319653070, 0.18 * h);
  EXPECT_NEAR(number_of(out, "x"), 0.2376346371, 0.18 * h);
  EXPECT_NEAR(number_of(out, "y"), 0.1667039808, 0.18 * h);
}

TEST(AnisotropicSlider, errs_by_a_multiple_of_the_step) {
  const Order order = order_of("anisotropic-slider", {}, 3e-3);
  EXPECT_LT(order.factor, 0.18);
  EXPECT_NEAR(order.slope, 1, 0.15);
}

TEST(AnisotropicSlider, isotropic_and_axial_motions_are_straight) {
  const double h = 1.3e-4;
  const Output round = run_with({{"mu1", 0.4}, {"mu2", 0.4}, {"ux", 3}, {"uy", -4}, {"h", h}});
  EXPECT_NEAR(number_of(round, "stop_time"), 5 / (0.4 * 9.81), 1e-10);
  EXPECT_NEAR(number_of(round, "x") / number_of(round, "y"), -0.75, 1e-10);
  EXPECT_NEAR(std::hypot(number_of(round, "x"), number_of(round, "y")), 25 / (2 * 0.4 * 9.81), h * h);
  const Output axial = run_with({{"ux", 0}, {"uy", -1}, {"h", h}});
  EXPECT_NEAR(number_of(axial, "stop_time"), 1 / (0.3 * std::numbers::sqrt2 * 9.81), 1e-10);
  EXPECT_NEAR(number_of(axial, "x"), 0, 1e-14);
  EXPECT_EQ(number_of(run_with({{"ux", 0}, {"uy", 0}}), "stop_time"), 0);
}

}  // namespace
}  // namespace cairn::examples
