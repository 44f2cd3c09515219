#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

std::vector<double> lines_with(const char* y0, double sense) {
  const Output out = run_example("vibrating-table", {{"sense", sense}, {"T", 8}, {"y0_list", y0}});
  return std::get<std::vector<double>>(*out.find("lines"));
}

void expect_lines(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 0.5) << k;
}

TEST(VibratingTable, particles_gather_on_the_lines_of_the_stroboscope) {
  expect_lines(lines_with("55,72,150,227,303", 1), {70.9, 149.7, 226.6, 303.0});
}

TEST(VibratingTable, the_other_way_round_the_axis_attracts) {
  expect_lines(lines_with("2,101,181,258", -1), {-0.5, 100.9, 180.9, 258.1});
}

TEST(VibratingTable, far_lines_are_as_far_apart_as_the_formula_says) {
  const Output out = run_example("vibrating-table", {{"sense", 1}, {"T", 4}, {"y0_list", "227,303"}});
  EXPECT_NEAR(number_of(out, "spacing_far"), 76.06, 0.01);
  EXPECT_NEAR(number_of(out, "spacing"), number_of(out, "spacing_far"), 0.5);  // what is left of the nearness to Ox
}

TEST(VibratingTable, refuses_what_is_not_a_crank) {
  EXPECT_FALSE(bool(try_example("vibrating-table", {{"r", 60}})));
  EXPECT_FALSE(bool(try_example("vibrating-table", {{"sense", 0}})));
  EXPECT_FALSE(bool(try_example("vibrating-table", {{"h", 0.05}})));
}

}  // namespace
}  // namespace cairn::examples
