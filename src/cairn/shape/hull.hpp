// Convex hull of points in space, by Qhull.
#pragma once

#include <span>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/base/vec.hpp"

namespace cairn {

using Ring = std::vector<int>;  // numbers of points, counter-clockwise seen from outside

// Facets of the hull as Qhull gives them: they close, and some may lie in one plane to rounding.
Expected<std::vector<Ring>> hull_facets(std::span<const Vec<3>> points);

}  // namespace cairn
