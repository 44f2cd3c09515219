// Cholesky factorisation of a symmetric positive definite matrix within its envelope: in every row all that stands
// between the first entry and the diagonal. For matrices of a few hundred to a few thousand rows that neighbours
// couple, one pattern with changing values: the order of Cuthill and McKee, reversed, keeps the envelope narrow, and
// four rows at a time are dense columns of vectors.
#pragma once

#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

class EnvelopeCholesky {
 public:
  struct Pair {
    int r, c;
  };

  // Every diagonal entry, and one for each pair of different numbers: either order, any number of times.
  EnvelopeCholesky(int size, const std::vector<Pair>& pairs);

  // Values are set before each factorisation, which takes their place: clear(), then add to values()[slot(r, c)].
  void clear();
  std::size_t slot(int r, int c) const;
  std::vector<Real>& values() { return value_; }

  // False: not finite. A pivot of which rounding may be all, being less than `least` of the diagonal entry that it came
  // from, counts as infinite: solve() leaves that number zero.
  bool factorise(Real least);
  void solve(const Real* b, Real* x) const;  // after factorise(); x may be b
  int size() const { return static_cast<int>(place_.size()); }
  std::size_t entries() const { return entries_; }  // of the envelope; taken by the first clear()

 private:
  static constexpr int rows = 4;  // of a panel
  const Real* column(int panel, int k) const { return &value_[begin_[panel] + rows * (k - first_[panel])]; }
  Real* column(int panel, int k) { return &value_[begin_[panel] + rows * (k - first_[panel])]; }

  std::vector<int> place_;          // (size) in the order of elimination
  std::vector<int> first_;          // (panels) column where a panel's rows begin, the first of a panel
  std::vector<std::size_t> begin_;  // (panels) of its values: by columns, up to the diagonal block
  std::size_t entries_ = 0;
  std::vector<Real> value_;
  mutable std::vector<Real> work_;
};

// The place of each number in the reversed order of Cuthill and McKee: breadth first from a far end, neighbours with
// few neighbours first.
std::vector<int> narrow_order(int size, const std::vector<EnvelopeCholesky::Pair>& pairs);

}  // namespace cairn
