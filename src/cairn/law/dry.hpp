// Dry resistance of known bound, as in a joint that is pressed together by springs: |S_0| <= bound, against U_0. The
// other rows do nothing (G is zero there). K = [-bound, bound] is convex but no cone: its bound has the unit of
// impulses.
#pragma once

#include <algorithm>

#include "cairn/law/bilateral.hpp"

namespace cairn {

template <int D>
struct DryRow {
  static constexpr int dim = D;
  Real bound = 0;  // [N s, N m s]

  struct Local {
    Real h;  // H_00
  };

  CAIRN_HD Vec<D> project(const Vec<D>& x) const {
    Vec<D> p = Vec<D>::zero();
    p[0] = std::clamp(x[0], -bound, bound);
    return p;
  }
  CAIRN_HD Vec<D> shift(const Vec<D>&) const { return Vec<D>::zero(); }
  CAIRN_HD Local prepare(const Mat<D>& H) const { return {H(0, 0)}; }
  CAIRN_HD LocalSolution<D> solve(const Local& local, const Vec<D>& b) const {
    if (!(local.h > 0)) return {project(-b), b[0] == 0 ? Status::stick : Status::slide, 1};  // nothing to hold
    const Vec<D> S = project((-1 / local.h) * b);
    return {S, std::abs(b[0]) <= local.h * bound ? Status::stick : Status::slide, 1};
  }
};

static_assert(ContactLaw<DryRow<2>> && ContactLaw<DryRow<3>>);

}  // namespace cairn
