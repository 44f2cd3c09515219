// Is a given motion a solution? The measure differential inclusion
//   A du - F dt = sum G_a^T dS_a,   dS_a supported where gap_a = 0,   law_a between dS_a and the velocity,
// (JM92 5.3, 6.1; BC18 problems P1 to P3) is measured on a motion in closed form or on the nodes of a computed one. It
// says nothing of how the motion was found: where there are several solutions each of them passes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "cairn/lagrange/cone_distance.hpp"

namespace cairn {

// A motion in closed form on [begin, end]: one-sided velocities, and the instants between which all is smooth.
template <System S>
struct ClosedMotion {
  Real begin = 0, end = 0;                           // [s]
  std::function<Configuration<S>(Real)> q;           // continuous
  std::function<Velocity<S>(Real)> u_minus, u_plus;  // left and right limits
  std::vector<Real> impacts;                         // [s] increasing
  std::vector<Real> breaks;  // [s] increasing; other instants at which force, contact or sliding change their form
};

struct InclusionOptions {
  int panels = 32;                 // between two instants of the lists; results converge as their number grows
  Real contact_gap = Real(1e-12);  // [m] a gap not above it is closed
  Real rest = Real(1e-10);         // [m/s] a relative velocity not above it is zero
};

struct Residual {
  Real value = 0;
  Real t = 0;        // [s] where the worst is
  int contact = -1;  // where it is of one contact
  void offer(Real x, Real time, int a = -1) {
    if (!(x <= value)) value = x, t = time, contact = a;  // also what is not a number
  }
};

struct InclusionReport {
  Residual penetration;  // [m] -gap
  Residual kinematic;    // [m] q(t1) - q(t0) - integral of u; for coordinates that are not those of the velocity: 0
  Residual balance;      // [J^(1/2)] impulse of a panel or a jump that no admissible contact impulse gives
  Residual law;          // [J^(1/2)] the same with impulses that the law allows at the velocity of the motion
  Residual approach;     // [m/s] weighted normal velocity that still closes a contact at a jump
  Real worst() const {
    return std::max({penetration.value, kinematic.value, balance.value, law.value, approach.value});
  }
};

namespace inclusion_detail {

// Gauss's rule with 8 points on [0, 1].
inline constexpr std::array<Real, 8> point{0.019855071751231884, 0.10166676129318664, 0.23723379504183550,
                                           0.40828267875217510,  0.59171732124782490, 0.76276620495816450,
                                           0.89833323870681336,  0.98014492824876812};
inline constexpr std::array<Real, 8> weight{0.05061426814518813, 0.11119051722668724, 0.15685332293894364,
                                            0.18134189168918099, 0.18134189168918099, 0.15685332293894364,
                                            0.11119051722668724, 0.05061426814518813};

template <System S>
constexpr bool plain_coordinates() {
  return coordinates_of<S>() == S::freedoms && !requires(const S& s, const Configuration<S>& q, const Velocity<S>& u) {
    s.drift(q, u, Real(0));
  };
}

template <System S>
Vector<S::Law::dim> weighted(const Restitution& r, const Vector<S::Law::dim>& before,
                             const Vector<S::Law::dim>& after) {
  const Vector<S::Law::dim> e = ContactProblem<S>::rho(r);
  return (e.cwiseProduct(before) + after).cwiseQuotient((e.array() + 1).matrix());
}

}  // namespace inclusion_detail

template <System S>
class InclusionChecker {
 public:
  static constexpr int D = S::Law::dim, N = S::freedoms;

  explicit InclusionChecker(const S& system, const InclusionOptions& options = {})
      : system_(system), options_(options) {}

  InclusionReport check(const ClosedMotion<S>& motion) {
    report_ = {};
    std::vector<Real> instants{motion.begin, motion.end};
    for (const auto* list : {&motion.impacts, &motion.breaks})
      for (const Real t : *list)
        if (t > motion.begin && t < motion.end) instants.push_back(t);
    std::sort(instants.begin(), instants.end());
    instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
    for (std::size_t i = 0; i + 1 < instants.size(); ++i) {
      const Real h = (instants[i + 1] - instants[i]) / options_.panels;
      for (int p = 0; p < options_.panels; ++p) {
        const Real t0 = instants[i] + p * h;
        const Real t1 = p + 1 < options_.panels ? instants[i] + (p + 1) * h : instants[i + 1];
        if (!(t1 > t0)) continue;
        if (t0 > motion.begin) jump(t0, motion.q(t0), motion.u_minus(t0), motion.u_plus(t0));
        panel(motion, t0, t1);
      }
    }
    return report_;
  }

  // Nodes of a computed motion: each step is one impulse at its middle, q_M = (q_I + q_F)/2, with the law between the
  // weighted mean of u_I and u_F and that impulse (JM92 7). `contact_gap` of the options is then to be of the order of
  // the errors of the scheme.
  InclusionReport check(const std::vector<State<S>>& nodes) {
    report_ = {};
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) step(nodes[i], nodes[i + 1]);
    return report_;
  }

 private:
  bool closed(int a, Real t, const Configuration<S>& q) const { return !(system_.gap(a, t, q) > options_.contact_gap); }

  void admissible(Real t, const Configuration<S>& q) {
    for (int a = 0; a < system_.contacts(); ++a) report_.penetration.offer(-Real(system_.gap(a, t, q)), t, a);
  }

  // Impulse R at (t, q) against the contacts listed: balance with their cones, law with what goes with U.
  void judge(Real t, const Configuration<S>& q, const Velocity<S>& R, const std::vector<int>& contacts,
             const Velocity<S>& u_before, const Velocity<S>& u_after) {
    const Matrix<N, N> A = system_.inertia(t, q);
    for (const bool with_law : {false, true}) {
      if (!cone_.begin(A)) return report_.balance.offer(std::numeric_limits<Real>::infinity(), t);
      for (const int a : contacts) {
        const Kinematics<D, N> k = system_.kinematics(a, t, q);
        const auto law = system_.law(a, t, q);
        if (!with_law) {
          cone_.add(k.G, law);
          continue;
        }
        const Vector<D> U =
            inclusion_detail::weighted<S>(restitution_of(system_, a), k.G * u_before + k.W, k.G * u_after + k.W);
        cone_.add(k.G, law, U, options_.rest);
        if (u_before != u_after) report_.approach.offer(-U(0), t, a);
      }
      (with_law ? report_.law : report_.balance).offer(cone_.distance(R), t);
    }
  }

  void jump(Real t, const Configuration<S>& q, const Velocity<S>& before, const Velocity<S>& after) {
    closed_.clear();
    for (int a = 0; a < system_.contacts(); ++a)
      if (closed(a, t, q)) closed_.push_back(a);
    judge(t, q, system_.inertia(t, q) * (after - before), closed_, before, after);
  }

  // One smooth piece: R = integral of A du - F dt. A du is A_M (u1 - u0), exact for constant A, plus the variation of A
  // by the trapezoid rule between the points.
  void panel(const ClosedMotion<S>& motion, Real t0, Real t1) {
    using inclusion_detail::point, inclusion_detail::weight;
    const Real h = t1 - t0, middle = t0 + h / 2;
    const Configuration<S> q0 = motion.q(t0), q_M = motion.q(middle);
    const Matrix<N, N> A_M = system_.inertia(middle, q_M);
    Velocity<S> u_last = motion.u_plus(t0), R = A_M * (motion.u_minus(t1) - u_last), travel = 0 * u_last;
    Matrix<N, N> A_last = system_.inertia(t0, q0);
    all_closed_.assign(static_cast<std::size_t>(system_.contacts()), 1);
    admissible(t0, q0);
    for (std::size_t i = 0; i <= point.size(); ++i) {
      const bool end = i == point.size();
      const Real t = end ? t1 : t0 + point[i] * h;
      const Configuration<S> q = motion.q(t);
      const Velocity<S> u = motion.u_minus(t);
      const Matrix<N, N> A = system_.inertia(t, q);
      R += (Real(0.5) * (A + A_last) - A_M) * (u - u_last);
      u_last = u, A_last = A;
      admissible(t, q);
      if (end) break;
      R -= weight[i] * h * system_.force(t, q, u);
      travel += weight[i] * h * u;
      for (int a = 0; a < system_.contacts(); ++a)
        if (!closed(a, t, q)) all_closed_[static_cast<std::size_t>(a)] = 0;
    }
    if constexpr (inclusion_detail::plain_coordinates<S>())
      report_.kinematic.offer((motion.q(t1) - q0 - travel).norm(), middle);
    closed_.clear();
    for (int a = 0; a < system_.contacts(); ++a)
      if (all_closed_[static_cast<std::size_t>(a)]) closed_.push_back(a);
    judge(middle, q_M, R, closed_, motion.u_plus(middle), motion.u_plus(middle));
  }

  void step(const State<S>& I, const State<S>& F) {
    const Real h = F.t - I.t, t_M = I.t + h / 2;
    const Configuration<S> q_M = (I.q + F.q) / 2;
    admissible(F.t, F.q);
    closed_.clear();
    for (int a = 0; a < system_.contacts(); ++a)
      if (closed(a, t_M, q_M)) closed_.push_back(a);
    if constexpr (inclusion_detail::plain_coordinates<S>())
      report_.kinematic.offer((F.q - I.q - h / 2 * (I.u + F.u)).norm(), t_M);
    const Velocity<S> R = system_.inertia(t_M, q_M) * (F.u - I.u) - h * system_.force(t_M, q_M, I.u);
    judge(t_M, q_M, R, closed_, I.u, F.u);
  }

  const S& system_;
  InclusionOptions options_;
  InclusionReport report_;
  ConeDistance<S> cone_;
  std::vector<int> closed_;
  std::vector<char> all_closed_;
};

}  // namespace cairn
