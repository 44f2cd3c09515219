// Small vectors and matrices for the per-contact path: fixed size, no allocation, the same source on host and device.
#pragma once

#include <cmath>

#if defined(__CUDACC__)
#define CAIRN_HD __host__ __device__
#else
#define CAIRN_HD
#endif

namespace cairn {

using Real = double;

template <int N>
struct Vec {
  Real v[N];

  CAIRN_HD [[gnu::always_inline]] constexpr Real& operator[](int i) { return v[i]; }
  CAIRN_HD [[gnu::always_inline]] constexpr const Real& operator[](int i) const { return v[i]; }
  CAIRN_HD static constexpr Vec zero() { return Vec{}; }
  CAIRN_HD static Vec load(const Real* p) {
    Vec x;
    for (int i = 0; i < N; ++i) x.v[i] = p[i];
    return x;
  }
  CAIRN_HD void store(Real* p) const {
    for (int i = 0; i < N; ++i) p[i] = v[i];
  }
  CAIRN_HD Vec& operator+=(const Vec& b) {
    for (int i = 0; i < N; ++i) v[i] += b.v[i];
    return *this;
  }
  CAIRN_HD Vec& operator-=(const Vec& b) {
    for (int i = 0; i < N; ++i) v[i] -= b.v[i];
    return *this;
  }
  CAIRN_HD Vec& operator*=(Real s) {
    for (int i = 0; i < N; ++i) v[i] *= s;
    return *this;
  }
};

template <int N>
CAIRN_HD inline Vec<N> operator+(Vec<N> a, const Vec<N>& b) {
  return a += b;
}
template <int N>
CAIRN_HD inline Vec<N> operator-(Vec<N> a, const Vec<N>& b) {
  return a -= b;
}
template <int N>
CAIRN_HD inline Vec<N> operator-(Vec<N> a) {
  return a *= Real(-1);
}
template <int N>
CAIRN_HD inline Vec<N> operator*(Real s, Vec<N> a) {
  return a *= s;
}
template <int N>
CAIRN_HD inline Vec<N> operator*(Vec<N> a, Real s) {
  return a *= s;
}
template <int N>
CAIRN_HD inline Real dot(const Vec<N>& a, const Vec<N>& b) {
  Real s = 0;
  for (int i = 0; i < N; ++i) s += a.v[i] * b.v[i];
  return s;
}
template <int N>
CAIRN_HD inline Real norm2(const Vec<N>& a) {
  return dot(a, a);
}
template <int N>
CAIRN_HD inline Real norm(const Vec<N>& a) {
  return std::sqrt(dot(a, a));
}

// Column-major R x C.
template <int R, int C = R>
struct Mat {
  Real v[R * C];

  CAIRN_HD [[gnu::always_inline]] constexpr Real& operator()(int i, int j) { return v[j * R + i]; }
  CAIRN_HD [[gnu::always_inline]] constexpr const Real& operator()(int i, int j) const { return v[j * R + i]; }
  CAIRN_HD static constexpr Mat zero() { return Mat{}; }
  CAIRN_HD static constexpr Mat identity() {
    Mat m{};
    for (int i = 0; i < (R < C ? R : C); ++i) m(i, i) = 1;
    return m;
  }
  CAIRN_HD static Mat load(const Real* p) {
    Mat m;
    for (int i = 0; i < R * C; ++i) m.v[i] = p[i];
    return m;
  }
  CAIRN_HD void store(Real* p) const {
    for (int i = 0; i < R * C; ++i) p[i] = v[i];
  }
  CAIRN_HD Mat& operator+=(const Mat& b) {
    for (int i = 0; i < R * C; ++i) v[i] += b.v[i];
    return *this;
  }
  CAIRN_HD Mat& operator-=(const Mat& b) {
    for (int i = 0; i < R * C; ++i) v[i] -= b.v[i];
    return *this;
  }
  CAIRN_HD Mat& operator*=(Real s) {
    for (int i = 0; i < R * C; ++i) v[i] *= s;
    return *this;
  }
};

template <int R, int C>
CAIRN_HD inline Mat<R, C> operator+(Mat<R, C> a, const Mat<R, C>& b) {
  return a += b;
}
template <int R, int C>
CAIRN_HD inline Mat<R, C> operator-(Mat<R, C> a, const Mat<R, C>& b) {
  return a -= b;
}
template <int R, int C>
CAIRN_HD inline Mat<R, C> operator*(Real s, Mat<R, C> a) {
  return a *= s;
}
template <int R, int C>
CAIRN_HD inline Vec<R> operator*(const Mat<R, C>& m, const Vec<C>& x) {
  Vec<R> y{};
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) y.v[i] += m(i, j) * x.v[j];
  return y;
}
template <int R, int K, int C>
CAIRN_HD inline Mat<R, C> operator*(const Mat<R, K>& a, const Mat<K, C>& b) {
  Mat<R, C> m{};
  for (int j = 0; j < C; ++j)
    for (int k = 0; k < K; ++k)
      for (int i = 0; i < R; ++i) m(i, j) += a(i, k) * b(k, j);
  return m;
}
template <int R, int C>
CAIRN_HD inline Mat<C, R> transpose(const Mat<R, C>& a) {
  Mat<C, R> m;
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) m(j, i) = a(i, j);
  return m;
}
template <int N>
CAIRN_HD inline Real trace(const Mat<N, N>& a) {
  Real s = 0;
  for (int i = 0; i < N; ++i) s += a(i, i);
  return s;
}

// Solves a x = b by Gaussian elimination with partial pivoting; returns false when a pivot vanishes.
template <int N, int C>
CAIRN_HD inline bool solve_in_place(Mat<N, N> a, Mat<N, C>& b) {
  for (int k = 0; k < N; ++k) {
    int p = k;
    for (int i = k + 1; i < N; ++i)
      if (std::fabs(a(i, k)) > std::fabs(a(p, k))) p = i;
    if (!(std::fabs(a(p, k)) > 0)) return false;
    if (p != k) {
      for (int j = k; j < N; ++j) {
        const Real t = a(k, j);
        a(k, j) = a(p, j);
        a(p, j) = t;
      }
      for (int j = 0; j < C; ++j) {
        const Real t = b(k, j);
        b(k, j) = b(p, j);
        b(p, j) = t;
      }
    }
    const Real inv = 1 / a(k, k);
    for (int i = k + 1; i < N; ++i) {
      const Real f = a(i, k) * inv;
      for (int j = k + 1; j < N; ++j) a(i, j) -= f * a(k, j);
      for (int j = 0; j < C; ++j) b(i, j) -= f * b(k, j);
    }
  }
  for (int j = 0; j < C; ++j)
    for (int i = N - 1; i >= 0; --i) {
      Real s = b(i, j);
      for (int k = i + 1; k < N; ++k) s -= a(i, k) * b(k, j);
      b(i, j) = s / a(i, i);
    }
  return true;
}

template <int N>
CAIRN_HD inline bool invert(const Mat<N, N>& a, Mat<N, N>& inverse) {
  inverse = Mat<N, N>::identity();
  return solve_in_place(a, inverse);
}

}  // namespace cairn
