#include "cairn/solver/envelope_cholesky.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using Four = Eigen::Array<Real, 4, 1>;

Four load(const Real* p) { return Eigen::Map<const Four>(p); }
void store(Real* p, const Four& v) { Eigen::Map<Four>{p} = v; }

using Graph = std::vector<std::vector<int>>;

Graph graph_of(int size, const std::vector<EnvelopeCholesky::Pair>& pairs) {
  Graph graph(static_cast<std::size_t>(size));
  for (const auto& [r, c] : pairs) graph[r].push_back(c), graph[c].push_back(r);
  for (auto& near : graph) {
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());
  }
  for (auto& near : graph) std::ranges::stable_sort(near, {}, [&](int i) { return graph[i].size(); });
  return graph;
}

// Numbers that `start` reaches, breadth first; `depth`: how far the last one is.
std::vector<int> breadth_first(const Graph& graph, int start, int& depth) {
  std::vector<int> level(graph.size(), -1), found{start};
  level[start] = 0;
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const int i : graph[found[k]])
      if (level[i] < 0) level[i] = level[found[k]] + 1, found.push_back(i);
  depth = level[found.back()];
  return found;
}

}  // namespace

std::vector<int> narrow_order(int size, const std::vector<EnvelopeCholesky::Pair>& pairs) {
  const Graph graph = graph_of(size, pairs);
  std::vector<int> place(static_cast<std::size_t>(size), -1);
  int next = size;
  for (int i = 0; i < size; ++i) {
    if (place[i] >= 0) continue;
    int depth = -1, reached = 0;
    std::vector<int> order = breadth_first(graph, i, reached);
    while (reached > depth) depth = reached, order = breadth_first(graph, order.back(), reached);
    for (const int k : order) place[k] = --next;
  }
  return place;
}

EnvelopeCholesky::EnvelopeCholesky(int size, const std::vector<Pair>& pairs) : place_(narrow_order(size, pairs)) {
  const int panels = (size + rows - 1) / rows;
  for (int p = 0; p < panels; ++p) first_.push_back(p * rows);
  for (const auto& [r, c] : pairs) {
    const int low = std::min(place_[r], place_[c]), high = std::max(place_[r], place_[c]);
    first_[high / rows] = std::min(first_[high / rows], low / rows * rows);
  }
  for (int p = 0; p < panels; ++p) {
    begin_.push_back(entries_);
    entries_ += static_cast<std::size_t>(rows * ((p + 1) * rows - first_[p]));
  }
  work_.resize(static_cast<std::size_t>(panels * rows));
}

void EnvelopeCholesky::clear() {
  value_.assign(entries_, 0);
  for (int i = size(); i < static_cast<int>(work_.size()); ++i) column(i / rows, i)[i % rows] = 1;  // rows that fill up
}

std::size_t EnvelopeCholesky::slot(int r, int c) const {
  const int low = std::min(place_[r], place_[c]), high = std::max(place_[r], place_[c]), panel = high / rows;
  return begin_[panel] + static_cast<std::size_t>(rows * (low - first_[panel]) + high % rows);
}

// Row by row of panels: L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T. Diagonals of L are kept as their inverses.
bool EnvelopeCholesky::factorise(Real least) {
  const int panels = static_cast<int>(first_.size());
  for (int i = 0; i < panels; ++i)
    for (int j = first_[i] / rows; j <= i; ++j) {
      const int last = j * rows;
      Real* own = column(i, last);
      Four a = load(own), b = load(own + 4), c = load(own + 8), d = load(own + 12);
      const int start = std::max(first_[i], first_[j]);
      const Real *left = column(i, start), *right = column(j, start);
      for (int k = start; k < last; ++k, left += rows, right += rows) {
        const Four v = load(left);
        a -= v * right[0], b -= v * right[1], c -= v * right[2], d -= v * right[3];
      }
      Four* const block[rows] = {&a, &b, &c, &d};
      const Real* L = column(j, last);  // of the diagonal: entry (q, r) at 4 r + q
      Real fresh[rows * rows];
      for (int q = 0; q < rows; ++q) {
        Four& own_q = *block[q];
        for (int r = 0; r < q; ++r) own_q -= *block[r] * (i == j ? fresh[rows * r + q] : L[rows * r + q]);
        if (i == j) {
          if (!std::isfinite(own_q[q])) return false;
          const Real inverse = own_q[q] > least * own[rows * q + q] ? 1 / std::sqrt(own_q[q]) : 0;
          own_q *= inverse;
          store(fresh + rows * q, own_q);
          own_q[q] = inverse;
        } else {
          own_q *= L[rows * q + q];
        }
      }
      store(own, a), store(own + 4, b), store(own + 8, c), store(own + 12, d);
    }
  return true;
}

void EnvelopeCholesky::solve(const Real* b, Real* x) const {
  for (int i = 0; i < size(); ++i) work_[place_[i]] = b[i];
  const int panels = static_cast<int>(first_.size());
  for (int i = panels * rows; i-- > size();) work_[i] = 0;
  for (int p = 0; p < panels; ++p) {
    Real* own = &work_[p * rows];
    Four sum = load(own);
    const Real* L = column(p, first_[p]);
    for (int k = first_[p]; k < p * rows; ++k, L += rows) sum -= load(L) * work_[k];
    for (int q = 0; q < rows; ++q, L += rows) {
      own[q] = sum[q] * L[q];
      sum -= load(L) * own[q];
    }
  }
  for (int p = panels; p-- > 0;) {
    Real* own = &work_[p * rows];
    const Real* D = column(p, p * rows);
    for (int q = rows; q-- > 0;) {
      for (int r = q + 1; r < rows; ++r) own[q] -= D[rows * q + r] * own[r];
      own[q] *= D[rows * q + q];
    }
    const Four y = load(own);
    const Real* L = column(p, first_[p]);
    for (int k = first_[p]; k < p * rows; ++k, L += rows) work_[k] -= (load(L) * y).sum();
  }
  for (int i = 0; i < size(); ++i) x[i] = work_[place_[i]];
}

}  // namespace cairn
