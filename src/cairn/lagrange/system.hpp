// A system with finitely many freedoms, as its user writes it (JM92 2, M88 4):
//
//   A(t,q) du = F(t,q,u) dt + sum_a G_a^T dS_a,     U_a = G_a(t,q) u + W_a(t,q),     gap_a(t,q) >= 0,
//
// and a law between U_a and S_a at each contact a (normal component first, the normal directed to the side where the
// gap is positive). Without friction the law is Signorini's and G_a, W_a are the derivatives of the gap in q and t;
// with friction the first row of G_a is that derivative. See differentiate.hpp for systems that leave derivatives out,
// any_system.hpp for those known at run time only.
#pragma once

#include <Eigen/Dense>
#include <concepts>
#include <vector>

#include "cairn/law/law.hpp"

namespace cairn {

inline constexpr int dynamic_size = Eigen::Dynamic;  // freedoms counted at run time

template <int N>
using Vector = Eigen::Matrix<Real, N, 1>;
template <int R, int C>
using Matrix = Eigen::Matrix<Real, R, C>;

// U = G u + W (JM92 2.4)
template <int D, int N>
struct Kinematics {
  Matrix<D, N> G;  // (D x freedoms)
  Vector<D> W;     // [m/s] velocity that the prescribed motion of boundaries and parametrisation adds
};

// Coefficients of restitution e = (1 - delta)/(1 + delta), delta the dissipation index (JM92 6.1).
struct Restitution {
  Real normal = 0;      // [-] in [0, 1]
  Real tangential = 0;  // [-] the paper's index is one for both; given apart they may create energy, which is reported
};

// A system says how many coordinates it has where they are not its freedoms: a unit quaternion has four for three.
template <class S>
constexpr int coordinates_of() {
  if constexpr (requires { S::coordinates; })
    return S::coordinates;
  else
    return S::freedoms;
}
template <class S>
using Configuration = Vector<coordinates_of<S>()>;
template <class S>
using Velocity = Vector<S::freedoms>;

template <class S>
concept System = ContactLaw<typename S::Law> &&
    requires(const S& s, Real t, const Configuration<S>& q, const Velocity<S>& u, int a) {
  { S::freedoms } -> std::convertible_to<int>;                                   // n, or dynamic_size
  { s.contacts() } -> std::convertible_to<int>;                                  // candidates, active or not
  { s.inertia(t, q) } -> std::convertible_to<Matrix<S::freedoms, S::freedoms>>;  // A(t,q), positive definite
  { s.force(t, q, u) } -> std::convertible_to<Velocity<S>>;                      // F(t,q,u)
  { s.gap(a, t, q) } -> std::convertible_to<Real>;                               // >= 0 is feasible
  { s.kinematics(a, t, q) } -> std::convertible_to<Kinematics<S::Law::dim, S::freedoms>>;
  { s.law(a, t, q) } -> std::convertible_to<typename S::Law>;
};

// What a system may say beside.

// Restitution restitution(int a) const: 0 (soft) where it says nothing.
template <System S>
Restitution restitution_of(const S& system, int a) {
  if constexpr (requires { system.restitution(a); })
    return system.restitution(a);
  else
    return {};
}

// Configuration drift(q, u, Real dt) const: where q goes in dt at velocity u, for configurations on a manifold or
// velocities that are not rates of q; q + dt u where it says nothing.
template <System S>
Configuration<S> drifted(const S& system, const Configuration<S>& q, const Velocity<S>& u, Real dt) {
  if constexpr (requires { system.drift(q, u, dt); })
    return system.drift(q, u, dt);
  else
    return q + dt * u;
}

template <System S>
Real kinetic_energy(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u) {
  return Real(0.5) * u.dot(system.inertia(t, q) * u);
}

// Time, configuration, velocity, and what a law remembers: all that a restart needs.
template <System S>
struct State {
  Real t = 0;
  Configuration<S> q;
  Velocity<S> u;
  std::vector<Status> status;  // (contacts) of the antecedent step, for static and dynamic friction; may be empty
};

}  // namespace cairn
