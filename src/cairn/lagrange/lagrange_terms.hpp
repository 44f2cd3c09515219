// The terms that Lagrange's equations add to the applied forces, from the kinetic energy
//
//   E(t,q,u) = 1/2 A(t,q) u.u + B(t,q).u + C(t,q)                                                           (JM92 2.2)
//
// With p = A u + B the equations d/dt p - dE/dq = Q develop into A du/dt = Q + K (M88 4.3, the case of B = C = 0 and of
// no explicit time), where, u being held,
//
//   K_i = dE/dq_i - dp_i/dt - sum_k dp_i/dq_k u_k.
//
// Christoffel's terms, the curl of B (Coriolis) and the gradient of C (centrifugal) are all in there.
#pragma once

#include "cairn/lagrange/dual.hpp"
#include "cairn/lagrange/system.hpp"

namespace cairn {

// The scalar type that carries derivatives along the N coordinates, then time.
template <int N>
using Varied = Dual<N + 1>;

template <int N>
Varied<N> varied_time(Real t) {
  return Varied<N>::variable(t, N);
}
template <int N>
VectorOf<Varied<N>, N> varied(const Vector<N>& q) {
  VectorOf<Varied<N>, N> x;
  for (int i = 0; i < N; ++i) x(i) = Varied<N>::variable(q(i), i);
  return x;
}

// What a user's description gives as a template on the scalar type.
template <class User, int N>
concept VariedInertia = requires(const User& s, const Varied<N>& t, const VectorOf<Varied<N>, N>& q) {
  s.inertia(t, q);
};
template <class User, int N>
concept VariedMomentum = requires(const User& s, const Varied<N>& t, const VectorOf<Varied<N>, N>& q) {
  s.momentum_offset(t, q);
};
template <class User, int N>
concept VariedKinetic = requires(const User& s, const Varied<N>& t, const VectorOf<Varied<N>, N>& q) {
  s.kinetic_offset(t, q);
};

// K(t,q,u) of those of A, B, C that the user gives on a scalar type; the others count as constant (A) or zero (B, C).
template <int N, class User>
Vector<N> lagrange_terms(const User& user, Real t, const Vector<N>& q, const Vector<N>& u) {
  using T = Varied<N>;
  const T time = varied_time<N>(t);
  const VectorOf<T, N> place = varied<N>(q);
  std::array<T, N> p{};  // A u + B
  T energy;              // E
  if constexpr (VariedInertia<User, N>) {
    const MatrixOf<T, N, N> A = user.inertia(time, place).template cast<T>();
    for (int i = 0; i < N; ++i) {
      T& p_i = p[static_cast<std::size_t>(i)];
      for (int j = 0; j < N; ++j) p_i += A(i, j) * u(j);
      energy += p_i * (Real(0.5) * u(i));
    }
  }
  if constexpr (VariedMomentum<User, N>) {
    const VectorOf<T, N> B = user.momentum_offset(time, place).template cast<T>();
    for (int i = 0; i < N; ++i) p[static_cast<std::size_t>(i)] += B(i), energy += B(i) * u(i);
  }
  if constexpr (VariedKinetic<User, N>) energy += user.kinetic_offset(time, place);
  Vector<N> K;
  for (int i = 0; i < N; ++i) {
    const T& p_i = p[static_cast<std::size_t>(i)];
    K(i) = energy.derivative(i) - p_i.derivative(N);
    for (int k = 0; k < N; ++k) K(i) -= p_i.derivative(k) * u(k);
  }
  return K;
}

}  // namespace cairn
