#include "cairn/plot/contour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/base/check.hpp"

namespace cairn::plot {
namespace {

std::array<int, 3> parts_of(const std::string& colour) {
  CAIRN_CHECK(colour.size() == 7 && colour[0] == '#', "a colour as #rrggbb");
  std::array<int, 3> rgb{};
  for (std::size_t k = 0; k < 3; ++k) rgb[k] = std::stoi(colour.substr(1 + 2 * k, 2), nullptr, 16);
  return rgb;
}

// Borders between nodes: half-way, and the outermost nodes themselves.
std::vector<double> borders(const std::vector<double>& x) {
  std::vector<double> b{x.front()};
  for (std::size_t i = 1; i < x.size(); ++i) b.push_back((x[i - 1] + x[i]) / 2);
  b.push_back(x.back());
  return b;
}

struct Node {
  double x, y, value;
};

// The piece of the line inside one triangle, if it passes there.
void cross(const Node& a, const Node& b, const Node& c, double level, Curve& line) {
  std::vector<std::pair<double, double>> ends;
  const auto edge = [&](const Node& p, const Node& q) {
    if ((p.value < level) == (q.value < level)) return;
    const double s = (level - p.value) / (q.value - p.value);
    ends.emplace_back(p.x + s * (q.x - p.x), p.y + s * (q.y - p.y));
  };
  edge(a, b), edge(b, c), edge(c, a);
  if (ends.size() != 2) return;
  for (const auto& [x, y] : ends) line.x.push_back(x), line.y.push_back(y);
  line.x.push_back(std::nan("")), line.y.push_back(std::nan(""));
}

}  // namespace

std::string ColourScale::operator()(double value) const {
  CAIRN_CHECK(!at.empty() && at.size() == colour.size(), "a scale has as many values as colours");
  if (!(value > at.front())) return colour.front();
  if (!(value < at.back())) return colour.back();
  const auto k = static_cast<std::size_t>(std::upper_bound(at.begin(), at.end(), value) - at.begin());
  const auto from = parts_of(colour[k - 1]), to = parts_of(colour[k]);
  constexpr double shades = 12;  // between two colours: neighbours that share one become one shape
  const double s = std::round(shades * (value - at[k - 1]) / (at[k] - at[k - 1])) / shades;
  std::array<int, 3> rgb{};
  for (std::size_t i = 0; i < 3; ++i) rgb[i] = static_cast<int>(std::lround(from[i] + s * (to[i] - from[i])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::vector<Shape> cells(const Field& field, const ColourScale& colours, const std::string& undefined) {
  CAIRN_CHECK(field.value.size() == field.x.size() * field.y.size(), "a value at each node");
  const std::vector<double> bx = borders(field.x), by = borders(field.y);
  const std::size_t n = field.x.size();
  std::vector<Shape> shapes;
  for (std::size_t j = 0; j < field.y.size(); ++j)
    for (std::size_t i = 0; i < n;) {
      const auto colour_at = [&](std::size_t k) {
        const double v = field.value[j * n + k];
        return std::isfinite(v) ? colours(v) : undefined;
      };
      const std::string colour = colour_at(i);
      std::size_t end = i + 1;
      while (end < n && colour_at(end) == colour) ++end;
      Shape cell = polygon({bx[i], bx[end], bx[end], bx[i]}, {by[j], by[j], by[j + 1], by[j + 1]}, colour);
      cell.stroke = colour, cell.width = 0.6;  // hides the seams
      shapes.push_back(cell);
      i = end;
    }
  return shapes;
}

Curve contour(const Field& field, double level) {
  CAIRN_CHECK(field.value.size() == field.x.size() * field.y.size(), "a value at each node");
  Curve line{"", {}, {}};
  const std::size_t n = field.x.size();
  const auto node = [&](std::size_t i, std::size_t j) { return Node{field.x[i], field.y[j], field.value[j * n + i]}; };
  for (std::size_t j = 0; j + 1 < field.y.size(); ++j)
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const Node a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1), d = node(i, j + 1);
      if (!std::isfinite(a.value + b.value + c.value + d.value)) continue;
      cross(a, b, c, level, line);
      cross(a, c, d, level, line);
    }
  return line;
}

Axes colour_bar(const ColourScale& colours, double low, double high, const std::string& title) {
  Axes axes{title, "", ""};
  const int steps = 60;
  for (int k = 0; k < steps; ++k) {
    const double y0 = low + (high - low) * k / steps, y1 = low + (high - low) * (k + 1) / steps;
    Shape band = polygon({0, 1, 1, 0}, {y0, y0, y1, y1}, colours((y0 + y1) / 2));
    band.stroke = band.fill, band.width = 0.6;
    axes.shapes.push_back(band);
  }
  axes.x_range = Range{0, 1}, axes.y_range = Range{low, high};
  return axes;
}

}  // namespace cairn::plot
