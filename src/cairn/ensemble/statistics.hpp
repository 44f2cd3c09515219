// Statistics of ensembles: distributions, and whether a number depends on its data with continuity.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn::ensemble {

struct Distribution {
  long count = 0, missing = 0;   // numbers; values that are none (a time that never came)
  Real mean = 0, deviation = 0;  // of the sample, n - 1
  Real least = 0, q05 = 0, q25 = 0, median = 0, q75 = 0, q95 = 0, most = 0;
};
Distribution distribution_of(std::span<const Real> values);
// Linear between the order statistics; of sorted numbers, at least one.
Real quantile(std::span<const Real> sorted, Real p);

struct Interval {
  Real low = 0, high = 0;
};
// Of a probability of which `hits` of n were seen, at 95 % (Wilson 1927).
Interval wilson(long hits, long n);

Real root_mean_square(std::span<const Real> values);

// --- the verdict -----------------------------------------------------------------------------------------------------

enum class Verdict { determined, sensitive, unclear, unknown };
const char* name(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::unknown;
  Real full = 0, tenth = 0;   // root mean square departures from run 0
  Real relative = 0;          // the larger, over the scale
  std::optional<Real> ratio;  // tenth / full, where both have a meaning
  Interval ratio_range;       // 90 %, by resampling pairs
  std::string why;            // in words
};

inline constexpr Real shrinks = Real(1) / 3;  // half-way, on a logarithmic scale, between 1/10 and 1
inline constexpr int fewest_pairs = 5;

// Departures |value - that of run 0| of pairs of members, one perturbed in full, the other by a tenth of the same. A
// number that depends on its data with continuity departs about ten times less at a tenth; one that does not departs as
// much. `scale`: of the number itself; `resolution`: the part of it that the scheme leaves open.
Judgement judge_pairs(std::span<const Real> full, std::span<const Real> tenth, Real scale, Real resolution);
// Of members of one size, or of perturbations without one.
Judgement judge_single(std::span<const Real> departures, Real scale, Real resolution, bool could_shrink);

// --- growth ----------------------------------------------------------------------------------------------------------

// First time at which a departure is above `bound`; none: never.
std::optional<Real> first_above(std::span<const Real> times, std::span<const Real> departures, Real bound);

// How a spread grows before it saturates: exp(rate t), or t^rate.
struct Growth {
  bool exponential = false;
  Real rate = 0;          // [1/s], or the power
  Real from = 0, to = 0;  // [s]
  Real start = 0;         // the fit at `from`
  Real decades = 0;       // that it grows there
  Real fit = 0;           // coefficient of determination of the logarithm
};
// None: it grows by less than a decade and a half, too fast to be seen between samples, or as neither of them.
std::optional<Growth> growth_of(std::span<const Real> times, std::span<const Real> spread);

}  // namespace cairn::ensemble
