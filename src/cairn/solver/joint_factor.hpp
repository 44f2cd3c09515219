// W = B B^T of joints, B = G A^-1/2, factorised. Joints of closed chains may say a thing twice: a trace on the diagonal
// lets them.
#pragma once

#include <Eigen/SparseCholesky>

#include "cairn/base/vec.hpp"

namespace cairn {

using JointFactor = Eigen::SimplicialLDLT<Eigen::SparseMatrix<Real>>;

inline bool factorise_joints(const Eigen::SparseMatrix<Real>& B, JointFactor& factor) {
  Eigen::SparseMatrix<Real> W = B * Eigen::SparseMatrix<Real>(B.transpose());
  const Eigen::VectorXd diagonal = W.diagonal();
  const Real trace = Real(1e-12) * (diagonal.size() > 0 ? diagonal.maxCoeff() : 0);
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) W.coeffRef(i, i) += diagonal[i] > 0 ? trace : 1;
  factor.compute(W);
  return factor.info() == Eigen::Success;
}

}  // namespace cairn
