#include "cairn/solver/body_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/threads.hpp"
#include "cairn/solver/forecast.hpp"
#include "cairn/solver/gauss_seidel.hpp"
#include "cairn/solver/units.hpp"

namespace cairn {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int groups_of_a_piece = 32, bodies_of_a_piece = 512;
static_assert(groups_of_a_piece % 2 == 0);  // pairs of them are groups of eight
// Single precision: from this number of contacts on, while the error is above this one.
constexpr int single_contacts = 256;
constexpr Real single_error = Real(2e-5);

struct Nothing {};
void add(Nothing&, const Nothing&) {}
void add(Real& sum, Real x) { sum += x; }
void add(SweepData& sum, const SweepData& x) { sum.free_speed2 += x.free_speed2, sum.trace += x.trace; }
void add(SweepErrors& sum, const SweepErrors& x) { sum.given += x.given, sum.own += x.own, sum.impulse += x.impulse; }
}  // namespace

template <int D>
void BodySweeps<D>::start(int bodies, std::span<const Pair> contacts, std::span<const char> round) {
  // The order of the step before, where it is the order of this one.
  const bool same = bodies == static_cast<int>(round_.size()) && std::ranges::equal(contacts, pairs_) &&
                    std::ranges::equal(round, round_);
  if (!same) {
    pairs_.assign(contacts.begin(), contacts.end()), round_.assign(round.begin(), round.end());
    order_.make(bodies, contacts), ++orders_;
    cut_colours();
    arrange();
  }
}

// Of colours: the only ones that have lanes without a contact, whose fields are zero for good.
template <int D>
template <class T>
void BodySweeps<D>::clear_last_groups(Numbers<T>& x) {
  for (std::size_t i = 0; i < part_.size(); ++i) {
    const SweepGroups g = groups(part_[i], x);
    const std::size_t size = fields_of_a_group(part_[i]) * lanes_of<T>;
    for (int c = order_.island[i].first_colour; c < order_.island[i].last_colour; ++c) {
      const int last = piece_[at(colour_[at(c + 1)] - 1)].template last_of<T>() - 1;
      std::fill_n(g.field + at(last) * size, size, T(0));
    }
  }
}

// Where the fields of islands are, and the places of bodies.
template <int D>
void BodySweeps<D>::arrange() {
  part_.resize(order_.island.size());
  slot_.resize(pairs_.size());
  const int nothing = static_cast<int>(order_.body.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < part_.size(); ++i) {
    const SweepIsland& island = order_.island[i];
    Part& part = part_[i];
    part.kind = D == 2 ? SweepKind::plane : SweepKind::round;
    for (int k = island.first_body; k < island.last_body; ++k)
      if (D == 3 && !round_[at(order_.body[at(k)])]) part.kind = SweepKind::solid;
    part.first = order_.colour[at(island.first_colour)], part.last = order_.colour[at(island.last_colour)];
    part.offset = size;
    const SweepLayout& layout = sweep_kernel(part.kind).at;
    const std::size_t group = at(layout.count * lane_count);
    for (const int a : contacts(static_cast<int>(i))) {
      const int slot = order_.slot[at(a)];
      slot_[at(a)] = {size + at(slot / lane_count - part.first) * group + at(slot % lane_count), &layout};
    }
    size += at(part.last - part.first) * group;
  }
  whole_.field.resize(size);
  clear_last_groups(whole_);
  whole_.body.assign(at(order_.groups) * 2 * lane_count, nothing);
  whole_.inverse.assign(at(nothing + 1) * inverse_stride, 0);
  free_.assign(at(nothing + 1) * stride, 0);
  whole_.u = free_;
  whole_.last.resize(free_.size());
  for (std::size_t a = 0; a < pairs_.size(); ++a) {
    const int group = order_.slot[a] / lane_count, lane = order_.slot[a] % lane_count;
    for (int side = 0; side < 2; ++side)
      if (pairs_[a][at(side)] >= 0)
        whole_.body[at((group * 2 + side) * lane_count + lane)] = order_.place[at(pairs_[a][at(side)])];
  }
}

// The same of groups of eight: two of four that follow each other in a colour.
template <int D>
void BodySweeps<D>::arrange_single() {
  if (singles_ == orders_) return;
  singles_ = orders_;
  const int nothing = static_cast<int>(order_.body.size());
  constexpr int lanes = lanes_of<float>;
  std::size_t size = 0;
  int groups = 0;
  for (std::size_t i = 0; i < part_.size(); ++i) {
    const SweepIsland& island = order_.island[i];
    Part& part = part_[i];
    part.first_single = groups, part.single_offset = size;
    for (int k = colour_[at(island.first_colour)]; k < colour_[at(island.last_colour)]; ++k) {
      Piece& piece = piece_[at(k)];
      piece.first_single = groups, groups += (piece.last - piece.first + 1) / 2, piece.last_single = groups;
    }
    size += at(groups - part.first_single) * fields_of_a_group(part) * lanes;
  }
  single_.field.resize(size);
  clear_last_groups(single_);
  single_.body.assign(at(groups) * 2 * lanes, nothing);
  single_.inverse.assign(at(nothing + 1) * inverse_stride, 0);
  single_.u.assign(at(nothing + 1) * stride, 0);
  single_.last.resize(single_.u.size());
  for (const Piece& piece : piece_)
    for (int g = piece.first; g < piece.last; ++g)
      for (int side = 0; side < 2; ++side)
        std::copy_n(&whole_.body[at((g * 2 + side) * lane_count)], lane_count,
                    &single_.body[at(((piece.first_single + (g - piece.first) / 2) * 2 + side) * lanes +
                                     (g - piece.first) % 2 * lane_count)]);
}

template <int D>
void BodySweeps<D>::cut_colours() {
  piece_.clear(), colour_.clear();
  for (std::size_t c = 0; c + 1 < order_.colour.size(); ++c) {
    colour_.push_back(static_cast<int>(piece_.size()));
    for (int g = order_.colour[c]; g < order_.colour[c + 1]; g += groups_of_a_piece)
      piece_.push_back({g, std::min(g + groups_of_a_piece, order_.colour[c + 1]), 0, 0});
  }
  colour_.push_back(static_cast<int>(piece_.size()));
}

template <int D>
template <class Sum, class F>
Sum BodySweeps<D>::in_pieces(int island, F&& f) {
  const SweepIsland& i = order_.island[at(island)];
  const int begin = colour_[at(i.first_colour)], end = colour_[at(i.last_colour)];
  Sum sum{};
  if (threads() == 1) {
    for (int k = begin; k < end; ++k) add(sum, f(piece_[at(k)]));
    return sum;
  }
  static thread_local std::vector<Sum> sums;  // of the pieces
  sums.assign(at(end - begin), {});
  auto one = [&, sums = sums.data()](int k) { sums[k - begin] = f(piece_[at(k)]); };
  share_stages(std::span(colour_).subspan(at(i.first_colour), at(i.last_colour - i.first_colour + 1)), one);
  for (const Sum& s : sums) add(sum, s);
  return sum;
}

template <int D>
std::span<const int> BodySweeps<D>::contacts(int island) const {
  const SweepIsland& i = order_.island[at(island)];
  return std::span(order_.contact).subspan(at(i.first_contact), at(i.last_contact - i.first_contact));
}
template <int D>
std::span<const int> BodySweeps<D>::bodies(int island) const {
  const SweepIsland& i = order_.island[at(island)];
  return std::span(order_.body).subspan(at(i.first_body), at(i.last_body - i.first_body));
}

template <int D>
void BodySweeps<D>::set_body(int body, const SweepBody<D>& b) {
  if (order_.place[at(body)] < 0) return;
  Real* u = &free_[at(order_.place[at(body)]) * stride];
  Real* inverse = &whole_.inverse[at(order_.place[at(body)]) * inverse_stride];
  b.v.store(u), b.inverse_mass.store(inverse);
  const Mat<spins<D>>& J = b.inverse_inertia;
  if constexpr (D == 2) {
    u[2] = b.w[0], inverse[2] = J(0, 0);
  } else {
    b.w.store(u + 4);
    u[3] = b.inverse_mass[0], u[7] = J(0, 0);
    for (int k = 0; k < 3; ++k) inverse[4 + k] = J(k, k);
    inverse[8] = J(0, 1), inverse[9] = J(0, 2), inverse[10] = J(1, 2);
  }
}

template <int D>
void BodySweeps<D>::set_contact(int a, const SweepContact<D>& c) {
  const SweepLayout& l = *slot_[at(a)].at;
  Real* f = &whole_.field[slot_[at(a)].first];
  const auto put = [&](int field, const Real* v, int n) {
    for (int i = 0; i < n; ++i) f[(field + i) * lane_count] = v[i];
  };
  put(l.n, c.frame.v, D);
  if (D == 3) put(l.t, c.frame.v + D, D);
  if (l.arm == 1) {
    const Vec<D> n = Vec<D>::load(c.frame.v);
    f[l.r * lane_count] = -dot(c.arm[0], n), f[(l.r + 1) * lane_count] = dot(c.arm[1], n);
  } else {
    put(l.r, c.arm[0].v, D), put(l.r + D, c.arm[1].v, D);
  }
  put(l.w, c.w.v, D), put(l.S, c.S.v, D);
  f[l.mu * lane_count] = c.mu;
  if (D == 2) f[(l.mu + 1) * lane_count] = c.mu_minus;
}

template <int D>
template <class T>
SweepGroups<T> BodySweeps<D>::groups(const Part& part, Numbers<T>& x) {
  constexpr bool single = sizeof(T) == sizeof(float);
  const std::size_t before = at(single ? part.first_single : part.first) * fields_of_a_group(part) * lanes_of<T>;
  const std::size_t offset = single ? part.single_offset : part.offset;
  return {x.field.data() + offset - before, x.body.data(), static_cast<int>(order_.body.size())};
}

template <int D>
Vec<D> BodySweeps<D>::linear_velocity(int body) const {
  return Vec<D>::load(&whole_.u[at(order_.place[at(body)]) * stride]);
}
template <int D>
Vec<spins<D>> BodySweeps<D>::spin_velocity(int body) const {
  return Vec<spins<D>>::load(&whole_.u[at(order_.place[at(body)]) * stride] + (D == 2 ? 2 : 4));
}

template <int D>
void BodySweeps<D>::prepare(int island) {
  Part& part = part_[at(island)];
  const SweepGroups g = groups(part, whole_);
  const SweepData data = in_pieces<SweepData>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    return kernel->prepare(g, free_.data(), whole_.inverse.data(), p.first, p.last);
  });
  const Real count = static_cast<Real>(contacts(island).size());
  part.norm = data.free_speed2 > 0 ? std::sqrt(data.free_speed2) : 1;
  part.units.velocity = power_of_two_near(std::sqrt(data.free_speed2 / count));
  part.units.impulse = part.units.velocity / power_of_two_near(data.trace / (count * D));
  refresh(island);
}

// u = u_free + A^-1 G^T S, without the rounding that gathers in sweeps.
template <int D>
void BodySweeps<D>::refresh(int island) {
  const Part& part = part_[at(island)];
  const SweepIsland& i = order_.island[at(island)];
  const int first_body = i.first_body, bodies = i.last_body - i.first_body;
  share_range(bodies, bodies_of_a_piece, [&](int first, int last) {
    std::copy(free_.begin() + (first_body + first) * stride, free_.begin() + (first_body + last) * stride,
              whole_.u.begin() + (first_body + first) * stride);
  });
  const SweepGroups g = groups(part, whole_);
  in_pieces<Nothing>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    kernel->apply(g, whole_.u.data(), whole_.inverse.data(), p.first, p.last);
    return Nothing{};
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
  share_range(i.last_body - i.first_body, bodies_of_a_piece, [&](int first, int last) {
    for (int b = i.first_body + first; b < i.first_body + last; ++b) {
      for (int k = 0; k < inverse_stride; ++k)
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
    kernel->narrow(from, to, units, p.first, p.last, p.first_single);
    return Nothing{};
  });
}

template <int D>
void BodySweeps<D>::from_single(int island) {
  const Part& part = part_[at(island)];
  const SweepGroups from = groups(part, single_);
  const SweepGroups to = groups(part, whole_);
  in_pieces<Nothing>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    kernel->widen(from, to, part.units, p.first, p.last, p.first_single);
    return Nothing{};
  });
  refresh(island);
}

template <int D>
template <class T>
void BodySweeps<D>::keep_velocities(int island, Numbers<T>& x) {
  const SweepIsland& i = order_.island[at(island)];
  share_range(i.last_body - i.first_body, bodies_of_a_piece, [&](int first, int last) {
    std::copy(x.u.begin() + (i.first_body + first) * stride, x.u.begin() + (i.first_body + last) * stride,
              x.last.begin() + (i.first_body + first) * stride);
  });
}

// The velocities of S + beta (move), and those of S for the next time.
template <int D>
template <class T>
void BodySweeps<D>::move_on(int island, Real beta, Numbers<T>& x) {
  const SweepIsland& i = order_.island[at(island)];
  const T b = static_cast<T>(beta);
  share_range(i.last_body - i.first_body, bodies_of_a_piece, [&](int first, int last) {
    T *const u = x.u.data(), *const before = x.last.data();
    for (std::size_t k = at(i.first_body + first) * stride; k < at(i.first_body + last) * stride; ++k) {
      const T now = u[k];
      u[k] = now + b * (now - before[k]);
      before[k] = now;
    }
  });
}

// Returns the square of the change.
template <int D>
template <class T>
Real BodySweeps<D>::sweep(int island, Real beta, Real relaxed, Numbers<T>& x) {
  const Part& part = part_[at(island)];
  const SweepLoops<T>& loops = sweep_kernel(part.kind).template loops<T>();
  const SweepGroups g = groups(part, x);
  return in_pieces<Real>(island, [&](const Piece& p) {
    return beta > 0 ? loops.sweep_on(g, x.u.data(), x.inverse.data(), p.template first_of<T>(), p.template last_of<T>(),
                                     beta)
                    : loops.sweep(g, x.u.data(), x.inverse.data(), p.template first_of<T>(), p.template last_of<T>(),
                                  relaxed);
  });
}

template <int D>
template <class T>
typename BodySweeps<D>::Errors BodySweeps<D>::measure(int island, ErrorScale scale, Numbers<T>& x) {
  const Part& part = part_[at(island)];
  const SweepUnits &units = part.units, one{1, 1}, si{1 / units.velocity, 1 / units.impulse};
  constexpr bool single = sizeof(T) == sizeof(float);
  const SweepLoops<T>& loops = sweep_kernel(part.kind).template loops<T>();
  const SweepGroups g = groups(part, x);
  const SweepErrors e = in_pieces<SweepErrors>(island, [&](const Piece& p) {
    return loops.measure(g, x.u.data(), single ? si : one, single ? one : units, p.template first_of<T>(),
                         p.template last_of<T>());
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
  copy_impulses(island, x, [](const T* field, T* kept) { std::copy_n(field, D * lanes_of<T>, kept); });
}
template <int D>
template <class T>
void BodySweeps<D>::restore(int island, Numbers<T>& x) {
  copy_impulses(island, x, [](T* field, const T* kept) { std::copy_n(kept, D * lanes_of<T>, field); });
}
template <int D>
template <class T>
void BodySweeps<D>::clear(int island, Numbers<T>& x) {
  copy_impulses(island, x, [](const T*, T* kept) { std::fill_n(kept, D * lanes_of<T>, T(0)); });
}

template <int D>
template <class T, class Copy>
void BodySweeps<D>::copy_impulses(int island, Numbers<T>& x, Copy copy) {
  const SweepLayout& l = sweep_kernel(part_[at(island)].kind).at;
  const SweepGroups g = groups(part_[at(island)], x);
  x.best.resize(x.body.size() / 2 * D);
  in_pieces<Nothing>(island, [&](const Piece& p) {
    for (int k = p.template first_of<T>(); k < p.template last_of<T>(); ++k)
      copy(g.field + at(k * l.count + l.S) * lanes_of<T>, &x.best[at(k) * D * lanes_of<T>]);
    return Nothing{};
  });
}

// Where single precision pays, which the first sweep tells, it is used until the last ones.
template <int D>
SweepResult BodySweeps<D>::run(int island, const SweepLimits& limits) {
  constexpr Real never = std::numeric_limits<Real>::infinity();
  const bool large = contacts(island).size() >= single_contacts;
  const Real coarse = std::max(Real(0.98) * limits.tolerance, single_error);
  SweepResult result = run(island, limits, large ? 2 * coarse : never, whole_);
  if (!result.far) return result;
  SweepLimits left = limits;
  left.most -= result.sweeps, left.tolerance = coarse, left.enough = std::max(limits.enough, coarse);
  to_single(island);
  const long single = run(island, left, never, single_).sweeps, swept = result.sweeps + single;
  from_single(island);
  const Real error = measure(island, limits.scale, whole_).worst();
  if (error <= limits.tolerance) return {.reached = true, .sweeps = swept, .single = single, .error = error};
  left = limits, left.most -= swept;
  result = run(island, left, never, whole_);
  result.sweeps += swept, result.single = single;
  return result;
}

// Left after the first sweep where the error is above `far_above`.
template <int D>
template <class T>
SweepResult BodySweeps<D>::run(int island, const SweepLimits& limits, Real far_above, Numbers<T>& x) {
  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  const Real goal = std::max(limits.tolerance, limits.enough);
  SweepResult result{.error = infinite};
  CheckClock clock;
  Forecast to_tolerance(limits.tolerance, limits.patience), to_goal(goal, limits.patience);
  Real best = infinite;  // of the larger error
  Real last = infinite;  // square of the change of the sweep before
  Real beta = 0, most = Real(0.97);
  // Contacts may go round in circles: then some sweeps without momentum and with part of the change only, and less
  // momentum after. They are slow where momentum is not to blame.
  long plain_until = 0, plain = 8;
  int idle = 0;          // checks since the error fell
  bool at_best = false;  // the impulses are the best
  while (result.sweeps < limits.most) {
    if (result.sweeps == 0)
      keep_velocities(island, x);
    else
      move_on(island, beta, x);
    const Real change2 = sweep(island, beta, result.sweeps < plain_until ? Real(0.4) : 1, x);
    ++result.sweeps;
    if (!std::isfinite(change2)) break;
    at_best = false;
    const bool more = best <= limits.tolerance && result.sweeps < limits.least;  // nothing to be decided before
    if (result.sweeps == limits.most || (!more && clock.due(result.sweeps, std::sqrt(change2), limits.tolerance))) {
      const Errors e = measure(island, limits.scale, x);
      const Real worst = e.worst();
      clock.checked(result.sweeps, std::sqrt(change2), worst);
      idle = worst < Real(0.9) * best ? 0 : idle + 1;
      if (worst < best) {
        best = worst, result.error = e.given, at_best = true;
        if (best <= limits.tolerance && (result.sweeps >= limits.least || best <= limits.tolerance / 1000)) break;
        save(island, x);
      }
      if (idle == 6) {
        idle = 0, plain_until = result.sweeps + plain, plain *= 2;
        most = std::max(Real(0), 1 - 2 * (1 - most));
      }
      if (worst > far_above && result.sweeps == 1 && worst < infinite) return result.far = true, result;
      const bool further = to_tolerance.hopeless(result.sweeps, worst), far = to_goal.hopeless(result.sweeps, worst);
      if (best <= goal ? further : far && limits.patience > 0) break;
    }
    beta = result.sweeps < plain_until || change2 > Real(1.1) * last ? 0 : std::min(most, change2 / last);
    last = change2;
  }
  if (!(best < infinite)) clear(island, x);  // numbers without end: nothing of them is kept
  if (!at_best) restore(island, x);
  if (sizeof(T) == sizeof(Real) && (!at_best || result.sweeps > 8))
    refresh(island);  // few sweeps gather no rounding to speak of
  result.reached = best <= goal;
  return result;
}

template <int D>
void BodySweeps<D>::finish(int island) {
  const Part& part = part_[at(island)];
  const SweepGroups g = groups(part, whole_);
  in_pieces<Nothing>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    kernel->velocities(g, whole_.u.data(), p.first, p.last);
    return Nothing{};
  });
}

template class BodySweeps<2>;
template class BodySweeps<3>;

}  // namespace cairn
