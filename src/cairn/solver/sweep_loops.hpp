// Loops over groups of contacts, so many lanes at once as the unit that includes this is compiled for.
#pragma once

#include "cairn/solver/sweep_contact.hpp"

namespace cairn::detail {

template <class K, class T>
constexpr int fields_of = sizeof(T) == sizeof(float) ? K::single : K::count;
template <class K, class T>
CAIRN_LANES T* fields(const SweepGroups<T>& groups, int g) {
  return groups.field + static_cast<std::size_t>(g) * (fields_of<K, T> * group_of<T>);
}
template <class T>
CAIRN_LANES const int* bodies(const SweepGroups<T>& groups, int g) {
  return groups.body + g * (2 * group_of<T>);
}

// Asks for what groups some way ahead need: the processor's own look ahead ends with a page of memory, and knows
// nothing of bodies.
template <class K, class T>
CAIRN_LANES void look_ahead(const T* f, const T* u, const int* body) {
  constexpr int size = fields_of<K, T> * group_of<T> * static_cast<int>(sizeof(T)), line = 64;
  const char* const fields = reinterpret_cast<const char*>(f) + fields_ahead<T> * size;
  for (int k = 0; k < size; k += line) __builtin_prefetch(fields + k);
  const int* const next = body + groups_ahead<T> * 2 * group_of<T>;
#pragma GCC unroll 32
  for (int k = 0; k < 2 * group_of<T>; ++k) __builtin_prefetch(u + next[k]);
}

// f(fields, bodies) of the groups, so many lanes at once; lanes that are all empty are left out.
template <class K, class L, class F>
CAIRN_LANES void for_lanes(const SweepGroups<NumberOf<L>>& groups, const NumberOf<L>* u, int first, int last, F&& f) {
  constexpr int group = group_of<NumberOf<L>>;
  for (int g = first; g < last; ++g) {
    NumberOf<L>* const own = fields<K>(groups, g);
    const int* const body = bodies(groups, g);
    if (groups.far_apart) look_ahead<K>(own, u, body);
#pragma GCC unroll 1
    for (int k = 0; k < group; k += lanes_of<L>)
      if (k == 0 || body[k] != groups.nothing || body[k + group] != groups.nothing) f(own + k, body + k);
  }
}

template <class K, bool On, class L>
CAIRN_LANES Real sweep_groups(const SweepGroups<NumberOf<L>>& groups, NumberOf<L>* u, const NumberOf<L>* inverse,
                              int first, int last, NumberOf<L> factor) {
  constexpr int D = K::D;
  LanesOf<NumberOf<L>> sum{};
  for_lanes<K, L>(
      groups, u, first, last, [&](NumberOf<L> * f, const int* body) __attribute__((always_inline)) {
        const Frame<K, L> frame(f);
        Sides<K, L> sides(u, body);
        const LaneVec<D, L> last_S = vector<K, L>(f, K::S);
        LaneVec<D, L> S = last_S;
        if constexpr (On) S = S + all_lanes<L>(factor) * vector<K, L>(f, K::move);
        const LaneVec<D, L> U = frame.to_local(sides.relative(f, frame)) + vector<K, L>(f, K::w);
        LaneVec<D, L> found;
        L mean;
        if constexpr (is_round<K>) {
          const RoundBlock<L> H(f, sides);
          found = solve_round(f, H, frame.e[0], U, S), mean = H.trace() / 3;
        } else {
          found = solve_contact<K>(f, U, S), mean = lane<L>(f, K::mean);
        }
        LaneVec<D, L> change = found - S;
        if constexpr (!On) change = all_lanes<L>(factor) * change, found = S + change;
        keep(found, f, K::S), keep(found - last_S, f, K::move);
        sides.push(f, frame, frame.to_world(change), inverse, body);
        sides.put_back(u, body, groups.nothing);
        add_to(sum, mean * dot(change, change));
      });
  return sum_of(sum);
}
template <class K, class L, class T = NumberOf<L>>
Real sweep(const SweepGroups<T>& groups, T* u, const T* inverse, int first, int last, Real relaxed) {
  return sweep_groups<K, false, L>(groups, u, inverse, first, last, static_cast<T>(relaxed));
}
template <class K, class L, class T = NumberOf<L>>
Real sweep_on(const SweepGroups<T>& groups, T* u, const T* inverse, int first, int last, Real beta) {
  return sweep_groups<K, true, L>(groups, u, inverse, first, last, static_cast<T>(beta));
}

template <class K, class L, bool Keep = false, class T = NumberOf<L>>
SweepErrors measure(const SweepGroups<T>& groups, const T* u, const SweepUnits* given_in, const SweepUnits& own_in,
                    int first, int last) {
  constexpr int D = K::D;
  const SweepUnits& in = given_in ? *given_in : own_in;
  const L velocity = all_lanes<L>(static_cast<T>(1 / in.velocity)),
          impulse = all_lanes<L>(static_cast<T>(1 / in.impulse)),
          own_velocity = all_lanes<L>(static_cast<T>(1 / own_in.velocity)),
          own_impulse = all_lanes<L>(static_cast<T>(1 / own_in.impulse));
  const L rounding2 = all_lanes<L>(T(0x1p-104));  // what rounding hides beside a large impulse counts as error
  LanesOf<T> given{}, own{}, impulses{};
  for_lanes<K, L>(
      groups, u, first, last, [&](T * f, const int* body) __attribute__((always_inline)) {
        const Frame<K, L> frame(f);
        const LaneVec<D, L> U = frame.to_local(Sides<K, L>(u, body).relative(f, frame)) + vector<K, L>(f, K::w);
        if constexpr (Keep) keep(U, f, K::move);
        const LaneVec<D, L> S = vector<K, L>(f, K::S), R = own_impulse * S;
        if (given_in) add_to(given, natural_map2<K>(f, frame, velocity * U, impulse * S));
        const L R2 = dot(R, R);
        add_to(own, natural_map2<K>(f, frame, own_velocity * U, R) + rounding2 * R2);
        add_to(impulses, R2);
      });
  return {sum_of(given), sum_of(own), sum_of(impulses)};
}

template <class K, class L>
constexpr SweepLoops<NumberOf<L>> loops_of{sweep<K, L>, sweep_on<K, L>, measure<K, L>};

// One for each kind, in the order of SweepKind.
template <class L>
constexpr SweepLoops<NumberOf<L>> loops_of_kinds[] = {loops_of<Plane, L>, loops_of<Solid, L>, loops_of<Round, L>};

}  // namespace cairn::detail
