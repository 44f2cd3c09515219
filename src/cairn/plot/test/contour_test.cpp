// Maps: colours at their values, one cell a node, lines where the function has the level.
#include "cairn/plot/contour.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::plot {
namespace {

Field field(int n, double (*f)(double, double)) {
  Field out;
  for (int i = 0; i <= n; ++i) out.x.push_back(double(i) / n), out.y.push_back(2.0 * i / n);
  for (const double y : out.y)
    for (const double x : out.x) out.value.push_back(f(x, y));
  return out;
}

TEST(Contour, lies_where_the_function_has_the_level) {
  const Curve line = contour(field(50, [](double x, double y) { return x * x + y; }), 0.7);
  int points = 0;
  for (std::size_t k = 0; k < line.x.size(); ++k) {
    if (std::isnan(line.x[k])) continue;
    ++points;
    EXPECT_NEAR(line.x[k] * line.x[k] + line.y[k], 0.7, 2e-4);
  }
  EXPECT_GT(points, 50);
  EXPECT_TRUE(contour(field(10, [](double, double) { return 0.0; }), 0.7).x.empty());
}

TEST(Contour, what_is_not_finite_has_its_own_colour_and_no_line) {
  const Field hole = field(10, [](double x, double) { return x > 0.5 ? NAN : x; });
  for (const double x : contour(hole, 0.25).x) EXPECT_FALSE(x > 0.5);
  EXPECT_TRUE(contour(hole, 0.9).x.empty());
  const ColourScale scale{{0, 1}, {"#000000", "#ffffff"}};
  double undefined = 0;  // area
  for (const Shape& s : cells(hole, scale, "#123456"))
    if (s.fill == "#123456") undefined += (s.x[1] - s.x[0]) * (s.y[2] - s.y[1]);
  EXPECT_NEAR(undefined, 0.45 * 2, 1e-12);  // cells end half-way between nodes
}

TEST(Contour, colours_end_at_the_ends_and_mix_between) {
  const ColourScale scale{{1, 2}, {"#000000", "#ff8000"}};
  EXPECT_EQ(scale(0), "#000000");
  EXPECT_EQ(scale(3), "#ff8000");
  EXPECT_EQ(scale(1.5), "#804000");
}

}  // namespace
}  // namespace cairn::plot
