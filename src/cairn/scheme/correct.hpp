// Correction of violations (M88 Remark 11.1), all violated constraints at once: q moves to its nearest point, in the
// kinetic metric, of the linearised feasible set; the velocity is left alone.
#pragma once

#include <algorithm>

#include "cairn/lagrange/contact_problem.hpp"

namespace cairn {

template <System S>
class Correction {
 public:
  static constexpr int N = S::freedoms;

  explicit Correction(const S& system) : system_(system) {}

  // min |d|_A over d with g_a + grad g_a . d >= 0, i.e. d = A^-1 sum grad g_a x_a with x >= 0 complementary. A
  // constraint that the displacement itself would violate joins the others.
  void apply(State<S>& s) {
    rows_.clear();
    if (!gather(s, s.q)) return;
    const Cholesky<N> factors(system_.inertia(s.t, s.q));
    Configuration<S> moved = s.q;
    std::size_t solved = 0;
    do {
      for (; solved < rows_.size(); ++solved) rows_[solved].Y = factors.solve(rows_[solved].gradient);
      if (!solve()) return;  // no displacement opens them all: left as it is, and seen in the certificate
      Velocity<S> d = 0 * s.u;
      for (std::size_t i = 0; i < rows_.size(); ++i) d += solver_.S(static_cast<int>(i)) * rows_[i].Y;
      moved = drifted(system_, s.q, d, Real(1));
    } while (gather(s, moved));
    s.q = moved;
  }

 private:
  struct Row {
    int contact;
    Real gap;
    Velocity<S> gradient, Y;  // Y = A^-1 gradient
  };

  // Adds the constraints violated at q, linearised at s.q. False: nothing new.
  bool gather(const State<S>& s, const Configuration<S>& q) {
    const std::size_t before = rows_.size();
    for (int a = 0; a < system_.contacts(); ++a) {
      if (!(system_.gap(a, s.t, q) < 0)) continue;
      if (std::any_of(rows_.begin(), rows_.end(), [a](const Row& r) { return r.contact == a; })) continue;
      const Velocity<S> gradient = system_.kinematics(a, s.t, s.q).G.row(0).transpose();
      rows_.push_back({a, system_.gap(a, s.t, s.q), gradient, gradient});
    }
    return rows_.size() > before;
  }

  bool solve() {
    const int n = static_cast<int>(rows_.size());
    solver_.resize(n);
    for (int i = 0; i < n; ++i) {
      solver_.q(i) = rows_[static_cast<std::size_t>(i)].gap;
      for (int j = 0; j < n; ++j)
        solver_.W(i, j) = rows_[static_cast<std::size_t>(i)].gradient.dot(rows_[static_cast<std::size_t>(j)].Y);
    }
    return solver_.solve();
  }

  const S& system_;
  std::vector<Row> rows_;
  NonnegativeSolver solver_;
};

}  // namespace cairn
