// From the forms of FCLIB files to the local form over contacts alone, and back.
//
// Bilateral parts are eliminated: W' = W - V R^-1 V^T for local forms, W' = [H; 0]^T K^-1 [H; 0] with K = [M -G; G^T 0]
// for global ones. Redundant bilateral constraints (singular R or K) are allowed where they do not contradict each
// other.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cairn/problem/fclib.hpp"
#include "cairn/problem/local.hpp"

namespace cairn {

// The linear part of a problem: u = W r + q, and v, l behind it.
class Reduction {
 public:
  explicit Reduction(const fclib::Problem& problem);
  ~Reduction();
  Reduction(Reduction&&) noexcept;

  bool good() const;  // false: M or the bilateral constraints could not be factorised
  const fclib::Sparse& W() const;
  const fclib::Vector& q() const;
  fclib::Solution recover(const fclib::Vector& r) const;  // u, v, l from the problem's own data

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Blocks of W in rows of contacts; the pattern is made symmetric, blocks that vanish on both sides are left out.
template <ContactLaw L>
LocalProblem<L> to_local(const fclib::Sparse& W, const fclib::Vector& q, std::vector<L> laws) {
  constexpr int D = L::dim;
  LocalProblem<L> p;
  const int n = static_cast<int>(laws.size());
  p.law = std::move(laws);
  p.q.assign(q.data(), q.data() + q.size());
  p.diagonal.assign(static_cast<std::size_t>(n) * D * D, 0);
  // W is in columns: column b lists the rows that it touches.
  std::vector<int> mark(n, -1);
  const auto each_block = [&](auto&& visit) {  // visit(a, b) once for each block that is not diagonal, both ways
    std::fill(mark.begin(), mark.end(), -1);
    for (int b = 0; b < n; ++b)
      for (int j = 0; j < D; ++j)
        for (fclib::Sparse::InnerIterator it(W, b * D + j); it; ++it) {
          const int a = static_cast<int>(it.row()) / D;
          if (a == b || mark[a] == b || it.value() == 0) continue;
          mark[a] = b;
          visit(a, b);
        }
  };
  std::vector<std::vector<int>> neighbours(n);
  each_block([&](int a, int b) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  });
  p.begin.assign(1, 0);
  for (int a = 0; a < n; ++a) {
    std::sort(neighbours[a].begin(), neighbours[a].end());
    neighbours[a].erase(std::unique(neighbours[a].begin(), neighbours[a].end()), neighbours[a].end());
    p.column.insert(p.column.end(), neighbours[a].begin(), neighbours[a].end());
    p.begin.push_back(static_cast<int>(p.column.size()));
  }
  p.block.assign(p.column.size() * D * D, 0);
  for (int b = 0; b < n; ++b)
    for (int j = 0; j < D; ++j)
      for (fclib::Sparse::InnerIterator it(W, b * D + j); it; ++it) {
        const int a = static_cast<int>(it.row()) / D, i = static_cast<int>(it.row()) % D;
        if (it.value() == 0) continue;
        if (a == b) {
          p.diagonal[(static_cast<std::size_t>(a) * D + j) * D + i] = it.value();
          continue;
        }
        const auto first = p.column.begin() + p.begin[a], last = p.column.begin() + p.begin[a + 1];
        const std::size_t k = static_cast<std::size_t>(std::lower_bound(first, last, b) - p.column.begin());
        p.block[(k * D + j) * D + i] = it.value();
      }
  return p;
}

}  // namespace cairn
