// Four numbers at once. The compiler turns each operation into AVX2 where it is allowed to, and into two or four
// instructions where it is not: the same operations on the same numbers, hence the same bits.
#pragma once

#include <cstddef>

#include "cairn/base/pose.hpp"

namespace cairn {

inline constexpr int lane_count = 4;
typedef Real Lanes __attribute__((vector_size(lane_count * sizeof(Real))));

#define CAIRN_LANES [[gnu::always_inline]] inline

CAIRN_LANES Lanes all_lanes(Real x) { return Lanes{x, x, x, x}; }
CAIRN_LANES Lanes load_lanes(const Real* p) {
  Lanes x;
  __builtin_memcpy(&x, p, sizeof x);
  return x;
}
CAIRN_LANES void store_lanes(const Lanes& x, Real* p) { __builtin_memcpy(p, &x, sizeof x); }
CAIRN_LANES Lanes sqrt_lanes(const Lanes& x) {
  Lanes y;
  for (int i = 0; i < lane_count; ++i) y[i] = __builtin_sqrt(x[i]);
  return y;
}
CAIRN_LANES Lanes larger(const Lanes& x, const Lanes& y) { return x > y ? x : y; }
CAIRN_LANES Real sum_of(const Lanes& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// Four numbers of each of four rows, and the columns that they make. By halves: half as many shuffles as whole rows.
typedef Real HalfLanes __attribute__((vector_size(2 * sizeof(Real))));
CAIRN_LANES Lanes load_halves(const Real* low, const Real* high) {
  HalfLanes a, b;
  __builtin_memcpy(&a, low, sizeof a);
  __builtin_memcpy(&b, high, sizeof b);
  return __builtin_shufflevector(a, b, 0, 1, 2, 3);
}
CAIRN_LANES void store_halves(const Lanes& x, Real* low, Real* high) {
  const HalfLanes a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3);
  __builtin_memcpy(low, &a, sizeof a);
  __builtin_memcpy(high, &b, sizeof b);
}
CAIRN_LANES void load_columns(const Real* const (&row)[4], Lanes* column) {
  for (int k = 0; k < 4; k += 2) {
    const Lanes even = load_halves(row[0] + k, row[2] + k), odd = load_halves(row[1] + k, row[3] + k);
    column[k] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    column[k + 1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  }
}
CAIRN_LANES void store_columns(const Lanes* column, Real* const (&row)[4]) {
  for (int k = 0; k < 4; k += 2) {
    store_halves(__builtin_shufflevector(column[k], column[k + 1], 0, 4, 2, 6), row[0] + k, row[2] + k);
    store_halves(__builtin_shufflevector(column[k], column[k + 1], 1, 5, 3, 7), row[1] + k, row[3] + k);
  }
}

// Vectors of lanes.
template <int N>
struct LaneVec {
  Lanes v[N];

  CAIRN_LANES Lanes& operator[](int i) { return v[i]; }
  CAIRN_LANES const Lanes& operator[](int i) const { return v[i]; }
  CAIRN_LANES static LaneVec load(const Real* p) {
    LaneVec x;
    for (int i = 0; i < N; ++i) x.v[i] = load_lanes(p + i * lane_count);
    return x;
  }
  CAIRN_LANES void store(Real* p) const {
    for (int i = 0; i < N; ++i) store_lanes(v[i], p + i * lane_count);
  }
};

template <int N>
CAIRN_LANES LaneVec<N> operator+(LaneVec<N> a, const LaneVec<N>& b) {
  for (int i = 0; i < N; ++i) a.v[i] += b.v[i];
  return a;
}
template <int N>
CAIRN_LANES LaneVec<N> operator-(LaneVec<N> a, const LaneVec<N>& b) {
  for (int i = 0; i < N; ++i) a.v[i] -= b.v[i];
  return a;
}
template <int N>
CAIRN_LANES LaneVec<N> operator*(const Lanes& s, LaneVec<N> a) {
  for (int i = 0; i < N; ++i) a.v[i] *= s;
  return a;
}
template <int N>
CAIRN_LANES Lanes dot(const LaneVec<N>& a, const LaneVec<N>& b) {
  Lanes s = a.v[0] * b.v[0];
  for (int i = 1; i < N; ++i) s += a.v[i] * b.v[i];
  return s;
}
CAIRN_LANES LaneVec<3> cross(const LaneVec<3>& a, const LaneVec<3>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
CAIRN_LANES LaneVec<1> cross(const LaneVec<2>& a, const LaneVec<2>& b) { return {{a[0] * b[1] - a[1] * b[0]}}; }
// w x r
CAIRN_LANES LaneVec<3> spin_velocity(const LaneVec<3>& w, const LaneVec<3>& r) { return cross(w, r); }
CAIRN_LANES LaneVec<2> spin_velocity(const LaneVec<1>& w, const LaneVec<2>& r) { return {{-w[0] * r[1], w[0] * r[0]}}; }

}  // namespace cairn
