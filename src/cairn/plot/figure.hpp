// Figures as data: curves, shapes and texts on axes, written as SVG (our own writer) or PNG (through librsvg).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"

namespace cairn::plot {

// Colours are CSS names or #rrggbb; where one is left empty the palette gives the next.
struct Curve {
  enum Style { line, points, line_points };

  std::string name;          // shown in the legend; empty: not there
  std::vector<double> x, y;  // the same size; what is not finite breaks the line
  Style style = line;
  std::string colour = {};
  double width = 1.5;  // [px]
  bool dashed = false;
};

// A polyline, or a circle where `radius` is positive, in the units of the axes: bodies, walls, trajectories, forces.
struct Shape {
  std::vector<double> x, y;
  bool closed = true;
  std::string stroke = "black";
  std::string fill = "none";
  double width = 1;    // [px]
  double opacity = 1;  // of the filling
  bool arrow = false;  // a head at the last point
  double radius = 0;   // [data] about the point (x[0], y[0])
};

Shape circle(double x, double y, double radius, std::string fill = "none");
Shape polygon(std::vector<double> x, std::vector<double> y, std::string fill = "none");
Shape polyline(std::vector<double> x, std::vector<double> y, std::string stroke = "black");
Shape arrow(double x0, double y0, double x1, double y1, std::string stroke = "black");

struct Text {
  enum Anchor { start, middle, end };

  double x = 0, y = 0;  // [data]
  std::string text;
  Anchor anchor = start;
  double size = 11;  // [px]
  std::string colour = "black";
};

struct Range {
  double low, high;
};

struct Axes {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  bool equal_aspect = false;                        // the same length a unit in x and y: ranges widen for it
  std::optional<Range> x_range = {}, y_range = {};  // not given: from what is drawn, and a margin
  std::vector<Curve> curves = {};
  std::vector<Shape> shapes = {};  // under the curves
  std::vector<Text> texts = {};
  bool legend_beside = false;  // right of the frame, where it hides nothing; else in the emptiest corner
  bool bare = false;           // a picture: no frame, ticks, grid or labels of axes; the cell is used up to the title
};

// Axes fill a grid row by row.
struct Figure {
  std::string title;
  std::vector<Axes> axes = {};
  int columns = 1;
  double width = 640, height = 420;  // [px]
};

// Colours that the colour-blind tell apart; k beyond the last starts again.
std::string palette(int k);

std::string to_svg(const Figure& figure);
// The bytes of a PNG file; `scale`: pixels of the picture for one of the figure.
Expected<std::string> to_png(const Figure& figure, double scale = 2);

// Written to a temporary name beside `path`, then renamed. The answer is the path.
Expected<std::string> write_text(const std::string& path, const std::string& text);
Expected<std::string> write_svg(const std::string& path, const Figure& figure);
Expected<std::string> write_png(const std::string& path, const Figure& figure, double scale = 2);

}  // namespace cairn::plot
