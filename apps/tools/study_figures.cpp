#include "study_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cairn::app {

Decade summary(double H, std::vector<double> errors) {
  std::erase_if(errors, [](double e) { return !std::isfinite(e); });
  const double none = std::nan("");
  Decade d{H, none, none, none, none, none, static_cast<int>(errors.size())};
  if (errors.empty()) return d;
  std::ranges::sort(errors);
  const std::size_t n = errors.size();
  d.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(n);
  d.median = (errors[(n - 1) / 2] + errors[n / 2]) / 2;
  d.min = errors.front();
  d.max = errors.back();
  d.spread = d.max / d.min;  // infinite where a run is exact
  return d;
}

Slope fitted_slope(const std::vector<double>& h, const std::vector<double>& error) {
  std::vector<double> x, y;
  for (std::size_t k = 0; k < h.size(); ++k)
    if (std::isfinite(error[k]) && error[k] > 0) x.push_back(std::log10(h[k])), y.push_back(std::log10(error[k]));
  Slope s{std::nan(""), std::nan(""), std::nan(""), static_cast<int>(h.size() - x.size())};
  const auto n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n, my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0, rest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) xx += (x[k] - mx) * (x[k] - mx), xy += (x[k] - mx) * (y[k] - my);
  if (x.size() < 2 || xx <= 0) return s;
  s.value = xy / xx;
  s.offset = my - s.value * mx;
  for (std::size_t k = 0; k < x.size(); ++k) rest += std::pow(y[k] - s.offset - s.value * x[k], 2);
  if (x.size() > 2) s.error = std::sqrt(rest / (n - 2) / xx);
  return s;
}

examples::Output study_output(const std::string& example, const std::vector<Series>& series) {
  plot::Axes axes{example, "step h", "error"};
  axes.log_x = axes.log_y = true;
  examples::Output out;
  std::vector<examples::Column> columns;
  for (std::size_t k = 0; k < series.size(); ++k) {
    const Series& s = series[k];
    const std::string colour = plot::palette(static_cast<int>(k));
    const std::string name = s.label.empty() ? "error" : s.label;
    axes.curves.push_back({name, s.h, s.error, plot::Curve::points, colour, 1.2});
    if (std::isfinite(s.slope.value)) {
      const auto [low, high] = std::ranges::minmax(s.h);
      const auto line = [&](double h) { return std::pow(10, s.slope.offset) * std::pow(h, s.slope.value); };
      axes.curves.push_back({fmt::format("slope {:.2f}", s.slope.value),
                             {low, high},
                             {line(low), line(high)},
                             plot::Curve::line,
                             colour,
                             1.0,
                             true});
    }
    if (k == 0) columns.push_back({"h", s.h});  // the same steps for all
    columns.push_back({name, s.error});
  }
  out.table(example + "-study", std::move(columns));
  out.figure(example + "-study", {"", {axes}, 1, 560, 440});
  return out;
}

}  // namespace cairn::app
