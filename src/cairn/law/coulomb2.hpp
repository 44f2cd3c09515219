// Coulomb friction in two dimensions (M88 13.1-13.3): S_T in [-mu_minus S_N, mu_plus S_N], the two bounds may differ.
#pragma once

#include "cairn/law/choice.hpp"

namespace cairn {

struct Coulomb2 {
  static constexpr int dim = 2;
  Real mu_plus = 0, mu_minus = 0;

  static constexpr Coulomb2 with(Real mu) { return {mu, mu}; }

  struct Local {
    Inverse<2> inverse;
    Real slope_plus, slope_minus;  // dU_N/dS_N when sliding at the upper, the lower bound
    bool unique;                   // U_N(S_N) increases in every mode: one solution whatever b
  };

  CAIRN_HD Vec<2> project(const Vec<2>& x) const {
    const Real mu = x[1] > 0 ? mu_plus : mu_minus;
    const Real t = std::fabs(x[1]);
    if (x[0] >= 0 && t <= mu * x[0]) return x;
    const Real n = (x[0] + mu * t) / (1 + mu * mu);
    if (!(n > 0)) return {0, 0};
    return {n, x[1] > 0 ? mu * n : -mu * n};
  }

  CAIRN_HD Vec<2> shift(const Vec<2>& U) const { return {U[1] > 0 ? mu_minus * U[1] : -mu_plus * U[1], 0}; }

  // Part of the friction allowed that is in use, [0, 1].
  CAIRN_HD Real use(const Vec<2>& S) const {
    const Real most = (S[1] > 0 ? mu_plus : mu_minus) * S[0];
    return most > 0 ? std::fabs(S[1]) / most : 0;
  }

  // phi(S_N) = U_N along the tangential solution S_T(S_N) is piecewise linear with slopes slope_plus, slope_minus and,
  // when sticking, det H / H_TT: all positive means one zero at most. For symmetric H: mu |H_NT| < H_NN.
  CAIRN_HD Local prepare(const Mat<2>& H) const {
    const Inverse<2> inverse = make_inverse(H);
    const Real plus = H(0, 0) + mu_plus * H(0, 1), minus = H(0, 0) - mu_minus * H(0, 1);
    const bool sticks = !inverse.singular && H(1, 1) > 0 && inverse.inv(0, 0) > 0;
    return {inverse, plus, minus, sticks && plus > 0 && minus > 0};
  }

  CAIRN_HD LocalSolution<2> solve(Local& local, const Vec<2>& b) const {
    if (!local.unique) return solve_all(local, b);
    if (b[0] >= 0) return {{0, 0}, Status::take_off, 1};
    const Vec<2> S = local.inverse.solve({-b[0], -b[1]});
    if (sticks(S)) return {S, Status::stick, 1};
    const Real n = -b[0] / local.slope_plus, slip_plus = slip(local, b, n, mu_plus * n);
    if (slip_plus <= 0) return {{n, mu_plus * n}, Status::slide, 1};
    // One of the two slides holds; at the border with stick, where rounding may deny both, take the nearer.
    const Real m = -b[0] / local.slope_minus, slip_minus = slip(local, b, m, -mu_minus * m);
    if (slip_plus < -slip_minus) return {{n, mu_plus * n}, Status::slide, 1};
    return {{m, -mu_minus * m}, Status::slide, 1};
  }

 private:
  // Without friction sticking is a slide that happens to stop: the normal row alone decides, to the last bit.
  CAIRN_HD bool sticks(const Vec<2>& S) const {
    return S[1] <= mu_plus * S[0] && -S[1] <= mu_minus * S[0] && mu_plus + mu_minus > 0;
  }

  CAIRN_HD static Real slip(const Local& local, const Vec<2>& b, Real n, Real t) {
    return b[1] + (local.inverse.H(1, 0) * n + local.inverse.H(1, 1) * t);
  }

  CAIRN_HD LocalSolution<2> solve_all(const Local& local, const Vec<2>& b) const {
    Choice<Coulomb2> choice(*this, local.inverse.H, b);
    if (b[0] >= 0) choice.offer({0, 0}, Status::take_off, true);
    if (!local.inverse.singular) {
      const Vec<2> S = local.inverse.solve({-b[0], -b[1]});
      choice.offer(S, Status::stick, S[0] > 0 && sticks(S));
    }
    const Real n = -b[0] / local.slope_plus, m = -b[0] / local.slope_minus;
    if (n > 0) choice.offer({n, mu_plus * n}, Status::slide, slip(local, b, n, mu_plus * n) <= 0);
    if (m > 0) choice.offer({m, -mu_minus * m}, Status::slide, slip(local, b, m, -mu_minus * m) >= 0);
    const LocalSolution<2> found = choice.result();
    if (found.count == 0 && local.inverse.singular) return solve_singular(*this, local.inverse.H, b);
    return found;
  }
};

static_assert(ContactLaw<Coulomb2>);

}  // namespace cairn
