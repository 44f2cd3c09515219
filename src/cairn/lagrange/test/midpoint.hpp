// A bare midpoint step (JM92 7) for tests of this folder, which lies below the schemes.
#pragma once

#include <gtest/gtest.h>

#include "cairn/lagrange/contact_problem.hpp"

namespace cairn {

template <System S>
void midpoint_step(const S& system, ContactProblem<S>& contacts, State<S>& s, Real h) {
  const Velocity<S> u_I = s.u;
  const Real t_M = s.t + h / 2;
  const Configuration<S> q_M = drifted(system, s.q, u_I, h / 2);
  ASSERT_TRUE(contacts.begin(t_M, q_M));
  for (int a = 0; a < system.contacts(); ++a)
    if (!(system.gap(a, t_M, q_M) > 0)) contacts.add(a);
  const Velocity<S> F = system.force(t_M, q_M, u_I);
  ASSERT_TRUE(contacts.solve(u_I, u_I + h * contacts.accelerate(F)).converged);
  s.u = contacts.velocity();
  s.q = drifted(system, q_M, s.u, h / 2);
  s.t += h;
}

}  // namespace cairn
