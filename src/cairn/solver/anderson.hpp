// Anderson acceleration of a fixed-point map x -> g(x), with a window of m residuals f = g - x (type II), in a weighted
// norm. The next point is the combination of the last values of g whose residuals, combined likewise, are least.
#pragma once

#include <memory>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

class Anderson {
 public:
  static constexpr int max_window = 10;

  // weight: (n) square roots of the weights of the norm.
  Anderson(int window, const std::vector<Real>& weight);
  ~Anderson();

  void reset();
  // From g = g(x) and f = g - x, the next point, into x.
  void next(const Real* g, const Real* f, Real* x);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
