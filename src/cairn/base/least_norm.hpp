// The least-norm solution of dense equations that may be singular. Compiled once: of all that Eigen offers, this
// decomposition is among the slowest to compile.
#pragma once

#include <Eigen/Core>

namespace cairn {

Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace cairn
