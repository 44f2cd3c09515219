// Where sweeps keep what: fields of contacts by islands and groups, velocities by places; how they are set and read.
#include <algorithm>

#include "cairn/base/at.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/solver/body_sweeps.hpp"

namespace cairn {
namespace {
constexpr int contacts_of_a_copy = 1024;
constexpr int contacts_in_cache = 20000;  // beyond that they are asked for ahead, which costs a twentieth of a sweep
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
    const std::size_t size = fields_of_a_group<T>(part_[i]) * group_of<T>;
    for (int r = first_piece(i).first_run; r < last_piece(i).last_run; ++r)
      std::fill_n(g.field + at(run[at(r + 1)] - 1) * size, size, T(0));
  }
}

// The same of their bodies, and of the groups after the last that are looked ahead for.
template <int D>
template <class T>
void BodySweeps<D>::clear_bodies(std::span<const int> run, Numbers<T>& x) {
  constexpr std::size_t group = 2 * group_of<T>;
  const int nothing = row(static_cast<int>(order_.body.size()));
  x.body.resize(at(run.back() + groups_ahead<T>) * group);
  for (const int end : run.subspan(1)) std::fill_n(&x.body[at(end - 1) * group], group, nothing);
  std::fill(x.body.end() - static_cast<std::ptrdiff_t>(groups_ahead<T> * group), x.body.end(), nothing);
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
  clear_bodies(order_.run, whole_);
  std::size_t size = 0;
  const bool all = std::ranges::find(round_, char{false}) == round_.end();
  all_round_ = true;
  for (std::size_t i = 0; i < part_.size(); ++i) {
    const SweepIsland& island = order_.island[i];
    Part& part = part_[i];
    part.round = true;
    for (int k = island.first_body; k < island.last_body && !all; ++k)
      part.round = part.round && round_[at(order_.body[at(k)])];
    all_round_ = all_round_ && part.round;
    part.kind = D == 2 ? SweepKind::plane : part.round ? SweepKind::round : SweepKind::solid;
    part.first = first_piece(i).first, part.last = last_piece(i).last;
    part.offset = size;
    const SweepLayout& layout = sweep_kernel(part.kind).at;
    const std::size_t group = at(layout.count * group_of<Real>);
    const std::span<const int> own = contacts(static_cast<int>(i));
    part.far_apart = own.size() > contacts_in_cache;
    share_range(static_cast<int>(own.size()), contacts_of_a_copy, [&](int first, int last) {
      for (const int a : own.subspan(at(first), at(last - first))) {
        const int slot = order_.slot[at(a)], number = slot / group_of<Real>, lane = slot % group_of<Real>;
        slot_[at(a)] = {size + at(number - part.first) * group + at(lane), &layout};
        for (int side = 0; side < 2; ++side) {
          const int body = pairs_[at(a)][at(side)];
          whole_.body[at((number * 2 + side) * group_of<Real> + lane)] =
              row(body < 0 ? nothing : order_.place[at(body)]);
        }
      }
    });
    size += at(part.last - part.first) * group;
  }
  whole_.field.resize(size);
  clear_last_groups(order_.run, whole_);
  whole_.inverse.resize(at(nothing + 1) * inverse_stride);
  std::fill_n(&whole_.inverse[at(nothing) * inverse_stride], inverse_stride, Real(0));
  free_.resize(at(nothing + 1) * stride), whole_.u.resize(free_.size()), whole_.last.resize(free_.size());
  for (auto* u : {&free_, &whole_.u}) std::fill_n(&(*u)[at(nothing) * stride], stride, Real(0));
}

// The same of groups of sixteen: four of four that follow each other in a run.
template <int D>
void BodySweeps<D>::arrange_single() {
  if (singles_ == orders_) return;
  singles_ = orders_;
  const int nothing = static_cast<int>(order_.body.size());
  constexpr int group = group_of<float>, wholes = group / group_of<Real>;
  run_single_.assign(1, 0);
  for (std::size_t r = 0; r + 1 < order_.run.size(); ++r)
    run_single_.push_back(run_single_.back() + (order_.run[r + 1] - order_.run[r] + wholes - 1) / wholes);
  for (Piece& piece : piece_)
    piece.first_single = run_single_[at(piece.first_run)], piece.last_single = run_single_[at(piece.last_run)];
  std::size_t size = 0;
  for (std::size_t i = 0; i < part_.size(); ++i) {
    part_[i].first_single = first_piece(i).first_single, part_[i].single_offset = size;
    size += at(last_piece(i).last_single - part_[i].first_single) * fields_of_a_group<float>(part_[i]) * group;
  }
  single_.field.resize(size);
  clear_last_groups(run_single_, single_);
  clear_bodies(run_single_, single_);
  single_.inverse.resize(at(nothing + 1) * inverse_stride);
  std::fill_n(&single_.inverse[at(nothing) * inverse_stride], inverse_stride, 0.0f);
  single_.u.resize(at(nothing + 1) * stride), single_.last.resize(single_.u.size());
  std::fill_n(&single_.u[at(nothing) * stride], stride, 0.0f);
  share_range(static_cast<int>(order_.run.size()) - 1, 16, [&](int first, int last) {
    for (std::size_t r = at(first); r < at(last); ++r) {
      for (int g = order_.run[r]; g < order_.run[r + 1]; ++g) {
        const int from = g - order_.run[r], to = run_single_[r] + from / wholes;
        for (int side = 0; side < 2; ++side)
          std::copy_n(&whole_.body[at((g * 2 + side) * group_of<Real>)], group_of<Real>,
                      &single_.body[at((to * 2 + side) * group + from % wholes * group_of<Real>)]);
      }
    }
  });
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
    for (int i = 0; i < n; ++i) f[(field + i) * group_of<Real>] = v[i];
  };
  put(l.n, c.frame.v, D);
  if (D == 3) put(l.t, c.frame.v + D, D);
  if (l.arm == 1) {
    const Vec<D> n = Vec<D>::load(c.frame.v);
    f[l.r * group_of<Real>] = -dot(c.arm[0], n), f[(l.r + 1) * group_of<Real>] = dot(c.arm[1], n);
  } else {
    put(l.r, c.arm[0].v, D), put(l.r + D, c.arm[1].v, D);
  }
  const Vec<D> w = l.world ? c.frame * c.w : c.w, S = l.world ? c.frame * c.S : c.S;
  put(l.w, w.v, D), put(l.S, S.v, D);
  f[l.mu * group_of<Real>] = c.mu;
  if (D == 2) f[(l.mu + 1) * group_of<Real>] = c.mu_minus;
}

// In the contact's axes.
template <int D>
Vec<D> BodySweeps<D>::field(int contact, int SweepLayout::*which) const {
  const Slot& s = slot_[at(contact)];
  const auto get = [&](int first) {
    Vec<D> x;
    for (int i = 0; i < D; ++i) x[i] = whole_.field[s.first + at((first + i) * group_of<Real>)];
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
Vec<D> BodySweeps<D>::linear_velocity(int body) const {
  return Vec<D>::load(&whole_.u[at(order_.place[at(body)]) * stride]);
}
template <int D>
Vec<spins<D>> BodySweeps<D>::spin_velocity(int body) const {
  return Vec<spins<D>>::load(&whole_.u[at(order_.place[at(body)]) * stride] + (D == 2 ? 2 : 4));
}

template void BodySweeps<2>::plan(int, std::span<const Pair>, std::span<const char>);
template void BodySweeps<2>::start();
template void BodySweeps<2>::arrange();
template void BodySweeps<2>::arrange_single();
template std::span<const int> BodySweeps<2>::contacts(int) const;
template std::span<const int> BodySweeps<2>::bodies(int) const;
template void BodySweeps<2>::set_body(int, const SweepBody<2>&);
template void BodySweeps<2>::set_contact(int, const SweepContact<2>&);
template Vec<2> BodySweeps<2>::field(int, int SweepLayout::*) const;
template Vec<2> BodySweeps<2>::linear_velocity(int) const;
template Vec<1> BodySweeps<2>::spin_velocity(int) const;
template void BodySweeps<3>::plan(int, std::span<const Pair>, std::span<const char>);
template void BodySweeps<3>::start();
template void BodySweeps<3>::arrange();
template void BodySweeps<3>::arrange_single();
template std::span<const int> BodySweeps<3>::contacts(int) const;
template std::span<const int> BodySweeps<3>::bodies(int) const;
template void BodySweeps<3>::set_body(int, const SweepBody<3>&);
template void BodySweeps<3>::set_contact(int, const SweepContact<3>&);
template Vec<3> BodySweeps<3>::field(int, int SweepLayout::*) const;
template Vec<3> BodySweeps<3>::linear_velocity(int) const;
template Vec<3> BodySweeps<3>::spin_velocity(int) const;

}  // namespace cairn
