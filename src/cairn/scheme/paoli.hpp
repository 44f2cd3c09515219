// Paoli's scheme for frictionless constraints with Moreau's impact law, position first (BC18 4.3(iii); in one dimension
// BC18 2(ii)). It converges, with order one on positions, where constraints that are active together are orthogonal in
// the kinetic metric, or at acute angles when e = 0 (BC18 (6)); elsewhere the limit depends on the data
// discontinuously.
#pragma once

#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/scheme/certificate.hpp"

namespace cairn {

struct PaoliOptions {
  enum class ActiveAt { end, start };
  ActiveAt active_at = ActiveAt::end;  // constraints that act: violated at Q_i (4.3(iii)), or at Q_(i-1) (2(ii))
};

template <class S>
concept FrictionlessSystem = System<S> && S::Law::dim == 1;

template <FrictionlessSystem S>
class Paoli {
 public:
  using Options = PaoliOptions;

  explicit Paoli(const S& system, const PaoliOptions& options = {})
      : system_(system), options_(options), contacts_(system) {}

  StepReport step(State<S>& s, Real h) {
    const Velocity<S> V_old = s.u;
    const Real t = s.t + h, energy_old = kinetic_energy(system_, s.t, s.q, V_old);
    const Configuration<S> Q = drifted(system_, s.q, V_old, h);  // Q_i = Q_(i-1) + h V_(i-1)
    if (!contacts_.begin(t, Q)) return failed_step(Fault::singular_inertia);
    if (options_.active_at == PaoliOptions::ActiveAt::end)
      activate(t, Q);
    else
      activate(s.t, s.q);
    const Velocity<S> f = system_.force(t, Q, V_old);
    const Velocity<S> V_free = V_old + h * contacts_.accelerate(f);  // V' = V_(i-1) + h M^-1 f(t_i, Q_i, V_(i-1))
    if (!V_free.allFinite()) return failed_step(Fault::not_finite);
    // V_i = -e V_(i-1) + Proj_M(V' + e V_(i-1); V(Q_i)) says V_i = V' + M^-1 G^T S with S >= 0 complementary to
    // G (V_i + e V_(i-1)) >= 0: the law on the weighted mean velocity of JM92 6.1. In that form each constraint may
    // have its own e, and one that moves takes its own velocity along: U = G V + W in place of G V, before and after.
    const SmallReport solved = contacts_.solve(V_old, V_free);
    if (!solved.converged || !contacts_.velocity().allFinite()) return failed_step(Fault::no_solution);
    s.t = t, s.q = Q, s.u = contacts_.velocity();
    return certify_step(system_, contacts_, solved, V_old, energy_old, h * f, s);
  }

  const ContactProblem<S>& contacts() const { return contacts_; }  // of the last step

 private:
  void activate(Real t, const Configuration<S>& q) {
    for (int a = 0; a < system_.contacts(); ++a)
      if (!(system_.gap(a, t, q) > 0)) contacts_.add(a);
  }

  const S& system_;
  PaoliOptions options_;
  ContactProblem<S> contacts_;
};

}  // namespace cairn
