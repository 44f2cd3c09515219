#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("belt", settings); }
double error_with(const Set& settings) { return error_of("belt", settings); }

TEST(Belt, cycle_of_the_closed_form) {
  const Output out = run_with({{"h", 1e-4}});
  EXPECT_NEAR(number_of(out, "stick_time"), 0.3924, 3.4e-4);
  EXPECT_NEAR(number_of(out, "slip_time"), 0.4084322171, 3.4e-4);
  EXPECT_NEAR(number_of(out, "x_min"), 0.0172185468, 3e-5);
  EXPECT_NEAR(number_of(out, "x_max"), 0.0612614532, 3e-5);
}

TEST(Belt, period_errs_as_stated) {
  EXPECT_LT(error_with({{"h", 1e-3}}), 2 * 2.2e-3);
  EXPECT_LT(error_with({{"h", 1e-4}}), 2 * 1.7e-4);
  EXPECT_LT(error_with({{"h", 1e-5}, {"T", 5}}), 2 * 1.8e-5);
}

TEST(Belt, other_parameters_and_the_belt_turned_round) {
  const double m = 2, K = 350, mu_s = 0.5, mu_d = 0.2, V = 0.3, g = 9.81;
  const double w = std::sqrt(K / m), a = (mu_s - mu_d) * m * g / K, amplitude = std::hypot(a, V / w);
  for (const double sense : {1.0, -1.0}) {
    const Output out =
        run_with({{"m", m}, {"K", K}, {"mu_s", mu_s}, {"mu_d", mu_d}, {"V", sense * V}, {"h", 3.1e-5}, {"T", 4}});
    EXPECT_NEAR(number_of(out, "stick_time"), 2 * a / V, 2e-4);
    EXPECT_NEAR(number_of(out, "slip_time"), (std::numbers::pi + 2 * std::atan(V / (w * a))) / w, 2e-4);
    const double farthest = sense > 0 ? number_of(out, "x_max") : -number_of(out, "x_min");
    EXPECT_NEAR(farthest, mu_d * m * g / K + amplitude, 5e-5);
  }
}

TEST(Belt, limits) {
  EXPECT_EQ(number_of(run_with({{"V", 0}, {"T", 1}}), "cycles"), 0);
  EXPECT_FALSE(bool(try_example("belt", {{"mu_d", 0.7}})));
  run_with({{"mu_s", 0}, {"mu_d", 0}, {"T", 1}});
  run_with({{"mu_s", 0.4}, {"T", 1}});
}

}  // namespace
}  // namespace cairn::examples
