// Many runs with random steps or perturbed data, and how their outcomes spread: what can be said of a motion that
// depends on them without continuity (M88 15.3, BC18 4.3). Member i has its own random stream, drawn from the seed and
// i: the same seed gives the same bits, and a longer ensemble begins with the shorter one.
#pragma once

#include <string>
#include <vector>

#include "cairn/lagrange/random.hpp"

namespace cairn {

struct Histogram {
  Real low = 0, high = 0;   // range of the outcomes
  std::vector<long> count;  // (bins) of equal width; the last one includes `high`
};

struct Spread {
  std::vector<Real> value;       // (members), in the order of the members
  long failed = 0;               // outcomes that are not finite: in `value`, in nothing else
  Real mean = 0, deviation = 0;  // of the sample, n - 1
  Real min = 0, max = 0;
  Histogram histogram;

  // Part of the finite outcomes in [low, high].
  Real fraction(Real low, Real high) const;
};

// Of outcomes already there.
Spread spread_of(std::vector<Real> value, int bins = 20);
std::string describe(const Spread& spread);

// `outcome(RandomStream&, long member)` runs one member and gives its number; what is not finite marks a failure.
template <class Outcome>
Spread run_ensemble(long members, std::uint64_t seed, Outcome outcome, int bins = 20) {
  std::vector<Real> value;
  value.reserve(static_cast<std::size_t>(members > 0 ? members : 0));
  for (long i = 0; i < members; ++i) {
    RandomStream random(seed, static_cast<std::uint64_t>(i));
    value.push_back(outcome(random, i));
  }
  return spread_of(std::move(value), bins);
}

// Several numbers of each run: `outcome` gives a container of `numbers` values; one spread for each.
template <class Outcome>
std::vector<Spread> run_ensemble(long members, std::uint64_t seed, int numbers, Outcome outcome, int bins = 20) {
  std::vector<std::vector<Real>> value(static_cast<std::size_t>(numbers));
  for (long i = 0; i < members; ++i) {
    RandomStream random(seed, static_cast<std::uint64_t>(i));
    const auto found = outcome(random, i);
    for (std::size_t k = 0; k < value.size(); ++k) value[k].push_back(found[k]);
  }
  std::vector<Spread> spreads;
  for (std::vector<Real>& v : value) spreads.push_back(spread_of(std::move(v), bins));
  return spreads;
}

// Component by component within +- size, uniformly: perturbed data.
template <class Vector>
Vector perturbed(RandomStream& random, const Vector& x, Real size) {
  Vector y = x;
  for (decltype(y.size()) i = 0; i < y.size(); ++i) y[i] += random.within(-size, size);
  return y;
}

}  // namespace cairn
