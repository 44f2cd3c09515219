// What one core of this machine can do at best, measured: bytes a second, multiplications and additions a second.
#pragma once

#include <algorithm>
#include <vector>

#include "support/isolate.hpp"

namespace bench {

struct Machine {
  static constexpr double cache_bytes = 1 << 20;  // of data that stay near the core

  double memory = 0, cache = 0;  // [bytes/s] read
  double flops = 0;              // [1/s] in double precision, without fused ones: the library uses none

  static Machine measured() { return {bandwidth(std::size_t{1} << 28), bandwidth(1 << 18), peak()}; }

 private:
  static constexpr int lanes = 16;  // sums that do not wait for each other

  static double bandwidth(std::size_t bytes) {
    const std::vector<double> x(bytes / sizeof(double), 1.0);
    double best = 0;
    volatile double keep = 0;
    for (int round = 0; round < 5; ++round) {
      const std::size_t times = std::max<std::size_t>(1, (std::size_t{1} << 29) / bytes);
      const double start = cpu_seconds();
      double s[lanes] = {};
      for (std::size_t t = 0; t < times; ++t)
        for (std::size_t i = 0; i + lanes <= x.size(); i += lanes)
          for (int k = 0; k < lanes; ++k) s[k] += x[i + static_cast<std::size_t>(k)];
      const double seconds = cpu_seconds() - start;
      for (const double v : s) keep = keep + v;
      best = std::max(best, static_cast<double>(times * bytes) / seconds);
    }
    return best;
  }

  static double peak() {
    constexpr int chains = 32;
    constexpr long rounds = 20000000;
    double best = 0;
    volatile double keep = 0, a = 1 - 1e-9, b = 1e-9;
    for (int round = 0; round < 3; ++round) {
      const double m = a, c = b;
      double s[chains];
      std::fill(s, s + chains, 0.5);
      const double start = cpu_seconds();
      for (long t = 0; t < rounds; ++t)
        for (int k = 0; k < chains; ++k) s[k] = s[k] * m + c;
      const double seconds = cpu_seconds() - start;
      for (const double v : s) keep = keep + v;
      best = std::max(best, 2.0 * chains * static_cast<double>(rounds) / seconds);
    }
    return best;
  }
};

}  // namespace bench
