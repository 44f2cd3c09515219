// The certificate of a step that ends in one contact problem: energy ledger, counters, violation.
#pragma once

#include <algorithm>

#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/scheme/step_report.hpp"

namespace cairn {

inline StepReport failed_step(Fault fault) {
  StepReport report;
  report.fault = fault;
  return report;
}

// `s` is the state after the step, `u_old` and `energy_old` the velocity and the kinetic energy before it, `impulse` =
// h F. The ledger closes to rounding, since A_M (u - u_old) = h F + sum G^T S with the A_M of the contact problem.
template <System S>
StepReport certify_step(const S& system, const ContactProblem<S>& contacts, const SmallReport& solved,
                        const Velocity<S>& u_old, Real energy_old, const Velocity<S>& impulse, State<S>& s) {
  StepReport report;
  report.active = contacts.size();
  report.ambiguous = solved.ambiguous, report.iterations = solved.iterations, report.error = solved.error;
  const Velocity<S> mean = (u_old + s.u) / 2;
  const Real energy = kinetic_energy(system, s.t, s.q, s.u);
  report.energy.change = energy - energy_old;
  report.energy.inertial =
      (energy - s.u.dot(contacts.inertia() * s.u) / 2) - (energy_old - u_old.dot(contacts.inertia() * u_old) / 2);
  report.energy.applied = impulse.dot(mean);
  std::fill(s.status.begin(), s.status.end(), Status::take_off);
  for (int a = 0; a < contacts.size(); ++a) {
    const auto S_a = contacts.impulse(a);
    report.energy.boundary -= S_a.dot(contacts.contact(a).W);
    report.energy.dissipation -= S_a.dot(contacts.local_velocity(a, mean));
    report.closed += contacts.status(a) != Status::take_off;
    if (!s.status.empty()) s.status[static_cast<std::size_t>(contacts.contact(a).index)] = contacts.status(a);
  }
  for (int a = 0; a < system.contacts(); ++a)
    report.violation = std::max(report.violation, -Real(system.gap(a, s.t, s.q)));
  return report;
}

}  // namespace cairn
