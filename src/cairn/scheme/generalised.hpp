// The midpoint step with generalised friction: problems P4 and P5 of BC18 5. It is Moreau's step (moreau.hpp) with
// another contact problem: normal part first, alone, then friction in the tangential space of the kinetic metric.
#pragma once

#include "cairn/lagrange/generalised_problem.hpp"
#include "cairn/scheme/certificate.hpp"
#include "cairn/scheme/correct.hpp"
#include "cairn/scheme/moreau.hpp"

namespace cairn {

template <GeneralisedSystem S>
class Generalised {
 public:
  using Options = MoreauOptions;

  explicit Generalised(const S& system, const MoreauOptions& options = {})
      : system_(system), options_(options), problem_(system), correction_(system) {}

  StepReport step(State<S>& s, Real h) {
    const Velocity<S> u_I = s.u;
    const Real t_M = s.t + h / 2, energy_I = kinetic_energy(system_, s.t, s.q, u_I);
    const Configuration<S> q_M = drifted(system_, s.q, u_I, h / 2);  // q_M = q_I + h/2 u_I
    if (!problem_.begin(t_M, q_M)) return failed_step(Fault::singular_inertia);
    if (options_.active_at == MoreauOptions::ActiveAt::midpoint)
      activate(t_M, q_M);  // J = { a : g_a(t_M, q_M) <= 0 }
    else
      activate(s.t + h, drifted(system_, s.q, u_I, h));
    const Velocity<S> F = system_.force(t_M, q_M, u_I);
    const Velocity<S> u_L = u_I + h * problem_.accelerate(F);  // u_L = u_I + h A^-1 F
    if (!u_L.allFinite()) return failed_step(Fault::not_finite);
    const GeneralisedReport solved = problem_.solve(u_I, u_L);  // u_F, lambda_a and r_t   (BC18 P4)
    if (!solved.converged || !problem_.velocity().allFinite()) return failed_step(Fault::no_solution);
    s.u = problem_.velocity();
    s.q = drifted(system_, q_M, s.u, h / 2);  // q_F = q_M + h/2 u_F
    s.t += h;
    if (options_.correct) correction_.apply(s);
    return certify(solved, u_I, energy_I, h * F, s);
  }

  // Of the last step: which constraints took part, with which reactions.
  const GeneralisedProblem<S>& contacts() const { return problem_; }

 private:
  void activate(Real t, const Configuration<S>& q) {
    for (int a = 0; a < system_.contacts(); ++a)
      if (!(system_.gap(a, t, q) > 0)) problem_.add(a);
  }

  // As certify_step() of certificate.hpp, with the reactions of the friction sets. `law_gain` is BC18 (8) for the step:
  // the law itself takes energy whatever the forces do.
  StepReport certify(const GeneralisedReport& solved, const Velocity<S>& u_I, Real energy_I, const Velocity<S>& impulse,
                     State<S>& s) {
    StepReport report;
    report.active = problem_.size();
    report.iterations = solved.steps, report.error = solved.error, report.law_gain = solved.gain();
    const Velocity<S> mean = (u_I + s.u) / 2;
    const Real energy = kinetic_energy(system_, s.t, s.q, s.u);
    const auto& A = problem_.inertia();
    report.energy.change = energy - energy_I;
    report.energy.inertial = (energy - s.u.dot(A * s.u) / 2) - (energy_I - u_I.dot(A * u_I) / 2);
    report.energy.applied = impulse.dot(mean);
    std::fill(s.status.begin(), s.status.end(), Status::take_off);
    for (int a = 0; a < problem_.size(); ++a) {
      const auto& c = problem_.constraint(a);
      report.energy.boundary -= c.lambda * c.W + c.x.dot(c.rate);
      report.energy.dissipation -= c.lambda * problem_.normal_velocity(a, mean) + c.x.dot(problem_.slip(a, mean));
      report.closed += c.status != Status::take_off;
      if (!s.status.empty()) s.status[static_cast<std::size_t>(c.index)] = c.status;
    }
    for (int a = 0; a < system_.contacts(); ++a)
      report.violation = std::max(report.violation, -Real(system_.gap(a, s.t, s.q)));
    return report;
  }

  const S& system_;
  MoreauOptions options_;
  GeneralisedProblem<S> problem_;
  Correction<S> correction_;
};

}  // namespace cairn
