// One contact of each lane: its solution with all others held, and how far it is from its law.
#pragma once

#include "cairn/solver/sweep_group.hpp"

namespace cairn::detail {

template <class L>
CAIRN_LANES L positive_inverse(const L& x) {
  return x > 0 ? 1 / x : L{};
}

// The diagonal block of W between spheres: n n^T times the first number, and the second across n.
template <class T>
struct RoundBlock {
  LanesOf<T> along, across;
  CAIRN_LANES RoundBlock(const T* f, const Sides<Round, T>& sides) {
    along = sides.m[0].inverse_mass + sides.m[1].inverse_mass, across = along;
    for (int s = 0; s < 2; ++s) {
      const LanesOf<T> rho = lane<Round>(f, Round::r + s);
      across += rho * rho * sides.m[s].inverse_inertia;
    }
  }
  CAIRN_LANES LanesOf<T> trace() const { return along + 2 * across; }
};

// Between spheres, as below.
template <class T>
CAIRN_LANES LaneVec<3, T> solve_round(const T* f, const RoundBlock<T>& H, const LaneVec<3, T>& n,
                                      const LaneVec<3, T>& U, const LaneVec<3, T>& S) {
  const LanesOf<T> both = positive_inverse(H.along * H.across), normal = both * H.across, slide = both * H.along;
  const LanesOf<T> N = larger(dot(n, S) - dot(n, U) * normal, LanesOf<T>{}), most = lane<Round>(f, Round::mu) * N;
  const LaneVec<3, T> z = S - slide * U, y = z - dot(n, z) * n;
  const LanesOf<T> length2 = dot(y, y);
  const LanesOf<T> scale = length2 > most * most ? most / sqrt_lanes(length2) : all_lanes(T(1));
  return N * n + scale * y;
}

// The normal impulse with the friction held, then the friction with that: at a fixed point both hold, which is
// Coulomb's law. Friction that can stop the sliding does; else a step down the steepest descent, back onto the disc.
template <class K, class T>
CAIRN_LANES LaneVec<K::D, T> solve_contact(const T* f, LaneVec<K::D, T> U, const LaneVec<K::D, T>& S) {
  LaneVec<K::D, T> x = S;
  x[0] = larger(S[0] - U[0] * lane<K>(f, K::normal), LanesOf<T>{});
  const LanesOf<T> d = x[0] - S[0];
  if constexpr (K::D == 2) {
    U[1] += lane<K>(f, K::couple) * d;
    const LanesOf<T> high = lane<K>(f, K::mu) * x[0], low = -lane<K>(f, K::mu + 1) * x[0];
    const LanesOf<T> y = S[1] - U[1] * lane<K>(f, K::stick);
    x[1] = y > high ? high : y < low ? low : y;
  } else {
    for (int i = 1; i < 3; ++i) U[i] += lane<K>(f, K::couple + i - 1) * d;
    const LanesOf<T> most = lane<K>(f, K::mu) * x[0], slide = lane<K>(f, K::slide);
    const LanesOf<T> y1 = S[1] - slide * U[1], y2 = S[2] - slide * U[2], length2 = y1 * y1 + y2 * y2;
    const LanesOf<T> scale = length2 > most * most ? most / sqrt_lanes(length2) : all_lanes(T(1));
    x[1] = scale * y1, x[2] = scale * y2;
    const LanesOf<T> tt = lane<K>(f, K::stick), ts = lane<K>(f, K::stick + 1), ss = lane<K>(f, K::stick + 2);
    const LanesOf<T> z1 = S[1] - (tt * U[1] + ts * U[2]), z2 = S[2] - (ts * U[1] + ss * U[2]);
    const auto sticks = z1 * z1 + z2 * z2 <= most * most;
    x[1] = sticks ? z1 : x[1], x[2] = sticks ? z2 : x[2];
  }
  return x;
}

// Between spheres, as below.
template <class T>
CAIRN_LANES LanesOf<T> round_map2(const T* f, const LaneVec<3, T>& n, const LaneVec<3, T>& U, const LaneVec<3, T>& S) {
  const LanesOf<T> mu = lane<Round>(f, Round::mu);
  const LaneVec<3, T> sliding = U - dot(n, U) * n, V = U + (mu * sqrt_lanes(dot(sliding, sliding))) * n, x = S - V;
  const LanesOf<T> N = dot(n, x);
  const LaneVec<3, T> y = x - N * n;
  const LanesOf<T> t2 = dot(y, y), t = sqrt_lanes(t2), on = larger((N + mu * t) / (1 + mu * mu), LanesOf<T>{});
  const LaneVec<3, T> rest = S - on * n - (t > 0 ? mu * on / t : LanesOf<T>{}) * y;
  const LanesOf<T> most = mu * N;
  const auto outside = (N < 0) | (t2 > most * most);
  return outside ? dot(rest, rest) : dot(V, V);
}

// Square of S - P(S - V), V = U + shift(U) (law.hpp); V itself where S - V is admissible.
template <class K, class T>
CAIRN_LANES LanesOf<T> natural_map2(const T* f, const Frame<K, T>& frame, const LaneVec<K::D, T>& U,
                                    const LaneVec<K::D, T>& S) {
  if constexpr (is_round<K>) return round_map2(f, frame.e[0], U, S);
  constexpr int D = K::D;
  LaneVec<D, T> V = U, p;
  LanesOf<T> mu = lane<K>(f, K::mu);
  if constexpr (D == 2) {
    const LanesOf<T> minus = lane<K>(f, K::mu + 1);
    V[0] += U[1] > 0 ? minus * U[1] : -mu * U[1];
    mu = S[1] - V[1] > 0 ? mu : minus;
  } else {
    V[0] += mu * sqrt_lanes(U[1] * U[1] + U[2] * U[2]);
  }
  const LaneVec<D, T> x = S - V;
  LanesOf<T> t2 = x[1] * x[1];
  if constexpr (D == 3) t2 += x[2] * x[2];
  const LanesOf<T> t = sqrt_lanes(t2), on = (x[0] + mu * t) / (1 + mu * mu), n = larger(on, LanesOf<T>{});
  const LanesOf<T> scale = t > 0 ? mu * n / t : LanesOf<T>{};
  const LanesOf<T> most = mu * x[0];
  const auto outside = (x[0] < 0) | (t2 > most * most);
  p[0] = n;
  for (int i = 1; i < D; ++i) p[i] = scale * x[i];
  LanesOf<T> sum{};
  for (int i = 0; i < D; ++i) {
    const LanesOf<T> e = outside ? S[i] - p[i] : V[i];
    sum += e * e;
  }
  return sum;
}

}  // namespace cairn::detail
