// Kane's double pendulum (BC18 5.1): two uniform rods whose end strikes a horizontal obstacle with friction.
#pragma once

#include <cmath>

#include "cairn/lagrange/system.hpp"
#include "cairn/law/coulomb2.hpp"

namespace cairn::examples {

// q = angles from the downward vertical. The obstacle passes through the end of the second rod.
struct DoublePendulum {
  using Law = Coulomb2;
  static constexpr int freedoms = 2;
  Real m = 1, L = 1, mu = 0.5, e = 0.5, floor = 0;  // [kg] [m] [-] [-] [m] height of the obstacle

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>& q) const {
    const Real mL2 = m * L * L, coupled = mL2 / 2 * std::cos(q(0) - q(1));
    return (Matrix<2, 2>() << 4 * mL2 / 3, coupled, coupled, mL2 / 3).finished();
  }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const {
    return Vector<2>::Zero();
  }  // none acts in an impact
  Real height(const Vector<2>& q) const { return -L * (std::cos(q(0)) + std::cos(q(1))); }
  Real gap(int, Real, const Vector<2>& q) const { return height(q) - floor; }
  Kinematics<2, 2> kinematics(int, Real, const Vector<2>& q) const {
    const Matrix<2, 2> G =
        (Matrix<2, 2>() << std::sin(q(0)), std::sin(q(1)), std::cos(q(0)), std::cos(q(1))).finished();
    return {L * G, Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<2>&) const { return Coulomb2::with(mu); }
  Restitution restitution(int) const { return {e, e}; }
};

}  // namespace cairn::examples
