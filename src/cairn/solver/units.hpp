// Units of a problem: powers of two that bring it to numbers near one, so that a solver does the same work whatever the
// units of length, mass and time; multiplying by a power of two rounds nothing.
#pragma once

#include <cmath>
#include <vector>

#include "cairn/law/mixed_torque.hpp"
#include "cairn/problem/bodies.hpp"
#include "cairn/problem/local.hpp"
#include "cairn/problem/step_problem.hpp"

namespace cairn {

struct Units {
  Real impulse = 1;           // [kg m/s] common unit of impulses
  Real velocity = 1;          // [m/s] common unit of velocities
  Real length = 1;            // [m] torque over force, for laws with torques
  std::vector<Real> stretch;  // [-] (contacts) S = stretch * impulse * S^, U = velocity / stretch * U^
};

inline Real power_of_two_near(Real x) { return x > 0 && std::isfinite(x) ? std::exp2(std::round(std::log2(x))) : 1; }

// Rows of a contact that carry torque and spin.
template <class L>
constexpr bool is_torque(int) {
  return false;
}
template <>
constexpr bool is_torque<Rolling<3>>(int row) {
  return row == 2;
}
template <>
constexpr bool is_torque<Rolling<5>>(int row) {
  return row >= 3;
}
template <>
constexpr bool is_torque<Rolling<6>>(int row) {
  return row >= 3;
}
template <>
constexpr bool is_torque<MixedTorque<2>>(int row) {
  return row == 2;
}
template <>
constexpr bool is_torque<MixedTorque<3>>(int row) {
  return row >= 3;
}
// What a change of the units of length and of the contact's impulse does to numbers of the law.
template <class L>
void divide_units(L&, Real, Real) {}
template <int D>
void divide_units(Rolling<D>& law, Real length, Real) {
  for (int i = 1; i < Rolling<D>::B::count; ++i) law.mu[i] /= length;
}
template <int D>
void divide_units(MixedLaw<D>& law, Real, Real impulse) {
  if (law.kind == LawKind::dry) law.data.dry.bound /= impulse;
}
template <int D>
void divide_units(MixedTorque<D>& law, Real length, Real impulse) {
  using Kind = typename MixedTorque<D>::Kind;
  if (law.kind == Kind::dry) law.data.dry.bound /= impulse;
  if (law.kind == Kind::rolling) divide_units(law.data.rolling, length, impulse);
}

template <class L>
Real impulse_unit(const Units& u, int a, int row) {
  return u.impulse * u.stretch[a] * (is_torque<L>(row) ? u.length : 1);
}
template <class L>
Real velocity_unit(const Units& u, int a, int row) {
  return u.velocity / (u.stretch[a] * (is_torque<L>(row) ? u.length : 1));
}

// Units of a problem whose local velocities without impulses are q. The stretch of a contact evens the diagonal of W.
template <StepProblem P>
Units choose_units(const P& p, const std::vector<Real>& q) {
  using L = typename P::Law;
  constexpr int D = L::dim;
  Units u;
  u.stretch.assign(p.contacts(), 1);
  std::vector<Real> own(p.contacts(), 0);  // sum of the diagonal of W_aa over the rows of force
  Real speed = 0, force = 0, torque = 0;   // sums of q^2, and of the diagonal of W over the rows of each kind
  int forces = 0;                          // rows of force of a contact
  for (int i = 0; i < D; ++i) forces += is_torque<L>(i) ? 0 : 1;
  for (int a = 0; a < p.contacts(); ++a) {
    const Mat<D> H = p.diagonal_block(a);
    const Real* q_a = &q[static_cast<std::size_t>(a) * D];
    for (int i = 0; i < D; ++i)
      if (is_torque<L>(i))
        torque += std::fabs(H(i, i));
      else
        own[a] += std::fabs(H(i, i)), speed += q_a[i] * q_a[i];
    force += own[a];
  }
  const Real n = p.contacts() > 0 ? static_cast<Real>(p.contacts()) : 1;
  const Real mean = force / (n * forces), mean_torque = D > forces ? torque / (n * (D - forces)) : 0;
  if (p.contacts() > 0) u.velocity = power_of_two_near(std::sqrt(speed / n));
  u.impulse = u.velocity / power_of_two_near(mean);
  if (mean_torque > 0 && mean > 0) u.length = std::exp2(std::round(std::log2(mean / mean_torque) / 2));
  for (int a = 0; a < p.contacts(); ++a)
    if (own[a] > 0 && mean > 0) u.stretch[a] = std::exp2(std::round(std::log2(mean * forces / own[a]) / 2));
  return u;
}

// Chooses units and divides the problem by them in place.
template <class L>
Units make_dimensionless(LocalProblem<L>& p) {
  constexpr int D = L::dim;
  const Units u = choose_units(p, p.q);
  const auto scale = [&](Real* block, int a, int b) {
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) block[j * D + i] *= impulse_unit<L>(u, b, j) / velocity_unit<L>(u, a, i);
  };
  for (int a = 0; a < p.contacts(); ++a) {
    divide_units(p.law[a], u.length, impulse_unit<L>(u, a, 0));
    scale(&p.diagonal[static_cast<std::size_t>(a) * D * D], a, a);
    for (int k = p.begin[a]; k < p.begin[a + 1]; ++k)
      scale(&p.block[static_cast<std::size_t>(k) * D * D], a, p.column[k]);
    for (int i = 0; i < D; ++i) p.q[static_cast<std::size_t>(a) * D + i] /= velocity_unit<L>(u, a, i);
  }
  return u;
}

// Freedoms of a body that are velocities; those after them are spins.
template <int F>
constexpr int translations = F < 6 ? 2 : 3;

// [m] Lever that makes spins and velocities of bodies comparable: the mean radius of gyration.
template <ContactLaw L, int F>
Real body_length(const BodyProblem<L, F>& p) {
  Real mass = 0, spin = 0;
  for (std::size_t i = 0; i < p.inverse_inertia.size(); ++i)
    (static_cast<int>(i % F) < translations<F> ? mass : spin) += p.inverse_inertia[i];
  if (!(mass > 0 && spin > 0)) return 1;
  return std::exp2(std::round(std::log2(mass / spin) / 2));
}

// The same over bodies: u = velocity u^ (spins: velocity / length), G and A^-1 follow.
template <ContactLaw L, int F>
Units make_dimensionless(BodyProblem<L, F>& p) {
  constexpr int D = L::dim;
  std::vector<Real> q(p.rows());
  for (int a = 0; a < p.contacts(); ++a) p.velocity(a, p.u_free.data()).store(&q[static_cast<std::size_t>(a) * D]);
  const Units u = choose_units(p, q);
  Real unit[F];  // of the velocities of a body
  const Real length = body_length(p);
  for (int k = 0; k < F; ++k) unit[k] = k < translations<F> ? u.velocity : u.velocity / length;
  for (std::size_t i = 0; i < p.u_free.size(); ++i) {
    p.u_free[i] /= unit[i % F];
    p.inverse_inertia[i] *= (u.velocity / unit[i % F]) * (u.impulse / unit[i % F]);
  }
  for (int a = 0; a < p.contacts(); ++a) {
    divide_units(p.law[a], u.length, impulse_unit<L>(u, a, 0));
    for (int i = 0; i < D; ++i) {
      const Real row = velocity_unit<L>(u, a, i);
      p.w[static_cast<std::size_t>(a) * D + i] /= row;
      for (Mat<D, F>& G : p.contact[a].G)
        for (int k = 0; k < F; ++k) G(i, k) *= unit[k] / row;
    }
  }
  return u;
}

}  // namespace cairn
