// Minimises  norm/2 |S|^2 + barrier * (sum of the cones' barriers),  subject to  A x = A x_0,  by Newton's method. The
// barrier of a cone is -log(s_0^2 - s_1^2 - s_2^2), that of a ray -log s_0.
//
// Steps are computed in axes of the impulses at hand: with r along the friction, q across,
//   s = a (1, r) + b (1, -r) + q,   barrier -log(4 a b - q^2),   q = 0 at the point itself:
// second derivatives 1/a^2, 1/b^2, 2/(4 a b) on the diagonal, without cancellation however near the boundary is.
#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "cairn/solver/force_set.hpp"

namespace cairn {

class ForceBarrier {
 public:
  // `rows`: those of equilibrium that count, none of which follows from the others.
  ForceBarrier(const std::vector<ForceUnknown>& unknowns, const std::vector<int>& rows);

  // From x, which is inside, to the minimum. False: not reached.
  bool minimise(Real norm, Real barrier, std::vector<Real>& x);

  std::vector<Real> start() const;  // the unknowns' values
  Real degree() const;              // of the barriers

 private:
  using Triplets = std::vector<Eigen::Triplet<Real>>;
  struct Axes {
    Real column[3][3];  // s = sum of local numbers times columns
  };
  void assemble(Real norm, Real barrier, const std::vector<Real>& x);
  void assemble_rows(std::size_t unknown, const Axes& axes);
  bool direction(const std::vector<Real>& x);
  Real step_inside(const std::vector<Real>& x) const;

  const std::vector<ForceUnknown>& unknown_;
  std::vector<int> place_;            // (rows of equilibrium) among those that count, or -1
  int rows_, columns_ = 0;            // that count; components of unknowns
  std::vector<int> first_;            // (unknowns) number of their first component
  Eigen::SparseMatrix<Real> A_;       // (rows, columns)
  Eigen::VectorXd b_, gradient_, d_;  // (rows); (columns) in local axes; step
  Triplets H_, local_;                // (columns) second derivatives; A, both in local axes
  std::vector<Axes> axes_;            // (unknowns)
  Real decrement_ = 0;                // d . H d
  Eigen::SparseMatrix<Real> K_;       // (columns + rows) lower triangle
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<Real>, Eigen::Lower> factor_;
  bool analysed_ = false;
};

}  // namespace cairn
