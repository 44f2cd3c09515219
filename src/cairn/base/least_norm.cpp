#include "cairn/base/least_norm.hpp"

#include <Eigen/QR>

namespace cairn {

Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

}  // namespace cairn
