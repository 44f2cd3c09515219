// Moreau's sweeping process of first order, -dq/dt in the normal cone to C(t) at q (M98 2.3 (4)), by catching up:
//
//   q_(i+1) = proj(q_i; C(t_(i+1)))
//
// The point rests until the boundary of the moving convex set reaches it, and is then pushed along the inward normal.
#pragma once

#include <algorithm>
#include <concepts>
#include <vector>

#include "cairn/lagrange/system.hpp"
#include "cairn/scheme/step_report.hpp"
#include "cairn/solver/nonnegative.hpp"

namespace cairn {

// A moving convex set is known by its projection; false: C(t) is empty.
template <class C>
concept MovingSet = requires(const C& set, Real t, Vector<C::dim>& q) {
  { C::dim } -> std::convertible_to<int>;
  { set.project(t, q) } -> std::same_as<bool>;
};

template <MovingSet C>
struct SweepState {
  Real t = 0;
  Vector<C::dim> q;
};

template <MovingSet C>
class Sweeping {
 public:
  explicit Sweeping(const C& set) : set_(set) {}

  StepReport step(SweepState<C>& s, Real h) const {
    StepReport report;
    Vector<C::dim> q = s.q;
    if (!set_.project(s.t + h, q)) report.fault = Fault::no_solution;
    if (!q.allFinite()) report.fault = Fault::not_finite;
    if (report.fault != Fault::none) return report;
    report.active = 1, report.closed = q != s.q;  // whether the set pushed
    s.t += h, s.q = q;
    return report;
  }

 private:
  const C& set_;
};

// The sets. What moves is a function of time.

// |x - centre(t)| <= radius; MovingBall<2> is a disc.
template <int N, class Centre>
struct MovingBall {
  static constexpr int dim = N;
  Centre centre;  // Vector<N>(Real t)
  Real radius;

  bool project(Real t, Vector<N>& q) const {
    const Vector<N> c = centre(t), r = q - c;
    const Real distance = r.norm();
    if (distance > radius) q = c + r * (radius / distance);
    return radius >= 0;
  }
};
template <int N, class Centre>
MovingBall<N, Centre> ball(Centre centre, Real radius) {
  return {centre, radius};
}

template <class Low>
struct HalfLine {  // x >= low(t): the running maximum of low
  static constexpr int dim = 1;
  Low low;

  bool project(Real t, Vector<1>& q) const {
    q(0) = std::max(q(0), Real(low(t)));
    return true;
  }
};
template <class Low>
HalfLine(Low) -> HalfLine<Low>;

template <class Low, class High>
struct Interval {  // low(t) <= x <= high(t): play, the elementary hysteresis
  static constexpr int dim = 1;
  Low low;
  High high;

  bool project(Real t, Vector<1>& q) const {
    const Real a = low(t), b = high(t);
    q(0) = std::min(std::max(q(0), a), b);
    return a <= b;
  }
};
template <class Low, class High>
Interval(Low, High) -> Interval<Low, High>;

// normal_i . x >= offset(i, t) for all i (half-planes when N = 2): x = q + sum normal_i S_i with S >= 0 complementary.
// Not to be shared by threads: the solver's room is kept between calls.
template <int N, class Offset>
struct HalfSpaces {
  static constexpr int dim = N;
  std::vector<Vector<N>> normal;
  Offset offset;  // Real(int i, Real t)
  mutable NonnegativeSolver solver = {};

  bool project(Real t, Vector<N>& q) const {
    const int n = static_cast<int>(normal.size());
    if (n == 0) return true;
    solver.resize(n);
    for (int i = 0; i < n; ++i) {
      const Vector<N>& a = normal[static_cast<std::size_t>(i)];
      solver.q(i) = a.dot(q) - offset(i, t);
      for (int j = 0; j < n; ++j) solver.W(i, j) = a.dot(normal[static_cast<std::size_t>(j)]);
    }
    if (!solver.solve()) return false;
    for (int i = 0; i < n; ++i) q += normal[static_cast<std::size_t>(i)] * solver.S(i);
    return true;
  }
};
template <int N, class Offset>
HalfSpaces<N, Offset> half_spaces(std::vector<Vector<N>> normal, Offset offset) {
  return {std::move(normal), offset};
}

}  // namespace cairn
