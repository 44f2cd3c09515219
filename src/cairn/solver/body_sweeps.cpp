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
constexpr int bodies_of_a_piece = 512, contacts_of_a_piece = 1024;
// Single precision: from this number of contacts on, while the error is above this one.
constexpr int single_contacts = 256;
constexpr Real single_error = Real(2e-5);

struct Nothing {};
void add(Nothing&, const Nothing&) {}
void add(Real& sum, Real x) { sum += x; }
void add(SweepData& sum, const SweepData& x) {
  sum.free_speed2 += x.free_speed2, sum.trace += x.trace, sum.impulse2 += x.impulse2;
}
void add(SweepErrors& sum, const SweepErrors& x) { sum.given += x.given, sum.own += x.own, sum.impulse += x.impulse; }
}  // namespace

template <int D>
void BodySweeps<D>::plan(int bodies, std::span<const Pair> contacts, std::span<const char> round) {
  // The order of the step before, where it is the order of this one.
  const bool same = bodies == static_cast<int>(round_.size()) && std::ranges::equal(contacts, pairs_) &&
                    std::ranges::equal(round, round_);
  if (!same) {
    pairs_.assign(contacts.begin(), contacts.end()), round_.assign(round.begin(), round.end());
    order_.make(bodies, contacts), ++orders_;
  }
}

template <int D>
void BodySweeps<D>::start() {
  if (arranged_ != orders_) arrange();
  arranged_ = orders_;
}

// Of runs: the only ones that have lanes without a contact, whose fields are zero for good.
template <int D>
template <class T>
void BodySweeps<D>::clear_last_groups(std::span<const int> run, Numbers<T>& x) {
  for (std::size_t i = 0; i < part_.size(); ++i) {
    const SweepGroups g = groups(part_[i], x);
    const std::size_t size = fields_of_a_group<T>(part_[i]) * lanes_of<T>;
    for (int r = first_piece(i).first_run; r < last_piece(i).last_run; ++r)
      std::fill_n(g.field + at(run[at(r + 1)] - 1) * size, size, T(0));
  }
}

// Where the fields of islands are, and the places of bodies.
template <int D>
void BodySweeps<D>::arrange() {
  piece_.clear();
  for (std::size_t k = 0; k + 1 < order_.piece.size(); ++k) {
    const int first = order_.piece[k], last = order_.piece[k + 1];
    piece_.push_back({.first = order_.run[at(first)],
                      .last = order_.run[at(last)],
                      .first_run = first,
                      .last_run = last,
                      .first_body = order_.home[k][0],
                      .last_body = order_.home[k][1]});
  }
  part_.resize(order_.island.size());
  slot_.resize(pairs_.size());
  const int nothing = static_cast<int>(order_.body.size());
  std::size_t size = 0;
  all_round_ = true;
  for (std::size_t i = 0; i < part_.size(); ++i) {
    const SweepIsland& island = order_.island[i];
    Part& part = part_[i];
    part.round = true;
    for (int k = island.first_body; k < island.last_body; ++k)
      part.round = part.round && round_[at(order_.body[at(k)])];
    all_round_ = all_round_ && part.round;
    part.kind = D == 2 ? SweepKind::plane : part.round ? SweepKind::round : SweepKind::solid;
    part.first = first_piece(i).first, part.last = last_piece(i).last;
    part.offset = size;
    const SweepLayout& layout = sweep_kernel(part.kind).at;
    const std::size_t group = at(layout.count * lane_count);
    const std::span<const int> own = contacts(static_cast<int>(i));
    share_range(static_cast<int>(own.size()), contacts_of_a_piece, [&](int first, int last) {
      for (const int a : own.subspan(at(first), at(last - first))) {
        const int slot = order_.slot[at(a)];
        slot_[at(a)] = {size + at(slot / lane_count - part.first) * group + at(slot % lane_count), &layout};
      }
    });
    size += at(part.last - part.first) * group;
  }
  whole_.field.resize(size);
  clear_last_groups(order_.run, whole_);
  whole_.body.assign(at(order_.groups + groups_ahead) * 2 * lane_count, nothing);
  for (const int end : order_.run)  // lanes without a contact
    if (end > 0) std::fill_n(&whole_.body[at(end - 1) * 2 * lane_count], 2 * lane_count, nothing);
  whole_.inverse.resize(at(nothing + 1) * inverse_stride);
  std::fill_n(&whole_.inverse[at(nothing) * inverse_stride], inverse_stride, Real(0));
  free_.resize(at(nothing + 1) * stride), whole_.u.resize(free_.size()), whole_.last.resize(free_.size());
  for (auto* u : {&free_, &whole_.u}) std::fill_n(&(*u)[at(nothing) * stride], stride, Real(0));
  share_range(static_cast<int>(pairs_.size()), contacts_of_a_piece, [&](int first, int last) {
    for (std::size_t a = at(first); a < at(last); ++a) {
      const int group = order_.slot[a] / lane_count, lane = order_.slot[a] % lane_count;
      for (int side = 0; side < 2; ++side) {
        const int body = pairs_[a][at(side)];
        whole_.body[at((group * 2 + side) * lane_count + lane)] = body < 0 ? nothing : order_.place[at(body)];
      }
    }
  });
}

// The same of groups of eight: two of four that follow each other in a run.
template <int D>
void BodySweeps<D>::arrange_single() {
  if (singles_ == orders_) return;
  singles_ = orders_;
  const int nothing = static_cast<int>(order_.body.size());
  constexpr int lanes = lanes_of<float>;
  run_single_.assign(1, 0);
  for (std::size_t r = 0; r + 1 < order_.run.size(); ++r)
    run_single_.push_back(run_single_.back() + (order_.run[r + 1] - order_.run[r] + 1) / 2);
  for (Piece& piece : piece_)
    piece.first_single = run_single_[at(piece.first_run)], piece.last_single = run_single_[at(piece.last_run)];
  std::size_t size = 0;
  for (std::size_t i = 0; i < part_.size(); ++i) {
    part_[i].first_single = first_piece(i).first_single, part_[i].single_offset = size;
    size += at(last_piece(i).last_single - part_[i].first_single) * fields_of_a_group<float>(part_[i]) * lanes;
  }
  single_.field.resize(size);
  clear_last_groups(run_single_, single_);
  single_.body.assign(at(run_single_.back() + groups_ahead) * 2 * lanes, nothing);
  single_.inverse.resize(at(nothing + 1) * inverse_stride);
  std::fill_n(&single_.inverse[at(nothing) * inverse_stride], inverse_stride, 0.0f);
  single_.u.resize(at(nothing + 1) * stride), single_.last.resize(single_.u.size());
  std::fill_n(&single_.u[at(nothing) * stride], stride, 0.0f);
  share_range(static_cast<int>(order_.run.size()) - 1, 16, [&](int first, int last) {
    for (std::size_t r = at(first); r < at(last); ++r) {
      std::fill_n(&single_.body[at(run_single_[r + 1] - 1) * 2 * lanes], 2 * lanes, nothing);
      for (int g = order_.run[r]; g < order_.run[r + 1]; ++g) {
        const int from = g - order_.run[r], group = run_single_[r] + from / 2;
        for (int side = 0; side < 2; ++side)
          std::copy_n(&whole_.body[at((g * 2 + side) * lane_count)], lane_count,
                      &single_.body[at((group * 2 + side) * lanes + from % 2 * lane_count)]);
      }
    }
  });
}

template <int D>
template <class Sum, class F>
Sum BodySweeps<D>::in_pieces(int island, F&& f) {
  const SweepIsland& i = order_.island[at(island)];
  const int begin = order_.stage[at(i.first_stage)], end = order_.stage[at(i.last_stage)];
  Sum sum{};
  if (threads() == 1) {
    for (int k = begin; k < end; ++k) add(sum, f(piece_[at(k)]));
    return sum;
  }
  static thread_local std::vector<Sum> sums;  // of the pieces
  sums.assign(at(end - begin), {});
  auto one = [&, sums = sums.data()](int k) { sums[k - begin] = f(piece_[at(k)]); };
  share_stages(std::span(order_.stage).subspan(at(i.first_stage), at(i.last_stage - i.first_stage + 1)), one);
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
  const Mat<spins<D>>& J = b.inverse_inertia;
  b.v.store(u);
  if constexpr (D == 2) {
    b.inverse_mass.store(inverse);
    u[2] = b.w[0], inverse[2] = J(0, 0);
  } else {
    b.w.store(u + 4);
    u[3] = b.inverse_mass[0], u[7] = J(0, 0);
    if (all_round_) return;  // these two are all
    b.inverse_mass.store(inverse);
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
  const Vec<D> w = l.world ? c.frame * c.w : c.w, S = l.world ? c.frame * c.S : c.S;
  put(l.w, w.v, D), put(l.S, S.v, D);
  f[l.mu * lane_count] = c.mu;
  if (D == 2) f[(l.mu + 1) * lane_count] = c.mu_minus;
}

// In the contact's axes.
template <int D>
Vec<D> BodySweeps<D>::field(int contact, int SweepLayout::*which) const {
  const Slot& s = slot_[at(contact)];
  const auto get = [&](int first) {
    Vec<D> x;
    for (int i = 0; i < D; ++i) x[i] = whole_.field[s.first + at((first + i) * lane_count)];
    return x;
  };
  const Vec<D> x = get(s.at->*which);
  if constexpr (D == 3)
    if (s.at->world) {
      const Vec<3> n = get(s.at->n), t = get(s.at->t);
      return {dot(n, x), dot(t, x), dot(cross(n, t), x)};
    }
  return x;
}

template <int D>
template <class T>
SweepGroups<T> BodySweeps<D>::groups(const Part& part, Numbers<T>& x) {
  constexpr bool single = sizeof(T) == sizeof(float);
  const std::size_t before = at(single ? part.first_single : part.first) * fields_of_a_group<T>(part) * lanes_of<T>;
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
  part.start = std::sqrt(data.impulse2);
  part.units.velocity = power_of_two_near(std::sqrt(data.free_speed2 / count));
  part.units.impulse = part.units.velocity / power_of_two_near(data.trace / (count * D));
  refresh(island);
}

// u = u_free + A^-1 G^T S, without the rounding that gathers in sweeps; before(piece) is called of each piece.
template <int D>
void BodySweeps<D>::refresh(int island) {
  refresh(island, [](const Piece&) {});
}
template <int D>
template <class Before>
void BodySweeps<D>::refresh(int island, Before&& before) {
  const Part& part = part_[at(island)];
  const SweepIsland& i = order_.island[at(island)];
  const int first_body = i.first_body, bodies = i.last_body - i.first_body;
  share_range(bodies, bodies_of_a_piece, [&](int first, int last) {
    std::copy(free_.begin() + (first_body + first) * stride, free_.begin() + (first_body + last) * stride,
              whole_.u.begin() + (first_body + first) * stride);
  });
  const SweepGroups g = groups(part, whole_);
  in_pieces<Nothing>(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    before(p);
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
      for (int k = 0; k < inverse_stride && part.kind != SweepKind::round; ++k)
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
  refresh(island, [&, kernel = &sweep_kernel(part.kind)](const Piece& p) {
    for (std::size_t r = at(p.first_run); r < at(p.last_run); ++r)
      kernel->widen(from, to, part.units, order_.run[r], order_.run[r + 1], run_single_[r]);
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
    share_range(i.last_body - i.first_body, bodies_of_a_piece,
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
      copy(g.field + at(k * l.template fields<T>() + l.S) * lanes_of<T>, &x.best[at(k) * D * lanes_of<T>]);
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
  // momentum after. They are slow where momentum is not to blame.
  long plain_until = 0, plain = 8;
  int idle = 0;          // checks since the error fell
  bool at_best = false;  // the impulses are the best
  while (result.sweeps < limits.most) {
    const Real relaxed = result.sweeps < plain_until ? Real(0.4) : 1;
    const Real change2 = sweep(island, result.sweeps == 0, beta, relaxed, x);
    ++result.sweeps;
    if (!std::isfinite(change2)) break;
    at_best = false;
    if (result.sweeps == 1 && limits.most > 1 && is_far(island, limits.scale, change2, far_above))
      return result.far = true, result;
    const bool more = best <= limits.tolerance && result.sweeps < limits.least;  // nothing to be decided before
    const bool due =
        clock.due(result.sweeps, std::sqrt(change2), limits.tolerance) || (result.sweeps == 1 && far_above < infinite);
    if (result.sweeps == limits.most || (!more && due)) {
      const Errors e = measure(island, limits.scale, x);
      const Real worst = e.worst();
      clock.checked(result.sweeps, std::sqrt(change2), worst);
      idle = worst < Real(0.9) * best ? 0 : idle + 1;
      if (worst < best) {
        best = worst, result.error = e.given, at_best = true;
        if (best <= limits.tolerance && (result.sweeps >= limits.least || best <= limits.tolerance / 1000)) break;
        save(island, x);
      }
      if (idle == (limits.steady ? 3 : 6)) {
        if (sizeof(T) == sizeof(float)) {
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
    refresh(island);  // few sweeps gather no rounding to speak of
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
