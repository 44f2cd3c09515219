// Frictionless unilateral contact: 0 <= U complementary to S >= 0 (M88 8.1, JM92 3.9).
#pragma once

#include "cairn/law/law.hpp"

namespace cairn {

struct Signorini {
  static constexpr int dim = 1;
  struct Local {
    Real H;
  };

  CAIRN_HD Vec<1> project(const Vec<1>& x) const { return {x[0] > 0 ? x[0] : 0}; }
  CAIRN_HD Vec<1> shift(const Vec<1>&) const { return {0}; }
  CAIRN_HD Local prepare(const Mat<1>& H) const { return {H(0, 0)}; }
  CAIRN_HD LocalSolution<1> solve(Local& local, const Vec<1>& b) const {
    if (b[0] >= 0) return {{0}, Status::take_off, 1};
    if (!(local.H > 0)) return {{0}, Status::take_off, 0};  // nothing can stop the approach
    return {{-b[0] / local.H}, Status::stick, 1};
  }
};

static_assert(ContactLaw<Signorini>);

}  // namespace cairn
