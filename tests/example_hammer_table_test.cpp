#include <cmath>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(Set settings, const char* side = "above") {
  settings.emplace_back("side", side);
  return run_example("hammer-table", settings);
}

TEST(HammerTable, the_object_jumps_though_the_table_hardly_moves_and_not_on_a_rigid_table) {
  for (const char* side : {"above", "below"}) {
    const Output out = run_with({}, side);
    EXPECT_GE(number_of(out, "jumps"), 1) << side;
    EXPECT_GT(number_of(out, "height"), 5 * number_of(out, "table_motion")) << side;
    EXPECT_LT(number_of(out, "rigid_height"), 1e-18) << side;
    EXPECT_LT(number_of(out, "energy_defect"), 1e-12) << side;
  }
}

TEST(HammerTable, no_law_of_impact_makes_the_object_jump_on_a_rigid_table) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const Output out = run_with({{"e", e}, {"e_hammer", e}, {"T", 0.02}});
    EXPECT_LT(number_of(out, "rigid_height"), 1e-18);
  }
}

// Hit from above: the table starts down at w = (1 + e') m' V/(m' + M), comes back at w after half a turn and throws the
// object up at (1 + e) M w/(M + m), in the limit of a stiff support without damping.
TEST(HammerTable, height_tends_to_that_of_two_impacts_on_a_stiff_support) {
  for (const auto& [e, hammer] : {std::pair{0.0, 0.0}, std::pair{0.0, 0.8}, std::pair{0.4, 0.8}}) {
    double last = 1;
    for (const double frequency : {500.0, 2000.0}) {
      const Output out = run_with({{"e", e},
                                   {"e_hammer", hammer},
                                   {"damping", 0},
                                   {"m_object", 2},
                                   {"frequency", frequency},
                                   {"h", 1e-3 / frequency},
                                   {"T", 0.06}});
      const double w = (1 + hammer) * 0.5 * 8 / 20.5, u = (1 + e) * 20 * w / 22, height = u * u / (2 * 9.81);
      const double off = std::abs(number_of(out, "height") / height - 1);
      EXPECT_LT(off, 0.5 * last) << e << " " << hammer << " " << frequency;
      last = off;
    }
    EXPECT_LT(last, 0.02);
  }
}

// From below and soft: hammer, table and object start together.
TEST(HammerTable, from_below_the_three_start_together) {
  const Output out = run_with(
      {{"damping", 0}, {"m_object", 2}, {"e_hammer", 0}, {"frequency", 1000}, {"h", 2e-6}, {"T", 0.05}}, "below");
  const double u = 0.5 * 8 / 22.5;
  EXPECT_NEAR(number_of(out, "height"), u * u / (2 * 9.81), 0.01 * u * u / (2 * 9.81));
}

TEST(HammerTable, nothing_moves_without_a_blow) {
  const Output out = run_with({{"speed", 0}, {"T", 0.05}});
  EXPECT_EQ(number_of(out, "jumps"), 0);
  EXPECT_LT(number_of(out, "height"), 1e-15);
}

TEST(HammerTable, steps_that_cannot_follow_the_table_are_refused) {
  const Example& example = *find("hammer-table");
  Parameters p(example.parameters);
  EXPECT_TRUE(p.set("h", 1e-3));
  const auto out = example.run(p);
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().find("h:"), std::string::npos);
  EXPECT_FALSE(p.set("m_table", 0.0));
}

}  // namespace
}  // namespace cairn::examples
