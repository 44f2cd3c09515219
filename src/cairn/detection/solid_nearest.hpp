// Cores that are nearest to each other at vertices, or at edges that are parallel.
#pragma once

#include "cairn/detection/solid.hpp"

namespace cairn {

// `otherwise` (unit, from b to a) is the normal where the cores touch to `slack` and have no distance to take it from.
Manifold<3> nearest_manifold(const SolidCore& a, const SolidCore& b, const Vec<3>& otherwise, Real slack, Real alert);

}  // namespace cairn
