// Extreme points and rays of a small polyhedron { z >= 0, c + C z >= 0 }.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

struct ExtremePoints {
  std::vector<Eigen::VectorXd> points, rays;  // no points: the polyhedron is empty
  bool complete = true;                       // false: more than `most` on the way, given up
};

// By the double description method: half-spaces are added one by one to the orthant, whose extreme rays are known. At
// most 63 - z.size() inequalities.
ExtremePoints extreme_points(const Eigen::MatrixXd& C, const Eigen::VectorXd& c, std::size_t most = 20000);

}  // namespace cairn
