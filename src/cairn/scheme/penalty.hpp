// The penalty method (BC18 2(i)), as the thing to compare with: a violated constraint pushes back as a spring and a
// damper do, chosen so that a free impact on it returns the speed e times. Its limit as eps -> 0 is the hard contact,
// at the rate sqrt(eps); its price is an ordinary differential equation as stiff as 1/sqrt(eps).
//
//   A u' = F + sum_a G_a^T R_a,     R_a = -m_a (c_a U_a + g_a / eps) while g_a <= 0,     m_a = 1 / (G_a A^-1 G_a^T),
//   c = 2 |log e| / sqrt(eps (pi^2 + (log e)^2)), which is 2 / sqrt(eps) for e = 0: critical damping
//
// With the effective mass m_a, each constraint alone obeys the equation of BC18 for unit mass. R_a may pull at the end
// of an impact, as in that equation. Frictionless; e in [0, 1] (BC18 has e > 0; the limit at 0 is the same formula).
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "cairn/lagrange/cholesky.hpp"
#include "cairn/scheme/step_report.hpp"

namespace cairn {

struct PenaltyOptions {
  Real eps = 1e-6;         // [s^2] inverse stiffness for a unit mass
  Real per_contact = 200;  // [-] substeps in the duration pi sqrt(eps) of an impact
};

// A step of length h is one Runge-Kutta step of order 4 while all gaps are positive. While a constraint is violated,
// substeps of pi sqrt(eps) / per_contact are taken. Both are cut where a gap changes sign, so that the method never
// crosses the kink of the force; a gap that closes and opens again within h is not seen. Configurations with a drift of
// their own are integrated to order 2.
template <System S>
requires(S::Law::dim == 1) class Penalty {
 public:
  static constexpr int N = S::freedoms;
  using Options = PenaltyOptions;

  explicit Penalty(const S& system, const PenaltyOptions& options = {})
      : system_(system), options_(options), violated_(static_cast<std::size_t>(system.contacts())) {}

  StepReport step(State<S>& s, Real h) {
    fault_ = Fault::none;
    const Real substep = std::numbers::pi * std::sqrt(options_.eps) / options_.per_contact;
    const Real energy_old = kinetic_energy(system_, s.t, s.q, s.u);
    Motion now{s.t, s.q, s.u, 0, 0, 0};
    StepReport report;
    for (Real left = h; left > 0;) {
      const int acting = look(now);
      Real d = acting > 0 ? std::min(left, substep) : left;
      Motion next = advance(now, d);
      if (fault_ == Fault::none && changes(next)) d = cut(now, d, next);
      report.closed = std::max(report.closed, acting);
      ++report.iterations;
      if (!next.u.allFinite()) fault_ = Fault::not_finite;
      if (fault_ != Fault::none) break;
      now = next;
      left = d < left ? left - d : 0;
    }
    report.fault = fault_;
    if (fault_ != Fault::none) return report;
    s.t += h, s.q = now.q, s.u = now.u;
    report.active = report.closed;
    report.energy.change = kinetic_energy(system_, s.t, s.q, s.u) - energy_old;
    report.energy.applied = now.applied, report.energy.boundary = now.boundary,
    report.energy.dissipation = now.dissipated;
    for (int a = 0; a < system_.contacts(); ++a)
      report.violation = std::max(report.violation, -Real(system_.gap(a, s.t, s.q)));
    return report;
  }

 private:
  struct Motion {
    Real t;
    Configuration<S> q;
    Velocity<S> u;
    Real applied, boundary, dissipated;  // [J] works since the start of the step
  };
  struct Rate {
    Velocity<S> u, a;
    Real applied, boundary, dissipated;  // [W]
  };

  // Which constraints act during the next substep; returns how many.
  int look(const Motion& m) {
    int count = 0;
    for (int a = 0; a < system_.contacts(); ++a) count += violated_[at(a)] = is_violated(m, a);
    return count;
  }
  bool changes(const Motion& m) const {
    for (int a = 0; a < system_.contacts(); ++a)
      if (bool(violated_[at(a)]) != is_violated(m, a)) return true;
    return false;
  }
  bool is_violated(const Motion& m, int a) const { return !(system_.gap(a, m.t, m.q) > 0); }

  // The shortest substep after which a gap has changed its sign, to rounding.
  Real cut(const Motion& from, Real d, Motion& next) {
    Real low = 0;
    for (int k = 0; k < 50 && d - low > Real(1e-15) * std::abs(from.t); ++k) {
      const Real middle = (low + d) / 2;
      const Motion trial = advance(from, middle);
      if (changes(trial))
        d = middle, next = trial;
      else
        low = middle;
    }
    return d;
  }

  static Real damping(Real e, Real eps) {
    if (!(e > 0)) return 2 / std::sqrt(eps);
    const Real l = std::log(e);
    return 2 * std::abs(l) / std::sqrt(eps * (std::numbers::pi * std::numbers::pi + l * l));
  }

  Rate rate(Real t, const Configuration<S>& q, const Velocity<S>& u) {
    const Cholesky<N> factors(system_.inertia(t, q));
    if (!factors.positive()) fault_ = Fault::singular_inertia;
    const Velocity<S> F = system_.force(t, q, u);
    Rate r{u, F, F.dot(u), 0, 0};
    for (int a = 0; a < system_.contacts(); ++a) {
      if (!violated_[at(a)]) continue;
      const Kinematics<1, N> k = system_.kinematics(a, t, q);
      const Velocity<S> n = k.G.transpose();
      const Real U = n.dot(u) + k.W(0), c = damping(restitution_of(system_, a).normal, options_.eps);
      const Real R = -(c * U + system_.gap(a, t, q) / options_.eps) / n.dot(factors.solve(n));
      r.a += R * n;
      r.boundary -= R * k.W(0), r.dissipated -= R * U;
    }
    r.a = factors.solve(r.a);
    return r;
  }

  Motion advance(const Motion& m, Real d) {
    const Rate k1 = rate(m.t, m.q, m.u);
    const Rate k2 = rate(m.t + d / 2, drifted(system_, m.q, k1.u, d / 2), m.u + d / 2 * k1.a);
    const Rate k3 = rate(m.t + d / 2, drifted(system_, m.q, k2.u, d / 2), m.u + d / 2 * k2.a);
    const Rate k4 = rate(m.t + d, drifted(system_, m.q, k3.u, d), m.u + d * k3.a);
    const auto mean = [&](const auto& part) { return (part(k1) + 2 * (part(k2) + part(k3)) + part(k4)) / 6; };
    const Velocity<S> u = (k1.u + 2 * (k2.u + k3.u) + k4.u) / 6, a = (k1.a + 2 * (k2.a + k3.a) + k4.a) / 6;
    return {m.t + d,
            drifted(system_, m.q, u, d),
            m.u + d * a,
            m.applied + d * mean([](const Rate& r) { return r.applied; }),
            m.boundary + d * mean([](const Rate& r) { return r.boundary; }),
            m.dissipated + d * mean([](const Rate& r) { return r.dissipated; })};
  }

  static std::size_t at(int a) { return static_cast<std::size_t>(a); }

  const S& system_;
  PenaltyOptions options_;
  std::vector<char> violated_;  // (contacts) while the current substep lasts
  Fault fault_ = Fault::none;
};

}  // namespace cairn
