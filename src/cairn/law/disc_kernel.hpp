// One contact with a disc of friction: U = H S + b with S_T in the disc of radius mu S_N, H any 3 x 3 matrix.
//
// Sliding is sought by the direction e of S_T instead of the multiplier: S = s (1, mu e), and
//   U_N = b_N + s A(e) = 0,           A(e) = H_NN + mu H_NT.e
//   e'.U_T = e'.b_T + s B(e) = 0,     B(e) = e'.(H_TN + mu H_TT e),       e' = e turned by a right angle,
// so that  F(e) = (e'.b_T) A(e) - b_N B(e) = 0: a trigonometric polynomial of degree 2, with 4 roots at most on a
// circle (the quartic of method.md sec. 5, without a root at infinity). S is on the cone by construction, U_N = 0 to
// rounding.
#pragma once

#include <cmath>

#include "cairn/base/polynomial.hpp"
#include "cairn/law/law.hpp"
#include "cairn/law/linear.hpp"

namespace cairn {

struct DiscKernel {
  Inverse<3> inverse;
  Real mu;
  Real hint_x, hint_y;  // direction of S_T in the last slide; (0, 0): none yet
  bool unique;          // one solution whatever b

  // U_N, its slope, and the rest of the slide equations at the direction (x, y).
  struct Slide {
    Real A, dA;        // A(e) and its derivative with respect to the angle
    Real B, dB;        // B(e)
    Real beta, dbeta;  // e'.b_T
    CAIRN_HD Real F(Real bn) const { return beta * A - bn * B; }
    CAIRN_HD Real dF(Real bn) const { return dbeta * A + beta * dA - bn * dB; }
  };

  CAIRN_HD Slide slide_at(const Vec<3>& b, Real x, Real y) const {
    const Mat<3>& H = inverse.H;
    Slide f;
    f.A = H(0, 0) + mu * (H(0, 1) * x + H(0, 2) * y);
    f.dA = mu * (H(0, 2) * x - H(0, 1) * y);
    const Real u = H(1, 0) + mu * (H(1, 1) * x + H(1, 2) * y), v = H(2, 0) + mu * (H(2, 1) * x + H(2, 2) * y);
    const Real du = mu * (H(1, 2) * x - H(1, 1) * y), dv = mu * (H(2, 2) * x - H(2, 1) * y);
    f.B = v * x - u * y;
    f.dB = (dv * x - du * y) - (u * x + v * y);
    f.beta = b[2] * x - b[1] * y;
    f.dbeta = -(b[1] * x + b[2] * y);
    return f;
  }

  // e.U_T at S = s (1, mu e): not positive when S_T opposes the slip.
  CAIRN_HD Real along(const Vec<3>& b, Real s, Real x, Real y) const {
    const Mat<3>& H = inverse.H;
    const Real u = H(1, 0) + mu * (H(1, 1) * x + H(1, 2) * y), v = H(2, 0) + mu * (H(2, 1) * x + H(2, 2) * y);
    return (b[1] + s * u) * x + (b[2] + s * v) * y;
  }

  CAIRN_HD bool sticks(const Vec<3>& S) const {
    return S[0] > 0 && S[1] * S[1] + S[2] * S[2] <= mu * mu * S[0] * S[0] && mu > 0;
  }

  // Newton on F from the hint, else from the slip of the frictionless solution; to be called when unique. False: not
  // found, enumerate.
  CAIRN_HD bool slide_by_newton(const Vec<3>& b, Vec<3>& S) {
    if ((hint_x != 0 || hint_y != 0) && newton_from(b, hint_x, hint_y, S)) return true;
    const Mat<3>& H = inverse.H;
    const Real s0 = -b[0] / H(0, 0);
    const Real x = -(b[1] + H(1, 0) * s0), y = -(b[2] + H(2, 0) * s0);
    const Real length = std::sqrt(x * x + y * y);
    return length > 0 && newton_from(b, x / length, y / length, S);
  }

  // Offers every slide: offer(S, valid).
  template <class Offer>
  CAIRN_HD void enumerate_slides(const Vec<3>& b, const Offer& offer) const {
    Real turn[4], cx, cy;
    const int n = slide_angles(b, turn, cx, cy);
    for (int k = 0; k < n; ++k) {
      const Real t = turn[k], q = 1 / (1 + t * t), c = (1 - t * t) * q, s = 2 * t * q;  // t = tan(angle/2)
      offer_slide(b, cx * c - cy * s, cy * c + cx * s, offer);
    }
  }

  CAIRN_HD void remember(Real x, Real y) {
    hint_x = x;
    hint_y = y;
  }

 private:
  // At the solution F' = s mu (alpha + e'.H_TT e') phi'(s) > 0, so that a descent of F leads to a wrong root.
  CAIRN_HD bool newton_from(const Vec<3>& b, Real x, Real y, Vec<3>& S) {
    for (int k = 0; k < 8; ++k) {
      const Slide f = slide_at(b, x, y);
      const Real slope = f.dF(b[0]);
      if (!(slope > 0)) return false;
      const Real turn = -f.F(b[0]) / slope;
      if (!(std::fabs(turn) < 1)) return false;
      const Real shrink = 1 / std::sqrt(1 + turn * turn), px = x;
      x = (x - turn * y) * shrink;
      y = (y + turn * px) * shrink;
      // |F''| is at most 4 times the sum of the terms of F: after a turn below 1e-8 what is left of F is rounding.
      if (std::fabs(turn) < Real(1e-8)) return accept(b, x, y, S);
    }
    return false;
  }

  CAIRN_HD bool accept(const Vec<3>& b, Real x, Real y, Vec<3>& S) {
    const Real q = Real(1.5) - Real(0.5) * (x * x + y * y);  // unit again, to the last bit
    x *= q;
    y *= q;
    const Real s = -b[0] / (inverse.H(0, 0) + mu * (inverse.H(0, 1) * x + inverse.H(0, 2) * y));
    if (!(s > 0) || !(along(b, s, x, y) <= 0)) return false;
    S = {s, mu * s * x, mu * s * y};
    remember(x, y);
    return true;
  }

  // Roots of F as tangents of half the angle from (cx, cy), a direction whose opposite is far from every root.
  CAIRN_HD int slide_angles(const Vec<3>& b, Real* roots, Real& cx, Real& cy) const {
    constexpr Real w = Real(0.70710678118654752440);
    constexpr Real ring[8][2] = {{1, 0}, {w, w}, {0, 1}, {-w, w}, {-1, 0}, {-w, -w}, {0, -1}, {w, -w}};
    Real f[8];
    int far = 0;
    for (int k = 0; k < 8; ++k) {
      f[k] = slide_at(b, ring[k][0], ring[k][1]).F(b[0]);
      if (std::fabs(f[k]) > std::fabs(f[far])) far = k;
    }
    if (!(std::fabs(f[far]) > 0)) return 0;
    const int o = (far + 4) % 8;
    cx = ring[o][0];
    cy = ring[o][1];
    // Five values give the polynomial: F = a + p cos + q sin + r cos 2 + u sin 2, angles from o.
    const Real f0 = f[o], f1 = f[(o + 2) % 8], f2 = f[far], f3 = f[(o + 6) % 8], g = f[(o + 1) % 8], h = f[(o + 5) % 8];
    const Real a = Real(0.25) * (f0 + f1 + f2 + f3), r = Real(0.25) * (f0 - f1 + f2 - f3);
    const Real p = Real(0.5) * (f0 - f2), q = Real(0.5) * (f1 - f3), u = Real(0.5) * (g + h) - a;
    // times (1 + t^2)^2, with cos = (1 - t^2)/(1 + t^2), sin = 2 t/(1 + t^2)
    const Real c[5] = {a + p + r, 2 * q + 4 * u, 2 * a - 6 * r, 2 * q - 4 * u, a - p + r};
    Real bound = 0;
    for (int i = 0; i < 4; ++i) bound = std::fmax(bound, std::fabs(c[i] / c[4]));
    return real_roots<4>(c, 1 + bound, roots, Real(1e-14));
  }

  // Whether both equations hold: a root of F may miss them where A and B vanish together (singular H).
  CAIRN_HD bool holds(const Vec<3>& b, Real s, const Slide& f) const {
    const Real size = max_abs(inverse.H) * (1 + mu) * s + std::fabs(b[0]) + std::fabs(b[1]) + std::fabs(b[2]);
    return std::fabs(b[0] + s * f.A) <= Real(1e-10) * size && std::fabs(f.beta + s * f.B) <= Real(1e-10) * size;
  }

  template <class Offer>
  CAIRN_HD void offer_slide(const Vec<3>& b, Real x, Real y, const Offer& offer) const {
    Slide f = slide_at(b, x, y);
    Real s = -(b[0] * f.A + f.beta * f.B) / (f.A * f.A + f.B * f.B);
    // Newton on the two equations themselves: F alone loses digits where A cancels.
    Real defect = INFINITY;
    for (int k = 0; k < 6; ++k) {
      const Real un = b[0] + s * f.A, ut = f.beta + s * f.B, J = f.dbeta + s * f.dB;
      const Real det = f.A * J - s * f.dA * f.B;
      const Real ds = -(un * J - s * f.dA * ut) / det, turn = -(f.A * ut - f.B * un) / det;
      const Real size = std::fabs(un) + std::fabs(ut);
      if (!(size < defect) || !(std::fabs(turn) < Real(0.1)) || !(std::fabs(ds) < std::fabs(s))) break;
      defect = size;
      const Real shrink = 1 / std::sqrt(1 + turn * turn), px = x;
      x = (x - turn * y) * shrink;
      y = (y + turn * px) * shrink;
      s += ds;
      f = slide_at(b, x, y);
    }
    if (!(s > 0) || !holds(b, s, f)) return;
    offer(Vec<3>{s, mu * s * x, mu * s * y}, along(b, s, x, y) <= 0);
  }
};

// One solution whatever b: U_N as a function of S_N, S_T following, increases in every mode. Its slope is
//   det H / det H_TT                                                              when sticking,
//   A(e) - (H_NT.e') (H_TN.e' + mu e'.H_TT e) / (e'.H_TT e' + alpha), alpha >= 0   when sliding in the direction e,
// which lies between its values at alpha = 0 and infinity. At alpha = 0, times e'.H_TT e', it is a trigonometric
// polynomial of degree 3; both must be positive for all e. The test is exact up to the margin.
CAIRN_HD inline bool disc_is_unique(const Mat<3>& H, Real mu) {
  const Real slack = Real(0.02);
  const Real a_min = H(0, 0) - mu * std::sqrt(H(0, 1) * H(0, 1) + H(0, 2) * H(0, 2));
  const Real off = Real(0.5) * (H(1, 2) + H(2, 1));
  if (!(a_min > slack * H(0, 0)) || !(H(1, 1) > 0) || !(H(1, 1) * H(2, 2) > off * off)) return false;
  // Enough in the common case of weak coupling: A e'.H_TT e' > |H_NT| (|H_TN| + mu |H_TT e|) with the worst of each.
  const Real h_nt = std::sqrt(H(0, 1) * H(0, 1) + H(0, 2) * H(0, 2));
  const Real h_tn = std::sqrt(H(1, 0) * H(1, 0) + H(2, 0) * H(2, 0));
  const Real mean = Real(0.5) * (H(1, 1) + H(2, 2)), half = Real(0.5) * (H(1, 1) - H(2, 2));
  const Real spread = std::sqrt(half * half + off * off), skew = Real(0.5) * std::fabs(H(1, 2) - H(2, 1));
  if (a_min * (mean - spread) > Real(1.0001) * h_nt * (h_tn + mu * (spread + skew))) return true;
  const auto slope = [&](Real x, Real y) {
    const Real tx = H(1, 1) * x + H(1, 2) * y, ty = H(2, 1) * x + H(2, 2) * y;
    const Real stiff = H(1, 1) * y * y - 2 * off * x * y + H(2, 2) * x * x;
    const Real hnt = H(0, 2) * x - H(0, 1) * y, htn = H(2, 0) * x - H(1, 0) * y;
    return (H(0, 0) + mu * (H(0, 1) * x + H(0, 2) * y)) * stiff - hnt * (htn + mu * (ty * x - tx * y));
  };
  // A least value between two samples is below the nearer by |slope''| step^2 / 8 at most, and |slope''| is at most 9
  // times half the range (Bernstein, degree 3): 0.022 of the range for 32 samples, 1024 times less after a second
  // sampling.
  constexpr Real c1 = Real(0.98078528040323044913), s1 = Real(0.19509032201612826785);  // 2 pi / 32
  constexpr Real c2 = Real(0.99998117528260114266), s2 = Real(0.00613588464915447536);  // 2 pi / 1024
  Real x = 1, y = 0, least = INFINITY, most = -INFINITY, sample[33];
  for (int k = 0; k <= 32; ++k) {
    const Real v = sample[k] = slope(x, y), px = x;
    if (!(v > 0)) return false;
    least = v < least ? v : least;
    most = v > most ? v : most;
    x = px * c1 - y * s1;
    y = px * s1 + y * c1;
  }
  const Real margin = Real(0.03) * (most - least);
  if (least > margin) return true;
  x = 1;
  y = 0;
  for (int k = 0; k < 32; ++k) {
    if (sample[k] <= margin || sample[k + 1] <= margin) {
      Real px = x, py = y;
      for (int i = 0; i < 32; ++i) {
        if (!(slope(px, py) > margin * Real(0x1p-10))) return false;
        const Real t = px;
        px = t * c2 - py * s2;
        py = t * s2 + py * c2;
      }
    }
    const Real t = x;
    x = t * c1 - y * s1;
    y = t * s1 + y * c1;
  }
  return true;
}

CAIRN_HD inline DiscKernel make_disc_kernel(const Mat<3>& H, Real mu) {
  DiscKernel k;
  k.inverse = make_inverse(H);
  k.mu = mu;
  k.hint_x = k.hint_y = 0;
  k.unique = !k.inverse.singular && k.inverse.inv(0, 0) > 0 && disc_is_unique(H, mu);
  return k;
}

}  // namespace cairn
