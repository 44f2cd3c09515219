#include "cairn/plot/thin.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace cairn::plot {
namespace {

constexpr double near = 0.3;  // [px] not seen apart

void push_if_new(Stretch& out, Point p) {
  if (out.empty() || std::hypot(p.x - out.back().x, p.y - out.back().y) > 0) out.push_back(p);
}

// First, lowest, highest, last of the points from `begin` on that share a column, in their order.
void push_column(Stretch& out, Stretch::const_iterator begin, Stretch::const_iterator end) {
  auto [low, high] = std::minmax_element(begin, end, [](Point a, Point b) { return a.y < b.y; });
  if (high < low) std::swap(low, high);
  for (const auto& p : {*begin, *low, *high, *(end - 1)}) push_if_new(out, p);
}

Stretch by_columns(const Stretch& run, std::size_t most) {
  const double width = std::max(1e-9, run.back().x - run.front().x) * 4.2 / static_cast<double>(most);
  Stretch out;
  for (auto begin = run.begin(); begin != run.end();) {
    const double column = std::floor((begin->x - run.front().x) / width);
    auto end = begin;
    while (end != run.end() && std::floor((end->x - run.front().x) / width) == column) ++end;
    push_column(out, begin, end);
    begin = end;
  }
  return out;
}

Stretch sampled(const Stretch& run, std::size_t most) {
  Stretch out;
  for (std::size_t k = 0; k < most; ++k) out.push_back(run[k * (run.size() - 1) / std::max<std::size_t>(1, most - 1)]);
  return out;
}

}  // namespace

std::vector<Stretch> runs_of(const std::vector<Point>& points) {
  std::vector<Stretch> runs(1);
  for (const Point& p : points) {
    if (std::isfinite(p.x) && std::isfinite(p.y))
      runs.back().push_back(p);
    else if (!runs.back().empty())
      runs.emplace_back();
  }
  if (runs.back().empty()) runs.pop_back();
  return runs;
}

Stretch thin_line(const Stretch& run, std::size_t most) {
  Stretch out;
  for (const Point& p : run)
    if (out.empty() || std::hypot(p.x - out.back().x, p.y - out.back().y) > near) out.push_back(p);
  if (!run.empty()) push_if_new(out, run.back());
  if (out.size() <= most) return out;
  const bool forward = std::ranges::is_sorted(out, {}, &Point::x);
  return forward ? by_columns(out, most) : sampled(out, most);
}

Stretch thin_points(const Stretch& run, std::size_t most) {
  std::set<std::pair<long, long>> taken;
  Stretch out;
  for (const Point& p : run)
    if (taken.emplace(std::lround(2 * p.x), std::lround(2 * p.y)).second) out.push_back(p);
  return out.size() <= most ? out : sampled(out, most);
}

}  // namespace cairn::plot
