// Dense equations that may be singular, and ranks. Compiled once: of all that Eigen offers, these decompositions are
// among the slowest to compile.
#pragma once

#include <Eigen/QR>

namespace cairn {

// The solution of least norm of A x = b in the sense of least squares, by a complete orthogonal decomposition.
class LeastNorm {
 public:
  explicit LeastNorm(const Eigen::MatrixXd& A);
  LeastNorm(const Eigen::MatrixXd& A, double zero);  // a pivot of at most zero times the largest is none

  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;             // column by column
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& b) const;  // A^T x = b

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors_;
};

Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// The number of independent columns. zero: as above; negative: rounding.
int column_rank(const Eigen::MatrixXd& A, double zero = -1);

// Independent columns of length one and orthogonal that span those of A.
Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& A);

}  // namespace cairn
