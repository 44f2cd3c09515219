// The scheme of Monteiro Marques for a particle with Coulomb friction and soft impacts, position first (BC18 3(iii)).
//
//   V_i = V'                                    if V' is admissible at Q_i
//   V_i = Proj(0; [V' + C(Q_i)] n T(Q_i))       otherwise, C the friction cone and T the tangent plane
//
// The second line is the exact solution of one contact with the law of Coulomb, which is how it is computed here. The
// two agree when G A^-1 G^T has no coupling of the normal with the tangent and is the same in all tangential
// directions: a particle in any local frame, a sphere that does not feel its spin. Then the impulse that lands in T has
// S_N = -V'_N (times the mass), what is left to choose is S_T in a disc of radius mu S_N, and the least |V_T| is the
// dissipative choice. For other systems, and for several contacts, the law of Coulomb is kept and the projection given
// up. Impacts are soft: coefficients of restitution are not read.
#pragma once

#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/scheme/certificate.hpp"

namespace cairn {

struct MonteiroMarquesOptions {};  // none so far

template <System S>
class MonteiroMarques {
 public:
  using Options = MonteiroMarquesOptions;

  explicit MonteiroMarques(const S& system, const MonteiroMarquesOptions& = {}) : system_(system), contacts_(system) {}

  StepReport step(State<S>& s, Real h) {
    const Velocity<S> V_old = s.u;
    const Real t = s.t + h, energy_old = kinetic_energy(system_, s.t, s.q, V_old);
    const Configuration<S> Q = drifted(system_, s.q, V_old, h);  // Q_i = Q_(i-1) + h V_(i-1)
    if (!contacts_.begin(t, Q)) return failed_step(Fault::singular_inertia);
    for (int a = 0; a < system_.contacts(); ++a)
      if (!(system_.gap(a, t, Q) > 0)) contacts_.add(a, antecedent(s, a));
    const Velocity<S> f = system_.force(t, Q, V_old);
    const Velocity<S> V_free = V_old + h * contacts_.accelerate(f);  // V' = V_(i-1) + h f(t_i, Q_i)
    if (!V_free.allFinite()) return failed_step(Fault::not_finite);
    const SmallReport solved = contacts_.solve(V_old, V_free, [](int) { return false; });
    if (!solved.converged || !contacts_.velocity().allFinite()) return failed_step(Fault::no_solution);
    s.t = t, s.q = Q, s.u = contacts_.velocity();
    return certify_step(system_, contacts_, solved, V_old, energy_old, h * f, s);
  }

  const ContactProblem<S>& contacts() const { return contacts_; }  // of the last step

 private:
  static Status antecedent(const State<S>& s, int a) {
    return s.status.empty() ? Status::stick : s.status[static_cast<std::size_t>(a)];
  }

  const S& system_;
  ContactProblem<S> contacts_;
};

}  // namespace cairn
