#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("rocking-block", settings); }

const std::vector<double>& list_of(const Output& out, const std::string& name) {
  return std::get<std::vector<double>>(*out.find(name));
}

TEST(RockingBlock, impacts_at_the_instants_of_the_pendulum) {
  const Output out = run_with({{"T", 2.1}});
  const std::vector<double>& times = list_of(out, "impact_times");
  const double expected[] = {0.347094, 0.950921, 1.487940, 1.972072};
  ASSERT_EQ(times.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(times[k], expected[k], 2e-4) << k;
}

TEST(RockingBlock, instants_err_by_a_multiple_of_the_step) {
  const Order order = order_of("rocking-block", {}, 1e-3);
  EXPECT_LT(order.factor, 25);
  EXPECT_NEAR(order.slope, 1, 0.15);
}

TEST(RockingBlock, ratio_of_housner_and_its_extension) {
  for (const double b : {0.1, 0.3, 0.5, 1.0})
    for (const double e : {0.0, 0.5, 1.0}) {
      const double s2 = b * b / (b * b + 0.25), r0 = std::max(0.0, 1 - 1.5 * s2);
      const Output out = run_with({{"b", b}, {"e", e}, {"mu", 3}, {"theta0", 0.08}, {"T", 0.5}, {"h", 2e-5}});
      ASSERT_FALSE(list_of(out, "omega_ratios").empty());
      EXPECT_NEAR(list_of(out, "omega_ratios")[0], 1 - (1 + e) * (1 - r0), 1e-3) << b << " " << e;
    }
}

TEST(RockingBlock, both_sides_are_alike) {
  const double theta = 0.05;
  const auto right = list_of(run_with({{"theta0", theta}, {"T", 1}}), "impact_times");
  const auto left = list_of(run_with({{"theta0", -theta}, {"T", 1}}), "impact_times");
  ASSERT_EQ(right.size(), left.size());
  ASSERT_FALSE(left.empty());
  EXPECT_NEAR(right[0], left[0], 1e-6);
}

TEST(RockingBlock, falls_over_beyond_the_critical_inclination_and_rests_upright) {
  EXPECT_TRUE(std::get<bool>(*run_with({{"theta0", 0.25}, {"T", 2}}).find("overturned")));
  const Output out = run_with({{"theta0", 0}, {"T", 0.1}});
  EXPECT_TRUE(list_of(out, "impact_times").empty());
  EXPECT_FALSE(std::get<bool>(*out.find("overturned")));
  EXPECT_FALSE(bool(find("rocking-block")->error(parameters_of(*find("rocking-block"), {{"mu", 0.01}}))));
}

}  // namespace
}  // namespace cairn::examples
