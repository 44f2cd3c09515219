// Eigenvalues of symmetric matrices. Compiled once, as least_norm.hpp is.
#pragma once

#include <Eigen/Core>

namespace cairn {

struct SymmetricEigen {
  Eigen::VectorXd values;   // rising
  Eigen::MatrixXd vectors;  // of length one, a column each
};

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);  // the lower half of A is read
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace cairn
