#include "cairn/export/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/at.hpp"
#include "cairn/export/order.hpp"
#include "cairn/export/runs.hpp"
#include "cairn/export/sketch.hpp"
#include "cairn/plot/page.hpp"

namespace cairn::exporting {
namespace {

constexpr double widest = 5, faintest = 0.1;  // [px] of lines of force
constexpr const char* force_colour = "#b2182b";
constexpr const char* moved_colour = "#2166ac";

// Lines of small pictures are thinner.
double pen(const PictureOptions& options) { return std::clamp(options.width / 640, 0.25, 1.0); }

// [N] what 98 % of the forces do not exceed: one impact must not make all others invisible.
Real usual_most(std::vector<Real> forces) {
  if (forces.empty()) return 0;
  const auto k = static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(forces.size() - 1) + 0.5);
  std::nth_element(forces.begin(), forces.begin() + k, forces.end());
  return forces[static_cast<std::size_t>(k)];
}

template <int D>
Real longest_move(const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame) {
  Real most = 0;
  for (std::size_t b = 0; b < frame.x.size(); ++b)
    if (cast.bodies[b].free()) most = std::max(most, norm(frame.x[b] - first.x[b]));
  return most;
}

// Room for hatching, line widths, the scale bar and what explains the colours.
Window with_margin(Window w, double width) {
  const Real x = w.x.high - w.x.low, y = w.y.high - w.y.low, more = Real(0.03) * std::hypot(x, y);
  const Real below = std::max(Real(2.2) * more, more + 20 * (x + 2 * more) / std::max(50.0, width));
  return {{w.x.low - more, w.x.high + more}, {w.y.low - below, w.y.high + more}};
}

template <int D>
bool is_terrain(const Shape<D>& shape) {
  return !bounded<D>(shape) && !std::holds_alternative<HalfSpace<D>>(shape);
}

// Bounded parts in the order to draw them.
std::vector<int> drawing_order(const Cast<2>& cast, const Frame<2>&, const View<2>&) {
  std::vector<int> parts;
  for (std::size_t p = 0; p < cast.parts.size(); ++p)
    if (bounded<2>(cast.parts[p].shape)) parts.push_back(static_cast<int>(p));
  return parts;
}
std::vector<int> drawing_order(const Cast<3>& cast, const Frame<3>& frame, const View<3>& view) {
  std::vector<Solid> solids;
  std::vector<int> number, parts;
  for (std::size_t p = 0; p < cast.parts.size(); ++p) {
    if (!bounded<3>(cast.parts[p].shape)) continue;
    solids.push_back({&cast.parts[p], pose_of(frame, cast.parts[p].body) * cast.parts[p].pose});
    number.push_back(static_cast<int>(p));
  }
  for (const int k : back_to_front(solids, view)) parts.push_back(number[at(k)]);
  return parts;
}

// Half-spaces and terrain lie under all else.
template <int D>
void draw_bodies(plot::Axes& axes, const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame,
                 const View<D>& view, const PictureOptions& options) {
  const Bounds<D> box = padded(scene_bounds(cast, frame), Real(0.04));
  std::vector<GroundLine> ground;
  for (const BodyPart<D>& part : cast.parts) {
    const Pose<D> pose = pose_of(frame, part.body);
    if (std::holds_alternative<HalfSpace<D>>(part.shape))
      sketch_half_space(axes.shapes, ground, pose * part.pose, view, box);
    else if (is_terrain<D>(part.shape))
      sketch_part(axes.shapes, part, pose, support, view);
  }
  draw_ground(axes.shapes, ground, *options.window);
  for (const int p : drawing_order(cast, frame, view)) {
    const BodyPart<D>& part = cast.parts[at(p)];
    const std::size_t b = at(part.body);
    std::string fill = cast.bodies[b].free() ? stone : support;
    if (options.shade && options.shade_scale > 0 && cast.bodies[b].free())
      fill = blend(stone, moved_colour, norm(frame.x[b] - first.x[b]) / options.shade_scale);
    sketch_part(axes.shapes, part, pose_of(frame, part.body), fill, view);
  }
  for (plot::Shape& shape : axes.shapes) shape.width *= pen(options);
}

// From the contact to the centres of the free bodies that it presses on; the widest last, on top.
template <int D>
void draw_forces(plot::Axes& axes, const Cast<D>& cast, const Frame<D>& frame, const View<D>& view,
                 const PictureOptions& options) {
  const double most = widest * pen(options);
  std::vector<plot::Shape> lines;
  for (const ContactRow<D>& c : frame.contacts) {
    const Real force = frame.h > 0 ? dot(c.impulse, c.normal) / frame.h : 0;
    const double width = most * std::min(Real(1), force / options.force_scale);
    if (!(width > faintest)) continue;
    for (const int b : c.body) {
      if (!cast.bodies[at(b)].free()) continue;
      const Vec<2> from = view(c.point), to = view(frame.x[at(b)]);
      lines.push_back(plot::polyline({from[0], to[0]}, {from[1], to[1]}, force_colour));
      lines.back().width = std::ceil(4 * width) / 4;  // in steps: neighbours in the file then share their style
    }
  }
  std::ranges::stable_sort(lines, [](const auto& a, const auto& b) { return a.width < b.width; });
  axes.shapes.insert(axes.shapes.end(), lines.begin(), lines.end());
}

template <int D>
void draw_moves(plot::Axes& axes, const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame,
                const View<D>& view, const Window& window, const PictureOptions& options) {
  const Real least = Real(0.004) * std::hypot(window.x.high - window.x.low, window.y.high - window.y.low);
  for (std::size_t b = 0; b < frame.x.size(); ++b) {
    const Vec<2> from = view(first.x[b]), to = view(frame.x[b]);
    if (!cast.bodies[b].free() || norm(to - from) < least) continue;
    axes.shapes.push_back(plot::arrow(from[0], from[1], to[0], to[1], moved_colour));
    axes.shapes.back().width = pen(options);
  }
}

// [m] of the picture, where a cell of the page is as wide as the options say.
double pixel_of(const Window& window, const PictureOptions& options) {
  return (window.x.high - window.x.low) / std::max(50.0, options.width - 8);
}

std::string force_key(const PictureOptions& o) {
  return o.forces && o.force_scale > 0 ? with_prefix(o.force_scale, "N") : "";
}
std::string shade_key(const PictureOptions& o) {
  return o.shade && o.shade_scale > 0 ? "moved 0 to " + with_prefix(o.shade_scale, "m") : "";
}

// What the colours and widths say, in the lower right corner.
void draw_key(plot::Axes& axes, const Window& window, const PictureOptions& options) {
  const double px = pixel_of(window, options), y = window.y.low + 10 * px;
  double right = window.x.high - 8 * px;
  const auto write = [&](const std::string& text) {
    axes.texts.push_back({right, y - 4 * px, text, plot::Text::end});
    right -= (plot::text_width(text, 11) + 6) * px;
  };
  if (const std::string text = shade_key(options); !text.empty()) {
    write(text);
    for (int k = 0; k < 12; ++k, right -= 6 * px) {
      plot::Shape box =
          plot::polygon({right - 6.3 * px, right, right, right - 6.3 * px},
                        {y - 4 * px, y - 4 * px, y + 4 * px, y + 4 * px}, blend(stone, moved_colour, (11 - k) / 11.0));
      box.stroke = "none";
      axes.shapes.push_back(box);
    }
    right -= 24 * px;
  }
  if (const std::string text = force_key(options); !text.empty()) {
    write(text);
    plot::Shape line = plot::polyline({right - 24 * px, right}, {y, y}, force_colour);
    line.width = widest * pen(options);
    axes.shapes.push_back(line);
  }
}

std::string strip_title(const PictureOptions& o) {
  const std::string force = force_key(o), shade = shade_key(o);
  return (force.empty() ? "" : "widest lines: " + force) + (force.empty() || shade.empty() ? "" : "; ") +
         (shade.empty() ? "" : "shading: " + shade);
}

double height_for(const Window& window, double width, double above) {
  const double ratio = (window.y.high - window.y.low) / (window.x.high - window.x.low);
  return std::round(std::clamp(width * ratio, 0.15 * width, 2 * width) + above);
}

}  // namespace

template <int D>
plot::Axes picture(const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame, const PictureOptions& wanted) {
  PictureOptions options = wanted;
  const View<D> view(options.azimuth_deg, options.elevation_deg);
  if (!options.window) options.window = with_margin(window_of(cast, frame, view), options.width);
  if (!(options.force_scale > 0)) options.force_scale = usual_most(normal_forces(frame));
  if (!(options.shade_scale > 0)) options.shade_scale = longest_move(cast, first, frame);
  if (options.shade_scale < Real(1e-9) * cast.size) options.shade_scale = 0;  // rounding is no motion
  const Window& window = *options.window;
  plot::Axes axes;
  axes.bare = axes.equal_aspect = true;
  axes.title = fmt::format("t = {:.6g} s", frame.t);
  axes.x_range = window.x, axes.y_range = window.y;
  draw_bodies(axes, cast, first, frame, view, options);
  if (options.forces && options.force_scale > 0) draw_forces(axes, cast, frame, view, options);
  if (options.displacement) draw_moves(axes, cast, first, frame, view, window, options);
  scale_bar(axes, window, pixel_of(window, options));
  if (options.key) draw_key(axes, window, options);
  return axes;
}

template <int D>
plot::Figure picture_figure(const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame,
                            const PictureOptions& options) {
  PictureOptions o = options;
  if (!o.window)
    o.window = with_margin(window_of(cast, frame, View<D>(options.azimuth_deg, options.elevation_deg)), options.width);
  plot::Figure figure;
  figure.width = options.width, figure.height = height_for(*o.window, options.width, 30);
  figure.axes.push_back(picture(cast, first, frame, o));
  return figure;
}

template <int D>
CommonScale<D>::CommonScale(const Cast<D>& cast, const Frame<D>& first, const PictureOptions& options)
    : cast_(cast), first_(first), options_(options), view_(options.azimuth_deg, options.elevation_deg) {}

template <int D>
void CommonScale<D>::add(const Frame<D>& frame) {
  const Window window = window_of(cast_, frame, view_);
  window_ = window_ ? united(*window_, window) : window;
  const std::vector<Real> more = normal_forces(frame);
  forces_.insert(forces_.end(), more.begin(), more.end());
  moved_ = std::max(moved_, longest_move(cast_, first_, frame));
}

template <int D>
PictureOptions CommonScale<D>::options(double width) const {
  PictureOptions o = options_;
  o.width = width;
  if (!o.window && window_) o.window = with_margin(*window_, width);
  if (!(o.force_scale > 0)) o.force_scale = usual_most(forces_);
  if (!(o.shade_scale > 0)) o.shade_scale = moved_;
  return o;
}

template <int D>
plot::Figure picture_strip(const Cast<D>& cast, const Frame<D>& first, const std::vector<Frame<D>>& frames, int columns,
                           const PictureOptions& options) {
  plot::Figure figure;
  if (frames.empty()) return figure;
  CommonScale<D> common(cast, first, options);
  for (const Frame<D>& frame : frames) common.add(frame);
  figure.columns = std::clamp(columns, 1, static_cast<int>(frames.size()));
  PictureOptions o = common.options(options.width / figure.columns);
  o.key = false;
  for (const Frame<D>& frame : frames) figure.axes.push_back(picture(cast, first, frame, o));
  if (options.key) figure.title = strip_title(o);
  const int rows = (static_cast<int>(frames.size()) + figure.columns - 1) / figure.columns;
  figure.width = options.width;
  figure.height = rows * height_for(*o.window, o.width, 30) + (figure.title.empty() ? 0 : 24);
  return figure;
}

template class CommonScale<2>;
template class CommonScale<3>;
template plot::Axes picture(const Cast<2>&, const Frame<2>&, const Frame<2>&, const PictureOptions&);
template plot::Axes picture(const Cast<3>&, const Frame<3>&, const Frame<3>&, const PictureOptions&);
template plot::Figure picture_figure(const Cast<2>&, const Frame<2>&, const Frame<2>&, const PictureOptions&);
template plot::Figure picture_figure(const Cast<3>&, const Frame<3>&, const Frame<3>&, const PictureOptions&);
template plot::Figure picture_strip(const Cast<2>&, const Frame<2>&, const std::vector<Frame<2>>&, int,
                                    const PictureOptions&);
template plot::Figure picture_strip(const Cast<3>&, const Frame<3>&, const std::vector<Frame<3>>&, int,
                                    const PictureOptions&);

}  // namespace cairn::exporting
