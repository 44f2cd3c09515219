#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("sliding-ball", settings); }
double error_with(const Set& settings) { return error_of("sliding-ball", settings); }

TEST(SlidingBall, rolls_at_the_velocity_and_from_the_instant_of_the_closed_form) {
  for (const double kappa : {0.4, 0.5, 1.0})
    for (const double spin : {0.0, 30.0, -20.0}) {
      const double R = 0.1, mu = 0.2, g = 9.81;
      const Output out = run_with({{"kappa", kappa}, {"omega0", spin}, {"h", 1.37e-3}, {"T", 1.5}});
      const double v = (1 + kappa * R * spin) / (1 + kappa);
      EXPECT_NEAR(number_of(out, "v"), v, 1e-13);
      EXPECT_NEAR(number_of(out, "omega"), v / R, 1e-12);
      EXPECT_NEAR(number_of(out, "roll_time"), std::abs(1 - R * spin) * kappa / ((1 + kappa) * mu * g), 1e-12);
    }
}

TEST(SlidingBall, position_errs_by_the_square_of_the_step) {
  std::mt19937_64 gen(1);
  std::uniform_real_distribution<double> decade(0, 1);
  for (const double scale : {1e-2, 1e-3})
    for (int k = 0; k < 20; ++k) {
      const double h = scale * std::pow(10, -decade(gen));
      // The step in which rolling begins moves the ball by at most mu g h^2/8 too much or too little.
      EXPECT_LT(error_with({{"h", h}}), 0.2 * 9.81 * h * h / 8 + 1e-14) << h;
    }
}

TEST(SlidingBall, without_friction_it_slides_for_ever) {
  const Output out = run_with({{"mu", 0}, {"v0", -2}, {"T", 0.3}});
  EXPECT_NEAR(number_of(out, "x"), -0.6, 1e-13);
  EXPECT_TRUE(std::isinf(number_of(out, "roll_time")));
  EXPECT_EQ(number_of(run_with({{"v0", 1}, {"omega0", 10}}), "roll_time"), 0);
}

}  // namespace
}  // namespace cairn::examples
