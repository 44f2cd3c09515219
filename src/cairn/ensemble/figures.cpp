#include "cairn/ensemble/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::ensemble {
namespace {

using plot::Axes;
using plot::Curve;
using plot::Figure;

constexpr const char* pale[] = {"#8fbfe0", "#f0a878"};  // members in full, at a tenth: paler than the palette's first

std::string labelled(const Column& c) { return c.name + (c.unit.empty() ? " [-]" : " [" + c.unit + "]"); }

std::string title_of(const Design& design, const Layout& layout, const char* what) {
  return fmt::format("{}: {}, perturbed in {}", layout.title, what, describe(design.perturbation));
}

std::string verdict_title(const Column& column, const Judgement& j) {
  return fmt::format("{}: {}{}", column.name, name(j.verdict),
                     j.relative > 0 ? fmt::format(", spread {}", size_text(j.relative)) : "");
}

// Two columns where there are many panels.
void arrange(Figure& figure) {
  const int panels = static_cast<int>(figure.axes.size());
  figure.columns = panels > 1 ? 2 : 1;
  const int rows = (panels + figure.columns - 1) / figure.columns;
  figure.width = panels > 1 ? 960 : 640, figure.height = 40 + 260.0 * rows;
}

Curve curve(std::string name, const std::vector<Real>& x, const std::vector<Real>& y, std::string colour,
            double width) {
  Curve c{std::move(name), x, y};
  c.colour = std::move(colour), c.width = width;
  return c;
}

Axes motions(const Design& design, const Layout& layout, const Result& r, std::size_t column) {
  Axes axes;
  axes.x_label = "time [s]", axes.y_label = labelled(layout.observables[column]);
  bool named[2] = {column != 0, column != 0};  // the legend stands once
  for (const bool full : {true, false})
    for (const Member& m : r.members) {
      if (m.index == 0 || design.full(m.index) != full) continue;
      const char* name = named[!full] ? "" : full ? "perturbed" : "at a tenth";
      named[!full] = true;
      axes.curves.push_back(curve(name, layout.times, m.samples[column], pale[!full], 0.7));
    }
  axes.curves.push_back(curve(column == 0 ? "run 0" : "", layout.times, r.members[0].samples[column], "black", 1.8));
  return axes;
}

// A spread over the scale; what is less than rounding has no place on the axis.
std::vector<Real> relative(const std::vector<Real>& spread, Real scale) {
  std::vector<Real> out;
  for (const Real s : spread) out.push_back(s > Real(1e-16) * scale ? s / scale : run::not_a_number);
  return out;
}

Axes spreads(const Layout& layout, const ObservableResult& o, bool legend) {
  Axes axes;
  axes.title = verdict_title(o.column, o.judgement);
  axes.x_label = "time [s]", axes.y_label = "spread / scale [-]", axes.log_y = true;
  axes.curves.push_back(
      curve(legend ? "perturbed" : "", layout.times, relative(o.spread_full, o.scale), plot::palette(0), 1.5));
  if (!o.spread_tenth.empty())
    axes.curves.push_back(
        curve(legend ? "at a tenth" : "", layout.times, relative(o.spread_tenth, o.scale), plot::palette(1), 1.5));
  if (const auto& g = o.growth; g && g->exponential && legend) {
    const Real start = g->start / o.scale;
    Curve fit = curve(fmt::format("exp({:.3g} t)", g->rate), {g->from, g->to},
                      {start, start * std::exp(g->rate * (g->to - g->from))}, "black", 1);
    fit.dashed = true;
    axes.curves.push_back(std::move(fit));
  }
  return axes;
}

plot::Shape bar(Real low, Real high, Real count) {
  plot::Shape s = plot::polygon({low, high, high, low}, {0, 0, count, count}, pale[0]);
  s.stroke = "white";
  return s;
}

void add_bars(Axes& axes, const OutcomeResult& o) {
  const Distribution& d = o.distribution;
  if (o.first.is_flag) {
    const auto n = static_cast<Real>(o.values.size()), yes = static_cast<Real>(o.yes);
    axes.shapes.push_back(bar(-0.4, 0.4, n - yes)), axes.shapes.push_back(bar(0.6, 1.4, yes));
    axes.x_range = plot::Range{-0.6, 1.6};
    return;
  }
  const int bins = std::max(4, static_cast<int>(std::ceil(2 * std::cbrt(static_cast<Real>(d.count)))));
  Real low = std::min(d.least, o.first.number), high = std::max(d.most, o.first.number);
  if (!std::isfinite(o.first.number)) low = d.least, high = d.most;
  if (!(high - low > Real(1e-9) * o.scale)) low -= o.scale / 20, high += o.scale / 20;  // all agree: one bar
  std::vector<Real> count(static_cast<std::size_t>(bins), 0);
  for (const Real x : o.values)
    if (std::isfinite(x))
      count[static_cast<std::size_t>(std::clamp(static_cast<int>((x - low) / (high - low) * bins), 0, bins - 1))] += 1;
  const Real step = (high - low) / bins;
  for (int k = 0; k < bins; ++k)
    if (const Real c = count[static_cast<std::size_t>(k)]; c > 0)
      axes.shapes.push_back(bar(low + k * step, low + (k + 1) * step, c));
  axes.x_range = plot::Range{low - step, high + step};
}

Axes histogram(const OutcomeResult& o) {
  Axes axes;
  axes.title = verdict_title(o.column, o.judgement);
  axes.x_label = o.first.is_flag ? o.column.name + " (0: false, 1: true)" : labelled(o.column);
  axes.y_label = "members";
  if (o.distribution.count > 0) add_bars(axes, o);
  Real most = 1;
  for (const plot::Shape& s : axes.shapes) most = std::max(most, s.y[2]);
  axes.y_range = plot::Range{0, most * 1.1};
  if (std::isfinite(o.first.number))
    axes.curves.push_back(curve("run 0", {o.first.number, o.first.number}, {0, most * 1.1}, "black", 1.5));
  return axes;
}

}  // namespace

Figure motion_figure(const Design& design, const Layout& layout, const Result& r) {
  Figure figure{title_of(design, layout, "motions")};
  for (std::size_t k = 0; k < layout.observables.size(); ++k) figure.axes.push_back(motions(design, layout, r, k));
  arrange(figure);
  return figure;
}

Figure spread_figure(const Design& design, const Layout& layout, const Result& r) {
  Figure figure{title_of(design, layout, "distance from run 0")};
  for (const ObservableResult& o : r.observables) {
    const bool any = std::ranges::any_of(o.spread_full, [](Real s) { return s > 0; }) ||
                     std::ranges::any_of(o.spread_tenth, [](Real s) { return s > 0; });
    if (any) figure.axes.push_back(spreads(layout, o, o.column.name == "departure"));
  }
  arrange(figure);
  return figure;
}

std::optional<Figure> outcome_figure(const Design& design, const Layout& layout, const Result& r) {
  if (r.outcomes.empty()) return std::nullopt;
  Figure figure{title_of(design, layout, "outcomes")};
  for (const OutcomeResult& o : r.outcomes) figure.axes.push_back(histogram(o));
  arrange(figure);
  return figure;
}

}  // namespace cairn::ensemble
