// Configurations with unit quaternions: attitude and spin of rigid bodies in space (M98 5.1).
//
// A quaternion is (w, x, y, z), the rotation from the body's principal axes to the fixed ones. The spin has its
// components in the principal axes: the inertia matrix is then constant and diagonal, and F has the gyroscopic torque.
#pragma once

#include <cmath>

#include "cairn/lagrange/system.hpp"

namespace cairn {

using Quaternion = Vector<4>;  // (w, x, y, z)

inline Quaternion no_rotation() { return Quaternion(1, 0, 0, 0); }

inline Quaternion quaternion_product(const Quaternion& a, const Quaternion& b) {
  return Quaternion(
      a(0) * b(0) - a(1) * b(1) - a(2) * b(2) - a(3) * b(3), a(0) * b(1) + a(1) * b(0) + a(2) * b(3) - a(3) * b(2),
      a(0) * b(2) - a(1) * b(3) + a(2) * b(0) + a(3) * b(1), a(0) * b(3) + a(1) * b(2) - a(2) * b(1) + a(3) * b(0));
}

// The rotation by |angle| radians about angle/|angle| (exponential map).
inline Quaternion rotation_by(const Vector<3>& angle) {
  const Real half = angle.norm() / 2;
  const Real ratio = half < Real(1e-4) ? (1 - half * half / 6) / 2 : std::sin(half) / (2 * half);  // sin(half)/|angle|
  return Quaternion(std::cos(half), ratio * angle(0), ratio * angle(1), ratio * angle(2));
}

// Where an attitude goes in dt at a spin in principal axes. The division by the length only takes rounding away.
inline Quaternion turned(const Quaternion& q, const Vector<3>& spin, Real dt) {
  return quaternion_product(q, rotation_by(dt * spin)).normalized();
}

// From principal to fixed axes, and back.
inline Matrix<3, 3> rotation_matrix(const Quaternion& q) {
  const Real w = q(0), x = q(1), y = q(2), z = q(3);
  return (Matrix<3, 3>() << 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
          2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),                    //
          2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
      .finished();
}
inline Vector<3> to_fixed(const Quaternion& q, const Vector<3>& in_body) { return rotation_matrix(q) * in_body; }
inline Vector<3> to_body(const Quaternion& q, const Vector<3>& fixed) { return rotation_matrix(q).transpose() * fixed; }

// I dw/dt = (I w) x w + torque, all in principal axes (Euler); I holds the principal moments [kg m^2].
inline Vector<3> gyroscopic_torque(const Vector<3>& I, const Vector<3>& spin) {
  return I.cwiseProduct(spin).cross(spin);
}

// The same over a step h, for a system that knows its step: explicit schemes then take the implicit midpoint step,
// I (w' - w)/h = (I m) x m with m = (w + w')/2, which keeps the energy of a free body to rounding where the torque at w
// errs by O(h). Needs h |w| well below 1; the torque at w where the iteration does not contract.
inline Vector<3> gyroscopic_torque(const Vector<3>& I, const Vector<3>& spin, Real h) {
  Vector<3> m = spin;
  for (int k = 0; k < 60; ++k) {
    const Vector<3> next = spin + (h / 2) * gyroscopic_torque(I, m).cwiseQuotient(I);
    const Real change = (next - m).norm();
    m = next;
    if (change <= Real(1e-15) * spin.norm()) return gyroscopic_torque(I, m);
  }
  return gyroscopic_torque(I, spin);
}

// A body in space: q = (centre, quaternion), u = (velocity of the centre in fixed axes, spin in principal axes). For
// the `coordinates`, `freedoms`, `drift`, `inertia` and `force` of a system.
struct FreeBody {
  static constexpr int coordinates = 7, freedoms = 6;
  Real mass = 1;                          // [kg]
  Vector<3> moments = Vector<3>::Ones();  // [kg m^2] principal

  static Vector<7> drift(const Vector<7>& q, const Vector<6>& u, Real dt) {
    Vector<7> r;
    r.head<3>() = q.head<3>() + dt * u.head<3>();
    r.tail<4>() = turned(q.tail<4>(), u.tail<3>(), dt);
    return r;
  }
  Matrix<6, 6> inertia() const {
    Vector<6> d;
    d.head<3>().setConstant(mass);
    d.tail<3>() = moments;
    return d.asDiagonal();
  }
  // From a force at the centre and a torque, both in fixed axes.
  Vector<6> force(const Vector<7>& q, const Vector<6>& u, const Vector<3>& at_centre, const Vector<3>& torque) const {
    Vector<6> F;
    F.head<3>() = at_centre;
    F.tail<3>() = gyroscopic_torque(moments, u.tail<3>()) + to_body(q.tail<4>(), torque);
    return F;
  }
  // The rate, in fixed axes, of the particle now at `point` is J u.
  static Matrix<3, 6> jacobian(const Vector<7>& q, const Vector<3>& point) {
    const Vector<3> r = point - q.head<3>();
    Matrix<3, 3> cross;  // cross v = v x r
    cross << 0, r(2), -r(1), -r(2), 0, r(0), r(1), -r(0), 0;
    Matrix<3, 6> J;
    J.leftCols<3>().setIdentity();
    J.rightCols<3>() = cross * rotation_matrix(q.tail<4>());
    return J;
  }
};

}  // namespace cairn
