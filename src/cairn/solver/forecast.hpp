// When to give sweeps up.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

// Watches the error of sweeps: at each check, the sweeps still needed if it falls on as it did since half the way.
class Forecast {
 public:
  Forecast(Real tolerance, long allowed) : tolerance_(tolerance), allowed_(allowed) {}

  // True when the rest would take more sweeps than a direct method is worth.
  bool hopeless(long sweep, Real error) {
    history_.push_back({sweep, error});
    if (sweep < 30) return false;
    std::size_t i = history_.size() - 1;
    while (i > 0 && history_[i].sweep > sweep / 2) --i;
    const Real fall = std::log(history_[i].error / error), steps = static_cast<Real>(sweep - history_[i].sweep);
    const Real needed = fall > 0 ? std::log(error / tolerance_) * steps / fall : std::numeric_limits<Real>::infinity();
    return needed > static_cast<Real>(allowed_) || sweep > 4 * allowed_;
  }

 private:
  struct Point {
    long sweep;
    Real error;
  };
  Real tolerance_;
  long allowed_;
  std::vector<Point> history_;
};

}  // namespace cairn
