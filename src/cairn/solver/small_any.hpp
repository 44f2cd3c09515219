// The members of SmallSolver for any law; small.cpp compiles them for the laws of the list.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/law/signorini.hpp"
#include "cairn/problem/local.hpp"
#include "cairn/solver/small.hpp"
#include "cairn/solver/solve_local.hpp"

namespace cairn {

template <ContactLaw L>
void SmallSolver<L>::resize(int contacts) {
  n_ = contacts;
  const std::size_t n = at(contacts);
  if (W_.size() < n * n) W_.resize(n * n);
  if (law_.size() < n) law_.resize(n), q_.resize(n), S_.resize(n), status_.resize(n), local_.reserve(n);
}

template <ContactLaw L>
SmallReport SmallSolver<L>::solve() {
  if (n_ == 0) return {};
  if (n_ == 1) return solve_single();
  if constexpr (std::same_as<L, Signorini>)
    return solve_frictionless();
  else
    return solve_several();
}

template <ContactLaw L>
auto SmallSolver<L>::velocity(int a) const -> Vec<D> {
  Vec<D> U = q_[at(a)];
  for (int b = 0; b < n_; ++b) U += W_[index(a, b)] * S_[at(b)];
  return U;
}

template <ContactLaw L>
SmallReport SmallSolver<L>::solve_single() {
  const LocalSolution<D> found = solve_one(law_[0], W_[0], q_[0]);
  S_[0] = found.S, status_[0] = found.status;
  return {relative_error(), 0, found.count != 1, found.count > 0};
}

// The sweeps of JM92 7.4-7.5 on a small scale; they end at rounding for all but hyperstatic systems, which the general
// solver takes over.
template <ContactLaw L>
SmallReport SmallSolver<L>::solve_several() {
  local_.clear();
  for (int a = 0; a < n_; ++a) local_.push_back(law_[at(a)].prepare(W_[index(a, a)]));
  SmallReport report;
  Real last = std::numeric_limits<Real>::infinity();
  for (; report.iterations < max_sweeps; ++report.iterations) {
    Real change = 0, size = 0;
    for (int a = 0; a < n_; ++a) {
      Vec<D> b = q_[at(a)];
      for (int c = 0; c < n_; ++c)
        if (c != a) b += W_[index(a, c)] * S_[at(c)];
      const LocalSolution<D> found = law_[at(a)].solve(local_[at(a)], b);
      change += norm2(found.S - S_[at(a)]), size += norm2(found.S);
      S_[at(a)] = found.S, status_[at(a)] = found.status;
      report.ambiguous += found.count != 1;
    }
    const bool rounding = change <= Real(1e-32) * size || (change <= Real(1e-28) * size && change >= last);
    if (rounding) break;
    last = change;
  }
  report.error = relative_error();
  if (report.error > Real(2e-14)) take_over(report);
  report.converged = report.error <= Real(1e-10);
  return report;
}

template <ContactLaw L>
void SmallSolver<L>::take_over(SmallReport& report) {
  LocalProblem<L> p;
  std::vector<Real> S;
  for (int a = 0; a < n_; ++a) {
    p.begin.push_back(static_cast<int>(p.column.size()));
    for (int b = 0; b < n_; ++b) {
      const Mat<D>& W = W_[index(a, b)];
      if (a != b) p.column.push_back(b);
      auto& store = a == b ? p.diagonal : p.block;
      store.insert(store.end(), W.v, W.v + D * D);
    }
    for (int i = 0; i < D; ++i) p.q.push_back(q_[at(a)][i]), S.push_back(S_[at(a)][i]);
    p.law.push_back(law_[at(a)]);
  }
  p.begin.push_back(static_cast<int>(p.column.size()));
  SolverOptions options;
  options.tolerance = Real(2e-14);
  options.max_seconds = 5;
  options.warm_start = true;
  report.iterations += solve_local(std::move(p), options, S).iterations;
  const std::vector<Vec<D>> swept(S_.begin(), S_.begin() + n_);
  for (int a = 0; a < n_; ++a) S_[at(a)] = Vec<D>::load(&S[at(a) * D]);
  const Real error = relative_error();
  if (error < report.error) {
    report.error = error;
    for (int a = 0; a < n_; ++a) status_[at(a)] = status_from(a);
  } else {
    std::copy(swept.begin(), swept.end(), S_.begin());
  }
}

template <ContactLaw L>
SmallReport SmallSolver<L>::solve_frictionless() {
  nonnegative_.resize(n_);
  for (int a = 0; a < n_; ++a) {
    nonnegative_.q(a) = q_[at(a)][0];
    for (int b = 0; b < n_; ++b) nonnegative_.W(a, b) = W_[index(a, b)](0, 0);
  }
  SmallReport report;
  report.converged = nonnegative_.solve();
  report.iterations = nonnegative_.iterations();
  for (int a = 0; a < n_; ++a) {
    S_[at(a)] = {nonnegative_.S(a)};
    status_[at(a)] = nonnegative_.S(a) > 0 ? Status::stick : Status::take_off;
  }
  report.error = relative_error();
  return report;
}

template <ContactLaw L>
Status SmallSolver<L>::status_from(int a) const {
  if (!(S_[at(a)][0] > 0)) return Status::take_off;
  const Vec<D> U = velocity(a);
  Real sliding = 0;
  for (int i = 1; i < D; ++i) sliding = std::max(sliding, std::abs(U[i]));
  return sliding > Real(1e-12) * scale() ? Status::slide : Status::stick;
}

template <ContactLaw L>
Real SmallSolver<L>::scale() const {
  Real s = 0;
  for (int a = 0; a < n_; ++a) s = std::max(s, norm(q_[at(a)]));
  return s;
}

// Natural map with impulses brought to velocities by the mean of the diagonal, over the largest |q_a|.
template <ContactLaw L>
Real SmallSolver<L>::relative_error() const {
  const Real size = scale();
  if (!(size > 0)) return 0;
  Real worst = 0;
  for (int a = 0; a < n_; ++a) {
    const Real w = trace(W_[index(a, a)]) / D;
    worst = std::max(worst, norm(natural_map(law_[at(a)], velocity(a), w * S_[at(a)])));
  }
  return worst / size;
}

}  // namespace cairn
