// Thinned curves look the same: ends and extremes stay, and the number of points is bounded.
#include "cairn/plot/thin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn::plot {
namespace {

TEST(Runs, break_where_a_coordinate_is_not_finite) {
  const double nan = std::nan("");
  const auto runs = runs_of({{nan, 0}, {0, 0}, {1, 0}, {2, nan}, {INFINITY, 3}, {3, 3}, {4, nan}});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].size(), 2u);
  EXPECT_EQ(runs[1].size(), 1u);
  EXPECT_TRUE(runs_of({}).empty());
  EXPECT_TRUE(runs_of({{nan, nan}}).empty());
}

TEST(ThinLine, keeps_a_short_line_as_it_is) {
  const Stretch run{{0, 0}, {5, 1}, {10, 0}};
  EXPECT_EQ(thin_line(run, 100).size(), 3u);
  EXPECT_EQ(thin_line({}, 100).size(), 0u);
}

TEST(ThinLine, keeps_ends_and_a_spike_of_a_dense_oscillation) {
  Stretch run;
  for (int k = 0; k < 200000; ++k) run.push_back({k * 0.003, 100 * std::sin(0.7 * k)});
  run[123456].y = 777;
  const Stretch thin = thin_line(run, 4000);
  EXPECT_LE(thin.size(), 4000u);
  EXPECT_GE(thin.size(), 2000u);
  EXPECT_EQ(thin.front().x, run.front().x);
  EXPECT_EQ(thin.back().x, run.back().x);
  EXPECT_EQ(std::ranges::max(thin, {}, &Point::y).y, 777);
  EXPECT_TRUE(std::ranges::is_sorted(thin, {}, &Point::x));
}

TEST(ThinLine, drops_what_stands_still_but_not_the_end) {
  Stretch run(1000, Point{3, 4});
  run.push_back({3.1, 4});
  const Stretch thin = thin_line(run, 100);
  ASSERT_EQ(thin.size(), 2u);
  EXPECT_EQ(thin.back().x, 3.1);
}

TEST(ThinLine, bounds_a_trajectory_that_turns_back) {
  Stretch run;
  for (int k = 0; k < 50000; ++k) run.push_back({200 * std::cos(0.3 * k), 0.01 * k});
  const Stretch thin = thin_line(run, 1000);
  EXPECT_EQ(thin.size(), 1000u);
  EXPECT_EQ(thin.back().y, run.back().y);
}

TEST(ThinPoints, merges_points_of_one_place) {
  Stretch run(5000, Point{10, 10});
  run.push_back({20, 20});
  EXPECT_EQ(thin_points(run, 100).size(), 2u);
}

}  // namespace
}  // namespace cairn::plot
