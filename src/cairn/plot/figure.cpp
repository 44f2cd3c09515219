#include "cairn/plot/figure.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cairn/base/replaceable.hpp"

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
  if (std::string bad = refuse_to_replace(path); !bad.empty()) return Error{std::move(bad)};
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  {
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
      std::remove(temporary.c_str());
      return Error{path + ": cannot be written, expected a folder that exists and can be written to"};
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::remove(temporary.c_str());
    return Error{path + ": cannot be written (" + error.message() + ")"};
  }
  return path;
}

Expected<std::string> write_svg(const std::string& path, const Figure& figure) {
  return write_text(path, to_svg(figure));
}

}  // namespace cairn::plot
