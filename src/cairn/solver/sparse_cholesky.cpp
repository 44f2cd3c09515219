#include "cairn/solver/sparse_cholesky.hpp"

#include <cholmod.h>

#include <Eigen/Dense>
#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

// One thread: the matrices of a step are too small for a threaded BLAS, whose idle threads would only spin.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
extern "C" int omp_get_max_active_levels() __attribute__((weak));
extern "C" void omp_set_max_active_levels(int) __attribute__((weak));

namespace cairn {

namespace {

// CHOLMOD starts teams of threads for supernodes of any size, which costs more than the work: none while this lives.
class OneThread {
 public:
  OneThread() : levels_(omp_get_max_active_levels ? omp_get_max_active_levels() : 0) { set(0); }
  ~OneThread() { set(levels_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  static void set(int levels) {
    if (omp_set_max_active_levels) omp_set_max_active_levels(levels);
  }
  int levels_;
};

// The lower triangle of a symmetric matrix, in the caller's arrays.
cholmod_sparse lower_triangle(std::vector<int>& begin, std::vector<int>& row, Real* value) {
  cholmod_sparse m{};
  m.nrow = m.ncol = begin.size() - 1;
  m.nzmax = row.size();
  m.p = begin.data();
  m.i = row.data();
  m.x = value;
  m.stype = -1;
  m.itype = CHOLMOD_INT;
  m.xtype = value ? CHOLMOD_REAL : CHOLMOD_PATTERN;
  m.dtype = CHOLMOD_DOUBLE;
  m.sorted = m.packed = 1;
  return m;
}

// Lower triangle by columns, rows rising, of blocks in a given order.
void make_pattern(const std::vector<int>& place, const std::vector<SparseCholesky::Pair>& pairs,
                  std::vector<int>& begin, std::vector<int>& row) {
  const int columns = static_cast<int>(place.size());
  std::vector<int> next(columns + 1, 1);  // the diagonal, then the pairs with repetitions
  const auto low = [&](const SparseCholesky::Pair& p) { return std::min(place[p.r], place[p.c]); };
  for (const SparseCholesky::Pair& p : pairs) ++next[low(p)];
  for (int c = 0, sum = 0; c <= columns; ++c) sum += std::exchange(next[c], sum);
  std::vector<int> all(columns + pairs.size());
  const std::vector<int> first = next;
  for (int c = 0; c < columns; ++c) all[next[c]++] = c;
  for (const SparseCholesky::Pair& p : pairs) all[next[low(p)]++] = std::max(place[p.r], place[p.c]);
  begin.assign(1, 0);
  row.clear();
  row.reserve(all.size());
  for (int c = 0; c < columns; ++c) {
    std::sort(all.begin() + first[c], all.begin() + next[c]);
    std::unique_copy(all.begin() + first[c], all.begin() + next[c], std::back_inserter(row));
    begin.push_back(static_cast<int>(row.size()));
  }
}

}  // namespace

std::vector<int> elimination_order(int columns, const std::vector<SparseCholesky::Pair>& pairs) {
  std::vector<int> place(columns), begin, row;
  std::iota(place.begin(), place.end(), 0);
  if (columns == 0) return place;
  make_pattern(place, pairs, begin, row);
  cholmod_sparse graph = lower_triangle(begin, row, nullptr);
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  common.nmethods = 1;
  common.method[0].ordering = CHOLMOD_AMD;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  if (cholmod_factor* found = cholmod_analyze(&graph, &common)) {
    const int* eliminated = static_cast<const int*>(found->Perm);
    for (int k = 0; k < columns; ++k) place[eliminated[k]] = k;
    cholmod_free_factor(&found, &common);
  }
  cholmod_finish(&common);
  return place;
}

struct SparseCholesky::Cholmod {
  cholmod_common common;
  cholmod_sparse matrix{};
  cholmod_factor* factor = nullptr;
  cholmod_dense *x = nullptr, *y = nullptr, *e = nullptr;  // kept, so that a solve allocates nothing

  Cholmod() {
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.final_ll = 1;
  }
  ~Cholmod() {
    cholmod_free_factor(&factor, &common);
    for (cholmod_dense* d : {x, y, e}) cholmod_free_dense(&d, &common);
    cholmod_finish(&common);
  }
};

SparseCholesky::SparseCholesky(int block, int columns, const std::vector<Pair>& pairs)
    : block_(block), place_(elimination_order(columns, pairs)), c_(std::make_unique<Cholmod>()) {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  if (columns == 0) return;
  // The blocks are ordered, in a fraction of the time that ordering their rows would take, and the matrix is stored in
  // this order, which spares CHOLMOD a permutation at each factorisation.
  make_pattern(place_, pairs, begin_, block_row_);
  make_matrix();
}

SparseCholesky::~SparseCholesky() = default;

void SparseCholesky::make_matrix() {
  const int B = block_;
  column_.reserve(size() + 1);
  column_.push_back(0);
  row_.reserve(block_row_.size() * B * B);
  for (std::size_t c = 0; c < place_.size(); ++c)
    for (int j = 0; j < B; ++j) {
      for (int k = begin_[c]; k < begin_[c + 1]; ++k)
        for (int i = 0; i < B; ++i) row_.push_back(block_row_[k] * B + i);
      column_.push_back(static_cast<int>(row_.size()));
    }
  value_.assign(row_.size(), 0);
  c_->matrix = lower_triangle(column_, row_, value_.data());
  cholmod_common& common = c_->common;
  common.method[0].ordering = CHOLMOD_NATURAL;
  common.postorder = 0;
  common.supernodal = CHOLMOD_AUTO;
  c_->factor = cholmod_analyze(&c_->matrix, &common);
  if (c_->factor && c_->factor->is_super) below_.resize(c_->factor->maxesize + 1);
  work_.resize(size());
}

SparseCholesky::Slot SparseCholesky::slot(int r, int c) const {
  const int low = std::min(place_[r], place_[c]), high = std::max(place_[r], place_[c]);
  const auto first = block_row_.begin() + begin_[low], last = block_row_.begin() + begin_[low + 1];
  const std::size_t k = std::lower_bound(first, last, high) - first, B = block_, height = B * (last - first);
  const std::size_t at = B * B * begin_[low] + B * k;
  return place_[r] >= place_[c] ? Slot{at, 1, height} : Slot{at, height, 1};
}

double SparseCholesky::flops() const { return c_->common.fl; }

bool SparseCholesky::factorise() {
  const OneThread guard;
  if (!c_->factor) return false;
  return cholmod_factorize(&c_->matrix, c_->factor, &c_->common) && c_->common.status == CHOLMOD_OK &&
         c_->factor->minor == c_->factor->n;
}

void SparseCholesky::solve(const Real* b, Real* x) {
  const int B = block_, columns = static_cast<int>(place_.size());
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < B; ++i) work_[place_[c] * B + i] = b[c * B + i];
  const Real* found = work_.data();
  if (c_->factor->is_super) {
    solve_supernodes(work_.data());
  } else {
    cholmod_dense rhs{};
    rhs.nrow = rhs.d = rhs.nzmax = static_cast<std::size_t>(size());
    rhs.ncol = 1;
    rhs.x = work_.data();
    rhs.xtype = CHOLMOD_REAL;
    rhs.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, c_->factor, &rhs, nullptr, &c_->x, nullptr, &c_->y, &c_->e, &c_->common);
    found = static_cast<const Real*>(c_->x->x);
  }
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < B; ++i) x[c * B + i] = found[place_[c] * B + i];
}

// L L^T x = b over the dense columns of each supernode. One right-hand side at a time is a matter of reading L twice:
// calls to a BLAS for each small supernode would cost as much again.
void SparseCholesky::solve_supernodes(Real* x) {
  using Columns = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  const cholmod_factor& f = *c_->factor;
  const int *super = static_cast<const int*>(f.super), *pi = static_cast<const int*>(f.pi),
            *px = static_cast<const int*>(f.px), *s = static_cast<const int*>(f.s);
  const Real* value = static_cast<const Real*>(f.x);
  const int count = static_cast<int>(f.nsuper);
  for (int k = 0; k < count; ++k) {
    const int width = super[k + 1] - super[k], height = pi[k + 1] - pi[k], rest = height - width;
    const Columns L(value + px[k], height, width, Eigen::OuterStride<>(height));
    Eigen::Map<Eigen::VectorXd> own(x + super[k], width), t(below_.data(), rest);
    for (int j = 0; j < width; ++j) {
      own[j] /= L(j, j);
      own.tail(width - j - 1) -= own[j] * L.col(j).segment(j + 1, width - j - 1);
    }
    if (rest == 0) continue;
    t.noalias() = L.bottomRows(rest) * own;
    const int* row = s + pi[k] + width;
    for (int i = 0; i < rest; ++i) x[row[i]] -= t[i];
  }
  for (int k = count - 1; k >= 0; --k) {
    const int width = super[k + 1] - super[k], height = pi[k + 1] - pi[k], rest = height - width;
    const Columns L(value + px[k], height, width, Eigen::OuterStride<>(height));
    Eigen::Map<Eigen::VectorXd> own(x + super[k], width), t(below_.data(), rest);
    const int* row = s + pi[k] + width;
    for (int i = 0; i < rest; ++i) t[i] = x[row[i]];
    if (rest > 0) own.noalias() -= L.bottomRows(rest).transpose() * t;
    for (int j = width - 1; j >= 0; --j) {
      own[j] -= L.col(j).segment(j + 1, width - j - 1).dot(own.tail(width - j - 1));
      own[j] /= L(j, j);
    }
  }
}

}  // namespace cairn
