// Systems that leave derivatives out: the user writes gaps and energies on a scalar type T, the adaptor differentiates
// them exactly (dual.hpp) and satisfies `System`.
//
//   struct Pendulum {
//     using Law = Signorini;
//     static constexpr int freedoms = 1;
//     int contacts() const { return 1; }
//     template <class T> MatrixOf<T, 1, 1> inertia(const T& t, const VectorOf<T, 1>& q) const;       // A
//     template <class T> T gap(int a, const T& t, const VectorOf<T, 1>& q) const;
//     Law law(int a, Real t, const Vector<1>& q) const;
//     Vector<1> applied(Real t, const Vector<1>& q, const Vector<1>& u) const;  // absent: 0
//   };
//   const Differentiated<Pendulum> system{Pendulum{}};
//
// May be added, for coordinates that depend on time (JM92 2.2: kinetic energy 1/2 A u.u + B.u + C):
//   template <class T> VectorOf<T, N> momentum_offset(const T& t, const VectorOf<T, N>& q) const;    // B
//   template <class T> T kinetic_offset(const T& t, const VectorOf<T, N>& q) const;                  // C
//
// The force is `applied` and the Lagrange terms (lagrange_terms.hpp) of A, B, C. An inertia that is not a template,
// `Matrix<N, N> inertia(Real, const Vector<N>&)`, is taken for constant: it adds no such term. Where it does vary,
// write it on T, or put its terms in `applied`.
//
// Kinematics (U = G u + W). Frictionless: the derivatives of the gap. Laws of dimension D > 1, one of
//   template <class T> VectorOf<T, D> slip(int a, const T& t, const VectorOf<T, N>& q) const;  // whose rate is U
//   Kinematics<D, N> kinematics(int a, Real t, const Vector<N>& q) const;                      // used as it is
// slip: local coordinates, normal first; its first component has the derivatives of the gap, and a disc of radius r
// that rolls on the ground has slip (y - r, x + r theta). Where the local frame turns with q no slip function exists;
// `kinematics` then calls `derivatives_of` on the position of the contact particle, with the frame held.
#pragma once

#include "cairn/lagrange/lagrange_terms.hpp"

namespace cairn {

// G = df/dq and W = df/dt of a function f(t, q) on a scalar type, with D components.
template <int D, int N, class F>
Kinematics<D, N> derivatives_of(const F& f, Real t, const Vector<N>& q) {
  using T = Varied<N>;
  const VectorOf<T, D> x = f(varied_time<N>(t), varied<N>(q));
  Kinematics<D, N> k;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < N; ++j) k.G(i, j) = x(i).derivative(j);
    k.W(i) = x(i).derivative(N);
  }
  return k;
}

template <class User>
struct Differentiated {
  using Law = typename User::Law;
  static constexpr int freedoms = User::freedoms, D = Law::dim, N = freedoms;
  static_assert(N > 0, "differentiation needs the number of freedoms at compile time; see any_system.hpp");
  static_assert(coordinates_of<User>() == N, "Lagrange's equations need velocities that are the rates of coordinates");

  User user;

  int contacts() const { return user.contacts(); }
  Matrix<N, N> inertia(Real t, const Vector<N>& q) const { return user.inertia(t, q); }
  Real gap(int a, Real t, const Vector<N>& q) const { return user.gap(a, t, q); }
  Law law(int a, Real t, const Vector<N>& q) const { return user.law(a, t, q); }
  Restitution restitution(int a) const {
    if constexpr (requires { user.restitution(a); })
      return user.restitution(a);
    else
      return {};
  }

  Vector<N> force(Real t, const Vector<N>& q, const Vector<N>& u) const {
    static_assert(
        !requires { user.force(t, q, u); }, "write applied(t, q, u): the Lagrange terms are added to it");
    const Vector<N> K = lagrange_terms<N>(user, t, q, u);
    if constexpr (requires { user.applied(t, q, u); })
      return user.applied(t, q, u) + K;
    else
      return K;
  }

  Kinematics<D, N> kinematics(int a, Real t, const Vector<N>& q) const {
    if constexpr (requires { user.kinematics(a, t, q); }) {
      return user.kinematics(a, t, q);
    } else if constexpr (requires { user.slip(a, t, q); }) {
      return derivatives_of<D, N>([&](const auto& time, const auto& x) { return user.slip(a, time, x); }, t, q);
    } else {
      static_assert(D == 1, "a law with friction needs slip(a, t, q) or kinematics(a, t, q) beside the gap");
      const auto gap = [&](const auto& time, const auto& x) { return VectorOf<Varied<N>, 1>(user.gap(a, time, x)); };
      return derivatives_of<1, N>(gap, t, q);
    }
  }

  // The whole kinetic energy (JM92 2.2); kinetic_energy() is its first term.
  Real whole_kinetic_energy(Real t, const Vector<N>& q, const Vector<N>& u) const {
    Real energy = Real(0.5) * u.dot(inertia(t, q) * u);
    if constexpr (requires { user.momentum_offset(t, q); }) energy += user.momentum_offset(t, q).dot(u);
    if constexpr (requires { user.kinetic_offset(t, q); }) energy += user.kinetic_offset(t, q);
    return energy;
  }
};

}  // namespace cairn
