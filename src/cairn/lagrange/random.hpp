// Random numbers that are the same on every machine and with every standard library: one stream a member of an
// ensemble, so that a member does not depend on how many ran before it.
#pragma once

#include <cmath>
#include <cstdint>

#include "cairn/base/vec.hpp"

namespace cairn {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t member = 0) : state_(mixed(seed) ^ mixed(~member)) {}

  std::uint64_t bits() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15u;
    return mixed(state_);
  }
  Real unit() { return static_cast<Real>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  Real within(Real a, Real b) { return a + (b - a) * unit(); }
  int below(int n) { return static_cast<int>(unit() * n); }

  // Mean 0, variance 1: Box and Muller's polar form.
  Real normal() {
    for (;;) {
      const Real x = within(-1, 1), y = within(-1, 1), r = x * x + y * y;
      if (r > 0 && r < 1) return x * std::sqrt(-2 * std::log(r) / r);
    }
  }

 private:
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace cairn
