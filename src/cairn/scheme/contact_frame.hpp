// The axes of a contact.
#pragma once

#include <cmath>

#include "cairn/base/pose.hpp"

namespace cairn {

// Columns n, t (n turned by a quarter); n, t1, t2 right-handed, t1 as near to `along` as it can be.
inline Mat<2> frame_of(const Vec<2>& n, const Vec<2>&) { return {{n[0], n[1], -n[1], n[0]}}; }
inline Mat<3> frame_of(const Vec<3>& n, const Vec<3>& along) {
  Vec<3> t = along - dot(along, n) * n;
  if (!(norm2(t) > Real(1e-12))) {  // n x the axis that is farthest from it, chosen without a branch
    const Real x = std::abs(n[0]), y = std::abs(n[1]), z = std::abs(n[2]);
    const bool second = y < x, third = z < (second ? y : x);
    t[0] = third ? n[1] : second ? -n[2] : 0;
    t[1] = third ? -n[0] : second ? 0 : n[2];
    t[2] = third ? 0 : second ? n[0] : -n[1];
  }
  t = normalised(t);
  const Vec<3> s = cross(n, t);
  return {{n[0], n[1], n[2], t[0], t[1], t[2], s[0], s[1], s[2]}};
}

}  // namespace cairn
