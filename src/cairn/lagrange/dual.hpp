// Dual<N>: a number with its derivatives along N directions, so that a function written once on a scalar type gives its
// exact gradient (forward differentiation). Fixed size: nothing is allocated. Functions are found by name: write
// `using std::sin; sin(x)`, or plain `sin(x)` in a template.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <compare>
#include <limits>

#include "cairn/base/vec.hpp"

namespace cairn {

template <int N>
struct Dual {
  Real v = 0;               // value
  std::array<Real, N> d{};  // derivatives

  Dual() = default;
  Dual(Real value) : v(value) {}  // a constant
  static Dual variable(Real value, int direction) {
    Dual x(value);
    x.d[static_cast<std::size_t>(direction)] = 1;
    return x;
  }
  Real derivative(int direction) const { return d[static_cast<std::size_t>(direction)]; }

  // A function of value f and slope f' at this number.
  Dual chain(Real f, Real slope) const {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = slope * d[i];
    return r;
  }
  // A function of two numbers with partial derivatives fa and fb.
  static Dual chain(Real f, const Dual& a, Real fa, const Dual& b, Real fb) {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = fa * a.d[i] + fb * b.d[i];
    return r;
  }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator+(const Dual& a) { return a; }
  friend Dual operator-(const Dual& a) { return a.chain(-a.v, -1); }
  friend Dual operator+(const Dual& a, const Dual& b) { return chain(a.v + b.v, a, 1, b, 1); }
  friend Dual operator-(const Dual& a, const Dual& b) { return chain(a.v - b.v, a, 1, b, -1); }
  friend Dual operator*(const Dual& a, const Dual& b) { return chain(a.v * b.v, a, b.v, b, a.v); }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const Real f = a.v / b.v;
    return chain(f, a, 1 / b.v, b, -f / b.v);
  }
  friend Dual operator+(const Dual& a, Real b) { return a.chain(a.v + b, 1); }
  friend Dual operator-(const Dual& a, Real b) { return a.chain(a.v - b, 1); }
  friend Dual operator*(const Dual& a, Real b) { return a.chain(a.v * b, b); }
  friend Dual operator/(const Dual& a, Real b) { return a.chain(a.v / b, 1 / b); }
  friend Dual operator+(Real a, const Dual& b) { return b + a; }
  friend Dual operator-(Real a, const Dual& b) { return b.chain(a - b.v, -1); }
  friend Dual operator*(Real a, const Dual& b) { return b * a; }
  friend Dual operator/(Real a, const Dual& b) { return b.chain(a / b.v, -a / (b.v * b.v)); }

  friend bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
  friend std::partial_ordering operator<=>(const Dual& a, const Dual& b) { return a.v <=> b.v; }

  friend Dual abs(const Dual& a) { return a.v < 0 ? -a : a; }
  friend Dual fabs(const Dual& a) { return abs(a); }
  friend Dual sqrt(const Dual& a) {
    const Real f = std::sqrt(a.v);
    return a.chain(f, Real(0.5) / f);
  }
  friend Dual cbrt(const Dual& a) {
    const Real f = std::cbrt(a.v);
    return a.chain(f, 1 / (3 * f * f));
  }
  friend Dual exp(const Dual& a) {
    const Real f = std::exp(a.v);
    return a.chain(f, f);
  }
  friend Dual log(const Dual& a) { return a.chain(std::log(a.v), 1 / a.v); }
  friend Dual sin(const Dual& a) { return a.chain(std::sin(a.v), std::cos(a.v)); }
  friend Dual cos(const Dual& a) { return a.chain(std::cos(a.v), -std::sin(a.v)); }
  friend Dual tan(const Dual& a) {
    const Real f = std::tan(a.v);
    return a.chain(f, 1 + f * f);
  }
  friend Dual asin(const Dual& a) { return a.chain(std::asin(a.v), 1 / std::sqrt((1 - a.v) * (1 + a.v))); }
  friend Dual acos(const Dual& a) { return a.chain(std::acos(a.v), -1 / std::sqrt((1 - a.v) * (1 + a.v))); }
  friend Dual atan(const Dual& a) { return a.chain(std::atan(a.v), 1 / (1 + a.v * a.v)); }
  friend Dual sinh(const Dual& a) { return a.chain(std::sinh(a.v), std::cosh(a.v)); }
  friend Dual cosh(const Dual& a) { return a.chain(std::cosh(a.v), std::sinh(a.v)); }
  friend Dual tanh(const Dual& a) {
    const Real f = std::tanh(a.v);
    return a.chain(f, (1 - f) * (1 + f));
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const Real r2 = x.v * x.v + y.v * y.v;
    return chain(std::atan2(y.v, x.v), y, x.v / r2, x, -y.v / r2);
  }
  friend Dual hypot(const Dual& x, const Dual& y) {
    const Real r = std::hypot(x.v, y.v);
    return chain(r, x, x.v / r, y, y.v / r);
  }
  friend Dual pow(const Dual& a, Real p) {
    return a.chain(std::pow(a.v, p), p == 0 ? Real(0) : p * std::pow(a.v, p - 1));
  }
  friend Dual pow(const Dual& a, const Dual& p) {
    const Real f = std::pow(a.v, p.v);
    return chain(f, a, p.v * std::pow(a.v, p.v - 1), p, f * std::log(a.v));
  }
  friend bool isfinite(const Dual& a) {
    bool finite = std::isfinite(a.v);
    for (const Real x : a.d) finite = finite && std::isfinite(x);
    return finite;
  }
};

// Vectors and matrices of a scalar type: Real, or Dual where derivatives are wanted.
template <class T, int N>
using VectorOf = Eigen::Matrix<T, N, 1>;
template <class T, int R, int C>
using MatrixOf = Eigen::Matrix<T, R, C>;

}  // namespace cairn

namespace Eigen {

template <int N>
struct NumTraits<cairn::Dual<N>> : NumTraits<cairn::Real> {
  using Real = cairn::Dual<N>;
  using NonInteger = cairn::Dual<N>;
  using Nested = cairn::Dual<N>;
  using Literal = cairn::Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 3 * N
  };
};
template <int N, class Op>
struct ScalarBinaryOpTraits<cairn::Dual<N>, cairn::Real, Op> {
  using ReturnType = cairn::Dual<N>;
};
template <int N, class Op>
struct ScalarBinaryOpTraits<cairn::Real, cairn::Dual<N>, Op> {
  using ReturnType = cairn::Dual<N>;
};

}  // namespace Eigen
