#include "cairn/export/force_picture.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/at.hpp"
#include "cairn/export/sketch.hpp"
#include "cairn/plot/page.hpp"

namespace cairn::exporting {
namespace {

constexpr Real noticed = Real(1e-8);  // [-] of the largest force: a smaller one counts as none
constexpr const char* certain_colour = "#08519c";
constexpr const char* possible_colour = "#9ecae1";
constexpr const char* solution_colour = "#cb181d";
constexpr double bar = 4.5, tick = 1.6, spot = 1.7, shortest = 5;  // [px]

plot::Shape line(const Vec<2>& a, const Vec<2>& b, const char* colour, double width) {
  plot::Shape shape = plot::polyline({a[0], b[0]}, {a[1], b[1]}, colour);
  shape.width = width;
  return shape;
}

// What marks are made of, whether on a contact or in the key. `px`: [m] of a pixel.
class Marks {
 public:
  Marks(std::vector<plot::Shape>& out, double px, double pen) : out_(out), px_(px), pen_(pen) {}

  void certain(const Vec<2>& a, const Vec<2>& b) { out_.push_back(line(a, b, certain_colour, bar * pen_)); }
  void possible(const Vec<2>& a, const Vec<2>& b, bool without_end) {
    out_.push_back(line(a, b, possible_colour, bar * pen_));
    out_.back().arrow = without_end;
  }
  void solution(const Vec<2>& p, const Vec<2>& across) {
    const Vec<2> half = 4.5 * pen_ * px_ * across;
    out_.push_back(line(p - half, p + half, solution_colour, tick * pen_));
  }
  void central(const Vec<2>& p) { dot(p, spot, "black"); }
  void ring(const Vec<2>& p) { dot(p, spot, "white"); }

 private:
  void dot(const Vec<2>& p, double radius, const char* fill) {
    plot::Shape shape = plot::circle(p[0], p[1], radius * pen_ * px_, fill);
    shape.width = 0.8 * pen_;
    out_.push_back(shape);
  }
  std::vector<plot::Shape>& out_;
  double px_, pen_;
};

// [N s] shown as the longest bar: what all but a few of the greatest impulses do not exceed; of those without bound the
// solution's own counts twice.
template <int D>
Real longest(const Frame<D>& frame, const ForceReport& report) {
  std::vector<Real> shown;
  for (std::size_t a = 0; a < frame.contacts.size(); ++a) {
    const Real most = report.range[a].greatest;
    const Real value = std::isfinite(most) ? most : 2 * dot(frame.contacts[a].impulse, frame.contacts[a].normal);
    if (value > noticed * report.scale) shown.push_back(value);
  }
  if (shown.empty()) return 0;
  std::ranges::sort(shown);
  return shown[static_cast<std::size_t>(0.98 * static_cast<double>(shown.size() - 1) + 0.5)];
}

// [m] the middle one of the distances from contacts to centres of free bodies is what bars have room for.
template <int D>
Real longest_bar(const Cast<D>& cast, const Frame<D>& frame) {
  std::vector<Real> arms;
  for (const ContactRow<D>& c : frame.contacts)
    for (const int b : c.body)
      if (cast.bodies[at(b)].free()) arms.push_back(norm(c.point - frame.x[at(b)]));
  if (arms.empty()) return 0;
  std::ranges::nth_element(arms, arms.begin() + static_cast<std::ptrdiff_t>(arms.size() / 2));
  return Real(0.95) * arms[arms.size() / 2];
}

// Signs and words in the lower right corner, from the right.
void draw_key(plot::Axes& axes, Marks& marks, double px, double pen, Real length, const std::string& force) {
  const double y = axes.y_range->low + 10 * px;
  double right = axes.x_range->high - 8 * px;
  const auto word = [&](const std::string& text) {
    axes.texts.push_back({right, y - 4 * px, text, plot::Text::end});
    right -= (plot::text_width(text, 11) + 6) * px;
  };
  const Vec<2> up{0, 1};
  word("none"), right -= 3 * px, marks.ring({right, y}), right -= 14 * px;
  word("central"), right -= 3 * px, marks.central({right, y}), right -= 14 * px;
  word("solution"), right -= 3 * px, marks.solution({right, y}, up), right -= 14 * px;
  word("possible"), marks.possible({right - 16 * px, y}, {right, y}, false), right -= 28 * px;
  word("certain"), marks.certain({right - 16 * px, y}, {right, y}), right -= 30 * px;
  if (force.empty()) return;
  word(force);
  axes.shapes.push_back(line({right - length, y}, {right, y}, "black", 1.2 * pen));
  for (const double x : {right - length, right})
    axes.shapes.push_back(line({x, y - 3 * px}, {x, y + 3 * px}, "black", 1.2 * pen));
}

}  // namespace

Certainty certainty(const ForceReport& report, std::size_t a) {
  if (report.range[a].least > noticed * report.scale) return Certainty::carries;
  return report.range[a].greatest > noticed * report.scale ? Certainty::may_carry : Certainty::idle;
}

template <int D>
plot::Figure force_picture(const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame, const ForceReport& report,
                           const PictureOptions& wanted) {
  PictureOptions options = wanted;
  options.forces = options.key = false;
  plot::Figure figure = picture_figure<D>(cast, first, frame, options);
  plot::Axes& axes = figure.axes.front();
  const View<D> view(options.azimuth_deg, options.elevation_deg);
  const double px = (axes.x_range->high - axes.x_range->low) / std::max(50.0, options.width - 8);
  const double pen = std::clamp(30 / std::sqrt(1.0 + static_cast<double>(frame.contacts.size())), 0.6, 1.0);
  const Real most = longest(frame, report), length = longest_bar(cast, frame);
  Marks marks(axes.shapes, px, pen);
  for (std::size_t a = 0; a < frame.contacts.size() && most > 0; ++a) {
    const ContactRow<D>& c = frame.contacts[a];
    const Vec<2> foot = view(c.point);
    if (certainty(report, a) == Certainty::idle) {
      marks.ring(foot);
      continue;
    }
    const Real side = cast.bodies[at(c.body[0])].free() ? 1 : -1;
    const Vec<2> along = side * (view(c.point + c.normal) - foot);
    const auto place = [&](Real impulse) { return foot + (length * std::min(impulse / most, Real(1.3))) * along; };
    const ForceRange& range = report.range[a];
    const bool endless = std::isinf(range.greatest);
    marks.possible(place(range.least), place(endless ? Real(1.3) * most : range.greatest), endless);
    if (range.least > 0) marks.certain(foot, place(range.least));
    const Real size = norm(along);
    if (norm(place(range.greatest) - foot) < shortest * pen * px) continue;  // marks would hide it
    const Vec<2> across = size > 0 ? (1 / size) * Vec<2>{-along[1], along[0]} : Vec<2>{1, 0};
    marks.solution(place(dot(c.impulse, c.normal)), across);
    if (!report.central.empty()) marks.central(place(report.central[a]));
  }
  draw_key(axes, marks, px, pen, length, most > 0 ? with_prefix(most / frame.h, "N") : "");
  return figure;
}

template plot::Figure force_picture(const Cast<2>&, const Frame<2>&, const Frame<2>&, const ForceReport&,
                                    const PictureOptions&);
template plot::Figure force_picture(const Cast<3>&, const Frame<3>&, const Frame<3>&, const ForceReport&,
                                    const PictureOptions&);

}  // namespace cairn::exporting
