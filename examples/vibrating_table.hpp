// The vibrating table of M88 16.2: a plane driven by a crank, and a particle that slides and hops on it. c.g.s. units.
#pragma once

#include <cmath>
#include <numbers>

#include "cairn/lagrange/system.hpp"
#include "cairn/law/coulomb3.hpp"

namespace cairn::examples {

// Fixed axes: X down the mean slope, Y along the crank's plane, Z normal to the mean plane. The origin O of the table
// is guided along OY; its point A, at distance a along Oy, turns on a circle of radius r (M88 fig. 16.1): the table
// leans by beta about OX, sin(beta) = (r/a) sin(Omega t), and O_Y = r cos(Omega t) - a cos(beta) + a.
struct VibratingTable {
  using Law = Coulomb3;
  static constexpr int freedoms = 3;
  Real r = 0.5, a = 50, mu = 0.4, g = 981;   // [cm] [cm] [-] [cm/s^2]
  Real slant = 13 * std::numbers::pi / 180;  // [rad] of OZ with the vertical
  Real Omega = 20 * std::numbers::pi;        // [rad/s] positive or negative

  struct Pose {
    Real O, O_rate;           // [cm] [cm/s] along OY
    Real sine, cosine, rate;  // of beta; [rad/s]
  };
  Pose pose(Real t) const {
    const Real c = std::cos(Omega * t), s = std::sin(Omega * t), sine = r / a * s, cosine = std::sqrt(1 - sine * sine);
    const Real rate = r / a * Omega * c / cosine;
    return {r * c - a * cosine + a, -r * Omega * s + a * sine * rate, sine, cosine, rate};
  }

  // Coordinates in the table, and back.
  Vector<3> relative(Real t, const Vector<3>& q) const {
    const Pose p = pose(t);
    const Real Y = q(1) - p.O;
    return {q(0), p.cosine * Y + p.sine * q(2), -p.sine * Y + p.cosine * q(2)};
  }
  Vector<3> absolute(Real t, const Vector<3>& x) const {
    const Pose p = pose(t);
    return {x(0), p.O + p.cosine * x(1) - p.sine * x(2), p.sine * x(1) + p.cosine * x(2)};
  }
  Vector<3> table_velocity(Real t, const Vector<3>& q) const {  // of the point of the table that is at q
    const Pose p = pose(t);
    return {0, p.O_rate - p.rate * q(2), p.rate * (q(1) - p.O)};
  }

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const {
    return {g * std::sin(slant), 0, -g * std::cos(slant)};
  }
  Real gap(int, Real t, const Vector<3>& q) const { return relative(t, q)(2); }
  Kinematics<3, 3> kinematics(int, Real t, const Vector<3>& q) const {
    const Pose p = pose(t);
    Kinematics<3, 3> k;
    k.G << 0, -p.sine, p.cosine, 1, 0, 0, 0, p.cosine, p.sine;
    k.W = -k.G * table_velocity(t, q);
    return k;
  }
  Law law(int, Real, const Vector<3>&) const { return {mu}; }
};

}  // namespace cairn::examples
