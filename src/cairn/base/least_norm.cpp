#include "cairn/base/least_norm.hpp"

namespace cairn {
namespace {

using Decomposition = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

Decomposition decomposed(const Eigen::MatrixXd& A, double zero) {
  Decomposition factors;
  factors.setThreshold(zero);
  factors.compute(A);
  return factors;
}

}  // namespace

LeastNorm::LeastNorm(const Eigen::MatrixXd& A) : factors_(A) {}
LeastNorm::LeastNorm(const Eigen::MatrixXd& A, double zero) : factors_(decomposed(A, zero)) {}

Eigen::VectorXd LeastNorm::solve(const Eigen::VectorXd& b) const { return factors_.solve(b); }
Eigen::MatrixXd LeastNorm::solve(const Eigen::MatrixXd& B) const { return factors_.solve(B); }
Eigen::VectorXd LeastNorm::solve_transposed(const Eigen::VectorXd& b) const { return factors_.transpose().solve(b); }

Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return LeastNorm(A).solve(b);
}

int column_rank(const Eigen::MatrixXd& A, double zero) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors;
  if (zero >= 0) factors.setThreshold(zero);
  return static_cast<int>(factors.compute(A).rank());
}

Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& A) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(A);
  return factors.householderQ() * Eigen::MatrixXd::Identity(A.rows(), factors.rank());
}

}  // namespace cairn
