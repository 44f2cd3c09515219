#include "cairn/plot/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::plot {
namespace {

constexpr double largest = 1e300;  // of what an axis shows: margins must not overflow

// The step whose number comes nearest to the one wanted.
double nice_step(double rough) {
  const double power = std::pow(10, std::floor(std::log10(rough))), digit = rough / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

// Digits after the point that tell multiples of `step` apart.
int decimals_for(double step) { return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 15); }

// U+2212, as wide as a plus: a hyphen looks lost before a digit.
std::string with_minus(const std::string& text) { return text.starts_with('-') ? "\u2212" + text.substr(1) : text; }

bool inside(double value, Range range) {
  const double slack = 1e-9 * (range.high - range.low);
  return value >= range.low - slack && value <= range.high + slack;
}

std::string digit_label(int digit, int decade) {  // of digit * 10^decade near one
  return fmt::format("{:.{}f}", digit * std::pow(10, decade), std::max(0, -decade));
}

Tick decade_tick(int digit, int decade) {
  const double value = digit * std::pow(10, decade);
  if (decade >= -2 && decade <= 2 && digit != 1) return {value, digit_label(digit, decade), ""};
  return {value, digit == 1 ? "10" : fmt::format("{}\u00d710", digit), with_minus(std::to_string(decade))};
}

}  // namespace

Ticks linear_ticks(Range range, int wanted) {
  Ticks out;
  const double step = nice_step((range.high - range.low) / std::max(1, wanted));
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (size >= 1e5 || size < 2e-3) out.power = static_cast<int>(std::floor(std::log10(size)));
  const double unit = std::pow(10, out.power);
  const int decimals = decimals_for(step / unit);
  for (double k = std::ceil(range.low / step - 1e-9); inside(k * step, range); ++k) {
    const double value = k * step + 0.0;  // no minus zero
    out.ticks.push_back({value, with_minus(fmt::format("{:.{}f}", k == 0 ? 0.0 : value / unit, decimals)), ""});
    if (out.ticks.size() > 100 || k + 1 == k) break;  // steps lost to rounding: a range too narrow for its place
  }
  return out;
}

Ticks log_ticks(Range range, int wanted) {
  Ticks out;
  const double low = std::log10(range.low), high = std::log10(range.high);
  if (high - low < 0.3) return linear_ticks(range, wanted);  // too short for the digits
  const int first = static_cast<int>(std::floor(low)), last = static_cast<int>(std::ceil(high));
  const int stride = std::max(1, static_cast<int>(std::ceil((high - low) / std::max(1, wanted))));
  const auto has_label = [&](int digit, int decade) {
    if (digit == 1) return decade % stride == 0;
    return high - low < 1 || (high - low < 2 && (digit == 2 || digit == 5));
  };
  for (int decade = first; decade <= last; ++decade) {
    for (int digit = 1; digit <= (stride == 1 ? 9 : 1); ++digit) {
      Tick tick = decade_tick(digit, decade);
      if (std::log10(tick.value) < low - 1e-9 || std::log10(tick.value) > high + 1e-9) continue;
      if (!has_label(digit, decade)) tick.label.clear(), tick.exponent.clear();
      out.ticks.push_back(tick);
    }
  }
  return out;
}

double Scale::operator()(double value) const {
  const double low = log_ ? std::log(data_.low) : data_.low, high = log_ ? std::log(data_.high) : data_.high;
  const double at = log_ ? (value > 0 ? std::log(value) : std::nan("")) : value;
  return from_ + (to_ - from_) * ((at - low) / (high - low));
}

void Extent::add(double value) {
  if (!std::isfinite(value) || (log_ && value <= 0)) return;
  const double bounded = std::clamp(value, -largest, largest);
  low_ = std::min(low_, bounded);
  high_ = std::max(high_, bounded);
}

Range Extent::padded() const {
  if (low_ > high_) return log_ ? Range{1, 10} : Range{0, 1};
  if (log_) {
    const double span = std::log10(high_) - std::log10(low_), margin = span > 0.01 ? 0.05 * span : 0.5;
    return {std::max(1 / largest, low_ * std::pow(10, -margin)), std::min(largest, high_ * std::pow(10, margin))};
  }
  const double span = high_ - low_, size = std::max(std::abs(low_), std::abs(high_));
  if (span > 1e-12 * size) return {low_ - 0.05 * span, high_ + 0.05 * span};
  const double margin = size > 0 ? 0.1 * size : 1;
  return {low_ - margin, high_ + margin};
}

}  // namespace cairn::plot
