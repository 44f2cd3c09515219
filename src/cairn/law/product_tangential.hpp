// Bodies of product_kernel.hpp: the tangential solution x(S_N).
#pragma once

#include "cairn/law/product_kernel.hpp"

namespace cairn {

// Multiplier of block i alone, the others fixed: |(C + a I)^-1 g| = r, with C + alpha I = inverse of the block of K^-1
// and g = (C + alpha I) x. 1/|x| is concave in a, so that Newton from a = 0 rises to the root.
template <int D>
CAIRN_HD Real block_multiplier(const Mat<D - 1>& K_inv, const Vec<D>& x, int i, Real alpha, Real r) {
  using B = Blocks<D>;
  const int o = B::first(i < B::count ? i : 0);  // the bound is for the compiler's peace
  if (B::size(i) == 1) return std::fmax(Real(0), alpha + (std::fabs(x[o]) / r - 1) / K_inv(o - 1, o - 1));
  const Real p = K_inv(o - 1, o - 1), q = K_inv(o, o), c = K_inv(o - 1, o), det = p * q - c * c;
  const Real cp = q / det, cq = p / det, cc = -c / det;  // C + alpha I
  const Real g0 = cp * x[o] + cc * x[o + 1], g1 = cc * x[o] + cq * x[o + 1];
  Real a = 0;
  for (int k = 0; k < 40; ++k) {
    const Real m = cp - alpha + a, n = cq - alpha + a, d = m * n - cc * cc;
    const Real y0 = (n * g0 - cc * g1) / d, y1 = (m * g1 - cc * g0) / d, size = std::sqrt(y0 * y0 + y1 * y1);
    if (!(size > r)) break;
    const Real bend = (n * y0 * y0 - 2 * cc * y0 * y1 + m * y1 * y1) / d;  // y.(C + a I)^-1 y
    const Real step = (size / r - 1) * size * size / bend;
    if (!(step > Real(1e-10) * a)) break;
    a += step;
  }
  return a < INFINITY ? a : alpha;
}

// K = A + diag(alpha), symmetric part; a block without friction is taken out. g = b_T + s H_TN there.
template <int D>
CAIRN_HD bool ProductKernel<D>::invert_tangential(const Real* alpha, Mat<D - 1>& K, Mat<D - 1>& K_inv) const {
  const Mat<D>& H = inverse.H;
  for (int i = 0; i < D - 1; ++i)
    for (int j = 0; j < D - 1; ++j) K(i, j) = Real(0.5) * (H(i + 1, j + 1) + H(j + 1, i + 1));
  for (int i = 0; i < M; ++i)
    for (int o = B::first(i) - 1, l = 0; l < B::size(i); ++l) {
      K(o + l, o + l) += alpha[i];
      if (mu[i] > 0) continue;
      for (int j = 0; j < D - 1; ++j) K(o + l, j) = K(j, o + l) = 0;
      K(o + l, o + l) = 1;
    }
  K_inv = K;
  return invert_definite(K_inv);
}

// Newton direction of the equations 1/|x_i| = 1/r_i in the multipliers.
template <int D>
CAIRN_HD bool ProductKernel<D>::multiplier_step(const Dual& now, Real* move) const {
  Mat<M> G;
  Mat<M, 1> d;
  for (int i = 0; i < M; ++i) {
    const Real size = B::norm(now.x, i);
    d(i, 0) = now.active[i] ? size * size * now.excess[i] : 0;
    for (int j = 0; j < M; ++j) {
      Real sum = 0;
      for (int u = B::first(i); u < B::first(i) + B::size(i); ++u)
        for (int v = B::first(j); v < B::first(j) + B::size(j); ++v)
          sum += now.x[u] * now.K_inv(u - 1, v - 1) * now.x[v];
      G(i, j) = now.active[i] && now.active[j] ? sum : i == j;
    }
  }
  if (!solve_in_place(G, d)) return false;
  for (int i = 0; i < M; ++i) move[i] = d(i, 0);
  return true;
}

// What the multipliers give: x, how far each block exceeds its disc, and the dual.
template <int D>
CAIRN_HD bool ProductKernel<D>::evaluate(const Vec<D>& g, Dual& d) const {
  Mat<D - 1> K;
  if (!invert_tangential(d.alpha, K, d.K_inv)) return false;
  T right, x;
  for (int j = 1; j < D; ++j) right[j - 1] = -g[j];
  x = d.K_inv * right;
  for (int k = 0; k < inverse.refinements; ++k) x += d.K_inv * (right - K * x);
  for (int j = 1; j < D; ++j) d.x[j] = x[j - 1];
  d.value = Real(-0.5) * dot(right, x);
  d.worst = 0;
  for (int i = 0; i < M; ++i) {
    const Real r = mu[i] * d.x[0];
    d.value -= Real(0.5) * d.alpha[i] * r * r;
    d.excess[i] = mu[i] > 0 ? B::norm(d.x, i) / r - 1 : 0;
    d.active[i] = mu[i] > 0 && (d.alpha[i] > 0 || d.excess[i] > 0);
    const Real miss = d.active[i] ? std::fabs(d.excess[i]) / (1 + std::fabs(d.excess[i])) : 0;
    if (miss > d.worst) {
      d.worst = miss;
      d.worst_block = i;
    }
  }
  return true;
}

// Multipliers alpha_i >= 0 with x = -(A + diag alpha)^-1 g and |x_i| <= r_i = mu_i s, from those given: by Newton where
// it raises the concave dual 1/2 g.x - 1/2 sum alpha_i r_i^2, else by the exact multiplier of the worst block, which
// always does.
template <int D>
CAIRN_HD void ProductKernel<D>::ascend(const Vec<D>& g, Dual& now) const {
  bool fine = evaluate(g, now);
  for (int k = 0; k < 60 && fine && now.worst > Real(1e-14); ++k) {
    Dual next = now;
    Real move[M], t = 1;
    bool better = false;
    if (multiplier_step(now, move)) {
      Real room = 1;  // how far before a multiplier vanishes
      for (int i = 0; i < M; ++i)
        if (now.alpha[i] > 0 && move[i] < -now.alpha[i] * room) room = now.alpha[i] / -move[i];
      // The whole step, cut at zero; then shorter ones. Close to the end the dual is flat and the equations tell.
      for (int trial = 0; trial < 4 && !better; t = trial == 0 ? Real(0.9) * room : Real(0.25) * t, ++trial) {
        for (int i = 0; i < M; ++i) next.alpha[i] = std::fmax(Real(0), now.alpha[i] + t * move[i]);
        better = evaluate(g, next) &&
                 (next.worst < Real(1e-4) ? next.worst < Real(0.5) * now.worst : next.value > now.value);
        if (now.worst < Real(1e-9)) break;
      }
    }
    if (!better) {
      if (now.worst < Real(1e-9)) return;
      const int i = now.worst_block;
      next = now;
      next.alpha[i] = block_multiplier<D>(now.K_inv, now.x, i, now.alpha[i], mu[i] * now.x[0]);
      if (next.alpha[i] == now.alpha[i]) return;
      fine = evaluate(g, next);
    }
    now = next;
  }
}

// x(s), from a guess of the multipliers; from none when the guess leads astray (large A, alpha far too small).
template <int D>
CAIRN_HD typename ProductKernel<D>::Point ProductKernel<D>::tangential(const Vec<D>& b, Real s, Real* alpha) const {
  Vec<D> g = b;
  for (int j = 1; j < D; ++j) g[j] += s * inverse.H(j, 0);
  for (int i = 0; i < M; ++i)
    if (!(mu[i] > 0)) B::scale(g, i, 0);
  Dual d;
  d.x = Vec<D>::zero();
  d.x[0] = s;
  d.worst = 1;
  d.worst_block = 0;
  for (int i = 0; i < M; ++i) d.alpha[i] = alpha[i];
  ascend(g, d);
  if (!(d.worst < Real(1e-5))) {
    Dual fresh = d;
    for (Real& a : fresh.alpha) a = 0;
    ascend(g, fresh);
    if (fresh.worst < d.worst) d = fresh;
  }
  Point p;
  p.S = p.e = d.x;
  p.valid = false;
  for (int i = 0; i < M; ++i) {
    alpha[i] = d.alpha[i];
    p.slides[i] = false;
    if (alpha[i] > 0 || d.excess[i] > 0 || !(mu[i] > 0)) set_slide(p, i, p.S);
  }
  polish(b, p);
  return p;
}

}  // namespace cairn
