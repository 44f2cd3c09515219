// The Lorentz cone { x : x_0 >= |x_T| } for interior points: elements, steps to the border, Nesterov-Todd scaling.
//
// Sliding contacts end with x and z both on the border. There x_0 - |x_T| and x.z are differences of large numbers, and
// an interior point that computes them so stops five digits early. Hence the gap x_0 - |x_T| is a variable of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cairn/base/vec.hpp"

namespace cairn {

template <int D>
Real dot_T(const Vec<D>& x, const Vec<D>& y) {
  Real s = 0;
  for (int k = 1; k < D; ++k) s += x[k] * y[k];
  return s;
}

template <int D>
struct ConeElement {
  Vec<D> x;
  Real gap;      // x_0 - |x_T| > 0
  Real tangent;  // |x_T|

  static ConeElement identity(Real size) {
    ConeElement e{Vec<D>::zero(), size, 0};
    e.x[0] = size;
    return e;
  }
  Real det() const { return gap * (gap + 2 * tangent); }

  // x^-1 = (x_0, -x_T) / det
  Vec<D> inverse() const {
    const Real f = 1 / det();
    Vec<D> y = (-f) * x;
    y[0] = f * x[0];
    return y;
  }

  // s e_0 + t x_T / |x_T|; d + s e_0; d_0
  Vec<D> combine(Real s, Real t) const {
    Vec<D> y = (tangent > 0 ? t / tangent : 0) * x;
    y[0] = s;
    return y;
  }
  static void add_axis(Vec<D>& d, Real s) { d[0] += s; }
  static Real along_axis(const Vec<D>& d) { return d[0]; }

  // Largest t >= 0 with x + t d in the cone.
  Real reach(const Vec<D>& d) const {
    const Real a = d[0] * d[0] - dot_T(d, d), b = (gap * d[0] + (tangent * d[0] - dot_T(x, d))), c = det();
    Real t = d[0] < 0 ? -x[0] / d[0] : Real(1e30);
    const Real discriminant = b * b - a * c;
    if (discriminant >= 0) {
      const Real s = std::sqrt(discriminant), q = -(b + (b >= 0 ? s : -s));
      const Real r1 = a != 0 ? q / a : -1, r2 = q != 0 ? c / q : -1;
      if (r1 > 0) t = std::min(t, r1);
      if (r2 > 0) t = std::min(t, r2);
    }
    return t;
  }

  void move(Real t, const Vec<D>& d) {
    Vec<D> y = x;
    for (int k = 1; k < D; ++k) y[k] += t * d[k];
    const Real length = std::sqrt(dot_T(y, y)), sum = length + tangent;
    const Real growth = sum > 0 ? (2 * t * dot_T(x, d) + t * t * dot_T(d, d)) / sum : 0;  // |y_T| - |x_T|
    gap = std::max(gap + (t * d[0] - growth), Real(1e-3) * gap);
    tangent = length;
    x = y;
    x[0] = tangent + gap;
  }
};

// x.z without cancellation: |x_T||z_T| + x_T.z_T = |x_T |z_T| + z_T |x_T||^2 / (2 |x_T||z_T|).
template <int D>
Real dot(const ConeElement<D>& x, const ConeElement<D>& z) {
  Real c = 0;
  if (x.tangent > 0 && z.tangent > 0) {
    for (int k = 1; k < D; ++k) {
      const Real s = x.x[k] * z.tangent + z.x[k] * x.tangent;
      c += s * s;
    }
    c /= 2 * x.tangent * z.tangent;
  }
  return c + x.tangent * z.gap + z.tangent * x.gap + x.gap * z.gap;
}

// The symmetric map F with F z = F^-1 x = lambda (Nesterov and Todd): F = eta (2 w w^T - J)^(1/2).
template <int D>
struct Scaling {
  Vec<D> w, lambda;
  Real eta;

  Scaling(const ConeElement<D>& x, const ConeElement<D>& z) {
    const Real sx = std::sqrt(x.det()), sz = std::sqrt(z.det());
    const Real g = std::sqrt((1 + dot(x, z) / (sx * sz)) / 2);
    for (int k = 1; k < D; ++k) w[k] = (x.x[k] / sx - z.x[k] / sz) / (2 * g);
    w[0] = std::sqrt(1 + dot_T(w, w));
    eta = std::sqrt(sx / sz);
    const Real x0 = x.x[0] / sx, z0 = z.x[0] / sz, f = std::sqrt(sx * sz);
    lambda[0] = f * g;
    for (int k = 1; k < D; ++k) lambda[k] = f * ((g + z0) * x.x[k] / sx + (g + x0) * z.x[k] / sz) / (x0 + z0 + 2 * g);
  }

  // The second-order term of x o z along (dx, dz), as a right-hand side of F^-2 dx + dz.
  Vec<D> second_order(const Vec<D>& dx, const Vec<D>& dz) const {
    return divide(divide_by_lambda(-jordan(divide(dx), times(dz))));
  }

  Vec<D> times(const Vec<D>& y) const { return apply(y, 1, eta); }        // F y
  Vec<D> divide(const Vec<D>& y) const { return apply(y, -1, 1 / eta); }  // F^-1 y

  Mat<D> square() const {  // F^2 = eta^2 (2 w w^T - J)
    Mat<D> G;
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) G(i, j) = eta * eta * (2 * w[i] * w[j] - (i == j ? (i == 0 ? 1 : -1) : 0));
    return G;
  }
  Mat<D> inverse_square() const {  // F^-2 = (2 (Jw)(Jw)^T - J) / eta^2
    Mat<D> G;
    const Real f = 1 / (eta * eta);
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) {
        const Real sign = (i == 0) == (j == 0) ? 1 : -1;
        G(i, j) = f * (2 * sign * w[i] * w[j] - (i == j ? (i == 0 ? 1 : -1) : 0));
      }
    return G;
  }

 private:
  // y with lambda o y = b in the cone's algebra.
  Vec<D> divide_by_lambda(const Vec<D>& b) const {
    const Real t = std::sqrt(dot_T(lambda, lambda)), det = (lambda[0] - t) * (lambda[0] + t);
    Vec<D> y;
    y[0] = (lambda[0] * b[0] - dot_T(lambda, b)) / det;
    for (int k = 1; k < D; ++k) y[k] = (b[k] - lambda[k] * y[0]) / lambda[0];
    return y;
  }
  // x o y
  static Vec<D> jordan(const Vec<D>& x, const Vec<D>& y) {
    Vec<D> r;
    r[0] = cairn::dot(x, y);
    for (int k = 1; k < D; ++k) r[k] = x[0] * y[k] + y[0] * x[k];
    return r;
  }
  Vec<D> apply(const Vec<D>& y, Real sign, Real factor) const {
    const Real t = dot_T(w, y);
    Vec<D> r;
    r[0] = factor * (w[0] * y[0] + sign * t);
    for (int k = 1; k < D; ++k) r[k] = factor * (y[k] + w[k] * (sign * y[0] + t / (1 + w[0])));
    return r;
  }
};

// In the plane the cone has two edges, and is a quadrant in coordinates along them: ((x_0 + x_1), (x_0 - x_1)) /
// 2^(1/2). Both are variables of their own there, and nothing cancels.
constexpr Real root_half = std::numbers::sqrt2_v<Real> / 2;

template <>
struct ConeElement<2> {
  Vec<2> x;
  Real gap, tangent;

  static ConeElement identity(Real size) { return ConeElement({root_half * size, root_half * size}); }
  explicit ConeElement(const Vec<2>& at)
      : x(at), gap(2 * root_half * std::min(at[0], at[1])), tangent(root_half * std::fabs(at[0] - at[1])) {}

  Vec<2> inverse() const { return {1 / (2 * x[0]), 1 / (2 * x[1])}; }
  Vec<2> combine(Real s, Real t) const {
    if (x[0] < x[1]) t = -t;
    return {root_half * (s + t), root_half * (s - t)};
  }
  static void add_axis(Vec<2>& d, Real s) { d[0] += root_half * s, d[1] += root_half * s; }
  static Real along_axis(const Vec<2>& d) { return root_half * (d[0] + d[1]); }

  Real reach(const Vec<2>& d) const {
    Real t = Real(1e30);
    for (int i = 0; i < 2; ++i)
      if (d[i] < 0) t = std::min(t, -x[i] / d[i]);
    return t;
  }
  void move(Real t, const Vec<2>& d) {
    *this = ConeElement({std::max(x[0] + t * d[0], Real(1e-3) * x[0]), std::max(x[1] + t * d[1], Real(1e-3) * x[1])});
  }
};

inline Real dot(const ConeElement<2>& x, const ConeElement<2>& z) { return cairn::dot(x.x, z.x); }

template <>
struct Scaling<2> {
  Vec<2> ratio, root;  // x / z of each coordinate, and its square root
  Vec<2> x;

  Scaling(const ConeElement<2>& at, const ConeElement<2>& z)
      : ratio{at.x[0] / z.x[0], at.x[1] / z.x[1]}, root{std::sqrt(ratio[0]), std::sqrt(ratio[1])}, x(at.x) {}

  Vec<2> second_order(const Vec<2>& dx, const Vec<2>& dz) const {
    return {-dx[0] * dz[0] / x[0], -dx[1] * dz[1] / x[1]};
  }
  Vec<2> times(const Vec<2>& y) const { return {root[0] * y[0], root[1] * y[1]}; }
  Vec<2> divide(const Vec<2>& y) const { return {y[0] / root[0], y[1] / root[1]}; }
  Mat<2> inverse_square() const { return {{1 / ratio[0], 0, 0, 1 / ratio[1]}}; }
};

}  // namespace cairn
