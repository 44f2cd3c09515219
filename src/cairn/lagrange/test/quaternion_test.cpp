#include "cairn/lagrange/quaternion.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "cairn/lagrange/check_system.hpp"
#include "cairn/lagrange/test/midpoint.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi;

TEST(Quaternion, exponential_map_turns_by_the_angle_about_the_axis) {
  const Quaternion quarter = rotation_by(Vector<3>(0, 0, pi / 2));
  EXPECT_LT((to_fixed(quarter, Vector<3>(1, 0, 0)) - Vector<3>(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((to_body(quarter, Vector<3>(0, 1, 0)) - Vector<3>(1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(rotation_by(Vector<3>::Zero()), no_rotation());
  const Quaternion half = rotation_by(Vector<3>(0, pi / 4, 0));
  EXPECT_LT((quaternion_product(half, half) - rotation_by(Vector<3>(0, pi / 2, 0))).norm(), 1e-15);
}

TEST(Quaternion, exponential_map_is_smooth_through_small_angles) {
  const Vector<3> axis = Vector<3>(1, -2, 2) / 3;
  for (const Real angle : {1e-12, 1e-8, 1.9999e-4, 2.0001e-4, 1e-2}) {
    const Quaternion r = rotation_by(angle * axis);
    EXPECT_NEAR(r.norm(), 1, 1e-15) << angle;
    EXPECT_NEAR(r.tail<3>().norm() / std::sin(angle / 2), 1, 1e-15) << angle;
  }
}

// The rate of R v is R (spin x v) for a spin in body axes.
TEST(Quaternion, spin_is_in_body_axes) {
  const Quaternion q = rotation_by(Vector<3>(0.3, -1.1, 0.7));
  const Vector<3> spin(0.4, 2, -1), v(1, 2, 3);
  const Real h = 1e-5;
  const Vector<3> rate = (to_fixed(turned(q, spin, h), v) - to_fixed(turned(q, spin, -h), v)) / (2 * h);
  EXPECT_LT((rate - to_fixed(q, spin.cross(v))).norm(), 1e-8);
}

struct Spinning {  // a free rigid body, attitude only
  using Law = Signorini;
  static constexpr int freedoms = 3, coordinates = 4;
  Vector<3> I;
  Real h = 0;  // the step, where the torque is to know it

  int contacts() const { return 0; }
  Matrix<3, 3> inertia(Real, const Quaternion&) const { return I.asDiagonal(); }
  Vector<3> force(Real, const Quaternion&, const Vector<3>& w) const {
    return h > 0 ? gyroscopic_torque(I, w, h) : gyroscopic_torque(I, w);
  }
  Real gap(int, Real, const Quaternion&) const { return 1; }
  Kinematics<1, 3> kinematics(int, Real, const Quaternion&) const { return {Matrix<1, 3>::Zero(), Vector<1>::Zero()}; }
  Law law(int, Real, const Quaternion&) const { return {}; }
  Quaternion drift(const Quaternion& q, const Vector<3>& w, Real dt) const { return turned(q, w, dt); }
  Vector<3> momentum(const Quaternion& q, const Vector<3>& w) const { return to_fixed(q, I.cwiseProduct(w)); }
};

struct Flight {
  Real energy = 0, length = 0, momentum = 0;  // largest relative errors
  int flips = 0;                              // changes of sign of the spin about the middle axis
};

Flight fly(Real h,
           bool torque_knows_step) {  // Dzhanibekov: a spin about the middle axis, slightly disturbed, over 20 s
  const Spinning body{Vector<3>(1, 2, 3), torque_knows_step ? h : 0};
  State<Spinning> s{0, rotation_by(Vector<3>(0.1, 0.2, 0.3)), Vector<3>(0.01, 2, 0), {}};
  ContactProblem<Spinning> contacts(body);
  const Real E = kinetic_energy(body, 0, s.q, s.u);
  const Vector<3> L = body.momentum(s.q, s.u);
  Flight f;
  for (int k = 0; k * h < 20; ++k) {
    const Real before = s.u(1);
    midpoint_step(body, contacts, s, h);
    f.flips += before * s.u(1) < 0;
    f.energy = std::max(f.energy, std::abs(kinetic_energy(body, 0, s.q, s.u) / E - 1));
    f.length = std::max(f.length, std::abs(s.q.norm() - 1));
    f.momentum = std::max(f.momentum, (body.momentum(s.q, s.u) - L).norm() / L.norm());
  }
  return f;
}

// Measured: energy errs by 4.6 h and momentum by 2.3 h over the 20 s.
TEST(Quaternion, a_body_spun_about_its_middle_axis_turns_over_with_errors_of_first_order) {
  const Flight coarse = fly(2e-3, false), fine = fly(1e-3, false);
  EXPECT_LT(coarse.length, 1e-15);
  EXPECT_EQ(coarse.flips, 2);
  EXPECT_EQ(fine.flips, 2);
  EXPECT_LT(fine.energy, 5e-3);
  EXPECT_NEAR(coarse.energy / fine.energy, 2, 0.1);
  EXPECT_NEAR(coarse.momentum / fine.momentum, 2, 0.1);
}

// Measured: energy 1e-14, momentum 0.26 h^2.
TEST(Quaternion, a_torque_that_knows_the_step_keeps_the_energy_and_errs_to_second_order) {
  const Flight coarse = fly(2e-3, true), fine = fly(1e-3, true);
  EXPECT_LT(coarse.length, 1e-15);
  EXPECT_EQ(fine.flips, 2);
  EXPECT_LT(coarse.energy, 1e-13);
  EXPECT_LT(fine.momentum, 3e-7);
  EXPECT_NEAR(coarse.momentum / fine.momentum, 4, 0.1);
}

struct Dropped {  // a brick over the ground z = 0: its eight corners
  using Law = Signorini;
  static constexpr int freedoms = FreeBody::freedoms, coordinates = FreeBody::coordinates;
  FreeBody body{2, Vector<3>(0.3, 0.4, 0.5)};
  Vector<3> half = Vector<3>(0.3, 0.2, 0.1);

  Vector<3> corner(int a, const Vector<7>& q) const {
    const Vector<3> sign(a & 1 ? 1 : -1, a & 2 ? 1 : -1, a & 4 ? 1 : -1);
    return q.head<3>() + to_fixed(q.tail<4>(), sign.cwiseProduct(half));
  }
  int contacts() const { return 8; }
  Matrix<6, 6> inertia(Real, const Vector<7>&) const { return body.inertia(); }
  Vector<6> force(Real, const Vector<7>& q, const Vector<6>& u) const {
    return body.force(q, u, Vector<3>(0, 0, -9.81 * body.mass), Vector<3>::Zero());
  }
  Real gap(int a, Real, const Vector<7>& q) const { return corner(a, q)(2); }
  Kinematics<1, 6> kinematics(int a, Real, const Vector<7>& q) const {
    return {FreeBody::jacobian(q, corner(a, q)).row(2), Vector<1>(0)};
  }
  Law law(int, Real, const Vector<7>&) const { return {}; }
  Vector<7> drift(const Vector<7>& q, const Vector<6>& u, Real dt) const { return FreeBody::drift(q, u, dt); }
};

TEST(Quaternion, the_jacobian_of_a_body_is_that_of_its_corners) {
  Vector<7> q;
  q.head<3>() = Vector<3>(0.1, 0.2, 0.5), q.tail<4>() = rotation_by(Vector<3>(0.5, -0.3, 1.2));
  EXPECT_EQ(check_system(Dropped{}, 0, q, Vector<6>(Vector<6>::Ones())), std::vector<std::string>{});
}

TEST(Quaternion, a_dropped_brick_comes_to_lie_on_a_face) {
  const Dropped brick;
  State<Dropped> s;
  s.q.head<3>() = Vector<3>(0, 0, 0.4), s.q.tail<4>() = rotation_by(Vector<3>(0.3, 0.2, 0));
  s.u = Vector<6>::Zero();
  ContactProblem<Dropped> contacts(brick);
  for (int k = 0; k < 3000; ++k) midpoint_step(brick, contacts, s, 1e-3);
  EXPECT_LT(std::abs(s.q.tail<4>().norm() - 1), 1e-15);
  EXPECT_LT(std::abs(s.q(2) - 0.1), 1e-4);  // half its height, less what the impacts of a step let through
  EXPECT_LT(s.u.tail<4>().norm(), 1e-4);
}

}  // namespace
}  // namespace cairn
