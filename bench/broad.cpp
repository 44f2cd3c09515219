// Time of the broad phase a body, for packings of 1e3, 1e4, 1e5 balls: the first search, a step when all rest, a step
// of a flow, and the same with radii over four decades. Built by -DCAIRN_BENCH=ON; prints one table.
#include "cairn/detection/broad.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <random>

namespace {

using namespace cairn;

struct Balls {
  std::vector<Vec<3>> x, v;
  std::vector<Real> r, margin;
  std::vector<int> group;
  std::vector<char> is_static;
  std::vector<Bounds<3>> bounds;

  void advance(Real h) {
    bounds.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += h * v[i];
      bounds[i] = grown(Bounds<3>{x[i], x[i]}, r[i]);
    }
  }
};

// On a jittered lattice of cells as wide as the largest ball; radii spread evenly over that many powers of ten.
Balls packing(int n, Real decades) {
  std::mt19937 random(1);
  std::uniform_real_distribution<Real> unit(0, 1);
  std::normal_distribution<Real> bell;
  const int side = static_cast<int>(std::ceil(std::cbrt(n)));
  Balls b;
  for (int i = 0; i < n; ++i) {
    b.r.push_back(0.5 * std::pow(10.0, -decades * unit(random)));
    b.x.push_back(
        {i % side + 0.1 * unit(random), i / side % side + 0.1 * unit(random), i / side / side + 0.1 * unit(random)});
    b.v.push_back(2 * b.r.back() * Vec<3>{bell(random), bell(random), bell(random)});
    b.margin.push_back(0.1 * b.r.back());
    b.group.push_back(i), b.is_static.push_back(0);
  }
  b.advance(0);
  return b;
}

template <class Work>
double seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void row(int n, Real decades) {
  Balls b = packing(n, decades);
  BroadPhase<3> broad;
  const auto update = [&] { return broad.update({b.bounds, b.group, b.is_static, b.margin}, 0.01); };
  const double first = seconds(update), scale = 1e9 / n;
  double rest = 0, flow = 0;
  const int steps = 50;
  long searched = 0;
  for (int k = 0; k < steps; ++k) rest += seconds(update) / steps;
  for (int k = 0; k < steps; ++k) {  // some hundredths of a radius a step
    b.advance(0.01);
    flow += seconds([&] { searched += update().searched; }) / steps;
  }
  fmt::print("| {:>7} | {:^8} | {:>10.2f} | {:>6.0f} | {:>6.0f} | {:>6.0f} | {:>8.3f} |\n", n,
             decades > 0 ? fmt::format("1:1e{:.0f}", decades) : "1:1", static_cast<double>(broad.pairs().size()) / n,
             first * scale, rest * scale, flow * scale, static_cast<double>(searched) / steps / n);
}

}  // namespace

int main() {
  fmt::print("ns a body\n| balls   | sizes    | pairs/body |  first |   rest |   flow | searched |\n");
  fmt::print("|--------:|:--------:|-----------:|-------:|-------:|-------:|---------:|\n");
  for (const Real decades : {0.0, 4.0})
    for (const int n : {1000, 10000, 100000}) row(n, decades);
}
