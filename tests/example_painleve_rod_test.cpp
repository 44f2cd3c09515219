#include <cmath>
#include <numbers>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("painleve-rod", settings); }

constexpr double degree = std::numbers::pi / 180;

bool paradox(const Output& out) { return std::get<bool>(*out.find("paradox")); }
std::string word_of(const Output& out, const std::string& name) { return std::get<std::string>(*out.find(name)); }

TEST(PainleveRod, paradox_exactly_above_the_stated_coefficient) {
  for (const double theta : {10.0, 30.0, 45.0, 63.0, 80.0, 88.0})
    for (const double length : {0.3, 2.0}) {
      const double tangent = std::tan(theta * degree), limit = (tangent * tangent + 4) / (3 * tangent);
      EXPECT_FALSE(
          paradox(run_with({{"mu", limit * (1 - 1e-9)}, {"theta_deg", theta}, {"length", length}, {"T", 1e-3}})));
      EXPECT_TRUE(
          paradox(run_with({{"mu", limit * (1 + 1e-9)}, {"theta_deg", theta}, {"length", length}, {"T", 1e-3}})));
    }
  const double steepest = std::atan(2.0) / degree;
  EXPECT_TRUE(paradox(run_with({{"mu", 4.0 / 3 + 1e-9}, {"theta_deg", steepest}, {"T", 1e-3}})));
  EXPECT_FALSE(paradox(run_with({{"mu", 4.0 / 3 - 1e-9}, {"theta_deg", steepest}, {"T", 1e-3}})));
}

TEST(PainleveRod, no_paradox_when_the_rod_is_dragged_and_the_mirror_image_has_it) {
  EXPECT_FALSE(paradox(run_with({{"mu", 5}, {"v", -1}})));
  EXPECT_EQ(word_of(run_with({{"mu", 5}, {"v", -10}, {"T", 0.01}}), "outcome"), "slide");
  const Output mirror = run_with({{"mu", 1.6}, {"theta_deg", 120}, {"v", -1}});
  EXPECT_TRUE(paradox(mirror));
  EXPECT_EQ(word_of(mirror, "outcome"), "jam");
}

TEST(PainleveRod, inconsistent_start_jams_at_once_with_the_jump_that_stops_the_end) {
  const Output out = run_with({});
  EXPECT_EQ(word_of(out, "kind"), "inconsistent");
  EXPECT_EQ(word_of(out, "outcome"), "jam");
  EXPECT_LT(number_of(out, "event_time"), 2e-4);
  EXPECT_NEAR(number_of(out, "jump"), -1, 2e-3);
  EXPECT_LT(number_of(out, "energy_gain_max"), std::pow(9.81 * 1e-4, 2));  // of a persistent contact: below m (g h)^2
}

// omega^2 (L/2) sin(theta) > g: the end rises by itself.
TEST(PainleveRod, fast_rotation_makes_the_start_indeterminate_and_the_end_lifts_off) {
  const double spin = std::sqrt(9.81 / (0.5 * std::sin(60 * degree)));
  const Output fast = run_with({{"omega", 1.01 * spin}, {"T", 0.05}});
  EXPECT_EQ(word_of(fast, "kind"), "indeterminate");
  EXPECT_EQ(word_of(fast, "outcome"), "lift off");
  EXPECT_EQ(word_of(run_with({{"omega", 0.99 * spin}, {"T", 0.01}}), "kind"), "inconsistent");
  const Output mild = run_with({{"omega", 1.01 * spin}, {"mu", 0.3}, {"T", 0.05}});
  EXPECT_EQ(word_of(mild, "kind"), "consistent");
  EXPECT_EQ(word_of(mild, "outcome"), "lift off");
}

// Sliding rod, omega = 0 at first: R = m g/Y, and the end loses speed at the rate R (mu W_TT - W_NT), by hand.
TEST(PainleveRod, consistent_start_slides_at_the_rate_of_the_equations) {
  const double mu = 0.3, c = 0.5, s = std::sin(60 * degree);
  const Output out = run_with({{"mu", mu}, {"T", 1e-3}, {"h", 1e-5}});
  EXPECT_EQ(word_of(out, "kind"), "consistent");
  EXPECT_EQ(word_of(out, "outcome"), "slide");
  EXPECT_NEAR(number_of(out, "yield"), 1 + 3 * c * c - 3 * mu * s * c, 1e-14);
  const double R = 9.81 / (1 + 3 * c * c - 3 * mu * s * c), rate = R * (3 * s * c - mu * (1 + 3 * s * s));
  const auto& slip = out.tables[0].columns[4].values;
  EXPECT_NEAR((slip.back() - slip.front()) / 1e-3, rate, 0.02 * std::abs(rate));
}

TEST(PainleveRod, bad_values_are_refused) {
  Parameters p(find("painleve-rod")->parameters);
  EXPECT_FALSE(p.set("length", 0.0));
  EXPECT_FALSE(p.set("h", -1.0));
  EXPECT_FALSE(p.set("mu", -0.1));
}

}  // namespace
}  // namespace cairn::examples
