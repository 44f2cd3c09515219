// The midpoint step of Moreau and Jean (M88 11, 15; JM92 7) for a system of finite freedom.
#pragma once

#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/scheme/certificate.hpp"
#include "cairn/scheme/correct.hpp"

namespace cairn {

struct MoreauOptions {
  enum class ActiveAt { midpoint, end };
  ActiveAt active_at = ActiveAt::midpoint;  // contacts that act: closed at q_M = q_I + h/2 u_I (JM92 7), or at q_I + h
                                            // u_I (M88 Remark 11.1)
  bool correct = false;                     // move q_F to the linearised feasible set (M88 Remark 11.1)
  bool count_solutions = false;             // tell in the report how many solutions the step had: few contacts only
};

template <System S>
class Moreau {
 public:
  using Options = MoreauOptions;

  explicit Moreau(const S& system, const MoreauOptions& options = {})
      : system_(system), options_(options), contacts_(system), correction_(system) {}

  StepReport step(State<S>& s, Real h) {
    const Velocity<S> u_I = s.u;
    const Real t_M = s.t + h / 2, energy_I = kinetic_energy(system_, s.t, s.q, u_I);
    const Configuration<S> q_M = drifted(system_, s.q, u_I, h / 2);  // q_M = q_I + h/2 u_I
    if (!contacts_.begin(t_M, q_M)) return failed_step(Fault::singular_inertia);
    if (options_.active_at == MoreauOptions::ActiveAt::midpoint)
      activate(s, t_M, q_M);  // J = { a : g_a(t_M, q_M) <= 0 }
    else
      activate(s, s.t + h, drifted(system_, s.q, u_I, h));
    const Velocity<S> F = system_.force(t_M, q_M, u_I);
    const Velocity<S> u_L = u_I + h * contacts_.accelerate(F);  // u_L = u_I + h A^-1 F
    if (!u_L.allFinite()) return failed_step(Fault::not_finite);
    const SmallReport solved = contacts_.solve(u_I, u_L);  // u_F and S_a   (JM92 7.1, 7.2)
    if (!solved.converged || !contacts_.velocity().allFinite()) return failed_step(Fault::no_solution);
    s.u = contacts_.velocity();
    s.q = drifted(system_, q_M, s.u, h / 2);  // q_F = q_M + h/2 u_F
    s.t += h;
    if (options_.correct) correction_.apply(s);
    StepReport report = certify_step(system_, contacts_, solved, u_I, energy_I, h * F, s);
    if (options_.count_solutions) count_solutions(report);
    return report;
  }

  // Of the last step: which contacts took part, with which impulses.
  const ContactProblem<S>& contacts() const { return contacts_; }

 private:
  void activate(const State<S>& s, Real t, const Configuration<S>& q) {
    for (int a = 0; a < system_.contacts(); ++a)
      if (!(system_.gap(a, t, q) > 0))
        contacts_.add(a, s.status.empty() ? Status::stick : s.status[static_cast<std::size_t>(a)]);
  }

  void count_solutions(StepReport& report) const {
    const auto all = contacts_.all_solutions();
    if (!all || !all->complete) return;
    report.solutions = all->groups, report.many_motions = all->many_motions;
  }

  const S& system_;
  MoreauOptions options_;
  ContactProblem<S> contacts_;
  Correction<S> correction_;
};

}  // namespace cairn
