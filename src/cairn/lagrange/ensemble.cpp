#include "cairn/lagrange/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/check.hpp"

namespace cairn {

Real Spread::fraction(Real low, Real high) const {
  long inside = 0, finite = 0;
  for (const Real x : value) finite += std::isfinite(x), inside += x >= low && x <= high && std::isfinite(x);
  return finite > 0 ? static_cast<Real>(inside) / static_cast<Real>(finite) : 0;
}

Spread spread_of(std::vector<Real> value, int bins) {
  CAIRN_CHECK(bins > 0, "a histogram has at least one bin");
  Spread s;
  s.value = std::move(value);
  s.histogram.count.assign(static_cast<std::size_t>(bins), 0);
  std::vector<Real> finite;
  for (const Real x : s.value)
    if (std::isfinite(x)) finite.push_back(x);
  s.failed = static_cast<long>(s.value.size() - finite.size());
  if (finite.empty()) return s;
  const auto n = static_cast<Real>(finite.size());
  for (const Real x : finite) s.mean += x / n;
  Real square = 0;
  for (const Real x : finite) square += (x - s.mean) * (x - s.mean);
  s.deviation = finite.size() > 1 ? std::sqrt(square / (n - 1)) : 0;
  s.min = *std::min_element(finite.begin(), finite.end());
  s.max = *std::max_element(finite.begin(), finite.end());
  s.histogram.low = s.min, s.histogram.high = s.max;
  for (const Real x : finite) {
    const Real place = s.max > s.min ? (x - s.min) / (s.max - s.min) * bins : 0;
    ++s.histogram.count[static_cast<std::size_t>(std::clamp(static_cast<int>(place), 0, bins - 1))];
  }
  return s;
}

std::string describe(const Spread& s) {
  std::string text = fmt::format("{} runs, {} failed: mean {:.9g}, deviation {:.3g}, from {:.9g} to {:.9g}\n",
                                 s.value.size(), s.failed, s.mean, s.deviation, s.min, s.max);
  const auto bins = static_cast<Real>(s.histogram.count.size());
  const long most = std::max(1L, *std::max_element(s.histogram.count.begin(), s.histogram.count.end()));
  for (std::size_t i = 0; i < s.histogram.count.size(); ++i) {
    const Real from = s.min + (s.max - s.min) * static_cast<Real>(i) / bins;
    text += fmt::format("{:>14.6g} {:>7} {}\n", from, s.histogram.count[i],
                        std::string(static_cast<std::size_t>(40 * s.histogram.count[i] / most), '#'));
  }
  return text;
}

}  // namespace cairn
