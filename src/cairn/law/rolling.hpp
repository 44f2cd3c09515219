// Coulomb friction with resistance to rolling, and to drilling in Rolling6: concentrated torques whose power passes
// through the relative spin (M98 4.5), each bounded by a length times S_N.
//   S = (N, T1, T2, R1, R2 [, D]),   |S_T| <= mu S_N,   |S_R| <= mu_r S_N   [, |S_D| <= mu_d S_N]:
// K is the cone over D1 = disc x disc [x interval]; each block opposes its own velocity (M88 12.2 in the product
// space).
#pragma once

#include <cmath>

#include "cairn/law/choice.hpp"
#include "cairn/law/product_kernel.hpp"

namespace cairn {

template <int D>
struct Rolling {
  static constexpr int dim = D;
  using B = Blocks<D>;
  Real mu[B::count];  // sliding [-], rolling [m], drilling [m]

  using Local = ProductKernel<D>;

  // n = S_N is the root of n - x_N - sum mu_i max(0, |x_i| - mu_i n), increasing and concave: Newton from the left
  // drops blocks one by one and ends exactly.
  CAIRN_HD Vec<D> project(const Vec<D>& x) const {
    Real size[B::count];
    bool outside[B::count], any = false;
    for (int i = 0; i < B::count; ++i) {
      size[i] = B::norm(x, i);
      outside[i] = size[i] > mu[i] * x[0];
      any = any || outside[i];
    }
    if (!any && x[0] >= 0) return x;
    for (bool& o : outside) o = true;
    Real n = 0;
    for (int pass = 0; pass <= B::count; ++pass) {
      Real sum = x[0], weight = 1;
      for (int i = 0; i < B::count; ++i)
        if (outside[i]) sum += mu[i] * size[i], weight += mu[i] * mu[i];
      n = sum / weight;
      bool same = true;
      for (int i = 0; i < B::count; ++i)
        if (outside[i] && !(size[i] > mu[i] * n)) outside[i] = same = false;
      if (same) break;
    }
    if (!(n > 0)) return Vec<D>::zero();
    Vec<D> p = x;
    p[0] = n;
    for (int i = 0; i < B::count; ++i)
      if (outside[i]) B::scale(p, i, mu[i] * n / size[i]);
    return p;
  }

  CAIRN_HD Vec<D> shift(const Vec<D>& U) const {
    Vec<D> s = Vec<D>::zero();
    for (int i = 0; i < B::count; ++i) s[0] += mu[i] * B::norm(U, i);
    return s;
  }

  CAIRN_HD Local prepare(const Mat<D>& H) const { return Local(H, mu); }

  // Where the kernel says `unique`, one solution; elsewhere a scan of U_N(S_N), which may miss a pair of close
  // solutions.
  CAIRN_HD LocalSolution<D> solve(Local& local, const Vec<D>& b) const {
    if (local.unique && b[0] >= 0) return {Vec<D>::zero(), Status::take_off, 1};
    Vec<D> stick = Vec<D>::zero();
    bool sticks = false;
    if (!local.inverse.singular) {
      stick = local.inverse.solve(-b);
      sticks = stick[0] > 0;
      for (int i = 0; i < B::count; ++i) sticks = sticks && B::norm(stick, i) <= mu[i] * stick[0] && mu[i] > 0;
      if (local.unique && sticks) return {stick, Status::stick, 1};
    }
    if (local.unique) {
      auto p = local.start(b);
      if (local.newton(b, p, Local::Modes::change) && p.valid) return {p.S, Status::slide, 1};
    }
    Choice<Rolling> choice(*this, local.inverse.H, b);
    if (b[0] >= 0) choice.offer(Vec<D>::zero(), Status::take_off, true);
    if (!local.inverse.singular) {
      choice.offer(stick, Status::stick, sticks);
      local.scan(b, sticks ? stick[0] : 0, [&](const auto& p) {
        if (p.slides_somewhere()) choice.offer(p.S, Status::slide, p.valid);
      });
    }
    const LocalSolution<D> found = choice.result();
    if (found.count == 0 && local.inverse.singular) return solve_singular(*this, local.inverse.H, b);
    return found;
  }
};

using Rolling3 = Rolling<3>;  // in the plane: S = (N, T, R)
using Rolling5 = Rolling<5>;
using Rolling6 = Rolling<6>;

static_assert(ContactLaw<Rolling3> && ContactLaw<Rolling5> && ContactLaw<Rolling6>);

}  // namespace cairn
