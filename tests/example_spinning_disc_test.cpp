#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("spinning-disc", settings); }

TEST(SpinningDisc, pure_spin_and_pure_sliding_stop_when_the_closed_forms_say) {
  const Output spin = run_with({{"v0", 0}, {"rings", 3}});
  EXPECT_NEAR(number_of(spin, "stop_time"), 3 * 0.1 * 10 / (4 * 0.3 * 9.81), 1e-9);
  const Output slide = run_with({{"omega0", 0}, {"rings", 2}});
  EXPECT_NEAR(number_of(slide, "stop_time"), 1 / (0.3 * 9.81), 1e-9);
  EXPECT_NEAR(number_of(slide, "x"), 1 / (2 * 0.3 * 9.81), 1e-5);
}

TEST(SpinningDisc, slide_and_spin_end_together_in_the_known_ratio) {
  for (const double spin : {10.0, -4.0}) {
    const Output out = run_with({{"omega0", spin}, {"rings", 4}, {"h", 4e-3}});
    EXPECT_NEAR(std::abs(number_of(out, "final_ratio")), 0.653, 0.007);  // 4 rings; 6 rings: 0.0006
  }
}

// Force and torque over mu m g (and R) of the full disc, in polar coordinates about the point that does not move.
std::pair<double, double> resistance(double s) {
  double F = 0, M = 0;
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double S = std::sin(2 * std::numbers::pi * (i + 0.5) / n), L = -s * S + std::sqrt(s * s * S * S + 1 - s * s);
    F += -S * L * L / n, M += 2 * (L * L * L / 3 + s * S * L * L / 2) / n;
  }
  return {F, M};
}

TEST(SpinningDisc, follows_the_integration_of_the_full_disc) {
  double v = 0.6, w = 1, t = 0, x = 0;  // in units of R, mu g
  while (w > 1e-5) {
    const double h = 0.005 * w;
    const auto [F, M] = resistance(v / w);
    const auto [F2, M2] = resistance((v - h / 2 * F) / (w - h * M));
    x += h * (v - h / 2 * F), v -= h * F2, w -= h * 2 * M2, t += h;
  }
  const double g = 0.3 * 9.81;
  const Output out = run_with({{"v0", 0.6}});
  EXPECT_NEAR(number_of(out, "stop_time"), t / g, 1e-3 * t / g);
  EXPECT_NEAR(number_of(out, "x"), x / g, 1e-3 * x / g);
  EXPECT_NEAR(number_of(out, "final_ratio"), 0.653, 1e-3);
}

TEST(SpinningDisc, limits) {
  EXPECT_TRUE(std::isinf(number_of(run_with({{"mu", 0}}), "stop_time")));
  EXPECT_EQ(number_of(run_with({{"v0", 0}, {"omega0", 0}}), "stop_time"), 0);
}

}  // namespace
}  // namespace cairn::examples
