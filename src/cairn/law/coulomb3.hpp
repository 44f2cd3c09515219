// Isotropic Coulomb friction in three dimensions (JM92 4.1, M88 12.4): |S_T| <= mu S_N.
#pragma once

#include "cairn/law/choice.hpp"
#include "cairn/law/disc_kernel.hpp"

namespace cairn {

struct Coulomb3 {
  static constexpr int dim = 3;
  Real mu = 0;

  using Local = DiscKernel;

  CAIRN_HD Vec<3> project(const Vec<3>& x) const {
    const Real t2 = x[1] * x[1] + x[2] * x[2];
    if (x[0] >= 0 && t2 <= mu * mu * x[0] * x[0]) return x;
    const Real t = std::sqrt(t2);
    const Real n = (x[0] + mu * t) / (1 + mu * mu);
    if (!(n > 0)) return {0, 0, 0};
    if (!(t > 0)) return {n, 0, 0};
    const Real f = mu * n / t;
    return {n, f * x[1], f * x[2]};
  }

  // Part of the friction allowed that is in use, [0, 1].
  CAIRN_HD Real use(const Vec<3>& S) const {
    const Real most = mu * S[0];
    return most > 0 ? std::sqrt(S[1] * S[1] + S[2] * S[2]) / most : 0;
  }

  CAIRN_HD Vec<3> shift(const Vec<3>& U) const { return {mu * std::sqrt(U[1] * U[1] + U[2] * U[2]), 0, 0}; }

  CAIRN_HD Local prepare(const Mat<3>& H) const { return make_disc_kernel(H, mu); }

  CAIRN_HD LocalSolution<3> solve(Local& local, const Vec<3>& b) const {
    if (!(mu > 0)) return solve_frictionless(local, b);
    if (local.unique) {
      if (b[0] >= 0) return {{0, 0, 0}, Status::take_off, 1};
      Vec<3> S = local.inverse.solve({-b[0], -b[1], -b[2]});
      if (local.sticks(S)) return {S, Status::stick, 1};
      if (local.slide_by_newton(b, S)) return {S, Status::slide, 1};
    }
    return solve_all(local, b);
  }

 private:
  CAIRN_HD static LocalSolution<3> solve_frictionless(const Local& local, const Vec<3>& b) {
    if (b[0] >= 0) return {{0, 0, 0}, Status::take_off, 1};
    if (!(local.inverse.H(0, 0) > 0)) return {{0, 0, 0}, Status::take_off, 0};
    return {{-b[0] / local.inverse.H(0, 0), 0, 0}, Status::slide, 1};
  }

  // Every solution, by enumeration of the modes; the most dissipative is taken.
  CAIRN_HD LocalSolution<3> solve_all(Local& local, const Vec<3>& b) const {
    Choice<Coulomb3> choice(*this, local.inverse.H, b);
    if (b[0] >= 0) choice.offer({0, 0, 0}, Status::take_off, true);
    if (!local.inverse.singular) {
      const Vec<3> S = local.inverse.solve(-b);
      choice.offer(S, Status::stick, local.sticks(S));
    }
    local.enumerate_slides(b, [&](const Vec<3>& S, bool valid) { choice.offer(S, Status::slide, valid); });
    LocalSolution<3> found = choice.result();
    if (found.count == 0 && local.inverse.singular) return solve_singular(*this, local.inverse.H, b);
    if (local.unique && found.count > 1) found.count = 1;  // two modes that meet, kept apart by rounding
    if (found.status == Status::slide) {
      const Real f = 1 / (mu * found.S[0]);
      local.remember(found.S[1] * f, found.S[2] * f);
    }
    return found;
  }
};

static_assert(ContactLaw<Coulomb3>);

}  // namespace cairn
