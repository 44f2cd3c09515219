// Nonlinear block Gauss-Seidel (JM92 7.4, 7.5): one contact at a time, solved exactly with the others held; and the
// same sweep as a fixed-point map accelerated by Anderson's method.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "cairn/solver/anderson.hpp"
#include "cairn/solver/monitor.hpp"

namespace cairn {

template <StepProblem P>
class GaussSeidel {
 public:
  using L = typename P::Law;
  static constexpr int D = L::dim;

  // Contacts are taken in the order given; none: as they are numbered.
  explicit GaussSeidel(const P& problem, std::vector<int> order = {})
      : p_(problem), sweep_(problem), order_(std::move(order)) {
    local_.reserve(p_.contacts());
    weight_.reserve(p_.contacts());
    for (int a = 0; a < p_.contacts(); ++a) {
      const Mat<D> H = p_.diagonal_block(a);
      local_.push_back(p_.law[a].prepare(H));
      weight_.push_back(trace(H) / D);
    }
  }

  // Velocities that a sweep carries along are refreshed from S; needed when S was changed from outside.
  void restart(const Real* S) { sweep_.restart(S); }

  // One sweep in place; returns the size of the change in the norm weighted by the diagonal of W.
  Real sweep(Real* S) {
    Real change = 0;
    for (int k = 0; k < p_.contacts(); ++k) {
      const int a = order_.empty() ? k : order_[k];
      const Vec<D> old = Vec<D>::load(S + static_cast<std::size_t>(a) * D);
      const LocalSolution<D> found = p_.law[a].solve(local_[a], sweep_.velocity_without(a, S));
      const Vec<D> d = found.S - old;
      found.S.store(S + static_cast<std::size_t>(a) * D);
      sweep_.changed(a, d);
      change += weight_[a] * norm2(d);
    }
    return std::sqrt(change);
  }

  std::vector<typename L::Local>& local() { return local_; }
  const std::vector<Real>& weight() const { return weight_; }  // (contacts) mean of the diagonal of W_aa

  std::vector<Real> row_weights() const {  // (rows) square roots
    std::vector<Real> w(weight_.size() * D);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::sqrt(weight_[i / D]);
    return w;
  }

 private:
  const P& p_;
  typename P::Sweep sweep_;
  std::vector<int> order_;  // of contacts; empty: as they are numbered
  std::vector<typename L::Local> local_;
  std::vector<Real> weight_;
};

struct SweepOptions {
  long max_sweeps = 100000;
  int window = 5;    // of Anderson's method; 0: plain sweeps
  int refresh = 64;  // sweeps between refreshes of what a sweep carries along
  int plain = 3;     // plain sweeps before acceleration starts
};

// Decides when the error is worth its price: the change of a sweep is free and nearly proportional to the error.
class CheckClock {
 public:
  // Steady: the ratio of the two hardly changes, and a check costs as much as a sweep.
  enum class Pace { usual, steady };
  CheckClock() = default;
  explicit CheckClock(Pace pace) : steady_(pace == Pace::steady), next_(steady_ ? 8 : 1) {}

  bool due(long sweep, Real change, Real tolerance) {
    if (sweep >= next_ || (ratio_ > 0 && change * ratio_ <= tolerance)) return true;
    return false;
  }
  void checked(long sweep, Real change, Real error) {
    const bool close = ratio_ > 0 && change * ratio_ <= 4 * error;
    ratio_ = change > 0 ? Real(steady_ ? 0.95 : 0.7) * error / change : 0;
    next_ = sweep + 1 + (steady_ ? 15 + sweep / 4 : close ? std::min(3 + sweep / 8, 32L) : sweep / 16);
  }

 private:
  bool steady_ = false;
  long next_ = 1;
  Real ratio_ = 0;
};

// Sweeps until the monitor is satisfied, the budget is spent, or `enough(sweep)` says so. Starts from S; leaves the
// last iterate there (the monitor keeps the best).
template <StepProblem P, class Enough>
void run_sweeps(GaussSeidel<P>& gs, Monitor<P>& monitor, std::vector<Real>& S, const SweepOptions& options,
                Enough enough) {
  const Method method = options.window > 0 ? Method::anderson : Method::gauss_seidel;
  std::vector<Real> x = S, f;
  std::unique_ptr<Anderson> anderson;
  CheckClock clock;
  Real last_change = std::numeric_limits<Real>::infinity();
  bool accelerated = false;
  gs.restart(S.data());
  for (long k = 1; k <= options.max_sweeps; ++k) {
    if (accelerated || k % options.refresh == 0) gs.restart(x.data());
    std::vector<Real>& g = S;  // g(x)
    g = x;
    const Real change = gs.sweep(g.data());
    ++monitor.report().iterations;
    if (!std::isfinite(change)) {
      g = x;
      return;
    }
    if (accelerated && change > 2 * last_change) {  // the combination went astray: back to the last sweep's own result
      anderson->reset();
      x = f;
      accelerated = false;
      last_change = std::numeric_limits<Real>::infinity();
      continue;
    }
    last_change = change;
    if (clock.due(k, change, monitor.tolerance())) {
      const bool stop = monitor.observe(method, g);
      clock.checked(k, change, monitor.last_errors().own);
      if (stop || enough(k)) return;
    }
    if (options.window == 0 || k < options.plain) {
      x = g;
      continue;
    }
    if (!anderson) anderson = std::make_unique<Anderson>(options.window, gs.row_weights());
    f.resize(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) f[i] = g[i] - x[i];
    anderson->next(g.data(), f.data(), x.data());
    f = g;  // where to return to
    accelerated = true;
  }
}

}  // namespace cairn
