// Sparse LU factorisation of one matrix pattern with changing values (SuiteSparse behind a small face): KLU where
// little fills in, UMFPACK where enough does for its dense kernels to pay.
#pragma once

#include <memory>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

class SparseLU {
 public:
  enum class Pattern { symmetric, general };  // symmetric: with a strong diagonal
  enum class Engine { choose, klu, umfpack };

  // Compressed columns; the pattern is kept, the values are the caller's to fill.
  SparseLU(std::vector<int> column_begin, std::vector<int> row, Pattern pattern = Pattern::symmetric,
           Engine engine = Engine::choose);
  ~SparseLU();
  SparseLU(const SparseLU&) = delete;
  SparseLU& operator=(const SparseLU&) = delete;

  std::vector<Real>& values() { return value_; }
  bool factorise();                          // false: singular or not finite
  bool solve(const Real* b, Real* x) const;  // after factorise()
  int determinant_sign() const;
  int size() const { return n_; }
  double flops() const;  // of the last factorisation

 private:
  struct Factors;
  struct Klu;
  struct Umfpack;

  int n_;
  Pattern pattern_;
  Engine engine_;
  std::vector<int> begin_, row_;
  std::vector<Real> value_;
  std::unique_ptr<Factors> factors_;
};

}  // namespace cairn
