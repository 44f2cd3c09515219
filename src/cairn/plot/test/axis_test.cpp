// Ticks at round numbers, labels that tell them apart, values at their place.
#include "cairn/plot/axis.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::plot {
namespace {

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const Tick& t : ticks.ticks)
    if (!t.label.empty()) out.push_back(t.exponent.empty() ? t.label : t.label + "^" + t.exponent);
  return out;
}

using Labels = std::vector<std::string>;

TEST(LinearTicks, stand_at_steps_of_1_2_and_5) {
  EXPECT_EQ(labels(linear_ticks({0, 1}, 5)), (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear_ticks({-12, 12}, 5)), (Labels{"\u221210", "\u22125", "0", "5", "10"}));
  EXPECT_EQ(labels(linear_ticks({0.999, 1.003}, 4)), (Labels{"0.999", "1.000", "1.001", "1.002", "1.003"}));
}

TEST(LinearTicks, take_out_a_power_of_ten_where_numbers_are_large_or_small) {
  const Ticks small = linear_ticks({0, 4e-6}, 4);
  EXPECT_EQ(small.power, -6);
  EXPECT_EQ(labels(small), (Labels{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(linear_ticks({0, 2e7}, 4).power, 7);
  EXPECT_EQ(linear_ticks({0, 2000}, 4).power, 0);
}

TEST(LinearTicks, are_few_whatever_the_range) {
  for (const double size : {1e-300, 1e-9, 1.0, 7.7, 3e5, 1e300})
    for (const int wanted : {2, 5, 10}) {
      const auto n = linear_ticks({-size, 1.7 * size}, wanted).ticks.size();
      EXPECT_GE(n, 2u) << size << " " << wanted;
      EXPECT_LE(n, 16u) << size << " " << wanted;
    }
  EXPECT_LE(linear_ticks({1, std::nextafter(1.0, 2.0)}, 5).ticks.size(), 101u);  // no room between two numbers
}

TEST(LogTicks, stand_at_decades_with_small_ticks_between) {
  const Ticks ticks = log_ticks({1e-3, 1}, 6);
  EXPECT_EQ(labels(ticks), (Labels{"10^\u22123", "10^\u22122", "10^\u22121", "10^0"}));
  EXPECT_EQ(ticks.ticks.size(), 28u);  // 3 decades of 9, and the end
}

TEST(LogTicks, skip_decades_where_there_are_many) {
  EXPECT_EQ(labels(log_ticks({1e-16, 1}, 4)),
            (Labels{"10^\u221216", "10^\u221212", "10^\u22128", "10^\u22124", "10^0"}));
}

TEST(LogTicks, label_digits_where_decades_are_few) {
  EXPECT_EQ(labels(log_ticks({2, 7}, 5)), (Labels{"2", "3", "4", "5", "6", "7"}));
  EXPECT_EQ(labels(log_ticks({1e-5, 5e-4}, 5)), (Labels{"10^\u22125", "2\u00d710^\u22125", "5\u00d710^\u22125",
                                                        "10^\u22124", "2\u00d710^\u22124", "5\u00d710^\u22124"}));
  EXPECT_EQ(labels(log_ticks({1, 1.5}, 5)), (Labels{"1.0", "1.1", "1.2", "1.3", "1.4", "1.5"}));
}

TEST(Scale, puts_values_at_their_place) {
  Scale linear({-1, 1}, false), log({1e-4, 1}, true);
  linear.place(100, 0);
  log.place(0, 80);
  EXPECT_DOUBLE_EQ(linear(0), 50);
  EXPECT_DOUBLE_EQ(linear(1), 0);
  EXPECT_NEAR(log(1e-3), 20, 1e-12);
  EXPECT_FALSE(std::isfinite(log(0)));
  EXPECT_FALSE(std::isfinite(log(-1)));
}

TEST(Extent, holds_what_can_be_shown_and_a_margin) {
  Extent linear(false), log(true), same(false), none(true);
  for (const double v : {3.0, std::nan(""), 1.0, HUGE_VAL}) linear.add(v);
  EXPECT_NEAR(linear.padded().low, 0.9, 1e-12);
  EXPECT_NEAR(linear.padded().high, 3.1, 1e-12);
  for (const double v : {0.0, -4.0, 1e-2, 1e2}) log.add(v);
  EXPECT_NEAR(std::log10(log.padded().low), -2.2, 1e-12);
  same.add(5);
  EXPECT_LT(same.padded().low, 5);
  EXPECT_GT(same.padded().high, 5);
  EXPECT_GT(none.padded().low, 0);
}

}  // namespace
}  // namespace cairn::plot
