#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("driven-pendulum", settings); }

constexpr double degree = std::numbers::pi / 180;

TEST(DrivenPendulum, ledger_closes_to_rounding_and_the_wall_takes_energy) {
  for (const double direction : {0.0, 90.0, 30.0})
    for (const double e : {0.0, 0.5, 1.0}) {
      const Output out = run_with({{"direction_deg", direction}, {"e", e}});
      EXPECT_LT(number_of(out, "energy_defect"), 1e-12);
      EXPECT_GE(number_of(out, "impacts"), 2);
      EXPECT_GT(number_of(out, "dissipation"), e < 1 ? 1e-3 : -1e-12);
    }
}

TEST(DrivenPendulum, balance_of_energy_converges_with_the_step) {
  const Example& example = *find("driven-pendulum");
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> decade(0, 1);
  for (const double direction : {0.0, 60.0}) {
    const auto mean = [&](double H) {
      double sum = 0;
      for (int k = 0; k < 20; ++k) {
        Parameters p(example.parameters);
        EXPECT_TRUE(p.set("h", H * std::pow(10, -decade(random))));
        EXPECT_TRUE(p.set("direction_deg", direction));
        EXPECT_TRUE(p.set("T", 3.0));
        sum += *example.error(p) / 20;
      }
      return sum;
    };
    const double coarse = mean(1e-2), fine = mean(1e-3);
    EXPECT_LT(fine, 0.03 * coarse);  // of the second order, impacts included
    EXPECT_LT(fine, 1e-5);
  }
}

// Small swings, wall far away: theta'' + w^2 theta = (a W^2/L) sin(W t), started on its forced motion.
TEST(DrivenPendulum, forced_small_swing) {
  const double a = 1e-6, W = 2 * std::numbers::pi * 0.7, L = 0.5, w2 = 9.81 / L, A = a * W * W / L / (w2 - W * W);
  const Output out = run_with({{"a", a}, {"length", L}, {"theta0_deg", 0}, {"omega0", A * W}, {"stop", 1}, {"T", 2.3}});
  EXPECT_NEAR(number_of(out, "theta"), A * std::sin(W * 2.3), 1e-4 * A);
  EXPECT_EQ(number_of(out, "impacts"), 0);
}

// Pivot at rest, wall below it: small swings come back every half period, at speeds e, e^2, ...
TEST(DrivenPendulum, small_swings_against_a_wall_below_a_pivot_at_rest) {
  const double e = 0.7, w = std::sqrt(9.81), start = 1e-3;
  const Output out =
      run_with({{"a", 0}, {"stop", 0}, {"e", e}, {"theta0_deg", -start / degree}, {"T", 3}, {"h", 1.234e-4}});
  const auto times = std::get<std::vector<double>>(*out.find("impact_times"));
  ASSERT_EQ(times.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(times[k], (0.5 + static_cast<double>(k)) * std::numbers::pi / w, 3e-4);
  const double energy = w * w * start * start / 2;
  EXPECT_NEAR(number_of(out, "dissipation"), energy * (1 - std::pow(e, 6)), 1e-3 * energy);
  EXPECT_NEAR(number_of(out, "pivot_work"), 0, 1e-15);
}

// A soft wall met by a pendulum that hangs still while the pivot pushes it: the bob is never past the wall but by O(h).
TEST(DrivenPendulum, violation_is_of_the_order_of_a_step) {
  const double coarse = number_of(run_with({{"h", 2e-3}, {"e", 0}}), "violation_max");
  const double fine = number_of(run_with({{"h", 2e-5}, {"e", 0}, {"T", 5}}), "violation_max");
  EXPECT_LT(coarse, 2e-3 * 3);
  EXPECT_LT(fine, 2e-5 * 3);
}

TEST(DrivenPendulum, start_beyond_the_wall_is_refused) {
  const Example& example = *find("driven-pendulum");
  Parameters p(example.parameters);
  EXPECT_TRUE(p.set("theta0_deg", 30.0));
  const auto out = example.run(p);
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().find("theta0_deg"), std::string::npos);
  EXPECT_FALSE(example.error(p));
  EXPECT_FALSE(p.set("h", 0.0));
}

}  // namespace
}  // namespace cairn::examples
