#include "cairn/solver/body_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/at.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/solver/forecast.hpp"
#include "cairn/solver/gauss_seidel.hpp"
#include "cairn/solver/units.hpp"

namespace cairn {
namespace {
constexpr int bodies_of_a_sweep = 512;
// Single precision: from this number of contacts on, while the error is above this one.
constexpr int single_contacts = 256;
constexpr Real single_error = Real(2e-5);
// A stall below this error is the precision's doing; so, it seems, is one above it after so many.
constexpr Real near_single_error = 4 * single_error;
constexpr int single_stalls = 4;
constexpr Real further_on = 20;  // of the tolerance, at which sweeps end that are to go on: below that of rest

struct Nothing {};
void add_up(Nothing&, const Nothing&) {}
void add_up(Real& sum, Real x) { sum += x; }
void add_up(SweepData& sum, const SweepData& x) {
  sum.free_speed2 += x.free_speed2, sum.trace += x.trace, sum.impulse2 += x.impulse2;
}
void add_up(SweepErrors& sum, const SweepErrors& x) {
  sum.given += x.given, sum.own += x.own, sum.impulse += x.impulse;
}
}  // namespace

template <int D>
template <class Sum, class F>
Sum BodySweeps<D>::in_pieces(int island, F&& f) {
  const SweepIsland& i = order_.island[at(island)];
  const int begin = order_.stage[at(i.first_stage)], end = order_.stage[at(i.last_stage)];
  Sum sum{};
  if (threads() == 1) {
    for (int k = begin; k < end; ++k) add_up(sum, f(piece_[at(k)]));
    return sum;
  }
  struct alignas(64) Own {  // threads that write side by side would wait for each other
    Sum sum;
  };
  static thread_local std::vector<Own> sums;  // of the pieces
  sums.assign(at(end - begin), {});
  auto one = [&, sums = sums.data()](int k) { sums[k - begin].sum = f(piece_[at(k)]); };
  share_stages(std::span(order_.stage).subspan(at(i.first_stage), at(i.last_stage - i.first_stage + 1)), one);
  for (const Own& own : sums) add_up(sum, own.sum);
  return sum;
}

template <int D>
void BodySweeps<D>::prepare(int island) {
  Part& part = part_[at(island)];
  const SweepGroups g = groups(part, whole_);
  const SweepData data = refresh<SweepData>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    return kernel->prepare(g, free_.data(), whole_.inverse.data(), p.first, p.last);
  });
  const Real count = static_cast<Real>(contacts(island).size());
  part.norm = data.free_speed2 > 0 ? std::sqrt(data.free_speed2) : 1;
  part.start = std::sqrt(data.impulse2);
  part.units.velocity = power_of_two_near(std::sqrt(data.free_speed2 / count));
  part.units.impulse = part.units.velocity / power_of_two_near(data.trace / (count * D));
}

// u = u_free + A^-1 G^T S, without the rounding that gathers in sweeps; before(piece) of each piece, summed.
template <int D>
template <class Sum, class Before>
Sum BodySweeps<D>::refresh(int island, Before&& before) {
  const Part& part = part_[at(island)];
  const SweepIsland& i = order_.island[at(island)];
  const int first_body = i.first_body, bodies = i.last_body - i.first_body;
  share_range(bodies, bodies_of_a_sweep, [&](int first, int last) {
    std::copy(free_.begin() + (first_body + first) * stride, free_.begin() + (first_body + last) * stride,
              whole_.u.begin() + (first_body + first) * stride);
  });
  const SweepGroups g = groups(part, whole_);
  return in_pieces<Sum>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    const Sum sum = before(p);
    kernel->apply(g, whole_.u.data(), whole_.inverse.data(), p.first, p.last);
    return sum;
  });
}

// Impulses and velocities as they are.
template <int D>
void BodySweeps<D>::to_single(int island) {
  arrange_single();
  const Part& part = part_[at(island)];
  const SweepIsland& i = order_.island[at(island)];
  const SweepUnits& units = part.units;
  const Real per_velocity = 1 / units.velocity, per_inverse = units.impulse / units.velocity;
  const int inverses = part.kind == SweepKind::round ? 0 : inverse_stride;  // of round bodies: with the velocities
  share_range(i.last_body - i.first_body, bodies_of_a_sweep, [&](int first, int last) {
    for (int b = i.first_body + first; b < i.first_body + last; ++b) {
      for (int k = 0; k < inverses; ++k)
        single_.inverse[at(b) * inverse_stride + at(k)] =
            static_cast<float>(whole_.inverse[at(b) * inverse_stride + at(k)] * per_inverse);
      for (int k = 0; k < stride; ++k) {
        const std::size_t at_k = at(b) * stride + at(k);
        const bool inverse = D == 3 && k % 4 == 3;  // numbers of round bodies
        single_.u[at_k] =
            static_cast<float>(inverse ? free_[at_k] * per_inverse : (whole_.u[at_k] - free_[at_k]) * per_velocity);
      }
    }
  });
  const SweepGroups from = groups(part, whole_);
  const SweepGroups to = groups(part, single_);
  in_pieces<Nothing>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    kernel->velocities(from, free_.data(), p.first, p.last);
    for (std::size_t r = at(p.first_run); r < at(p.last_run); ++r)
      kernel->narrow(from, to, units, order_.run[r], order_.run[r + 1], run_single_[r]);
    return Nothing{};
  });
}

template <int D>
void BodySweeps<D>::from_single(int island) {
  const Part& part = part_[at(island)];
  const SweepGroups from = groups(part, single_);
  const SweepGroups to = groups(part, whole_);
  refresh<Nothing>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    for (std::size_t r = at(p.first_run); r < at(p.last_run); ++r)
      kernel->widen(from, to, part.units, order_.run[r], order_.run[r + 1], run_single_[r]);
    return Nothing{};
  });
}

// The velocities of S + beta (move), and those of S for the next time.
template <int D>
template <class T>
void BodySweeps<D>::move_on(int first_body, int last_body, bool first, Real beta, Numbers<T>& x) {
  T *const u = x.u.data(), *const before = x.last.data();
  const T b = static_cast<T>(beta);
  if (first) std::copy(u + first_body * stride, u + last_body * stride, before + first_body * stride);
  for (int k = first_body * stride; k < last_body * stride && !first; ++k) {
    const T now = u[k];
    u[k] = now + b * (now - before[k]);
    before[k] = now;
  }
}

// Returns the square of the change.
template <int D>
template <class T>
Real BodySweeps<D>::sweep(int island, bool first, Real beta, Real relaxed, Numbers<T>& x) {
  const Part& part = part_[at(island)];
  const SweepLoops<T>& loops = sweep_kernel(part.kind).template loops<T>();
  const SweepGroups g = groups(part, x);
  const SweepIsland& i = order_.island[at(island)];
  if (order_.home[at(order_.stage[at(i.first_stage)])][1] == 0)  // no blocks
    share_range(i.last_body - i.first_body, bodies_of_a_sweep,
                [&](int from, int to) { move_on(i.first_body + from, i.first_body + to, first, beta, x); });
  return in_pieces<Real>(island, [&](const Piece& p) {
    move_on(p.first_body, p.last_body, first, beta, x);
    return beta > 0 ? loops.sweep_on(g, x.u.data(), x.inverse.data(), p.template first_of<T>(), p.template last_of<T>(),
                                     beta)
                    : loops.sweep(g, x.u.data(), x.inverse.data(), p.template first_of<T>(), p.template last_of<T>(),
                                  relaxed);
  });
}

template <int D>
template <class T>
typename BodySweeps<D>::Errors BodySweeps<D>::measure(int island, ErrorScale scale, Numbers<T>& x,
                                                      bool keep_velocities) {
  const Part& part = part_[at(island)];
  const SweepUnits &units = part.units, one{1, 1}, si{1 / units.velocity, 1 / units.impulse};
  constexpr bool single = sizeof(T) == sizeof(float);
  auto measure = sweep_kernel(part.kind).template loops<T>().measure;
  if constexpr (!single)
    if (keep_velocities) measure = sweep_kernel(part.kind).measure_velocities;
  const SweepGroups g = groups(part, x);
  const SweepUnits* const given = scale == ErrorScale::impulses ? nullptr : single ? &si : &one;
  const SweepErrors e = in_pieces<SweepErrors>(island, [&](const Piece& p) {
    return measure(g, x.u.data(), given, single ? one : units, p.template first_of<T>(), p.template last_of<T>());
  });
  if (scale == ErrorScale::impulses) {
    const Real error = e.own > 0 ? std::sqrt(e.own / e.impulse) : 0;
    return {error, error};
  }
  return {std::sqrt(e.given) / part.norm, std::sqrt(e.own) * part.units.velocity / part.norm};
}

template <int D>
template <class T>
void BodySweeps<D>::save(int island, Numbers<T>& x) {
  copy_impulses(island, x, [](const T* field, T* kept) { std::copy_n(field, D * group_of<T>, kept); });
}
template <int D>
template <class T>
void BodySweeps<D>::restore(int island, Numbers<T>& x) {
  copy_impulses(island, x, [](T* field, const T* kept) { std::copy_n(kept, D * group_of<T>, field); });
}
template <int D>
template <class T>
void BodySweeps<D>::clear(int island, Numbers<T>& x) {
  copy_impulses(island, x, [](const T*, T* kept) { std::fill_n(kept, D * group_of<T>, T(0)); });
}

template <int D>
template <class T, class Copy>
void BodySweeps<D>::copy_impulses(int island, Numbers<T>& x, Copy copy) {
  const SweepLayout& l = sweep_kernel(part_[at(island)].kind).at;
  const SweepGroups g = groups(part_[at(island)], x);
  x.best.resize(x.body.size() / 2 * D);
  in_pieces<Nothing>(island, [&](const Piece& p) {
    for (int k = p.template first_of<T>(); k < p.template last_of<T>(); ++k)
      copy(g.field + at(k * l.template fields<T>() + l.S) * group_of<T>, &x.best[at(k) * D * group_of<T>]);
    return Nothing{};
  });
}

// Where single precision pays, which the first sweep tells, it is used until the last ones.
template <int D>
SweepResult BodySweeps<D>::run(int island, const SweepLimits& limits) {
  part_[at(island)].finished = false;
  constexpr Real never = std::numeric_limits<Real>::infinity();
  const bool large = limits.single && contacts(island).size() >= single_contacts;
  const Real coarse = std::max(Real(0.98) * limits.tolerance, single_error);
  SweepResult result = run(island, limits, large ? 2 * coarse : never, whole_);
  if (!result.far) return result;
  SweepLimits left = limits;
  left.most -= result.sweeps, left.tolerance = coarse, left.enough = std::max(limits.enough, coarse);
  to_single(island);
  const SweepResult coarsely = run(island, left, never, single_);
  const long single = coarsely.sweeps, swept = result.sweeps + single;
  from_single(island);
  const Real error = measure(island, limits.scale, whole_, true).worst();
  const bool hopeless = !coarsely.reached && !coarsely.stalled && limits.patience > 0;
  const bool done = error <= limits.tolerance || hopeless || swept >= limits.most;
  part_[at(island)].finished = done;  // else moves take the place of velocities again
  if (done)
    return {.reached = error <= std::max(limits.tolerance, limits.enough),
            .sweeps = swept,
            .single = single,
            .error = error};
  left = limits, left.most -= swept;
  result = run(island, left, never, whole_);
  result.sweeps += swept, result.single = single;
  return result;
}

// What the first sweep has changed is about the error before it. Where that is far above the one given, so is, without
// being measured, the error after it.
template <int D>
bool BodySweeps<D>::is_far(int island, ErrorScale scale, Real change2, Real far_above) const {
  constexpr Real far = 8;
  const Part& part = part_[at(island)];
  const Real W = part.units.velocity / part.units.impulse;
  const Real all = scale == ErrorScale::impulses ? W * part.start : part.norm;
  return std::sqrt(W * change2) > far * far_above * all;
}

// Left after the first sweep where the error is above `far_above`.
template <int D>
template <class T>
SweepResult BodySweeps<D>::run(int island, const SweepLimits& limits, Real far_above, Numbers<T>& x) {
  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  const Real goal = std::max(limits.tolerance, limits.enough);
  SweepResult result{.error = infinite};
  CheckClock clock(limits.steady ? CheckClock::Pace::steady : CheckClock::Pace::usual);
  Forecast to_tolerance(limits.tolerance, limits.patience), to_goal(goal, limits.patience);
  Real best = infinite;  // of the larger error
  Real last = infinite;  // square of the change of the sweep before
  Real beta = 0, most = Real(0.97);
  // Contacts may go round in circles: then some sweeps without momentum and with part of the change only, and less
  // momentum after. They are slow where momentum is not to blame; that the error does not fall during them says nothing
  // of circles.
  long plain_until = 0, plain = 8;
  int idle = 0;          // checks since the error fell
  int stalls = 0;        // how often these were many
  bool at_best = false;  // the impulses are the best
  while (result.sweeps < limits.most) {
    const Real relaxed = result.sweeps < plain_until ? Real(0.4) : 1;
    const Real change2 = sweep(island, result.sweeps == 0, beta, relaxed, x);
    ++result.sweeps;
    if (!std::isfinite(change2)) break;
    at_best = false;
    if (result.sweeps == 1 && limits.most > 1 && is_far(island, limits.scale, change2, far_above))
      return result.far = true, result;
    const bool more = best <= limits.tolerance && result.sweeps < limits.least;
    const Real sought = more ? limits.tolerance / further_on : limits.tolerance;
    const bool due =
        clock.due(result.sweeps, std::sqrt(change2), sought) || (result.sweeps == 1 && far_above < infinite);
    if (result.sweeps == limits.most || due) {
      const Errors e = measure(island, limits.scale, x);
      const Real worst = e.worst();
      clock.checked(result.sweeps, std::sqrt(change2), worst);
      if (worst < Real(0.9) * best)
        idle = 0;
      else if (result.sweeps > plain_until)
        ++idle;
      if (worst < best) {
        best = worst, result.error = e.given, at_best = true;
        if (best <= limits.tolerance && (result.sweeps >= limits.least || best <= limits.tolerance / further_on)) break;
        save(island, x);
      }
      if (idle == (limits.steady ? 3 : 6)) {
        if (sizeof(T) == sizeof(float) && (best < near_single_error || ++stalls > single_stalls)) {
          result.stalled = true;
          break;
        }
        idle = 0, plain_until = result.sweeps + plain, plain = std::min(2 * plain, limits.most);
        most = std::max(Real(0), 1 - 2 * (1 - most));
      }
      if (worst > far_above && result.sweeps == 1 && limits.most > 1 && worst < infinite)
        return result.far = true, result;
      const bool further = to_tolerance.hopeless(result.sweeps, worst), far = to_goal.hopeless(result.sweeps, worst);
      if (best <= goal ? further : far && limits.patience > 0) break;
    }
    beta = result.sweeps < plain_until || change2 > Real(1.1) * last ? 0 : std::min(most, change2 / last);
    last = change2;
  }
  if (!(best < infinite)) clear(island, x);  // numbers without end: nothing of them is kept
  if (!at_best) restore(island, x);
  if (sizeof(T) == sizeof(Real) && (!at_best || result.sweeps > 8))
    refresh<Nothing>(island, [](const Piece&) { return Nothing{}; });  // few sweeps gather no rounding to speak of
  result.reached = best <= goal;
  return result;
}

template <int D>
void BodySweeps<D>::finish(int island) {
  const Part& part = part_[at(island)];
  if (part.finished) return;
  const SweepGroups g = groups(part, whole_);
  in_pieces<Nothing>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    kernel->velocities(g, whole_.u.data(), p.first, p.last);
    return Nothing{};
  });
}

template class BodySweeps<2>;
template class BodySweeps<3>;

}  // namespace cairn
