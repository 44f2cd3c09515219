#include "cairn/base/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>

namespace cairn {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace cairn
