// The round-tipped body of M88 15.3: a rigid body in a vertical plane whose lowest part is an arc of a circle, above a
// fixed horizontal boundary with friction.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "cairn/lagrange/system.hpp"
#include "cairn/law/coulomb2.hpp"

namespace cairn::examples {

// q = (x, y, psi): the centre of mass, and its lean to the left of the vertical through the centre of the tip.
struct RoundTip {
  using Law = Coulomb2;
  static constexpr int freedoms = 3;
  Real m = 1, k2 = 0.02, tip = 0.1, d = 1, mu = 0.5, g = 9.81;  // [kg] [m2] [m] [m] [-] [m/s2]

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Vector<3>(m, m, m * k2).asDiagonal(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return {0, -m * g, 0}; }
  Real gap(int, Real, const Vector<3>& q) const { return q(1) - d * std::cos(q(2)) - tip; }
  Kinematics<2, 3> kinematics(int, Real, const Vector<3>& q) const {
    const Real arm = d * std::cos(q(2)) + tip;
    return {(Matrix<2, 3>() << 0, 1, d * std::sin(q(2)), 1, 0, arm).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return Coulomb2::with(mu); }

  // Horizontal velocity of the lowest particle: the sliding velocity while there is contact.
  Real slip(const Vector<3>& q, const Vector<3>& u) const { return u(0) + (d * std::cos(q(2)) + tip) * u(2); }

  // m times the normal acceleration that a unit of normal force gives while the contact slides to the side `side`
  // (+1 or -1); a catastrophe is where it comes to zero (M88 14).
  Real yield(Real psi, Real side) const { return 1 + d * std::sin(psi) * lever(psi, side) / k2; }

  // Torque about the centre of mass of a unit of normal force with its friction.
  Real lever(Real psi, Real side) const { return d * std::sin(psi) - side * mu * (d * std::cos(psi) + tip); }
};

// Where and when a sliding contact comes to its catastrophe.
struct Catastrophe {
  Real t, psi, psi_dot, slip;  // [s] [rad] [rad/s] [m/s] just before the jump
};

// By quadrature of the motion with persistent sliding contact, apart from any time stepping; nothing where the contact
// lifts off, stops sliding or turns back before.
std::optional<Catastrophe> exact_catastrophe(const RoundTip& body, Real psi0, Real psi_dot0, Real slide0);

// After the jump to no sliding at all: the angular velocity at the far end of the segment of outcomes (M88 14).
Real full_stick(const RoundTip& body, const Catastrophe& at);

// What an impulse at the catastrophe may lead to: the extreme points among all solutions of the contact problem of that
// instant, the least impulse first. Two where they fill a segment, else none.
struct Outcome {
  Real psi_dot, slip;  // [rad/s] [m/s] after
};
std::vector<Outcome> outcome_segment(const RoundTip& body, const Catastrophe& at);

}  // namespace cairn::examples
