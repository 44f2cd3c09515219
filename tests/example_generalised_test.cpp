// The examples of problem P4: Kane's and Painleve's paradoxes side by side with it, and friction sets without bound.
#include <numbers>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

const std::vector<double>& numbers_of(const Output& out, const std::string& name) {
  return std::get<std::vector<double>>(*out.find(name));
}

TEST(KaneMap, has_the_known_numbers) {
  const Output out = run_example("kane-map", {{"cells", 20}});
  EXPECT_NEAR(number_of(out, "ratio_newton"), 1.587, 5e-4);
  EXPECT_NEAR(number_of(out, "ratio_moreau"), 0.5624, 5e-5);
  EXPECT_NEAR(number_of(out, "ratio_p4"), 0.5624, 5e-5);
  EXPECT_NEAR(numbers_of(out, "moreau_plus")[0], -0.206293, 1e-6);
  EXPECT_NEAR(numbers_of(out, "moreau_plus")[1], 0.275315, 1e-6);
  EXPECT_NEAR(number_of(out, "unbounded_above"), 0.664, 5e-4);
}

TEST(KaneMap, newton_creates_energy_on_part_of_the_map_and_P4_nowhere) {
  for (const double q1 : {20.0, 45.0})
    for (const double w1 : {-0.1, 0.3}) {
      const Output out = run_example("kane-map", {{"cells", 20}, {"q1_deg", q1}, {"w1", w1}, {"w2", -2}});
      EXPECT_LE(number_of(out, "p4_most"), 1 + 1e-12);
    }
  const Output out = run_example("kane-map", {{"cells", 20}});
  EXPECT_GT(number_of(out, "newton_gain_part"), 0.3);
  EXPECT_GT(number_of(out, "newton_most"), 2);
  EXPECT_LE(number_of(out, "p4_most"), 1 + 1e-12);
  EXPECT_FALSE(try_example("kane-map", {{"w1", 1}, {"w2", 1}}));  // it moves away
}

TEST(PainleveOutcomes, coulomb_has_three_motions_in_the_fourth_regime_and_P4_one) {
  const Output out = run_example("painleve-outcomes", {{"T", 0.02}});
  EXPECT_EQ(numbers_of(out, "pointwise_solutions"), (std::vector<double>{1, 1, 1, 3}));
  for (const double distance : numbers_of(out, "p4_distance")) EXPECT_LT(distance, 5e-3);  // O(h): posed at other ends
  EXPECT_LE(number_of(out, "law_gain_max"), 1e-12);
  ASSERT_EQ(out.remarks.size(), 4u);
  EXPECT_NE(out.remarks[2].find("P4: jam"), std::string::npos);
  EXPECT_NE(out.remarks[3].find("P4: lift off"), std::string::npos);
}

TEST(PainleveOutcomes, thresholds_are_as_stated_at_other_angles) {
  for (const double theta : {45.0, 63.0, 75.0}) {
    const double tangent = std::tan(theta * std::numbers::pi / 180), limit = (tangent * tangent + 4) / (3 * tangent);
    const Output out = run_example(
        "painleve-outcomes", {{"theta_deg", theta}, {"mu_low", 0.9 * limit}, {"mu_high", 1.1 * limit}, {"T", 1e-3}});
    EXPECT_NEAR(number_of(out, "threshold"), limit, 1e-12);
    EXPECT_EQ(numbers_of(out, "pointwise_solutions"), (std::vector<double>{1, 1, 1, 3})) << theta;
  }
  EXPECT_FALSE(try_example("painleve-outcomes", {{"mu_low", 1.5}}));
}

// A blade under its centre of mass turns at a constant rate w. From rest, heading down, its velocity is v = k w sin(w
// t), k = g sin(slope)/w^2, and its path a cycloid.
TEST(Sleigh, goes_along_the_cycloid_across_the_slope) {
  const double w = 2, T = 6, k = 9.81 * std::sin(20 * std::numbers::pi / 180) / (w * w), a = w * T;
  const Output out = run_example("sleigh", {{"h", 1e-4}});
  const double x = k / 2 * (a - std::sin(2 * a) / 2), y = -k / 2 * std::sin(a) * std::sin(a);
  EXPECT_NEAR(number_of(out, "exact_x"), x, 1e-9);
  EXPECT_NEAR(number_of(out, "exact_y"), y, 1e-9);
  EXPECT_NEAR(number_of(out, "x"), x, 3e-3);
  EXPECT_NEAR(number_of(out, "y"), y, 3e-3);
  EXPECT_LE(number_of(out, "law_gain_max"), 1e-13);
}

TEST(Sleigh, converges_with_order_one_also_where_the_centre_of_mass_is_ahead) {
  for (const double a : {0.0, 0.3}) {
    const Order order = order_of("sleigh", {{"a", a}, {"v", 1}, {"T", 2}}, 1e-2, 10);
    EXPECT_GT(order.slope, 0.9);
    EXPECT_LT(order.slope, 1.1);
  }
}

TEST(RollingDisc, goes_round_in_a_circle_on_level_ground) {
  const Output out = run_example("rolling-disc", {{"h", 1e-4}});  // radius v/w = 0.5, from the origin along x
  EXPECT_NEAR(number_of(out, "exact_x"), 0.5 * std::sin(6.0), 1e-9);
  EXPECT_NEAR(number_of(out, "exact_y"), 0.5 * (1 - std::cos(6.0)), 1e-9);
  EXPECT_NEAR(number_of(out, "x"), 0.5 * std::sin(6.0), 5e-4);
  EXPECT_LE(number_of(out, "law_gain_max"), 1e-13);
}

TEST(RollingDisc, converges_with_order_one) {
  for (const double slope : {0.0, 10.0}) {
    const Order order = order_of("rolling-disc", {{"slope", slope}, {"T", 2}}, 1e-2, 10);
    EXPECT_GT(order.slope, 0.9);
    EXPECT_LT(order.slope, 1.1);
  }
}

TEST(RollingDisc, bounded_friction_has_no_exact_answer) {
  const Example* example = find("rolling-disc");
  EXPECT_FALSE(example->error(parameters_of(*example, {{"friction", "coulomb"}})));
}

}  // namespace
}  // namespace cairn::examples
