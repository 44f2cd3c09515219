// Correction of violations (M88 Remark 11.1), all violated constraints at once: q moves to its nearest point, in the
// kinetic metric, of the linearised feasible set; the velocity is left alone.
#pragma once

#include "cairn/lagrange/contact_problem.hpp"

namespace cairn {

template <System S>
class Correction {
 public:
  static constexpr int N = S::freedoms;

  explicit Correction(const S& system) : system_(system) {}

  // min |d|_A over d with g_a + grad g_a . d >= 0, i.e. d = A^-1 sum grad g_a x_a with x >= 0 complementary.
  void apply(State<S>& s) {
    violated_.clear();
    for (int a = 0; a < system_.contacts(); ++a)
      if (system_.gap(a, s.t, s.q) < 0) violated_.push_back(a);
    if (violated_.empty()) return;
    const int n = static_cast<int>(violated_.size());
    const Eigen::LLT<Matrix<N, N>> factors(system_.inertia(s.t, s.q));
    gradient_.resize(violated_.size()), moved_.resize(violated_.size());
    solver_.resize(n);
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      gradient_[k] = system_.kinematics(violated_[k], s.t, s.q).G.row(0).transpose();
      moved_[k] = factors.solve(gradient_[k]);
      solver_.q(i) = system_.gap(violated_[k], s.t, s.q);
      for (int j = 0; j <= i; ++j) {
        const Real w = gradient_[k].dot(moved_[static_cast<std::size_t>(j)]);
        solver_.W(i, j) = w, solver_.W(j, i) = w;
      }
    }
    if (!solver_.solve()) return;  // no displacement opens them all: left as it is, and seen in the certificate
    Velocity<S> d = 0 * s.u;
    for (int i = 0; i < n; ++i) d += solver_.S(i) * moved_[static_cast<std::size_t>(i)];
    s.q = drifted(system_, s.q, d, Real(1));
  }

 private:
  const S& system_;
  std::vector<int> violated_;
  std::vector<Velocity<S>> gradient_, moved_;
  NonnegativeSolver solver_;
};

}  // namespace cairn
