// How far bodies reach: what a turn can move at most.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/model/model.hpp"

namespace cairn {

// [m] (bodies) at least the largest distance of a point of the body from its origin, and no more than the corner of a
// box around each part; infinite for bodies with a half-space.
template <int D>
std::vector<Real> reach_of_bodies(const Model<D>& model) {
  std::vector<Real> reaches(model.bodies.size(), 0);
  for (const BodyPart<D>& part : model.parts) {
    Real& most = reaches[static_cast<std::size_t>(part.body)];
    if (bounded<D>(part.shape)) {
      most = std::max(most, norm(part.pose.x) + reach<D>(part.shape));
    } else {  // terrain has points, and a half-space none
      const Bounds<D> box = bounds<D>(part.shape, part.pose);
      Vec<D> corner;
      for (int i = 0; i < D; ++i) corner[i] = std::max(std::fabs(box.low[i]), std::fabs(box.high[i]));
      most = std::max(most, norm(corner));
    }
  }
  return reaches;
}

}  // namespace cairn
