// Grains: packings settled in a box, and pyramids of equal spheres.
#include <algorithm>
#include <numeric>

#include "cairn/problem/generate_parts.hpp"

namespace cairn {
namespace {

using generate::Builder;
using generate::Random;

constexpr Real radius_min = 0.007, radius_max = 0.013;  // [m]
constexpr Real density = 2500;                          // [kg/m^3], a disc taken as 1 m deep

template <int D>
struct Packing {
  std::vector<Vec<D>> centre;  // [m] the last coordinate is the height
  std::vector<Real> radius;    // [m]
  Real width = 0;              // [m] of the box in every horizontal direction, from 0

  int grains() const { return static_cast<int>(radius.size()); }
};

struct Pair {
  int a, b;
};

// Pairs closer than `reach` between surfaces, by a sweep along the first axis; in a fixed order.
template <int D>
std::vector<Pair> near_pairs(const Packing<D>& p, Real reach) {
  std::vector<int> order(p.radius.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return p.centre[i][0] != p.centre[j][0] ? p.centre[i][0] < p.centre[j][0] : i < j; });
  std::vector<Pair> pairs;
  for (size_t k = 0; k < order.size(); ++k)
    for (size_t l = k + 1; l < order.size(); ++l) {
      const int i = order[k], j = order[l];
      if (p.centre[j][0] - p.centre[i][0] > 2 * radius_max + reach) break;
      if (norm(p.centre[j] - p.centre[i]) < p.radius[i] + p.radius[j] + reach)
        pairs.push_back({std::max(i, j), std::min(i, j)});
    }
  return pairs;
}

template <int D>
void separate(Packing<D>& p, const std::vector<Pair>& pairs) {
  for (const auto& [a, b] : pairs) {
    const Vec<D> d = p.centre[a] - p.centre[b];
    const Real distance = norm(d), overlap = p.radius[a] + p.radius[b] - distance;
    if (overlap <= 0 || distance <= 0) continue;
    const Vec<D> move = (overlap / (2 * distance)) * d;
    p.centre[a] += move;
    p.centre[b] -= move;
  }
  for (int i = 0; i < p.grains(); ++i) {
    for (int k = 0; k < D - 1; ++k) p.centre[i][k] = std::clamp(p.centre[i][k], p.radius[i], p.width - p.radius[i]);
    p.centre[i][D - 1] = std::max(p.centre[i][D - 1], p.radius[i]);
  }
}

// Grains on a loose lattice, jittered: where they fall from.
template <int D>
Packing<D> loose(int grains, Random& random) {
  Packing<D> p;
  const Real cell = 2.2 * radius_max;
  const int across = std::max(2, static_cast<int>(std::ceil(std::pow(0.5 * grains, 1.0 / D))));
  p.width = across * cell;
  for (int i = 0; i < grains; ++i) {
    p.radius.push_back(random.within(radius_min, radius_max));
    Vec<D> x;
    for (int k = 0, rest = i; k < D; ++k, rest /= across)
      x[k] = cell * ((k < D - 1 ? rest % across : rest) + 0.5 + random.within(-0.04, 0.04));
    p.centre.push_back(x);
  }
  return p;
}

// Overdamped fall: small steps down, overlaps pushed apart; the steps shrink until only rounding of gaps is left. The
// result is not in equilibrium to the last digit: it is the solver's business to find the impulses, gaps go into w.
template <int D>
Packing<D> settle(int grains, Random& random) {
  Packing<D> p = loose<D>(grains, random);
  std::vector<Pair> pairs;
  const Real step = 0.1 * radius_min;
  Real top = 0;
  for (const auto& x : p.centre) top = std::max(top, x[D - 1]);
  const int fall = static_cast<int>(0.6 * top / step), calm = 600;  // rounds
  for (int round = 0; round < fall + calm; ++round) {
    const Real down = step * std::exp(-9.0 * std::max(0, round - fall) / calm);
    for (auto& x : p.centre) x[D - 1] -= down;
    if (round % 4 == 0) pairs = near_pairs(p, 0.6 * radius_min);
    for (int pass = 0; pass < 4; ++pass) separate(p, pairs);
  }
  for (int pass = 0; pass < 200; ++pass) separate(p, pairs);
  return p;
}

template <class P>
Vec<P::freedoms> falling(Random& random, const Fall& fall) {
  Vec<P::freedoms> u;
  for (int i = 0; i < P::freedoms; ++i) u[i] = 0.05 * fall.speed() * random.within(-1, 1);
  u[P::dim - 1] -= fall.speed();
  return u;
}

void add_grain(Builder<PlaneProblem>& b, const Vec<2>& x, Real r, const Vec<3>& u) {
  const Real mass = density * 3.14159265358979323846 * r * r;
  b.add_body(x, mass, {mass * r * r / 2}, u);
}

void add_grain(Builder<SpaceProblem>& b, const Vec<3>& x, Real r, const Vec<6>& u) {
  const Real mass = density * 4 * 3.14159265358979323846 / 3 * r * r * r, inertia = 0.4 * mass * r * r;
  b.add_body(x, mass, {inertia, inertia, inertia}, u);
}

template <class P>
P packing(int grains, Real mu, std::uint64_t seed, const Fall& fall) {
  constexpr int D = P::dim;
  Random random(seed);
  const Packing<D> p = settle<D>(grains, random);
  Builder<P> builder;
  for (int i = 0; i < grains; ++i) add_grain(builder, p.centre[i], p.radius[i], falling<P>(random, fall));
  const Real alert = 0.01 * radius_min;
  auto touch = [&](int a, int b, const Vec<D>& n, Real gap) {
    if (gap < alert)
      builder.add_contact(a, b, p.centre[a] - p.radius[a] * n, n, mu, std::max(gap, Real(0)) / fall.step);
  };
  for (int i = 0; i < grains; ++i)
    for (int k = 0; k < D; ++k) {
      Vec<D> n{};
      n[k] = 1;
      touch(i, -1, n, p.centre[i][k] - p.radius[i]);
      if (k < D - 1) touch(i, -1, -n, p.width - p.centre[i][k] - p.radius[i]);
    }
  auto pairs = near_pairs(p, alert);
  std::sort(pairs.begin(), pairs.end(), [](Pair x, Pair y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  for (const auto& [a, b] : pairs) {
    const Vec<D> d = p.centre[a] - p.centre[b];
    touch(a, b, (1 / norm(d)) * d, norm(d) - p.radius[a] - p.radius[b]);
  }
  return builder.problem;
}

}  // namespace

PlaneProblem disc_packing(int discs, Real mu, std::uint64_t seed, Fall fall) {
  return packing<PlaneProblem>(discs, mu, seed, fall);
}

SpaceProblem sphere_packing(int spheres, Real mu, std::uint64_t seed, Fall fall) {
  return packing<SpaceProblem>(spheres, mu, seed, fall);
}

SpaceProblem sphere_pyramid(int side, Real mu, std::uint64_t seed, Fall fall) {
  Random random(seed);
  Builder<SpaceProblem> builder;
  const Real r = 1;
  std::vector<int> first;  // body number of the first sphere of a layer
  auto add = [&](int a, int b, const Vec<3>& n) { builder.add_contact(a, b, builder.centres[a] - r * n, n, mu); };
  for (int layer = 0; layer < side; ++layer) {
    const int m = side - layer;
    first.push_back(builder.problem.bodies());
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        const Vec<3> x{2 * i + layer * r, 2 * j + layer * r, r * (1 + layer * std::sqrt(2.0))};
        const Real mass = random.within(0.8, 1.2), inertia = 0.4 * mass * r * r;
        const int a = builder.add_body(x, mass, {inertia, inertia, inertia}, falling<SpaceProblem>(random, fall));
        if (i > 0) add(a, a - m, {1, 0, 0});
        if (j > 0) add(a, a - 1, {0, 1, 0});
        if (layer == 0) add(a, -1, {0, 0, 1});
        for (int k = 0; layer > 0 && k < 4; ++k) {
          const int b = first[static_cast<size_t>(layer) - 1] + (i + k / 2) * (m + 1) + j + k % 2;
          add(a, b, (1 / (2 * r)) * (x - builder.centres[b]));
        }
      }
  }
  return builder.problem;
}

}  // namespace cairn
