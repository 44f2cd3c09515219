// One contact of each lane: its solution with all others held, and how far it is from its law.
#pragma once

#include "cairn/solver/sweep_group.hpp"

namespace cairn::detail {

template <class L>
CAIRN_LANES L positive_inverse(const L& x) {
  return x > 0 ? 1 / x : L{};
}

// The diagonal block of W between spheres: n n^T times the first number, and the second across n.
template <class L>
struct RoundBlock {
  L along, across;
  CAIRN_LANES RoundBlock(const NumberOf<L>* f, const Sides<Round, L>& sides) {
    along = sides.m[0].inverse_mass + sides.m[1].inverse_mass, across = along;
    for (int s = 0; s < 2; ++s) {
      const L rho = lane<L>(f, Round::r + s);
      across += rho * rho * sides.m[s].inverse_inertia;
    }
  }
  CAIRN_LANES L trace() const { return along + 2 * across; }
};

// Between spheres, as below.
template <class L>
CAIRN_LANES LaneVec<3, L> solve_round(const NumberOf<L>* f, const RoundBlock<L>& H, const LaneVec<3, L>& n,
                                      const LaneVec<3, L>& U, const LaneVec<3, L>& S) {
  const L both = positive_inverse(H.along * H.across), normal = both * H.across, slide = both * H.along;
  const L N = larger(dot(n, S) - dot(n, U) * normal, L{}), most = lane<L>(f, Round::mu) * N;
  const LaneVec<3, L> z = S - slide * U, y = z - dot(n, z) * n;
  const L length2 = dot(y, y);
  const L scale = length2 > most * most ? most / sqrt_lanes(length2) : all_lanes<L>(1);
  return N * n + scale * y;
}

// The normal impulse with the friction held, then the friction with that: at a fixed point both hold, which is
// Coulomb's law. Friction that can stop the sliding does; else a step down the steepest descent, back onto the disc.
template <class K, class L>
CAIRN_LANES LaneVec<K::D, L> solve_contact(const NumberOf<L>* f, LaneVec<K::D, L> U, const LaneVec<K::D, L>& S) {
  LaneVec<K::D, L> x = S;
  x[0] = larger(S[0] - U[0] * lane<L>(f, K::normal), L{});
  const L d = x[0] - S[0];
  if constexpr (K::D == 2) {
    U[1] += lane<L>(f, K::couple) * d;
    const L high = lane<L>(f, K::mu) * x[0], low = -lane<L>(f, K::mu + 1) * x[0];
    const L y = S[1] - U[1] * lane<L>(f, K::stick);
    x[1] = y > high ? high : y < low ? low : y;
  } else {
    for (int i = 1; i < 3; ++i) U[i] += lane<L>(f, K::couple + i - 1) * d;
    const L most = lane<L>(f, K::mu) * x[0], slide = lane<L>(f, K::slide);
    const L y1 = S[1] - slide * U[1], y2 = S[2] - slide * U[2], length2 = y1 * y1 + y2 * y2;
    const L scale = length2 > most * most ? most / sqrt_lanes(length2) : all_lanes<L>(1);
    x[1] = scale * y1, x[2] = scale * y2;
    const L tt = lane<L>(f, K::stick), ts = lane<L>(f, K::stick + 1), ss = lane<L>(f, K::stick + 2);
    const L z1 = S[1] - (tt * U[1] + ts * U[2]), z2 = S[2] - (ts * U[1] + ss * U[2]);
    const auto sticks = z1 * z1 + z2 * z2 <= most * most;
    x[1] = sticks ? z1 : x[1], x[2] = sticks ? z2 : x[2];
  }
  return x;
}

// Between spheres, as below.
template <class L>
CAIRN_LANES L round_map2(const NumberOf<L>* f, const LaneVec<3, L>& n, const LaneVec<3, L>& U, const LaneVec<3, L>& S) {
  const L mu = lane<L>(f, Round::mu);
  const LaneVec<3, L> sliding = U - dot(n, U) * n, V = U + (mu * sqrt_lanes(dot(sliding, sliding))) * n, x = S - V;
  const L N = dot(n, x);
  const LaneVec<3, L> y = x - N * n;
  const L t2 = dot(y, y), t = sqrt_lanes(t2), on = larger((N + mu * t) / (1 + mu * mu), L{});
  const LaneVec<3, L> rest = S - on * n - (t > 0 ? mu * on / t : L{}) * y;
  const L most = mu * N;
  const auto outside = (N < 0) | (t2 > most * most);
  return outside ? dot(rest, rest) : dot(V, V);
}

// Square of S - P(S - V), V = U + shift(U) (law.hpp); V itself where S - V is admissible.
template <class K, class L>
CAIRN_LANES L natural_map2(const NumberOf<L>* f, const Frame<K, L>& frame, const LaneVec<K::D, L>& U,
                           const LaneVec<K::D, L>& S) {
  if constexpr (is_round<K>) return round_map2(f, frame.e[0], U, S);
  constexpr int D = K::D;
  LaneVec<D, L> V = U, p;
  L mu = lane<L>(f, K::mu);
  if constexpr (D == 2) {
    const L minus = lane<L>(f, K::mu + 1);
    V[0] += U[1] > 0 ? minus * U[1] : -mu * U[1];
    mu = S[1] - V[1] > 0 ? mu : minus;
  } else {
    V[0] += mu * sqrt_lanes(U[1] * U[1] + U[2] * U[2]);
  }
  const LaneVec<D, L> x = S - V;
  L t2 = x[1] * x[1];
  if constexpr (D == 3) t2 += x[2] * x[2];
  const L t = sqrt_lanes(t2), on = (x[0] + mu * t) / (1 + mu * mu), n = larger(on, L{});
  const L scale = t > 0 ? mu * n / t : L{};
  const L most = mu * x[0];
  const auto outside = (x[0] < 0) | (t2 > most * most);
  p[0] = n;
  for (int i = 1; i < D; ++i) p[i] = scale * x[i];
  L sum{};
  for (int i = 0; i < D; ++i) {
    const L e = outside ? S[i] - p[i] : V[i];
    sum += e * e;
  }
  return sum;
}

}  // namespace cairn::detail
