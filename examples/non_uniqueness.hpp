// Two motions from one start under a smooth force (BC18 2): q >= 0, unit mass, restitution e.
//
// The force is a sum of pulses, ever smaller and faster as t goes to 0, so that it is of class C^infinity.
//   e > 0: t_n = 2^-n, v_n = 2^(-n^2). On [t_n, t_(n-1)] one pulse downward turns the velocity e v_n, with which a
//   motion leaves the obstacle at t_n, into -v_(n-1), with which it comes back at t_(n-1). Rest is the other motion. e
//   = 0: a motion that lands stays, so that two motions take turns. On [t_n, t_(n-1)] one is at rest while the other
//   falls, at speed 2 v_n from height y_n. A pulse upward, v_n, lifts the first and only slows the other, which lands
//   at speed v_n; then a pulse downward, v_n + 2 v_(n-1), sends the first down at speed 2 v_(n-1). The roles are
//   swapped.
#pragma once

#include <vector>

#include "cairn/lagrange/system.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn::examples {

// phi(s) = exp(-1/(1 - s^2)) / integral on (-1, 1), with its first and second primitives.
class Bump {
 public:
  Bump();
  Real value(Real s) const;
  Real primitive(Real s) const;         // from 0 at s <= -1 to 1 at s >= 1
  Real second_primitive(Real s) const;  // from 0 at s <= -1; s for s >= 1

 private:
  Real raw(Real s) const;
  std::vector<Real> first_, second_;  // at the nodes of a grid on [-1, 1], not normalised
  Real total_ = 1;
};

struct Pulse {
  Real centre, half_width;  // [s]
  Real impulse;             // [N s]
};

struct PulsedForce {
  std::vector<Pulse> pulses;

  Real force(Real t) const;
  Real impulse(Real t) const;         // integral of the force up to t
  Real double_impulse(Real t) const;  // integral of impulse()
};

// A motion in closed form: from each instant on, free under the force, or at rest on the obstacle.
struct PulsedMotion {
  struct Piece {
    Real t, q, v;  // at its start, after the impact if there is one
    bool rests;
  };
  PulsedForce force;
  std::vector<Piece> pieces;

  const Piece& piece(Real t) const;
  Real q(Real t) const;
  Real v(Real t) const;               // right limit
  Real v_left(Real t) const;          // left limit
  std::vector<Real> changes() const;  // [s] starts of pieces after the first: impacts, and where rest ends
};

// The force on [t_n, 1] and the two motions there, beginning at t_n.
struct NonUniqueness {
  NonUniqueness(Real e, int n);

  Real start;              // [s] t_n
  PulsedForce force;       // of all pulses in [t_n, 1]
  PulsedMotion motion[2];  // 0: the one at rest at t_n, 1: the other
};

struct PulsedParticle {
  using Law = Signorini;
  static constexpr int freedoms = 1;
  const PulsedForce* pulses;
  Real e;

  int contacts() const { return 1; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(1); }
  Vector<1> force(Real t, const Vector<1>&, const Vector<1>&) const { return Vector<1>(pulses->force(t)); }
  Real gap(int, Real, const Vector<1>& q) const { return q(0); }
  Kinematics<1, 1> kinematics(int, Real, const Vector<1>&) const { return {Matrix<1, 1>(1), Vector<1>(0)}; }
  Law law(int, Real, const Vector<1>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

}  // namespace cairn::examples
