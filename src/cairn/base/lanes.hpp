// Four numbers at once, or eight of single precision. The compiler turns each operation into AVX2 where it is allowed
// to, and into two or four instructions where it is not: the same operations on the same numbers, hence the same bits.
#pragma once

#include <cstddef>

#include "cairn/base/pose.hpp"

namespace cairn {

template <class T>
struct LaneType {
  static constexpr int count = 32 / sizeof(T);
  typedef T Lanes __attribute__((vector_size(32)));
};
template <class T>
inline constexpr int lanes_of = LaneType<T>::count;
template <class T>
using LanesOf = typename LaneType<T>::Lanes;
inline constexpr int lane_count = lanes_of<Real>;
using Lanes = LanesOf<Real>;

#define CAIRN_LANES [[gnu::always_inline]] inline

template <class T>
CAIRN_LANES LanesOf<T> all_lanes(T x) {
  return x - LanesOf<T>{};
}
template <class T>
CAIRN_LANES LanesOf<T> load_lanes(const T* p) {
  LanesOf<T> x;
  __builtin_memcpy(&x, p, sizeof x);
  return x;
}
template <class L, class T>
CAIRN_LANES void store_lanes(const L& x, T* p) {
  static_assert(sizeof(x[0]) == sizeof(T));
  __builtin_memcpy(p, &x, sizeof x);
}
CAIRN_LANES Lanes sqrt_lanes(const Lanes& x) {
  Lanes y;
  for (int i = 0; i < 4; ++i) y[i] = __builtin_sqrt(x[i]);
  return y;
}
CAIRN_LANES LanesOf<float> sqrt_lanes(const LanesOf<float>& x) {
  LanesOf<float> y;
  for (int i = 0; i < 8; ++i) y[i] = __builtin_sqrtf(x[i]);
  return y;
}
template <class L>
CAIRN_LANES L larger(const L& x, const L& y) {
  return x > y ? x : y;
}
CAIRN_LANES Real sum_of(const Lanes& x) { return (x[0] + x[1]) + (x[2] + x[3]); }
CAIRN_LANES float sum_of(const LanesOf<float>& x) {
  return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

// Four numbers of each of the rows, one row for each lane, and the columns that they make. By halves: half as many
// shuffles as whole rows.
template <class T>
struct HalfLaneType {
  typedef T Lanes __attribute__((vector_size(16)));
};
template <class T>
CAIRN_LANES LanesOf<T> load_halves(const T* low, const T* high) {
  typename HalfLaneType<T>::Lanes a, b;
  __builtin_memcpy(&a, low, sizeof a);
  __builtin_memcpy(&b, high, sizeof b);
  if constexpr (sizeof(T) == 8)
    return __builtin_shufflevector(a, b, 0, 1, 2, 3);
  else
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
template <class L, class T>
CAIRN_LANES void store_halves(const L& x, T* low, T* high) {
  __builtin_memcpy(low, &x, 16);
  __builtin_memcpy(high, reinterpret_cast<const char*>(&x) + 16, 16);
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
// Rows and columns of the left and of the right half change places.
CAIRN_LANES void turn_halves(LanesOf<float> (&a)[4]) {
  const LanesOf<float> low = __builtin_shufflevector(a[0], a[1], 0, 8, 1, 9, 4, 12, 5, 13),
                       high = __builtin_shufflevector(a[0], a[1], 2, 10, 3, 11, 6, 14, 7, 15),
                       low2 = __builtin_shufflevector(a[2], a[3], 0, 8, 1, 9, 4, 12, 5, 13),
                       high2 = __builtin_shufflevector(a[2], a[3], 2, 10, 3, 11, 6, 14, 7, 15);
  a[0] = __builtin_shufflevector(low, low2, 0, 1, 8, 9, 4, 5, 12, 13);
  a[1] = __builtin_shufflevector(low, low2, 2, 3, 10, 11, 6, 7, 14, 15);
  a[2] = __builtin_shufflevector(high, high2, 0, 1, 8, 9, 4, 5, 12, 13);
  a[3] = __builtin_shufflevector(high, high2, 2, 3, 10, 11, 6, 7, 14, 15);
}
CAIRN_LANES void load_columns(const float* const (&row)[8], LanesOf<float>* column) {
  LanesOf<float> a[4];
  for (int i = 0; i < 4; ++i) a[i] = load_halves(row[i], row[i + 4]);
  turn_halves(a);
  for (int i = 0; i < 4; ++i) column[i] = a[i];
}
CAIRN_LANES void store_columns(const LanesOf<float>* column, float* const (&row)[8]) {
  LanesOf<float> a[4] = {column[0], column[1], column[2], column[3]};
  turn_halves(a);
  for (int i = 0; i < 4; ++i) store_halves(a[i], row[i], row[i + 4]);
}

// Vectors of lanes.
template <int N, class T = Real>
struct LaneVec {
  LanesOf<T> v[N];

  CAIRN_LANES LanesOf<T>& operator[](int i) { return v[i]; }
  CAIRN_LANES const LanesOf<T>& operator[](int i) const { return v[i]; }
  CAIRN_LANES static LaneVec load(const T* p) {
    LaneVec x;
    for (int i = 0; i < N; ++i) x.v[i] = load_lanes(p + i * lanes_of<T>);
    return x;
  }
  CAIRN_LANES void store(T* p) const {
    for (int i = 0; i < N; ++i) store_lanes(v[i], p + i * lanes_of<T>);
  }
  CAIRN_LANES friend LaneVec operator+(LaneVec a, const LaneVec& b) {
    for (int i = 0; i < N; ++i) a.v[i] += b.v[i];
    return a;
  }
  CAIRN_LANES friend LaneVec operator-(LaneVec a, const LaneVec& b) {
    for (int i = 0; i < N; ++i) a.v[i] -= b.v[i];
    return a;
  }
  CAIRN_LANES friend LaneVec operator*(const LanesOf<T>& s, LaneVec a) {
    for (int i = 0; i < N; ++i) a.v[i] *= s;
    return a;
  }
  CAIRN_LANES friend LanesOf<T> dot(const LaneVec& a, const LaneVec& b) {
    LanesOf<T> s = a.v[0] * b.v[0];
    for (int i = 1; i < N; ++i) s += a.v[i] * b.v[i];
    return s;
  }
};

template <class T>
CAIRN_LANES LaneVec<3, T> cross(const LaneVec<3, T>& a, const LaneVec<3, T>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
template <class T>
CAIRN_LANES LaneVec<1, T> cross(const LaneVec<2, T>& a, const LaneVec<2, T>& b) {
  return {{a[0] * b[1] - a[1] * b[0]}};
}
// w x r
template <class T>
CAIRN_LANES LaneVec<3, T> spin_velocity(const LaneVec<3, T>& w, const LaneVec<3, T>& r) {
  return cross(w, r);
}
template <class T>
CAIRN_LANES LaneVec<2, T> spin_velocity(const LaneVec<1, T>& w, const LaneVec<2, T>& r) {
  return {{-w[0] * r[1], w[0] * r[0]}};
}

}  // namespace cairn
