// One axis: where a value lies on the page, and where the ticks stand.
#pragma once

#include <string>
#include <vector>

#include "cairn/plot/figure.hpp"

namespace cairn::plot {

struct Tick {
  double value;
  std::string label;     // plain text before the exponent; empty: a small tick
  std::string exponent;  // raised
};

struct Ticks {
  std::vector<Tick> ticks;
  int power = 0;  // labels are to be multiplied by 10^power, said at the end of the axis
};

// Steps of 1, 2 or 5 times a power of ten, about `wanted` of them.
Ticks linear_ticks(Range range, int wanted);
// Decades; the digits between as small ticks, with labels where a range holds less than two decades. A range that is
// not even a factor of two long has the ticks of a linear one.
Ticks log_ticks(Range range, int wanted);

// A data range and the stretch of page that shows it.
class Scale {
 public:
  Scale(Range data, bool log) : data_(data), log_(log) {}

  void place(double from, double to) { from_ = from, to_ = to; }
  // Not finite where a logarithmic axis has no place for the value.
  double operator()(double value) const;
  const Range& data() const { return data_; }
  bool log() const { return log_; }
  Ticks ticks(int wanted) const { return log_ ? log_ticks(data_, wanted) : linear_ticks(data_, wanted); }

 private:
  Range data_;
  bool log_;
  double from_ = 0, to_ = 1;  // [px]
};

// Gathers what is drawn and gives the range to show.
class Extent {
 public:
  explicit Extent(bool log) : log_(log) {}

  void add(double value);
  // With a margin; a single value, or none, gets a range about it.
  Range padded() const;

 private:
  bool log_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

}  // namespace cairn::plot
