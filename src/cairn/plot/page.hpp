// The SVG text of one page: elements in pixels, y downward.
#pragma once

#include <string>
#include <vector>

#include "cairn/plot/figure.hpp"
#include "cairn/plot/thin.hpp"

namespace cairn::plot {

// Fit for text and attributes of XML; characters that XML does not allow, and bytes that are not UTF-8, become '?'.
std::string escape(const std::string& text);

// About as wide as the text comes out. [px]
double text_width(const std::string& text, double size);

struct Box {
  double left, top, right, bottom;  // [px]

  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

struct Stroke {
  std::string colour = "black";
  double width = 1;
  std::string fill = "none";
  double opacity = 1;  // of the filling
  bool dashed = false;
};

struct Label {
  double x, y;  // [px] of the base line
  std::string text;
  double size = 11;
  Text::Anchor anchor = Text::middle;
  std::string exponent = {};  // raised behind the text
  bool bold = false;
  bool upward = false;  // read from below
  std::string colour = "black";
};

class Page {
 public:
  Page(double width, double height);

  void line(double x0, double y0, double x1, double y1, const Stroke& stroke);
  void box(const Box& box, const Stroke& stroke);
  void label(const Label& label);
  void path(const std::vector<Stretch>& runs, bool closed, const Stroke& stroke);
  void dots(const std::vector<Stretch>& runs, double diameter, const std::string& colour);
  void ellipse(Point centre, double rx, double ry, const Stroke& stroke);
  void begin_clip(const Box& box);
  void end_clip();

  std::string finish();

 private:
  void in_style(const Stroke& stroke);  // neighbours with the same stroke share a group
  void leave_style();

  std::string out_, style_;
  int clips_ = 0;
};

}  // namespace cairn::plot
