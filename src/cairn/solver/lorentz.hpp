// The Lorentz cone { x : x_0 >= |x_T| } for interior points: elements, steps to the border, Nesterov-Todd scaling.
//
// Sliding contacts end with x and z both on the border. There x_0 - |x_T| and x.z are differences of large numbers, and
// an interior point that computes them so stops five digits early. Hence the gap x_0 - |x_T| is a variable of its own.
#pragma once

#include <algorithm>
#include <cmath>

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

  Vec<D> times(const Vec<D>& y) const { return apply(y, 1, eta); }        // F y
  Vec<D> divide(const Vec<D>& y) const { return apply(y, -1, 1 / eta); }  // F^-1 y

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

  // y with lambda o y = b in the cone's algebra.
  Vec<D> divide_by_lambda(const Vec<D>& b) const {
    const Real t = std::sqrt(dot_T(lambda, lambda)), det = (lambda[0] - t) * (lambda[0] + t);
    Vec<D> y;
    y[0] = (lambda[0] * b[0] - dot_T(lambda, b)) / det;
    for (int k = 1; k < D; ++k) y[k] = (b[k] - lambda[k] * y[0]) / lambda[0];
    return y;
  }

 private:
  Vec<D> apply(const Vec<D>& y, Real sign, Real factor) const {
    const Real t = dot_T(w, y);
    Vec<D> r;
    r[0] = factor * (w[0] * y[0] + sign * t);
    for (int k = 1; k < D; ++k) r[k] = factor * (y[k] + w[k] * (sign * y[0] + t / (1 + w[0])));
    return r;
  }
};

// x o y
template <int D>
Vec<D> jordan(const Vec<D>& x, const Vec<D>& y) {
  Vec<D> r;
  r[0] = cairn::dot(x, y);
  for (int k = 1; k < D; ++k) r[k] = x[0] * y[k] + y[0] * x[k];
  return r;
}

}  // namespace cairn
