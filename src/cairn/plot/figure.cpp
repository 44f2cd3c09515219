#include "cairn/plot/figure.hpp"

#include <array>
#include <fstream>

#include "cairn/base/replacement.hpp"

namespace cairn::plot {

// Okabe and Ito's colours, the yellow left out: it is too faint for thin lines on white.
std::string palette(int k) {
  static constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
  return colours[static_cast<std::size_t>(k < 0 ? 0 : k) % colours.size()];
}

Shape circle(double x, double y, double radius, std::string fill) {
  Shape shape{{x}, {y}};
  shape.radius = radius;
  shape.fill = std::move(fill);
  return shape;
}

Shape polygon(std::vector<double> x, std::vector<double> y, std::string fill) {
  Shape shape{std::move(x), std::move(y)};
  shape.fill = std::move(fill);
  return shape;
}

Shape polyline(std::vector<double> x, std::vector<double> y, std::string stroke) {
  Shape shape{std::move(x), std::move(y), false};
  shape.stroke = std::move(stroke);
  return shape;
}

Shape arrow(double x0, double y0, double x1, double y1, std::string stroke) {
  Shape shape = polyline({x0, x1}, {y0, y1}, std::move(stroke));
  shape.arrow = true;
  return shape;
}

Expected<std::string> write_text(const std::string& path, const std::string& text) {
  Replacement file(path);
  std::ofstream out(file.temporary(), std::ios::binary);
  out << text;
  out.close();
  if (!out) return Error{path + ": cannot be written, expected a folder that exists and can be written to"};
  if (const std::string bad = file.commit(); !bad.empty()) return Error{path + ": cannot be written (" + bad + ")"};
  return path;
}

Expected<std::string> write_svg(const std::string& path, const Figure& figure) {
  return write_text(path, to_svg(figure));
}

}  // namespace cairn::plot
