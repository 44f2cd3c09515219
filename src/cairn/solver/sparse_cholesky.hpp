// Sparse Cholesky factorisation of a symmetric positive definite matrix of square blocks, one pattern with changing
// values (SuiteSparse CHOLMOD behind a small face).
#pragma once

#include <memory>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

class SparseCholesky {
 public:
  struct Pair {
    int r, c;
  };

  // Every diagonal block, and a block for each pair of different numbers: either order, any number of times.
  SparseCholesky(int block, int columns, const std::vector<Pair>& pairs);
  ~SparseCholesky();
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;

  // Where entry (i, j) of block (r, c) stands among the values: first + i * down + j * across. Block (c, r) is the same
  // one, transposed; of a diagonal block the part below the diagonal counts.
  struct Slot {
    std::size_t first, down, across;
  };
  Slot slot(int r, int c) const;
  std::vector<Real>& values() { return value_; }

  double flops() const;                // of a factorisation
  bool factorise();                    // false: not positive definite or not finite
  void solve(const Real* b, Real* x);  // after factorise()
  int size() const { return block_ * static_cast<int>(place_.size()); }

 private:
  struct Cholmod;
  void make_matrix();
  void solve_supernodes(Real* x);

  int block_;
  std::vector<int> place_;              // (columns) of a block column, in the order of elimination
  std::vector<int> begin_, block_row_;  // block pattern in that order: lower triangle by columns, rows rising
  std::vector<int> column_, row_;       // the same, scalar
  std::vector<Real> value_;
  std::vector<Real> work_, below_;  // right-hand side in the order of elimination; rows below a supernode
  std::unique_ptr<Cholmod> c_;
};

// The place of each block column in an order of elimination that fills in little: minimum degree, then postordering.
std::vector<int> elimination_order(int columns, const std::vector<SparseCholesky::Pair>& pairs);

}  // namespace cairn
