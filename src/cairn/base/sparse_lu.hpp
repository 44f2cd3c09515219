// Sparse LU factorisation of one matrix pattern with changing values (SuiteSparse UMFPACK behind a small face).
#pragma once

#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

class SparseLU {
 public:
  enum class Pattern { symmetric, general };  // symmetric: with a strong diagonal

  // Compressed columns; the pattern is kept, the values are the caller's to fill.
  SparseLU(std::vector<int> column_begin, std::vector<int> row, Pattern pattern = Pattern::symmetric);
  ~SparseLU();
  SparseLU(const SparseLU&) = delete;
  SparseLU& operator=(const SparseLU&) = delete;

  std::vector<Real>& values() { return value_; }
  bool factorise();                          // false: singular or not finite
  bool solve(const Real* b, Real* x) const;  // after factorise()
  int determinant_sign() const;
  int size() const { return n_; }
  double flops() const { return flops_; }  // of the last factorisation

 private:
  int n_;
  Pattern pattern_;
  std::vector<int> begin_, row_;
  std::vector<Real> value_;
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
  double flops_ = 0;
};

}  // namespace cairn
