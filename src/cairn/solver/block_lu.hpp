// LU factorisation of a sparse matrix of F x F blocks with a symmetric pattern, one pattern with changing values.
//
// Rows are exchanged inside diagonal blocks only. That is enough for systems near a positive definite one, and their
// users refine what comes: solver/body_system.hpp.
#pragma once

#include <algorithm>
#include <vector>

#include "cairn/base/vec.hpp"
#include "cairn/solver/sparse_cholesky.hpp"

namespace cairn {

template <int F>
class BlockLU {
 public:
  using Block = Mat<F>;

  // Every diagonal block, and both blocks of each pair of different numbers.
  BlockLU(int columns, const std::vector<SparseCholesky::Pair>& pairs)
      : n_(columns), place_(elimination_order(columns, pairs)), begin_(n_ + 1, 0), inverse_(n_) {
    find_structure(pairs);
    lower_.resize(row_.size());
    upper_.resize(row_.size());
    work_.resize(n_);
    for (int k = 0; k < n_; ++k)
      for (int i = begin_[k]; i < begin_[k + 1]; ++i)
        for (int j = begin_[k]; j < begin_[k + 1]; ++j) target_.push_back(find(row_[i], row_[j]));
  }

  // Where block (r, c) stands; the value may be written there until factorise().
  int slot(int r, int c) const { return find(place_[r], place_[c]); }
  Block& at(int slot) {
    if (slot < n_) return inverse_[slot];
    slot -= n_;
    return slot % 2 == 0 ? lower_[slot / 2] : upper_[slot / 2];
  }
  void clear() {
    for (std::vector<Block>* blocks : {&inverse_, &lower_, &upper_})
      std::fill(blocks->begin(), blocks->end(), Block::zero());
  }

  bool factorise() {  // false: a diagonal block became singular
    const int* target = target_.data();
    for (int k = 0; k < n_; ++k) {
      Block inverse;
      if (!invert(inverse_[k], inverse)) return false;
      inverse_[k] = inverse;
      for (int i = begin_[k]; i < begin_[k + 1]; ++i) {
        lower_[i] = lower_[i] * inverse;
        for (int j = begin_[k]; j < begin_[k + 1]; ++j) subtract_product(lower_[i], upper_[j], at(*target++));
      }
    }
    return true;
  }

  // After factorise().
  void solve(const Real* b, Real* x) {
    for (int c = 0; c < n_; ++c) work_[place_[c]] = Vec<F>::load(b + static_cast<std::size_t>(c) * F);
    for (int k = 0; k < n_; ++k)
      for (int i = begin_[k]; i < begin_[k + 1]; ++i) work_[row_[i]] -= lower_[i] * work_[k];
    for (int k = n_ - 1; k >= 0; --k) {
      Vec<F> sum = work_[k];
      for (int i = begin_[k]; i < begin_[k + 1]; ++i) sum -= upper_[i] * work_[row_[i]];
      work_[k] = inverse_[k] * sum;
    }
    for (int c = 0; c < n_; ++c) work_[place_[c]].store(x + static_cast<std::size_t>(c) * F);
  }

  double flops() const { return 2.0 * F * F * F * static_cast<double>(target_.size()); }  // of a factorisation

 private:
  // Rows below the diagonal of each column of the factor: its own, and those of the columns that it is the first row
  // of.
  void find_structure(const std::vector<SparseCholesky::Pair>& pairs) {
    std::vector<std::vector<int>> below(n_);
    for (const SparseCholesky::Pair& p : pairs)
      below[std::min(place_[p.r], place_[p.c])].push_back(std::max(place_[p.r], place_[p.c]));
    for (int k = 0; k < n_; ++k) {
      std::vector<int>& rows = below[k];
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
      if (!rows.empty()) below[rows[0]].insert(below[rows[0]].end(), rows.begin() + 1, rows.end());
      row_.insert(row_.end(), rows.begin(), rows.end());
      begin_[k + 1] = static_cast<int>(row_.size());
    }
  }

  // In the order of elimination: k for the diagonal, then lower and upper blocks by turns.
  int find(int r, int c) const {
    if (r == c) return r;
    const int low = std::min(r, c), high = std::max(r, c);
    const auto first = row_.begin() + begin_[low], last = row_.begin() + begin_[low + 1];
    const int i = static_cast<int>(std::lower_bound(first, last, high) - row_.begin());
    return n_ + 2 * i + (r > c ? 0 : 1);
  }

  static void subtract_product(const Block& a, const Block& b, Block& c) {
    for (int j = 0; j < F; ++j)
      for (int k = 0; k < F; ++k) {
        const Real f = b(k, j);
        for (int i = 0; i < F; ++i) c(i, j) -= a(i, k) * f;
      }
  }

  int n_;
  std::vector<int> place_;            // of a number, in the order of elimination
  std::vector<int> begin_, row_;      // the factor's columns: rows below the diagonal
  std::vector<int> target_;           // blocks that the elimination of each column changes, in turn
  std::vector<Block> inverse_;        // diagonal blocks; after factorise() their inverses
  std::vector<Block> lower_, upper_;  // (row_) column below the diagonal, row to its right
  std::vector<Vec<F>> work_;
};

}  // namespace cairn
