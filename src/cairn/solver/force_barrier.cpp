#include "cairn/solver/force_barrier.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/at.hpp"

namespace cairn {
namespace {

constexpr Real shift = Real(1e-14);  // keeps the factorisation alive where rows nearly depend; refined away
constexpr int most_steps = 80, refinements = 6;
constexpr Real precise = Real(1e-12);  // [-] of the step
constexpr Real reached = Real(1e-10);  // Newton decrement
constexpr Real noisy = Real(0.02);     // one below falls by squares, unless rounding is all that is left

Real friction_norm(int dim, const Real* s) {
  return dim == 1 ? 0 : dim == 2 ? std::fabs(s[1]) : std::hypot(s[1], s[2]);
}
Real room(int dim, const Real* s) { return s[0] - friction_norm(dim, s); }

}  // namespace

ForceBarrier::ForceBarrier(const std::vector<ForceUnknown>& unknowns, const std::vector<int>& rows)
    : unknown_(unknowns), rows_(static_cast<int>(rows.size())) {
  for (int i = 0; i < rows_; ++i) {
    if (place_.size() <= at(rows[at(i)])) place_.resize(at(rows[at(i)]) + 1, -1);
    place_[at(rows[at(i)])] = i;
  }
  Triplets entries;
  for (const ForceUnknown& u : unknown_) {
    first_.push_back(columns_);
    for (std::size_t i = 0; i < at(u.dim); ++i, ++columns_)
      for (const ForceEntry& e : u.column[i])
        if (at(e.row) < place_.size() && place_[at(e.row)] >= 0)
          entries.emplace_back(place_[at(e.row)], columns_, e.value);
  }
  A_.resize(rows_, columns_);
  A_.setFromTriplets(entries.begin(), entries.end());
  const std::vector<Real> x = start();
  b_ = A_ * Eigen::Map<const Eigen::VectorXd>(x.data(), columns_);
}

std::vector<Real> ForceBarrier::start() const {
  std::vector<Real> x;
  for (const ForceUnknown& u : unknown_) x.insert(x.end(), u.value.begin(), u.value.begin() + u.dim);
  return x;
}

Real ForceBarrier::degree() const {
  Real sum = 0;
  for (const ForceUnknown& u : unknown_) sum += u.free ? 0 : u.dim == 1 ? 1 : 2;
  return sum;
}

// Entries of A in local axes. The pattern is the same at every point: entries that happen to be zero stand too.
void ForceBarrier::assemble_rows(std::size_t a, const Axes& axes) {
  const int first = first_[a], dim = unknown_[a].dim;
  for (int i = 0; i < dim; ++i)
    for (Eigen::SparseMatrix<Real>::InnerIterator it(A_, first + i); it; ++it)
      for (int j = 0; j < dim; ++j)
        local_.emplace_back(columns_ + static_cast<int>(it.row()), first + j, axes.column[j][i] * it.value());
}

void ForceBarrier::assemble(Real norm, Real barrier, const std::vector<Real>& x) {
  H_.clear(), local_.clear(), axes_.clear();
  gradient_.setZero(columns_);
  for (std::size_t a = 0; a < unknown_.size(); ++a) {
    const ForceUnknown& u = unknown_[a];
    const int first = first_[a], dim = u.dim;
    const Real* s = &x[at(first)];
    const Real t = friction_norm(dim, s), less = s[0] - t, more = s[0] + t;  // 2 b, 2 a
    const Real c = t > 0 ? s[1] / t : 1, q = t > 0 && dim > 2 ? s[2] / t : 0;
    Axes axes{{{1, c, q}, {1, -c, -q}, {0, -q, c}}};
    Real slope[3] = {-2 / more, -2 / less, 0}, bend[3] = {4 / (more * more), 4 / (less * less), 2 / (more * less)};
    if (dim == 1) axes = {{{1, 0, 0}, {}, {}}}, slope[0] = -1 / s[0], bend[0] = 1 / (s[0] * s[0]);
    if (u.free) slope[0] = bend[0] = 0;
    for (int i = 0; i < dim; ++i) {
      Real force = 0;  // metric s along local axis i
      for (int k = 0; k < dim; ++k)
        for (int m = 0; m < dim; ++m) force += axes.column[i][k] * u.metric[at(3 * k + m)] * s[m];
      gradient_[first + i] = barrier * slope[i] + norm * force;
      for (int j = 0; j <= i; ++j) {
        Real h = i == j ? barrier * bend[i] + (u.free ? shift : 0) : 0;
        for (int k = 0; k < dim; ++k)
          for (int m = 0; m < dim; ++m) h += norm * axes.column[i][k] * u.metric[at(3 * k + m)] * axes.column[j][m];
        H_.emplace_back(first + i, first + j, h);
      }
    }
    assemble_rows(a, axes);
    axes_.push_back(axes);
  }
}

// Newton's step with  A (x + d) = b:  [H A^T; A 0] [d; -y] = [-gradient; b - A x].
bool ForceBarrier::direction(const std::vector<Real>& x) {
  Triplets entries = H_;
  entries.insert(entries.end(), local_.begin(), local_.end());
  for (int i = 0; i < rows_; ++i) entries.emplace_back(columns_ + i, columns_ + i, -shift);
  K_.resize(columns_ + rows_, columns_ + rows_);
  K_.setFromTriplets(entries.begin(), entries.end());
  if (!analysed_) factor_.analyzePattern(K_), analysed_ = true;
  factor_.factorize(K_);
  if (factor_.info() != Eigen::Success) return false;
  Eigen::VectorXd right(columns_ + rows_);
  right << -gradient_, b_ - A_ * Eigen::Map<const Eigen::VectorXd>(x.data(), columns_);
  Eigen::VectorXd z = factor_.solve(right);
  Real error = INFINITY;
  for (int round = 0; round < refinements; ++round) {
    Eigen::VectorXd rest = right - K_.selfadjointView<Eigen::Lower>() * z;
    rest.tail(rows_) -= shift * z.tail(rows_);
    const Eigen::VectorXd more = factor_.solve(rest);
    const Real size = more.head(columns_).norm();
    if (!(size < error)) break;
    error = size;
    z += more;
    if (error < precise * z.head(columns_).norm()) break;
  }
  if (!z.allFinite()) return false;
  decrement_ = 0;
  for (const auto& h : H_) decrement_ += (h.row() == h.col() ? 1 : 2) * h.value() * z[h.row()] * z[h.col()];
  d_.setZero(columns_);
  for (std::size_t a = 0; a < unknown_.size(); ++a)
    for (int j = 0; j < unknown_[a].dim; ++j)
      for (int i = 0; i < unknown_[a].dim; ++i) d_[first_[a] + i] += axes_[a].column[j][i] * z[first_[a] + j];
  return true;
}

// The longest step, at most one, that keeps a part of the room of every cone.
Real ForceBarrier::step_inside(const std::vector<Real>& x) const {
  Real step = 1;
  for (std::size_t a = 0; a < unknown_.size(); ++a) {
    const int first = first_[a], dim = unknown_[a].dim;
    if (unknown_[a].free) continue;
    const Real before = room(dim, &x[at(first)]);
    for (;; step *= Real(0.7)) {
      Real s[3] = {};
      for (int i = 0; i < dim; ++i) s[i] = x[at(first + i)] + step * d_[first + i];
      if (room(dim, s) > Real(0.05) * before || step < Real(1e-12)) break;
    }
  }
  return step;
}

bool ForceBarrier::minimise(Real norm, Real barrier, std::vector<Real>& x) {
  Real before = INFINITY;
  for (int k = 0; k < most_steps; ++k) {
    assemble(norm, barrier, x);
    if (!direction(x)) return false;
    const Real decrement = std::sqrt(std::max(Real(0), decrement_) / barrier);
    Real step = step_inside(x);
    if (decrement > Real(0.25)) step = std::min(step, std::max(1 / (1 + decrement), Real(0.5) * step));
    for (int i = 0; i < columns_; ++i) x[at(i)] += step * d_[i];
    if (decrement < reached || (decrement < noisy && decrement > before / 2)) return true;
    before = decrement;
  }
  return false;
}

}  // namespace cairn
