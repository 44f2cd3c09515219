// Curves of a run whose length is not known beforehand, in bounded memory: means over equal numbers of steps. When all
// bins are full, neighbours are merged, so that between half and all of the bins are in use.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn::run {

class History {
 public:
  explicit History(int columns, int capacity = 512);

  void add(Real weight, std::span<const Real> values);  // one step; the weight is its duration [s]
  int size() const;                                     // bins
  Real weight(int bin) const;
  Real mean(int bin, int column) const;  // weighted mean

  std::vector<Real> memory() const;
  void recall(std::span<const Real> memory);

 private:
  void merge();
  const Real* row(int bin) const { return &sums_[static_cast<std::size_t>(bin * (columns_ + 1))]; }

  int columns_, capacity_;
  long per_bin_ = 1, in_last_ = 0;  // steps
  std::vector<Real> sums_;          // (bins * (1 + columns)) of weights, and of weights times values
};

// Means of a column, and the slope dy/dx of the line of least squares, over the bins chosen. Not a number where fewer
// than one (two) bins are chosen or all have the same x.
using Choice = std::function<bool(int bin)>;
Real mean(const History& history, int column, const Choice& chosen);
Real slope(const History& history, int x, int y, const Choice& chosen);
Choice last_half(const History& history, int time_column, Real start, Real end);

}  // namespace cairn::run
