// Plain sweeps that are in no hurry. On packings that are wedged and slide at once, sweeps end in a long drift: the
// error stands still while the impulses move by the same small amount at each sweep, until a contact starts or stops to
// slide and the error falls again. The drift is a straight line, so it can be jumped along.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "cairn/solver/gauss_seidel.hpp"

namespace cairn {

template <StepProblem P>
class PatientSweeps {
 public:
  explicit PatientSweeps(std::vector<Real> start) : S_(std::move(start)) {}

  // At least `most` sweeps, unless the monitor is satisfied first. What they carry on from is kept for the next call.
  void run(GaussSeidel<P>& gs, Monitor<P>& monitor, long most) {
    for (long done = 0; done < most && !monitor.done() && !monitor.exhausted(); done += 2 * span) {
      sweep(gs, monitor);
      const std::vector<Real> middle = S_;
      const Real change = sweep(gs, monitor);
      if (monitor.observe(Method::gauss_seidel, S_)) return;
      error_ = monitor.last_errors().own;
      jump(gs, monitor, middle, change);
    }
  }

  const std::vector<Real>& impulses() const { return S_; }

  // Whether the error has halved since the last time this was asked and true.
  bool nearer() {
    if (!(error_ < before_ / 2)) return false;
    before_ = error_;
    return true;
  }

 private:
  static constexpr long span = 128;  // sweeps over which the drift is measured

  Real sweep(GaussSeidel<P>& gs, Monitor<P>& monitor) {
    Real change = 0;
    gs.restart(S_.data());
    for (long k = 0; k < span; ++k) change = gs.sweep(S_.data());
    monitor.report().iterations += span;
    return change;
  }

  // The longest of 1, 2, 4, ... spans along S - middle after which a sweep changes no more than it does here.
  void jump(GaussSeidel<P>& gs, Monitor<P>& monitor, const std::vector<Real>& middle, Real change) {
    std::vector<Real> drift(S_.size()), farthest, trial(S_.size());
    for (std::size_t i = 0; i < S_.size(); ++i) drift[i] = S_[i] - middle[i];
    for (Real spans = 1; spans < Real(1e6); spans *= 2) {
      for (std::size_t i = 0; i < S_.size(); ++i) trial[i] = S_[i] + spans * drift[i];
      gs.restart(trial.data());
      const Real after = gs.sweep(trial.data());
      ++monitor.report().iterations;
      if (!(after <= (1 + Real(1e-3)) * change)) break;
      std::swap(farthest, trial);
      trial.resize(S_.size());
    }
    if (!farthest.empty()) S_ = farthest;
  }

  std::vector<Real> S_;
  Real error_ = std::numeric_limits<Real>::infinity(), before_ = Real(1e-2);
};

}  // namespace cairn
