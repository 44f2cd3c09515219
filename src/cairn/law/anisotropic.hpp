// Anisotropic Coulomb friction (M88 12.2-12.4): S_T in S_N D1, D1 an ellipse that contains 0, not always centred on it.
#pragma once

#include <cmath>

#include "cairn/base/expected.hpp"
#include "cairn/law/choice.hpp"
#include "cairn/law/disc_kernel.hpp"
#include "cairn/law/polygon.hpp"

namespace cairn {

// D1 = { c + E x : |x| <= 1 }, E = [axis, axis turned by a right angle] diag(a): any ellipse is of this form.
struct EllipseFriction {
  static constexpr int dim = 3;
  Vec<2> center{};   // in tangential components
  Vec<2> a{{1, 1}};  // semi-axes, both positive
  Vec<2> axis{{1, 0}};

  static Expected<EllipseFriction> make(const Vec<2>& center, const Mat<2>& E);

  struct Local {
    Inverse<3> inverse;
    DiscKernel kernel;  // in the variables (S_N, x), where D1 is the unit disc; rows (U_N, E^T U_T)
  };

  // Nearest point (n, n c + E x), |x| <= n, of z. With y = E-frame of z_T - n c: x_i = a_i y_i / (a_i^2 + l), |x| = n,
  // and n - z_N - (z_T - S_T).c - l n = 0, the derivative of a convex function of n: one root, found in a bracket.
  CAIRN_HD Vec<3> project(const Vec<3>& z) const {
    if (inside(z)) return z;
    const Vec<2> zt = to_axes(z[1], z[2]);
    const Real reach = std::sqrt(sq(a[0] * zt[0]) + sq(a[1] * zt[1]));  // |E^T z_T|
    const Real value = z[0] + z[1] * center[0] + z[2] * center[1] + reach;
    if (!(value > 0)) return {0, 0, 0};  // z in the polar cone
    return from_local(nearest_on_border(z[0], zt, reach, value));
  }

  // How far S_T / S_N is from the centre to the border of the ellipse, [0, 1].
  CAIRN_HD Real use(const Vec<3>& S) const {
    const Vec<2> y = to_axes(S[1] - S[0] * center[0], S[2] - S[0] * center[1]);
    return S[0] > 0 ? std::sqrt(sq(y[0] / a[0]) + sq(y[1] / a[1])) / S[0] : 0;
  }

  CAIRN_HD Vec<3> shift(const Vec<3>& U) const {
    const Vec<2> u = to_axes(U[1], U[2]);
    return {std::sqrt(sq(a[0] * u[0]) + sq(a[1] * u[1])) - (U[1] * center[0] + U[2] * center[1]), 0, 0};
  }

  CAIRN_HD Local prepare(const Mat<3>& H) const {
    Mat<3> M = Mat<3>::zero(), rows = Mat<3>::zero();  // S = M (S_N, x)
    M(0, 0) = rows(0, 0) = 1;
    for (int i = 0; i < 2; ++i) {
      M(i + 1, 0) = center[i];
      for (int j = 0; j < 2; ++j) M(i + 1, j + 1) = rows(j + 1, i + 1) = E(i, j);
    }
    return {make_inverse(H), make_disc_kernel(rows * (H * M), 1)};
  }

  CAIRN_HD LocalSolution<3> solve(Local& local, const Vec<3>& b) const {
    const Vec<2> bt = to_axes(b[1], b[2]);
    const Vec<3> kb{b[0], a[0] * bt[0], a[1] * bt[1]};
    if (local.kernel.unique && !local.inverse.singular) {
      if (b[0] >= 0) return {{0, 0, 0}, Status::take_off, 1};
      const Vec<3> S = local.inverse.solve(-b);
      if (inside(S)) return {S, Status::stick, 1};
      Vec<3> y;
      if (local.kernel.slide_by_newton(kb, y)) return {from_local(y), Status::slide, 1};
    }
    return solve_all(local, b, kb);
  }

 private:
  CAIRN_HD Vec<3> nearest_on_border(Real zn, const Vec<2>& zt, Real reach, Real value) const {
    // First guess: the ray through the point of D1 that is farthest along z_T.
    const Vec<2> c = to_axes(center[0], center[1]);
    Real best =
        reach > 0 ? value / (1 + sq(c[0] + sq(a[0]) * zt[0] / reach) + sq(c[1] + sq(a[1]) * zt[1] / reach)) : zn;
    Real low = 0, high = std::sqrt(sq(zn) + norm2(zt));
    Nearest p = nearest(zt, best);
    for (int k = 0; k < 100; ++k) {
      const Real value_here = best - zn - p.force;
      (value_here < 0 ? low : high) = best;
      Real next = best - value_here / p.slope;
      if (!(next > low && next < high)) next = Real(0.5) * (low + high);
      const bool done = std::fabs(next - best) <= Real(1e-16) * next || !(next > low && next < high);
      best = next;
      p = nearest(zt, best);
      if (done) break;
    }
    return {best, p.x[0], p.x[1]};
  }

  CAIRN_HD static Real sq(Real x) { return x * x; }
  CAIRN_HD Real E(int i, int j) const { return a[j] * (j == 0 ? axis[i] : i == 0 ? -axis[1] : axis[0]); }
  CAIRN_HD Vec<2> to_axes(Real x, Real y) const { return {axis[0] * x + axis[1] * y, axis[0] * y - axis[1] * x}; }
  CAIRN_HD Vec<3> from_local(const Vec<3>& y) const {
    const Real n = y[0], u = a[0] * y[1], v = a[1] * y[2];
    return {n, n * center[0] + (axis[0] * u - axis[1] * v), n * center[1] + (axis[1] * u + axis[0] * v)};
  }
  CAIRN_HD bool inside(const Vec<3>& S) const {
    const Vec<2> y = to_axes(S[1] - S[0] * center[0], S[2] - S[0] * center[1]);
    return S[0] > 0 && sq(y[0] / a[0]) + sq(y[1] / a[1]) <= sq(S[0]);
  }

  // Nearest point of n D1 to a tangential vector, and the derivative with respect to n of half the squared distance.
  struct Nearest {
    Vec<2> x;
    Real l;      // multiplier of |x| <= n
    Real force;  // minus the derivative
    Real slope;  // of n - force
  };

  CAIRN_HD Nearest nearest(const Vec<2>& zt, Real n) const {
    const Vec<2> c = to_axes(center[0], center[1]), y{zt[0] - n * c[0], zt[1] - n * c[1]};
    Nearest p{{y[0] / a[0], y[1] / a[1]}, 0, 0, 1};
    Real size = norm(p.x);
    if (size <= n) return p;
    for (int k = 0; k < 60 && size > n; ++k) {  // 1/|x| is concave in l: Newton rises to the root from l = 0
      const Real w = sq(p.x[0]) / (sq(a[0]) + p.l) + sq(p.x[1]) / (sq(a[1]) + p.l);
      const Real step = (size - n) / n * (sq(size) / w);
      p.l += step;
      p.x = {a[0] * y[0] / (sq(a[0]) + p.l), a[1] * y[1] / (sq(a[1]) + p.l)};
      size = norm(p.x);
      if (!(step > Real(1e-16) * p.l)) break;
    }
    const Real d0 = 1 / (sq(a[0]) + p.l), d1 = 1 / (sq(a[1]) + p.l);
    const Real ac = p.x[0] * a[0] * c[0] * d0 + p.x[1] * a[1] * c[1] * d1;
    const Real dl = -(n + ac) / (sq(p.x[0]) * d0 + sq(p.x[1]) * d1);  // dl/dn along |x| = n
    p.force = p.l * (y[0] * d0 * c[0] + y[1] * d1 * c[1] + n);
    p.slope = 1 - p.l - dl * (n + ac) + p.l * (sq(c[0]) * d0 + sq(c[1]) * d1);
    return p;
  }

  CAIRN_HD LocalSolution<3> solve_all(Local& local, const Vec<3>& b, const Vec<3>& kb) const {
    Choice<EllipseFriction> choice(*this, local.inverse.H, b);
    if (b[0] >= 0) choice.offer({0, 0, 0}, Status::take_off, true);
    if (!local.inverse.singular) {
      const Vec<3> S = local.inverse.solve(-b);
      choice.offer(S, Status::stick, inside(S));
    }
    local.kernel.enumerate_slides(
        kb, [&](const Vec<3>& y, bool valid) { choice.offer(from_local(y), Status::slide, valid); });
    LocalSolution<3> found = choice.result();
    if (found.count == 0 && local.inverse.singular) return solve_singular(*this, local.inverse.H, b);
    if (local.kernel.unique && found.count > 1) found.count = 1;
    return found;
  }
};

// Singular values by the closed form of a 2 x 2: only the left frame matters, the disc being round.
inline Expected<EllipseFriction> EllipseFriction::make(const Vec<2>& center, const Mat<2>& E) {
  const Real p = E(0, 0) * E(0, 0) + E(0, 1) * E(0, 1), q = E(1, 0) * E(1, 0) + E(1, 1) * E(1, 1);
  const Real r = E(0, 0) * E(1, 0) + E(0, 1) * E(1, 1);  // E E^T = [p r; r q]
  const Real large = Real(0.5) * (p + q + std::hypot(p - q, 2 * r));
  const Real det = std::fabs(E(0, 0) * E(1, 1) - E(0, 1) * E(1, 0));
  if (!(large < INFINITY) || !(large > 0)) return Error{"ellipse of friction: E must be finite and not zero"};
  if (!(det > Real(1e-10) * large))
    return Error{
        "ellipse of friction: E is degenerate (its axes differ by more than 1e10); use a polygon for a segment"};
  const Real angle = Real(0.5) * std::atan2(2 * r, p - q), a0 = std::sqrt(large);
  EllipseFriction law{center, {a0, det / a0}, {std::cos(angle), std::sin(angle)}};
  const Vec<2> y = law.to_axes(center[0], center[1]);
  if (!(sq(y[0] / law.a[0]) + sq(y[1] / law.a[1]) <= 1))
    return Error{
        "ellipse of friction: 0 must be in D1 (no tangential force must remain allowed); move the centre closer"};
  return law;
}

static_assert(ContactLaw<EllipseFriction>);

}  // namespace cairn
