#include "cairn/ensemble/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/check.hpp"
#include "cairn/lagrange/random.hpp"

namespace cairn::ensemble {
namespace {

// Straight line of least squares: slope, and how much of the variance it explains.
struct Line {
  Real slope = 0, fit = 0, first = 0;  // first: its value at the first x
};
Line line_through(std::span<const Real> x, std::span<const Real> y) {
  const auto n = static_cast<Real>(x.size());
  Real mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / n, my += y[k] / n;
  for (std::size_t k = 0; k < x.size(); ++k)
    xx += (x[k] - mx) * (x[k] - mx), xy += (x[k] - mx) * (y[k] - my), yy += (y[k] - my) * (y[k] - my);
  if (!(xx > 0) || !(yy > 0)) return {};
  return {xy / xx, xy * xy / (xx * yy), my + xy / xx * (x[0] - mx)};
}

// Of the ratio of the two root mean squares, over resampled pairs; the same draws each time.
Interval resampled_ratio(std::span<const Real> full, std::span<const Real> tenth) {
  constexpr int draws = 2000;
  RandomStream random(20240229);
  std::vector<Real> ratios;
  const int n = static_cast<int>(full.size());
  for (int d = 0; d < draws; ++d) {
    Real a = 0, b = 0;
    for (int k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(random.below(n));
      a += full[i] * full[i], b += tenth[i] * tenth[i];
    }
    if (a > 0) ratios.push_back(std::sqrt(b / a));
  }
  std::ranges::sort(ratios);
  return ratios.empty() ? Interval{} : Interval{quantile(ratios, Real(0.05)), quantile(ratios, Real(0.95))};
}

// Of the pairs that depart at all, the part in which a tenth gives less than half: one large member decides a root mean
// square, and chance gives it a small ratio now and then.
Real part_that_shrinks(std::span<const Real> full, std::span<const Real> tenth, Real least) {
  int seen = 0, less = 0;
  for (std::size_t k = 0; k < full.size(); ++k)
    if (std::max(full[k], tenth[k]) > least) ++seen, less += tenth[k] < full[k] / 2;
  return seen == 0 ? 1 : static_cast<Real>(less) / static_cast<Real>(seen);
}

Real larger_over(const Judgement& j, Real scale) { return scale > 0 ? std::max(j.full, j.tenth) / scale : 0; }

// Whether the spread alone decides.
bool judge_without_ratio(Judgement& j, std::size_t members, Real resolution) {
  constexpr std::size_t fewest = fewest_pairs;
  if (j.full == 0 && j.tenth == 0 && members > 0)
    return j.verdict = Verdict::determined, j.why = "all members agree with run 0", true;
  if (members > 0 && j.relative <= resolution)
    return j.verdict = Verdict::determined, j.why = "the spread is below the resolution", true;
  if (members < fewest)
    return j.why = fmt::format("{} member{} of a size, expected {} at least", members, members == 1 ? "" : "s", fewest),
           true;
  return false;
}

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::determined: return "determined";
    case Verdict::sensitive: return "sensitive";
    case Verdict::unclear: return "unclear";
    case Verdict::unknown: break;
  }
  return "unknown";
}

Real quantile(std::span<const Real> sorted, Real p) {
  CAIRN_CHECK(!sorted.empty(), "a quantile needs a number");
  const Real place = p * static_cast<Real>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const Real part = place - static_cast<Real>(below);
  return below + 1 < sorted.size() ? sorted[below] + part * (sorted[below + 1] - sorted[below]) : sorted[below];
}

Distribution distribution_of(std::span<const Real> values) {
  std::vector<Real> v;
  for (const Real x : values)
    if (std::isfinite(x)) v.push_back(x);
  Distribution d;
  d.count = static_cast<long>(v.size()), d.missing = static_cast<long>(values.size() - v.size());
  if (v.empty()) return d;
  for (const Real x : v) d.mean += x;
  d.mean /= static_cast<Real>(v.size());
  Real squares = 0;
  for (const Real x : v) squares += (x - d.mean) * (x - d.mean);
  if (v.size() > 1) d.deviation = std::sqrt(squares / static_cast<Real>(v.size() - 1));
  std::ranges::sort(v);
  d.least = v.front(), d.most = v.back(), d.median = quantile(v, Real(0.5));
  d.q05 = quantile(v, Real(0.05)), d.q25 = quantile(v, Real(0.25));
  d.q75 = quantile(v, Real(0.75)), d.q95 = quantile(v, Real(0.95));
  return d;
}

Interval wilson(long hits, long n) {
  if (n <= 0) return {0, 1};
  constexpr Real z = Real(1.959963984540054);  // 97.5 % of a normal
  const Real m = static_cast<Real>(n), p = static_cast<Real>(hits) / m, zz = z * z / m;
  const Real middle = (p + zz / 2) / (1 + zz), half = z * std::sqrt((p * (1 - p) + zz / 4) / m) / (1 + zz);
  return {std::max(Real(0), middle - half), std::min(Real(1), middle + half)};
}

Real root_mean_square(std::span<const Real> values) {
  Real squares = 0;
  for (const Real x : values) squares += x * x / static_cast<Real>(values.size());
  return std::sqrt(squares);
}

Judgement judge_pairs(std::span<const Real> full, std::span<const Real> tenth, Real scale, Real resolution) {
  CAIRN_CHECK(full.size() == tenth.size(), "members come in pairs");
  Judgement j;
  j.full = root_mean_square(full), j.tenth = root_mean_square(tenth);
  j.relative = larger_over(j, scale);
  if (judge_without_ratio(j, full.size(), resolution)) return j;
  if (!(j.full > 0)) {
    j.verdict = Verdict::unclear, j.why = "members at a tenth depart from run 0, those in full do not";
    return j;
  }
  j.ratio = j.tenth / j.full, j.ratio_range = resampled_ratio(full, tenth);
  const bool most = part_that_shrinks(full, tenth, resolution * scale) >= Real(0.75);
  if (*j.ratio < shrinks && j.ratio_range.high < Real(0.5) && most)
    j.verdict = Verdict::determined, j.why = "the spread shrinks with the perturbation";
  else if (*j.ratio >= shrinks && j.ratio_range.low > Real(0.1))
    j.verdict = Verdict::sensitive, j.why = "the spread does not shrink with the perturbation";
  else
    j.verdict = Verdict::unclear, j.why = "more members are needed to tell";
  return j;
}

Judgement judge_single(std::span<const Real> departures, Real scale, Real resolution, bool could_shrink) {
  Judgement j;
  j.full = root_mean_square(departures);
  j.relative = larger_over(j, scale);
  if (judge_without_ratio(j, departures.size(), resolution)) return j;
  if (could_shrink)
    j.why = "one size alone";
  else
    j.verdict = Verdict::sensitive, j.why = "the spread is above the resolution";
  return j;
}

std::optional<Real> first_above(std::span<const Real> times, std::span<const Real> departures, Real bound) {
  for (std::size_t k = 0; k < times.size(); ++k)
    if (departures[k] > bound) return times[k];
  return std::nullopt;
}

std::optional<Growth> growth_of(std::span<const Real> times, std::span<const Real> spread) {
  Real most = 0;
  for (const Real s : spread)
    if (std::isfinite(s)) most = std::max(most, s);
  std::vector<Real> t, log_t, log_s;
  for (std::size_t k = 0; k < times.size() && !(spread[k] >= most / 10); ++k)
    if (spread[k] > 0) t.push_back(times[k]), log_t.push_back(std::log(times[k])), log_s.push_back(std::log(spread[k]));
  constexpr std::size_t fewest = 8;
  if (t.size() < fewest) return std::nullopt;
  const Line exponential = line_through(t, log_s), power = line_through(log_t, log_s);
  const bool chosen = exponential.fit >= power.fit;
  const Line& best = chosen ? exponential : power;
  const Real rise = best.slope * (chosen ? t.back() - t.front() : log_t.back() - log_t.front()) / std::log(Real(10));
  if (best.fit < Real(0.9) || rise < Real(1.5)) return std::nullopt;
  return Growth{chosen, best.slope, t.front(), t.back(), std::exp(best.first), rise, best.fit};
}

}  // namespace cairn::ensemble
