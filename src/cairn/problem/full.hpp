// A step problem of few contacts from its full matrix.
#pragma once

#include <utility>
#include <vector>

#include "cairn/problem/local.hpp"

namespace cairn {

// block(a, b): W_ab as Mat; free(a): q_a as Vec.
template <ContactLaw L, class Block, class Free>
LocalProblem<L> full_problem(std::vector<L> laws, const Block& block, const Free& free) {
  constexpr int D = L::dim;
  LocalProblem<L> p;
  p.law = std::move(laws);
  for (int a = 0; a < p.contacts(); ++a) {
    p.begin.push_back(static_cast<int>(p.column.size()));
    for (int b = 0; b < p.contacts(); ++b) {
      const Mat<D> W = block(a, b);
      if (a != b) p.column.push_back(b);
      auto& store = a == b ? p.diagonal : p.block;
      store.insert(store.end(), W.v, W.v + D * D);
    }
    const Vec<D> q = free(a);
    p.q.insert(p.q.end(), q.v, q.v + D);
  }
  p.begin.push_back(static_cast<int>(p.column.size()));
  return p;
}

// The same from anything with W(i, j) and q(i) over rows: a matrix and a vector.
template <ContactLaw L, class Matrix, class Vector>
LocalProblem<L> full_problem_of(std::vector<L> laws, const Matrix& W, const Vector& q) {
  constexpr int D = L::dim;
  const auto block = [&](int a, int b) {
    Mat<D> m;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) m(i, j) = W(D * a + i, D * b + j);
    return m;
  };
  const auto free = [&](int a) {
    Vec<D> v;
    for (int i = 0; i < D; ++i) v[i] = q(D * a + i);
    return v;
  };
  return full_problem(std::move(laws), block, free);
}

}  // namespace cairn
