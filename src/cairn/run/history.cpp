#include "cairn/run/history.hpp"

#include <limits>

#include "cairn/base/check.hpp"

namespace cairn::run {

History::History(int columns, int capacity) : columns_(columns), capacity_(capacity) {
  CAIRN_CHECK(columns >= 1 && capacity >= 2 && capacity % 2 == 0, "a history needs columns and an even number of bins");
}

int History::size() const { return static_cast<int>(sums_.size()) / (columns_ + 1); }
Real History::weight(int bin) const { return row(bin)[0]; }
Real History::mean(int bin, int column) const { return row(bin)[1 + column] / row(bin)[0]; }

void History::add(Real weight, std::span<const Real> values) {
  CAIRN_CHECK(static_cast<int>(values.size()) == columns_, "one value for each column");
  if (sums_.empty() || in_last_ == per_bin_) {
    if (size() == capacity_) merge();
    sums_.resize(sums_.size() + static_cast<std::size_t>(columns_ + 1), 0);
    in_last_ = 0;
  }
  Real* last = &sums_[sums_.size() - static_cast<std::size_t>(columns_ + 1)];
  last[0] += weight;
  for (int c = 0; c < columns_; ++c) last[1 + c] += weight * values[static_cast<std::size_t>(c)];
  ++in_last_;
}

void History::merge() {
  const int width = columns_ + 1;
  for (int bin = 0; bin < capacity_ / 2; ++bin)
    for (int c = 0; c < width; ++c)
      sums_[static_cast<std::size_t>(bin * width + c)] = row(2 * bin)[c] + row(2 * bin + 1)[c];
  sums_.resize(sums_.size() / 2);
  per_bin_ *= 2;
}

std::vector<Real> History::memory() const {
  std::vector<Real> m{static_cast<Real>(per_bin_), static_cast<Real>(in_last_)};
  m.insert(m.end(), sums_.begin(), sums_.end());
  return m;
}

void History::recall(std::span<const Real> m) {
  CAIRN_CHECK(m.size() >= 2 && (m.size() - 2) % static_cast<std::size_t>(columns_ + 1) == 0,
              "the memory is not one of a history with these columns");
  per_bin_ = static_cast<long>(m[0]), in_last_ = static_cast<long>(m[1]);
  sums_.assign(m.begin() + 2, m.end());
}

Real mean(const History& history, int column, const Choice& chosen) {
  Real weight = 0, sum = 0;
  for (int i = 0; i < history.size(); ++i)
    if (chosen(i)) weight += history.weight(i), sum += history.weight(i) * history.mean(i, column);
  return sum / weight;
}

Real slope(const History& history, int x, int y, const Choice& chosen) {
  const Real x0 = mean(history, x, chosen), y0 = mean(history, y, chosen);
  Real xx = 0, xy = 0;
  for (int i = 0; i < history.size(); ++i) {
    if (!chosen(i)) continue;
    const Real dx = history.mean(i, x) - x0;
    xx += history.weight(i) * dx * dx, xy += history.weight(i) * dx * (history.mean(i, y) - y0);
  }
  return xx > 0 ? xy / xx : std::numeric_limits<Real>::quiet_NaN();
}

Choice last_half(const History& history, int time_column, Real start, Real end) {
  return
      [&history, time_column, middle = (start + end) / 2](int bin) { return history.mean(bin, time_column) > middle; };
}

}  // namespace cairn::run
