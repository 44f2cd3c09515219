// Rest: where the impulses of the last step hold every body of an island still, to rounding, they are the answer, and
// the velocities are zero. Nothing is solved and nothing creeps. No clock and no threshold on motion are involved: what
// moves by more than the rounding of its free velocity is solved for.
#pragma once

#include <algorithm>
#include <vector>

#include "cairn/law/mixed.hpp"
#include "cairn/problem/bodies.hpp"

namespace cairn {

// `error`: largest error of a law over the largest free velocity.
template <int D, int F>
bool stays_at_rest(const BodyProblem<MixedLaw<D>, F>& p, const std::vector<Real>& S, Real& error) {
  constexpr Real rounding = Real(1e-12);
  std::vector<Real> u(p.inverse_inertia.size());
  p.body_velocities(S.data(), u.data());
  Real fastest = 0;
  for (std::size_t b = 0; b < u.size(); b += F) {
    Real left = 0, free = 0, speed = 0;  // twice kinetic energies; [m^2/s^2]
    for (std::size_t k = b; k < b + F; ++k) {
      left += u[k] * u[k] / p.inverse_inertia[k];
      free += p.u_free[k] * p.u_free[k] / p.inverse_inertia[k];
      if (k < b + D) speed += p.u_free[k] * p.u_free[k];
    }
    if (!(left <= rounding * rounding * free)) return false;
    fastest = std::max(fastest, speed);
  }
  error = 0;
  for (int a = 0; a < p.contacts(); ++a) {
    const std::size_t i = static_cast<std::size_t>(a);
    const Real H = trace(p.diagonal_block(a)) / D;
    MixedLaw<D> law = p.law[i];
    if (law.kind == LawKind::dry) law = MixedLaw<D>::dry(H * law.data.dry.bound);
    const Vec<D> U = Vec<D>::load(&p.w[i * D]);
    error = std::max(error, norm2(natural_map(law, U, H * Vec<D>::load(&S[i * D]))));
  }
  if (!(error <= rounding * rounding * fastest)) return false;
  error = fastest > 0 ? std::sqrt(error / fastest) : 0;
  return true;
}

}  // namespace cairn
