// Fewer points with the same look on the page.
#pragma once

#include <vector>

namespace cairn::plot {

struct Point {
  double x, y;  // [px]
};

using Stretch = std::vector<Point>;  // all finite

// Splits where a coordinate is not finite.
std::vector<Stretch> runs_of(const std::vector<Point>& points);

// Drops what lies within a fraction of a pixel of its forerunner. Where more than `most` are left: a curve that goes to
// one side keeps first, lowest, highest and last of each small column; any other is sampled evenly.
Stretch thin_line(const Stretch& run, std::size_t most);

// One point for each small square of the page.
Stretch thin_points(const Stretch& run, std::size_t most);

}  // namespace cairn::plot
