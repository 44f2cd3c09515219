#include <numbers>

#include "example_run.hpp"
#include "examples/catastrophe.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("catastrophe", settings); }

constexpr double degree = std::numbers::pi / 180;

TEST(Catastrophe, quadrature_finds_the_stated_instant_and_the_two_ends_of_the_segment) {
  const RoundTip body;
  const auto at = exact_catastrophe(body, 32 * degree, -1.5, 4);
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->t, 0.06374215, 1e-7);
  EXPECT_NEAR(at->psi / degree, 26.8587981, 1e-7);
  EXPECT_NEAR(at->psi_dot, -3.3160588, 1e-5);
  EXPECT_NEAR(at->slip, 1.4678328, 2e-5);
  EXPECT_NEAR(full_stick(body, *at), -4.5211569, 1e-5);
}

TEST(Catastrophe, all_solutions_at_the_instant_fill_the_segment) {
  for (const Real side : {1, -1}) {  // and in the mirror
    const RoundTip body;
    const auto at = exact_catastrophe(body, side * 32 * degree, side * -1.5, side * 4);
    ASSERT_TRUE(at);
    const std::vector<Outcome> ends = outcome_segment(body, *at);
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_NEAR(ends[0].psi_dot, at->psi_dot, 1e-12);
    EXPECT_NEAR(ends[0].slip, at->slip, 1e-12);
    EXPECT_NEAR(ends[1].psi_dot, full_stick(body, *at), 1e-12);
    EXPECT_NEAR(ends[1].psi_dot, side * -4.5211569, 1e-5);
    EXPECT_NEAR(ends[1].slip, 0, 1e-12);
  }
  const RoundTip body;
  Catastrophe before = *exact_catastrophe(body, 32 * degree, -1.5, 4);
  before.psi += 1e-3;  // not yet: the contact only slides
  EXPECT_TRUE(outcome_segment(body, before).empty());
}

TEST(Catastrophe, runs_end_in_the_segment_and_most_of_them_stick) {
  const Output out = run_with({});
  EXPECT_EQ(number_of(out, "catastrophes"), 1);
  EXPECT_NEAR(number_of(out, "t_mean"), 0.06374215, 4 * 0.00046);
  EXPECT_GT(number_of(out, "stick_fraction"), 0.85);
  EXPECT_LT(number_of(out, "stick_fraction"), 0.97);
  EXPECT_GT(number_of(out, "psi_dot_min"), -4.5211569 - 0.00046);
  EXPECT_LT(number_of(out, "psi_dot_max"), -3.3160588 + 250 * 0.00046);  // the rate is unbounded on the left of t*
  EXPECT_LE(number_of(out, "energy_gain_max"), 1e-15);
  EXPECT_NEAR(number_of(out, "segment_slide"), -3.3160588, 1e-5);
  EXPECT_NEAR(number_of(out, "segment_stick"), -4.5211569, 1e-5);
}

TEST(Catastrophe, outcomes_come_into_the_segment_with_finer_steps) {
  for (const auto& [h, limit] : {std::pair{1e-4, 0.05}, std::pair{1e-5, 0.015}}) {
    const Output out = run_with({{"h_max", h}, {"h_span", 0.2 * h}, {"runs", 60}, {"T", 0.07}});
    EXPECT_LT(number_of(out, "psi_dot_max"), -3.3160588 + limit);
    EXPECT_GT(number_of(out, "psi_dot_min"), -4.5211569 - h);
    EXPECT_LT(std::abs(number_of(out, "t_mean") - 0.06374215), 6 * h);
  }
}

TEST(Catastrophe, the_same_seed_gives_the_same_bits) {
  const auto once = run_with({{"runs", 20}, {"seed", 7}}), twice = run_with({{"runs", 20}, {"seed", 7}});
  EXPECT_EQ(once.values, twice.values);
  EXPECT_EQ(to_csv(once.tables[0]), to_csv(twice.tables[0]));
  EXPECT_NE(to_csv(once.tables[0]), to_csv(run_with({{"runs", 20}, {"seed", 8}}).tables[0]));
}

TEST(Catastrophe, the_mirror_image_does_the_mirror_image) {
  const Output out = run_with({{"runs", 20}});
  const Output mirror = run_with({{"runs", 20}, {"psi0_deg", -32}, {"psi_dot0", 1.5}, {"slide0", -4}});
  EXPECT_EQ(number_of(out, "t_mean"), number_of(mirror, "t_mean"));
  EXPECT_EQ(number_of(out, "psi_dot_min"), -number_of(mirror, "psi_dot_max"));
}

// A slender rod on a point: k2 = d^2/3, so yield = 1 + 3 sin (sin - mu cos), zero where 4 tan^2 - 3 mu tan + 1 = 0.
TEST(Catastrophe, of_a_rod_is_where_painleve_says) {
  const double mu = 2;
  const RoundTip rod{1, 1.0 / 3, 0, 1, mu, 9.81};
  const double psi = std::atan((3 * mu + std::sqrt(9 * mu * mu - 16)) / 8);
  const auto at = exact_catastrophe(rod, psi + 0.02, -1, 20);
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->psi, psi, 1e-9);
  EXPECT_NEAR(at->psi_dot, -std::sqrt(9.81 / std::cos(psi)), 1e-12);
  const Output out = run_with({{"k2", 1.0 / 3},
                               {"tip", 0},
                               {"mu", mu},
                               {"psi0_deg", (psi + 0.02) / degree},
                               {"psi_dot0", -1},
                               {"slide0", 20},
                               {"h_max", 1e-5},
                               {"h_span", 2e-6},
                               {"runs", 20},
                               {"T", 2 * at->t}});
  EXPECT_NEAR(number_of(out, "t_mean"), at->t, 5e-4);
}

TEST(Catastrophe, none_without_friction_and_bad_steps_are_refused) {
  const Output out = run_with({{"mu", 0}, {"runs", 3}});
  EXPECT_EQ(number_of(out, "catastrophes"), 0);
  const Example& example = *find("catastrophe");
  Parameters p(example.parameters);
  EXPECT_FALSE(p.set("h_max", 0.0));
  EXPECT_TRUE(p.set("h_span", 1.0));
  EXPECT_FALSE(example.run(p));
  p = Parameters(example.parameters);
  EXPECT_TRUE(p.set("mu", 0.0));
  EXPECT_FALSE(example.error(p));
}

}  // namespace
}  // namespace cairn::examples
