// Some numbers at once: four, or eight of single precision, and sixteen where a unit is compiled for processors that
// have room for them. The compiler turns each operation into one instruction where it is allowed to, and into several
// where it is not: the same operations on the same numbers, hence the same bits.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cairn/base/pose.hpp"

namespace cairn {

template <class T, int N>
struct LaneType {
  typedef T Lanes __attribute__((vector_size(N * sizeof(T))));
};
template <class T, int N = 32 / sizeof(T)>
using LanesOf = typename LaneType<T, N>::Lanes;
using Lanes = LanesOf<Real>;
template <class L>
using NumberOf = std::remove_cvref_t<decltype(std::declval<L&>()[0])>;
template <class L>
inline constexpr int lanes_of = static_cast<int>(sizeof(L) / sizeof(NumberOf<L>));

#define CAIRN_LANES [[gnu::always_inline]] inline

template <class L>
CAIRN_LANES L all_lanes(NumberOf<L> x) {
  return x - L{};
}
template <class L = Lanes>
CAIRN_LANES L load_lanes(const NumberOf<L>* p) {
  L x;
  __builtin_memcpy(&x, p, sizeof x);
  return x;
}
template <class L>
CAIRN_LANES void store_lanes(const L& x, NumberOf<L>* p) {
  __builtin_memcpy(p, &x, sizeof x);
}
template <class L>
CAIRN_LANES L sqrt_lanes(const L& x) {
  L y;
  for (int i = 0; i < lanes_of<L>; ++i) {
    if constexpr (sizeof(x[0]) == sizeof(float))
      y[i] = __builtin_sqrtf(x[i]);
    else
      y[i] = __builtin_sqrt(x[i]);
  }
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
// Sixteen are added as two times eight are.
template <class T, class L>
CAIRN_LANES void add_to(T& sum, const L& x) {
  if constexpr (sizeof(T) == sizeof(L)) {
    sum += x;
  } else {
    T low, high;
    __builtin_memcpy(&low, &x, sizeof low);
    __builtin_memcpy(&high, reinterpret_cast<const char*>(&x) + sizeof low, sizeof high);
    sum += low, sum += high;
  }
}

// Four numbers of each of the rows, one row for each lane, and the columns that they make. By parts of sixteen bytes:
// half as many shuffles as whole rows.
template <class T>
CAIRN_LANES LanesOf<T> load_halves(const T* low, const T* high) {
  typedef LanesOf<T, 16 / sizeof(T)> Half;
  const Half a = load_lanes<Half>(low), b = load_lanes<Half>(high);
  if constexpr (sizeof(T) == 8)
    return __builtin_shufflevector(a, b, 0, 1, 2, 3);
  else
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
template <class L>
CAIRN_LANES void store_part(const L& x, int part, NumberOf<L>* to) {
  __builtin_memcpy(to, reinterpret_cast<const char*>(&x) + 16 * part, 16);
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
    const Lanes even = __builtin_shufflevector(column[k], column[k + 1], 0, 4, 2, 6),
                odd = __builtin_shufflevector(column[k], column[k + 1], 1, 5, 3, 7);
    for (int part = 0; part < 2; ++part)
      store_part(even, part, row[2 * part] + k), store_part(odd, part, row[2 * part + 1] + k);
  }
}
// Of each part of x and y, four numbers of the two parts' eight.
template <int... four, class L, int... lane>
CAIRN_LANES L choose(const L& x, const L& y, std::integer_sequence<int, lane...>) {
  constexpr int k[] = {four...};
  return __builtin_shufflevector(x, y, (lane / 4 * 4 + k[lane % 4] % 4 + k[lane % 4] / 4 * lanes_of<L>)...);
}
// Rows and columns of each part change places.
template <class L>
CAIRN_LANES void turn_parts(L (&a)[4]) {
  constexpr std::make_integer_sequence<int, lanes_of<L>> lanes;
  const L low = choose<0, 4, 1, 5>(a[0], a[1], lanes), high = choose<2, 6, 3, 7>(a[0], a[1], lanes),
          low2 = choose<0, 4, 1, 5>(a[2], a[3], lanes), high2 = choose<2, 6, 3, 7>(a[2], a[3], lanes);
  a[0] = choose<0, 1, 4, 5>(low, low2, lanes), a[1] = choose<2, 3, 6, 7>(low, low2, lanes);
  a[2] = choose<0, 1, 4, 5>(high, high2, lanes), a[3] = choose<2, 3, 6, 7>(high, high2, lanes);
}
// Eight lanes and eight more.
template <class L>
CAIRN_LANES L join(const LanesOf<float>& low, const LanesOf<float>& high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
template <class L>
CAIRN_LANES void load_columns(const float* const (&row)[lanes_of<L>], L* column) {
  L a[4];
  for (int i = 0; i < 4; ++i) {
    const auto low = load_halves(row[i], row[i + 4]);
    if constexpr (lanes_of<L> == 8)
      a[i] = low;
    else
      a[i] = join<L>(low, load_halves(row[i + 8], row[i + 12]));
  }
  turn_parts(a);
  for (int i = 0; i < 4; ++i) column[i] = a[i];
}
template <class L>
CAIRN_LANES void store_columns(const L* column, float* const (&row)[lanes_of<L>]) {
  L a[4] = {column[0], column[1], column[2], column[3]};
  turn_parts(a);
  for (int i = 0; i < 4; ++i)
    for (int part = 0; part < lanes_of<L> / 4; ++part) store_part(a[i], part, row[i + 4 * part]);
}

// The same of sixteen rows of eight numbers, which are read and written whole: half as many loads and stores.
template <class L>
CAIRN_LANES void load_eight_columns(const float* const (&row)[16], L* column) {
  L a[2][4];
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 2; ++k)
      a[k][i] = join<L>(load_lanes<LanesOf<float>>(row[8 * k + i]), load_lanes<LanesOf<float>>(row[8 * k + 4 + i]));
  turn_parts(a[0]), turn_parts(a[1]);
  for (int i = 0; i < 4; ++i) {  // parts with numbers 0 to 3 are the even ones, those with 4 to 7 the odd ones
    const L &x = a[0][i], &y = a[1][i];
    column[i] = __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    column[4 + i] = __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  }
}
template <class L>
CAIRN_LANES void store_eight_columns(const L* column, float* const (&row)[16]) {
  L a[2][4];
  for (int i = 0; i < 4; ++i) {
    const L &x = column[i], &y = column[4 + i];
    a[0][i] = __builtin_shufflevector(x, y, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    a[1][i] = __builtin_shufflevector(x, y, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
  }
  turn_parts(a[0]), turn_parts(a[1]);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k)
      __builtin_memcpy(row[4 * k + i], reinterpret_cast<const char*>(&a[k / 2][i]) + k % 2 * 32, 32);
}

// Vectors of lanes.
template <int N, class L = Lanes>
struct LaneVec {
  L v[N];

  CAIRN_LANES L& operator[](int i) { return v[i]; }
  CAIRN_LANES const L& operator[](int i) const { return v[i]; }
  // Each number's lanes `stride` numbers after the one before's.
  CAIRN_LANES static LaneVec load(const NumberOf<L>* p, int stride) {
    LaneVec x;
    for (int i = 0; i < N; ++i) x.v[i] = load_lanes<L>(p + i * stride);
    return x;
  }
  CAIRN_LANES void store(NumberOf<L>* p, int stride) const {
    for (int i = 0; i < N; ++i) store_lanes(v[i], p + i * stride);
  }
  CAIRN_LANES friend LaneVec operator+(LaneVec a, const LaneVec& b) {
    for (int i = 0; i < N; ++i) a.v[i] += b.v[i];
    return a;
  }
  CAIRN_LANES friend LaneVec operator-(LaneVec a, const LaneVec& b) {
    for (int i = 0; i < N; ++i) a.v[i] -= b.v[i];
    return a;
  }
  CAIRN_LANES friend LaneVec operator*(const L& s, LaneVec a) {
    for (int i = 0; i < N; ++i) a.v[i] *= s;
    return a;
  }
  CAIRN_LANES friend L dot(const LaneVec& a, const LaneVec& b) {
    L s = a.v[0] * b.v[0];
    for (int i = 1; i < N; ++i) s += a.v[i] * b.v[i];
    return s;
  }
};

template <class L>
CAIRN_LANES LaneVec<3, L> cross(const LaneVec<3, L>& a, const LaneVec<3, L>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
template <class L>
CAIRN_LANES LaneVec<1, L> cross(const LaneVec<2, L>& a, const LaneVec<2, L>& b) {
  return {{a[0] * b[1] - a[1] * b[0]}};
}
// w x r
template <class L>
CAIRN_LANES LaneVec<3, L> spin_velocity(const LaneVec<3, L>& w, const LaneVec<3, L>& r) {
  return cross(w, r);
}
template <class L>
CAIRN_LANES LaneVec<2, L> spin_velocity(const LaneVec<1, L>& w, const LaneVec<2, L>& r) {
  return {{-w[0] * r[1], w[0] * r[0]}};
}

}  // namespace cairn
