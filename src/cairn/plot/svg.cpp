// A figure laid out on a page: ranges, margins, grid, what is drawn, frame, legend.
#include <algorithm>
#include <cmath>
#include <string>

#include "cairn/base/check.hpp"
#include "cairn/plot/axis.hpp"
#include "cairn/plot/page.hpp"

namespace cairn::plot {
namespace {

constexpr double tick_size = 11, label_size = 12, title_size = 13;  // [px] of letters
constexpr std::size_t most_points = 40000;                          // of a figure: half a megabyte

bool usable(const std::optional<Range>& range, bool log) {
  return range && std::isfinite(range->low) && std::isfinite(range->high) && range->low < range->high &&
         (!log || range->low > 0);
}

Range range_of(const Axes& axes, bool of_x) {
  const bool log = of_x ? axes.log_x : axes.log_y;
  const auto& given = of_x ? axes.x_range : axes.y_range;
  if (usable(given, log)) return *given;
  Extent extent(log);
  for (const Curve& curve : axes.curves)
    for (const double value : of_x ? curve.x : curve.y) extent.add(value);
  for (const Shape& shape : axes.shapes)
    for (const double value : of_x ? shape.x : shape.y)
      extent.add(value - shape.radius), extent.add(value + shape.radius);
  for (const Text& text : axes.texts) extent.add(of_x ? text.x : text.y);
  return extent.padded();
}

Range widened(Range range, double factor) {
  const double middle = (range.low + range.high) / 2, half = factor * (range.high - range.low) / 2;
  return {middle - half, middle + half};
}

int wanted_ticks(double length, double distance) { return std::clamp(static_cast<int>(length / distance), 2, 10); }

// Around the frame of axes, for what stands beside it.
struct Margins {
  double left = 0, right = 0;  // [px]
};

// One set of axes in its cell of the page.
class Panel {
 public:
  Panel(Page& page, const Axes& axes, Box cell, std::size_t most, const Margins& least)
      : page_(page), axes_(axes), cell_(cell), most_(most), x_({0, 1}, false), y_({0, 1}, false) {
    lay_out(least);
  }

  Margins margins() const {
    return axes_.bare ? Margins{} : Margins{inner_.left - cell_.left, cell_.right - inner_.right};
  }

  void draw() {
    if (!axes_.bare) draw_grid();
    page_.begin_clip(inner_);
    for (const Shape& shape : axes_.shapes) draw(shape);
    int next = 0;
    for (const Curve& curve : axes_.curves) draw(curve, curve.colour.empty() ? palette(next++) : curve.colour);
    page_.end_clip();
    if (axes_.bare)
      draw_title();
    else
      draw_frame();
    for (const Text& t : axes_.texts)
      if (const Point p{x_(t.x), y_(t.y)}; std::isfinite(p.x) && std::isfinite(p.y))
        page_.label({p.x, p.y, t.text, t.size, t.anchor, "", false, false, t.colour});
    draw_legend();
  }

 private:
  // The widths of labels depend on the ticks, the ticks on the ranges, and those, with equal aspect, on the widths.
  void lay_out(const Margins& least) {
    if (axes_.bare) {
      inner_ = {cell_.left + 2, cell_.top + (axes_.title.empty() ? 2 : title_size + 8), cell_.right - 6,
                cell_.bottom - 4};
      inner_.right = std::max(inner_.right, inner_.left + 1), inner_.bottom = std::max(inner_.bottom, inner_.top + 1);
      return set_scales();
    }
    const double below = tick_size + 9 + (axes_.x_label.empty() ? 0 : label_size + 7);
    inner_ = {cell_.left + 50, cell_.top + (axes_.title.empty() ? 10 : title_size + 14), cell_.right - 16,
              cell_.bottom - below - 4};
    if (axes_.legend_beside && named() > 1) inner_.right -= std::min(legend_width() + 4, 0.45 * cell_.width());
    if (const double more = least.right - (cell_.right - inner_.right); more > 1e-6) inner_.right -= more;
    for (int pass = 0; pass < 2; ++pass) {
      set_scales();
      double widest = 0;
      for (const Tick& t : y_ticks_.ticks)
        widest = std::max(widest, text_width(t.label, tick_size) + text_width(t.exponent, 0.75 * tick_size));
      tick_width_ = widest;
      const double needed = widest + 12 + (axes_.y_label.empty() ? 0 : label_size + 8);
      inner_.left = cell_.left + std::max(needed, least.left);
      if (y_ticks_.power != 0) inner_.top = cell_.top + (axes_.title.empty() ? 22 : title_size + 16);
    }
    set_scales();
    inner_.right = std::max(inner_.right, inner_.left + 1);
    inner_.bottom = std::max(inner_.bottom, inner_.top + 1);
  }

  void set_scales() {
    Range x = range_of(axes_, true), y = range_of(axes_, false);
    if (axes_.equal_aspect && !axes_.log_x && !axes_.log_y && inner_.width() > 0 && inner_.height() > 0) {
      const double ratio = ((x.high - x.low) / inner_.width()) / ((y.high - y.low) / inner_.height());
      (ratio > 1 ? y : x) = ratio > 1 ? widened(y, ratio) : widened(x, 1 / ratio);
    }
    x_ = Scale(x, axes_.log_x);
    y_ = Scale(y, axes_.log_y);
    x_.place(inner_.left, inner_.right);
    y_.place(inner_.bottom, inner_.top);
    x_ticks_ = x_.ticks(wanted_ticks(inner_.width(), 75));
    y_ticks_ = y_.ticks(wanted_ticks(inner_.height(), 45));
  }

  void draw_grid() {
    const Stroke faint{"#e4e4e4", 0.7};
    for (const Tick& t : x_ticks_.ticks)
      if (!t.label.empty()) page_.line(x_(t.value), inner_.top, x_(t.value), inner_.bottom, faint);
    for (const Tick& t : y_ticks_.ticks)
      if (!t.label.empty()) page_.line(inner_.left, y_(t.value), inner_.right, y_(t.value), faint);
  }

  void draw_frame() {
    const Stroke thin{"black", 0.8};
    page_.box(inner_, thin);
    for (const Tick& t : x_ticks_.ticks)
      page_.line(x_(t.value), inner_.bottom, x_(t.value), inner_.bottom - (t.label.empty() ? 2.5 : 4.5), thin);
    for (const Tick& t : y_ticks_.ticks)
      page_.line(inner_.left, y_(t.value), inner_.left + (t.label.empty() ? 2.5 : 4.5), y_(t.value), thin);
    const double under = inner_.bottom + tick_size + 5;
    for (const Tick& t : x_ticks_.ticks)
      page_.label({x_(t.value), under, t.label, tick_size, Text::middle, t.exponent});
    for (const Tick& t : y_ticks_.ticks)
      page_.label({inner_.left - 6, y_(t.value) + 0.36 * tick_size, t.label, tick_size, Text::end, t.exponent});
    draw_names(under);
  }

  void draw_title() {
    page_.label({(inner_.left + inner_.right) / 2, cell_.top + title_size + 3, axes_.title, title_size});
  }

  void draw_names(double under) {
    const double middle_x = (inner_.left + inner_.right) / 2, middle_y = (inner_.top + inner_.bottom) / 2;
    const auto power = [](int p) { return (p < 0 ? "\u2212" : "") + std::to_string(std::abs(p)); };
    page_.label({middle_x, under + label_size + 6, axes_.x_label, label_size});
    Label upward{inner_.left - tick_width_ - 13, middle_y, axes_.y_label, label_size};
    upward.upward = true;
    page_.label(upward);
    draw_title();
    if (y_ticks_.power != 0)
      page_.label({inner_.left, inner_.top - 5, "\u00d710", tick_size, Text::start, power(y_ticks_.power)});
    if (x_ticks_.power != 0)
      page_.label({inner_.right, under + label_size + 4, "\u00d710", tick_size, Text::end, power(x_ticks_.power)});
  }

  std::vector<Stretch> runs(const std::vector<double>& x, const std::vector<double>& y) const {
    CAIRN_CHECK(x.size() == y.size(), "x and y differ in length");
    std::vector<Point> points(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) points[k] = {x_(x[k]), y_(y[k])};
    return runs_of(points);
  }

  // The share of one run among `most_` points.
  std::size_t share(const Stretch& run, std::size_t total) const {
    return std::max<std::size_t>(8, most_ * run.size() / std::max<std::size_t>(1, total));
  }

  void draw(const Shape& s) {
    const Stroke stroke{s.stroke, s.width, s.fill, s.opacity};
    if (s.radius > 0 && !s.x.empty() && !s.y.empty()) {
      const Point centre{x_(s.x[0]), y_(s.y[0])};
      const double rx = std::abs(x_(s.x[0] + s.radius) - centre.x), ry = std::abs(y_(s.y[0] + s.radius) - centre.y);
      if (std::isfinite(rx) && std::isfinite(ry)) page_.ellipse(centre, rx, ry, stroke);
      return;
    }
    std::vector<Stretch> lines = runs(s.x, s.y);
    for (Stretch& run : lines) run = thin_line(run, share(run, s.x.size()));
    page_.path(lines, s.closed, stroke);
    if (s.arrow && !lines.empty()) draw_head(lines.back(), s);
  }

  void draw_head(const Stretch& run, const Shape& s) {
    if (run.size() < 2) return;
    const Point tip = run.back(), from = run[run.size() - 2];
    const double length = std::hypot(tip.x - from.x, tip.y - from.y);
    const double size = std::min(5 + 2 * s.width, length), cx = (tip.x - from.x) / length * size,
                 cy = (tip.y - from.y) / length * size;
    const Stretch head{
        tip, {tip.x - cx + 0.35 * cy, tip.y - cy - 0.35 * cx}, {tip.x - cx - 0.35 * cy, tip.y - cy + 0.35 * cx}};
    page_.path({head}, true, {s.stroke, 0.5, s.stroke});
  }

  void draw(const Curve& c, const std::string& colour) {
    const std::vector<Stretch> all = runs(c.x, c.y);
    std::vector<Stretch> drawn;
    if (c.style != Curve::points) {
      for (const Stretch& run : all) drawn.push_back(thin_line(run, share(run, c.x.size())));
      page_.path(drawn, false, {colour, c.width, "none", 1, c.dashed});
    }
    std::vector<Stretch> dots;
    if (c.style != Curve::line) {
      for (const Stretch& run : all) dots.push_back(thin_points(run, share(run, c.x.size())));
      page_.dots(dots, 2 * c.width + 1.5, colour);
    }
    for (const Stretch& run : drawn) occupy(run);
    for (const Stretch& run : dots) busy_.insert(busy_.end(), run.begin(), run.end());
    if (!c.name.empty()) legend_.push_back({&c, colour});
  }

  // Remembers where lines pass, so that the legend can keep clear of them.
  void occupy(const Stretch& run) {
    for (std::size_t k = 0; k < run.size(); ++k) {
      const Point a = run[k > 0 ? k - 1 : 0], b = run[k];
      const double length = std::min(2000.0, std::hypot(b.x - a.x, b.y - a.y));
      for (double at = 0; at <= length; at += 5) {
        const double s = length > 0 ? at / length : 0;
        busy_.push_back({a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)});
      }
    }
  }

  // The corner where the fewest points lie.
  Box legend_box(double width, double height) const {
    const double gap = 8, x[] = {inner_.right - gap - width, inner_.left + gap},
                 y[] = {inner_.top + gap, inner_.bottom - gap - height};
    Box best{};
    std::ptrdiff_t fewest = -1;
    for (const double top : y)
      for (const double left : x) {
        const Box box{left, top, left + width, top + height};
        const auto hidden = std::ranges::count_if(busy_, [&](Point p) {
          return p.x > box.left - 3 && p.x < box.right + 3 && p.y > box.top - 3 && p.y < box.bottom + 3;
        });
        if (fewest < 0 || hidden < fewest) fewest = hidden, best = box;
      }
    return best;
  }

  std::ptrdiff_t named() const {
    return std::ranges::count_if(axes_.curves, [](const Curve& c) { return !c.name.empty(); });
  }

  double legend_width() const {
    double widest = 0;
    for (const Curve& c : axes_.curves) widest = std::max(widest, text_width(c.name, tick_size));
    return widest + 44;
  }

  void draw_legend() {
    if (legend_.size() < 2) return;
    const double width = legend_width(), height = 17 * static_cast<double>(legend_.size()) + 6;
    const double beside = inner_.right + 10;
    const Box box =
        axes_.legend_beside ? Box{beside, inner_.top, beside + width, inner_.top + height} : legend_box(width, height);
    page_.box(box, {"#b0b0b0", 0.6, "white", 0.88});
    double y = box.top + 11.5;
    for (const auto& [curve, colour] : legend_) {
      if (curve->style != Curve::points)
        page_.line(box.left + 7, y, box.left + 29, y, {colour, curve->width, "none", 1, curve->dashed});
      if (curve->style != Curve::line) page_.dots({{{box.left + 18, y}}}, 2 * curve->width + 1.5, colour);
      page_.label({box.left + 35, y + 0.36 * tick_size, curve->name, tick_size, Text::start});
      y += 17;
    }
  }

  struct Entry {
    const Curve* curve;
    std::string colour;
  };

  Page& page_;
  const Axes& axes_;
  Box cell_, inner_{};
  std::size_t most_;  // points of one curve
  Scale x_, y_;
  Ticks x_ticks_, y_ticks_;
  double tick_width_ = 0;
  std::vector<Entry> legend_;
  std::vector<Point> busy_;
};

// Points that one of the curves and large shapes of the figure may keep.
std::size_t point_share(const Figure& figure) {
  std::size_t drawn = 1;
  for (const Axes& axes : figure.axes) {
    drawn += axes.curves.size();
    for (const Shape& shape : axes.shapes) drawn += shape.x.size() > 50 ? 1 : 0;
  }
  return std::max<std::size_t>(50, most_points / drawn);
}

}  // namespace

std::string to_svg(const Figure& figure) {
  Page page(figure.width, figure.height);
  const double top = figure.title.empty() ? 4 : 28;
  Label title{figure.width / 2, 20, figure.title, title_size + 1};
  title.bold = true;
  page.label(title);
  const int count = static_cast<int>(figure.axes.size()), columns = std::clamp(figure.columns, 1, std::max(1, count));
  const int rows = std::max(1, (count + columns - 1) / columns);
  const double width = figure.width / columns, height = (figure.height - top) / rows;
  std::vector<Margins> margins(static_cast<std::size_t>(columns));  // one for a column: its axes stand aligned
  for (const bool drawing : {false, true})
    for (int k = 0; k < count; ++k) {
      const double x = width * (k % columns), y = top + height * (k / columns);
      Margins& margin = margins[static_cast<std::size_t>(k % columns)];
      const Axes& axes = figure.axes[static_cast<std::size_t>(k)];
      Panel panel(page, axes, {x + 4, y, x + width, y + height}, point_share(figure), margin);
      margin = {std::max(margin.left, panel.margins().left), std::max(margin.right, panel.margins().right)};
      if (drawing) panel.draw();
    }
  return page.finish();
}

}  // namespace cairn::plot
