// Linear systems (A W + B) x = b with block-diagonal A and B: what Newton's method and the interior point solve.
#pragma once

#include <algorithm>
#include <vector>

#include "cairn/base/sparse_lu.hpp"
#include "cairn/problem/local.hpp"

namespace cairn {

template <class P>
class BlockSystem;

template <ContactLaw L>
class BlockSystem<LocalProblem<L>> {
 public:
  static constexpr int D = L::dim;

  explicit BlockSystem(const LocalProblem<L>& problem) : p_(problem), entries_(columns(problem)), lu_(make_lu()) {}

  // Factorises A W + B; false when singular.
  bool factorise(const std::vector<Mat<D>>& A, const std::vector<Mat<D>>& B) {
    Real* value = lu_.values().data();
    for (const std::vector<Entry>& column : entries_) {
      const std::size_t height = column.size() * D;
      for (std::size_t e = 0; e < column.size(); ++e) {
        const int a = column[e].row, k = column[e].block;
        Mat<D> M = A[a] * Mat<D>::load(k < 0 ? &p_.diagonal[static_cast<std::size_t>(a) * D * D]
                                             : &p_.block[static_cast<std::size_t>(k) * D * D]);
        if (k < 0) M += B[a];
        for (int j = 0; j < D; ++j)
          for (int i = 0; i < D; ++i) value[j * height + e * D + i] = M(i, j);
      }
      value += height * D;
    }
    return lu_.factorise();
  }

  bool solve(const std::vector<Vec<D>>& b, std::vector<Vec<D>>& x) const { return lu_.solve(b[0].v, x[0].v); }
  int determinant_sign() const { return lu_.determinant_sign(); }
  double flops() const { return lu_.flops(); }

 private:
  struct Entry {
    int row, block;  // contact, and its off-diagonal block in the problem; -1: the diagonal
    bool operator<(const Entry& o) const { return row < o.row; }
  };

  static std::vector<std::vector<Entry>> columns(const LocalProblem<L>& p) {
    std::vector<std::vector<Entry>> column(p.contacts());
    for (int a = 0; a < p.contacts(); ++a) {
      column[a].push_back({a, -1});
      for (int k = p.begin[a]; k < p.begin[a + 1]; ++k) column[p.column[k]].push_back({a, k});
    }
    for (auto& c : column) std::sort(c.begin(), c.end());
    return column;
  }

  SparseLU make_lu() const {
    std::vector<int> begin{0}, row;
    for (const auto& column : entries_)
      for (int j = 0; j < D; ++j) {
        for (const Entry& e : column)
          for (int i = 0; i < D; ++i) row.push_back(e.row * D + i);
        begin.push_back(static_cast<int>(row.size()));
      }
    return SparseLU(std::move(begin), std::move(row));
  }

  const LocalProblem<L>& p_;
  std::vector<std::vector<Entry>> entries_;
  SparseLU lu_;
};

}  // namespace cairn
