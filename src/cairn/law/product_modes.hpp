// Bodies of product_kernel.hpp: uniqueness, and Newton on the modes.
#pragma once

#include "cairn/law/product_kernel.hpp"

namespace cairn {

// phi increases, whatever b, when   H_NN - q^2 > (sum mu_i |h_i| + q Y) / 2,   h = H_TN = H_NT, q^2 = h.A^-1 h, and Y
// the largest |y|_A over D1. Proof: x(s) = s y(s), y in D1; adding the variational inequalities at s and s' = s + d
// gives, for z = s (y' - y)/d, |z|_A^2 <= -(A y' + h).z, a ball in the norm of A; hence
//   (phi(s') - phi(s))/d = H_NN + h.y' + h.z >= H_NN + h.y'/2 - q^2/2 - q |y' + A^-1 h|_A / 2.
// For unsymmetric H, A is the symmetric part and the bounds are taken apart.
template <int D>
CAIRN_HD bool ProductKernel<D>::is_unique() const {
  const Mat<D>& H = inverse.H;
  Mat<D - 1> A, A_inv;
  T row, column;
  Real skew2 = 0, inv2 = 0;
  bool symmetric = true;
  for (int i = 0; i < D - 1; ++i) {
    row[i] = H(0, i + 1);
    column[i] = H(i + 1, 0);
    symmetric = symmetric && row[i] == column[i];
    for (int j = 0; j < D - 1; ++j) {
      A(i, j) = Real(0.5) * (H(i + 1, j + 1) + H(j + 1, i + 1));
      const Real k = Real(0.5) * (H(i + 1, j + 1) - H(j + 1, i + 1));
      skew2 += k * k;
    }
  }
  A_inv = A;
  if (!invert_definite(A_inv)) return false;  // the proof needs A definite
  for (Real x : A_inv.v) inv2 += x * x;
  Real reach = 0, pull = 0;  // Y, sum mu_i |h_i|
  for (int i = 0; i < M; ++i) {
    const int o = B::first(i) - 1;
    Real top = A(o, o), h = std::fabs(row[o]);
    if (B::size(i) == 2) {
      top = Real(0.5) * (A(o, o) + A(o + 1, o + 1) + std::hypot(A(o, o) - A(o + 1, o + 1), 2 * A(o, o + 1)));
      h = std::hypot(row[o], row[o + 1]);
    }
    if (!(A(o, o) > 0) || !(top > 0)) return false;
    reach += mu[i] * std::sqrt(top);
    pull += mu[i] * h;
  }
  const Real q2 = dot(row, A_inv * row), k2 = dot(column, A_inv * column);
  if (!(q2 >= 0) || !(k2 >= 0)) return false;
  const Real q = std::sqrt(q2);
  if (symmetric && skew2 == 0) return H(0, 0) - q2 > Real(0.5) * (pull + q * reach) * Real(1.0001);
  return H(0, 0) > pull + q * (reach * (1 + std::sqrt(skew2 * inv2)) + std::sqrt(k2));
}

// Equations of the modes: U_N = 0, U_i = 0 where i sticks, e'.U_i = 0 where it slides (e' = e turned by a right angle).
// Size of what is left, each row relative to its own terms.
template <int D>
CAIRN_HD Real ProductKernel<D>::defect(const Vec<D>& b, const Vec<D>& U, const Point& p, bool all_rows) const {
  const auto size = [&](int i) {
    Real t = std::fabs(b[i]);
    for (int j = 0; j < D; ++j) t += std::fabs(inverse.H(i, j) * p.S[j]);
    return t;
  };
  const auto ratio = [](Real x, Real y) { return x == 0 ? 0 : std::fabs(x) / y; };
  Real worst = all_rows ? ratio(U[0], size(0)) : 0;
  for (int i = 0; i < M; ++i) {
    const int o = B::first(i);
    if (!p.slides[i]) {
      for (int k = 0; k < B::size(i); ++k) worst = std::fmax(worst, ratio(U[o + k], size(o + k)));
    } else if (B::size(i) == 2 && mu[i] > 0) {
      worst = std::fmax(worst, ratio(U[o + 1] * p.e[o] - U[o] * p.e[o + 1], size(o) + size(o + 1)));
    }
  }
  return worst;
}

// One Newton step. Unknowns: S_N unless it is held (sliding blocks follow it), the arc mu s d(angle) of a sliding
// block, S_i of one that sticks.
template <int D>
CAIRN_HD bool ProductKernel<D>::step(const Vec<D>& U, Point& p, bool hold_normal) const {
  Mat<D> C = Mat<D>::identity();  // columns: dS by unknown
  bool dead[D] = {hold_normal};
  for (int i = 0; i < M; ++i) {
    if (!p.slides[i]) continue;
    const int o = B::first(i);
    for (int k = 0; k < B::size(i); ++k) C(o + k, 0) = mu[i] * p.e[o + k];
    dead[o] = true;
    C(o, o) = 0;
    if (B::size(i) == 1) continue;
    dead[o + 1] = !(mu[i] > 0);
    C(o, o + 1) = -p.e[o + 1];
    C(o + 1, o + 1) = p.e[o];
  }
  Mat<D> J = inverse.H * C;
  Mat<D, 1> z;
  for (int i = 0; i < D; ++i) z(i, 0) = -U[i];
  for (int i = 0; i < M; ++i) {
    const int o = B::first(i);
    if (!p.slides[i] || B::size(i) == 1 || !(mu[i] > 0)) continue;
    for (int j = 0; j < D; ++j) J(o + 1, j) = J(o + 1, j) * p.e[o] - J(o, j) * p.e[o + 1];
    J(o + 1, o + 1) -= B::dot(U, p.e, i) / (mu[i] * p.S[0]);
    z(o + 1, 0) = -(U[o + 1] * p.e[o] - U[o] * p.e[o + 1]);
  }
  for (int i = 0; i < D; ++i)
    if (dead[i]) {
      for (int j = 0; j < D; ++j) J(i, j) = J(j, i) = 0;
      J(i, i) = 1;
      z(i, 0) = 0;
    }
  if (!solve_in_place(J, z)) return false;
  const Real s = p.S[0];
  p.S[0] = z(0, 0) > Real(-0.9) * s ? s + z(0, 0) : Real(0.1) * s;
  for (int i = 0; i < M; ++i) {
    const int o = B::first(i);
    if (!p.slides[i]) {
      for (int k = 0; k < B::size(i); ++k) p.S[o + k] += z(o + k, 0);
      continue;
    }
    Vec<D> d = p.e;
    if (B::size(i) == 2 && mu[i] > 0) {
      const Real arc = z(o + 1, 0) / (mu[i] * s), turn = std::fmax(Real(-1), std::fmin(Real(1), arc));
      d[o] -= turn * p.e[o + 1];
      d[o + 1] += turn * p.e[o];
    }
    set_slide(p, i, d);
  }
  return p.S[0] < INFINITY;
}

// A block that left its disc slides; one that slides with its velocity sticks. Returns whether the modes hold.
template <int D>
CAIRN_HD bool ProductKernel<D>::change_modes(const Vec<D>& b, Point& p) const {
  bool hold = true;
  const Vec<D> U = inverse.H * p.S + b;
  for (int i = 0; i < M; ++i) {
    if (!p.slides[i] && B::norm(p.S, i) > mu[i] * p.S[0]) {
      set_slide(p, i, p.S);
      hold = false;
    } else if (p.slides[i] && mu[i] > 0 && B::dot(U, p.e, i) > 0) {
      p.slides[i] = false;
      hold = false;
    }
  }
  return hold;
}

// Until the equations hold to rounding. modes: hold them (p is then near the solution), or let them change on the way.
template <int D>
CAIRN_HD bool ProductKernel<D>::newton(const Vec<D>& b, Point& p, Modes modes) const {
  Real last = INFINITY;
  bool settled = modes == Modes::hold;
  Point best = p;
  for (int k = 0; k < 30 && p.S[0] > 0; ++k) {
    const Vec<D> U = inverse.H * p.S + b;
    const Real now = defect(b, U, p, true);
    const bool stalls = !(now < Real(0.5) * last);
    if (!(stalls && now > last)) best = p;
    last = std::fmin(last, now);
    if (settled && (last <= Real(2e-16) || (stalls && last <= Real(1e-13)))) {
      p = best;
      p.valid = true;
      if (modes == Modes::hold) p.valid = change_modes(b, best);
      return true;
    }
    if (!step(U, p, false)) return false;
    if (modes == Modes::hold) continue;
    settled = change_modes(b, p);
    if (!settled) last = INFINITY;
  }
  return false;
}

// Brings the tangential equations to rounding at fixed S_N and modes: multipliers alone leave cond(A) times that.
template <int D>
CAIRN_HD void ProductKernel<D>::polish(const Vec<D>& b, Point& p) const {
  Real last = INFINITY;
  Point best = p;
  const Point before = p;
  for (int k = 0; k < 5; ++k) {
    const Vec<D> U = inverse.H * p.S + b;
    const Real now = defect(b, U, p, false);
    if (!(now < last)) break;
    last = now;
    best = p;
    if (now <= Real(2e-16) || !step(U, p, true)) break;
  }
  p = best;
  for (int i = 0; i < M; ++i)  // a block turned round: it would slide with its velocity
    if (p.slides[i] && B::dot(p.e, before.e, i) < Real(0.5)) p = before;
}

}  // namespace cairn
