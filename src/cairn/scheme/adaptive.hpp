// Step-size control over any one-step scheme: one step h against two of h/2.
//
// What is controlled: the local error of q on smooth motions, estimated by the difference of the two results, component
// by component, against tolerance (scale + |q|). The finer result is kept. What is not: at an impact, a landing or a
// take-off the order drops to one whatever the scheme, and the difference says little; such a step (a gap changes sign,
// or the number of closed contacts does) is accepted at the floor h_min only, so that its error is that of a fixed step
// h_min. Velocities converge in the mean only and are not looked at; nor is the sum of local errors over time. Stick
// that turns to slide is left to the estimate.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/scheme/moreau.hpp"

namespace cairn {

struct AdaptiveOptions {
  Real tolerance = 1e-6;  // [-]
  Real scale = 1;         // [unit of q]
  Real h_min = 1e-5;      // [s] the floor
  Real h_max = 0.1;       // [s] shorter than any flight that must not be missed
  int order = 2;          // of the scheme on smooth motions: 2 for Moreau, 1 for Paoli and Monteiro Marques
};

struct AdaptiveCounts {
  long accepted = 0, rejected = 0;
  long floor = 0;         // accepted at h_min in spite of the estimate or of a change of contacts
  long scheme_steps = 0;  // the cost: three for each trial
};

template <System S, class Scheme = Moreau<S>>
class Adaptive {
 public:
  using Options = AdaptiveOptions;

  explicit Adaptive(const S& system, const AdaptiveOptions& options = {},
                    const typename Scheme::Options& scheme_options = {})
      : system_(system), options_(options), scheme_(system, scheme_options), h_(options.h_min) {}

  // As many controlled steps as fill h. A fault of the scheme at the floor ends it where it stands.
  StepReport step(State<S>& s, Real h) {
    StepReport sum;
    const Real t_end = s.t + h;
    for (bool last = false; !last;) {
      const Real left = t_end - s.t;
      if (!(left > Real(1e-12) * h)) break;
      last = !(h_ < left);
      const Trial trial = attempt(s, last ? left : h_);
      const Real tried = last ? left : h_, factor = adapt(trial);
      const bool at_floor = !(tried > options_.h_min), good = trial.error <= 1 && !trial.changed;
      sum.iterations += 3;
      if ((good || at_floor) && trial.fault == Fault::none) {
        accept(s, trial, sum);
        counts_.floor += !good;
        if (last) s.t = t_end;
        const Real grown = tried * (rejected_last_ ? std::min(factor, Real(1)) : factor);
        h_ = std::clamp(last && good ? std::max(h_, grown) : grown, options_.h_min, options_.h_max);
        rejected_last_ = false;
      } else if (at_floor) {
        sum.fault = trial.fault;
        return sum;
      } else {
        h_ = std::max(options_.h_min, tried * std::min(factor, Real(0.5)));
        rejected_last_ = true, last = false;
        ++counts_.rejected;
      }
    }
    return sum;
  }

  const AdaptiveCounts& counts() const { return counts_; }
  Real next_step() const { return h_; }

 private:
  struct Trial {
    StepReport first, second;  // the two halves
    Real error = 0;            // of q over what is tolerated
    bool changed = false;      // contacts
    Fault fault = Fault::none;
  };

  Trial attempt(const State<S>& s, Real h) {
    Trial trial;
    coarse_ = s, fine_ = s;
    counts_.scheme_steps += 3;
    const StepReport whole = scheme_.step(coarse_, h);
    trial.first = scheme_.step(fine_, h / 2);
    trial.second = scheme_.step(fine_, h / 2);
    for (const Fault fault : {whole.fault, trial.first.fault, trial.second.fault})
      if (fault != Fault::none) trial.fault = fault;
    if (trial.fault != Fault::none) return trial;
    for (Eigen::Index i = 0; i < s.q.size(); ++i)
      trial.error = std::max(trial.error, std::abs(fine_.q(i) - coarse_.q(i)) /
                                              (options_.tolerance * (options_.scale + std::abs(s.q(i)))));
    const int closed = trial.second.closed;
    trial.changed = whole.closed != closed || trial.first.closed != closed || (closed_ >= 0 && closed != closed_);
    for (int a = 0; a < system_.contacts() && !trial.changed; ++a)
      trial.changed = (system_.gap(a, s.t, s.q) > 0) != (system_.gap(a, fine_.t, fine_.q) > 0);
    return trial;
  }

  // By how much the next step is longer: the estimate goes as h^(order + 1).
  Real adapt(const Trial& trial) const {
    if (trial.changed || trial.fault != Fault::none) return Real(0.25);
    const Real error = std::max(trial.error, Real(1e-12));
    return std::clamp(Real(0.9) * std::pow(error, -1 / Real(options_.order + 1)), Real(0.2), Real(4));
  }

  void accept(State<S>& s, const Trial& trial, StepReport& sum) {
    std::swap(s, fine_);
    closed_ = trial.second.closed;
    ++counts_.accepted;
    for (const StepReport* r : {&trial.first, &trial.second}) {
      sum.active = r->active, sum.closed = r->closed;
      sum.ambiguous += r->ambiguous;
      sum.error = std::max(sum.error, r->error);
      sum.violation = std::max(sum.violation, r->violation);
      sum.energy.change += r->energy.change, sum.energy.applied += r->energy.applied;
      sum.energy.boundary += r->energy.boundary, sum.energy.dissipation += r->energy.dissipation;
    }
  }

  const S& system_;
  AdaptiveOptions options_;
  Scheme scheme_;
  Real h_;           // [s] the next trial
  int closed_ = -1;  // contacts closed in the last accepted step; -1: none yet
  bool rejected_last_ = false;
  State<S> coarse_, fine_;
  AdaptiveCounts counts_;
};

}  // namespace cairn
