// Two motions from one start: the time stepping follows either, and the inclusion checker accepts both.
#include "examples/non_uniqueness.hpp"

#include <cmath>

#include "cairn/lagrange/inclusion.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

// How far an exact motion is from satisfying the inclusion on [t_n, 1[. [J^(1/2), m, m/s: the largest]
double residual(const PulsedParticle& particle, const NonUniqueness& problem, int branch) {
  const PulsedMotion& m = problem.motion[branch];
  ClosedMotion<PulsedParticle> motion;
  motion.begin = problem.start, motion.end = 1;
  motion.q = [&](Real t) { return Vector<1>(m.q(t)); };
  motion.u_minus = [&](Real t) { return Vector<1>(m.v_left(t)); };
  motion.u_plus = [&](Real t) { return Vector<1>(m.v(t)); };
  motion.impacts = m.changes();
  for (const Pulse& p : problem.force.pulses)
    for (const Real side : {-1, 0, 1}) motion.breaks.push_back(p.centre + side * p.half_width);
  std::sort(motion.breaks.begin(), motion.breaks.end());
  return InclusionChecker<PulsedParticle>(particle).check(motion).worst();
}

struct Motion {
  std::vector<double> t, q, v;
  double error = 0;
  State<PulsedParticle> end;
};

Expected<Motion> simulate(const PulsedParticle& particle, const NonUniqueness& problem, const Parameters& p) {
  const double h = p.number("h");
  if (const std::string message = too_long(h, 1); !message.empty()) return Error{message};
  const PulsedMotion& exact = problem.motion[p.integer("branch")];
  Motion m;
  m.end = {problem.start, Vector<1>(exact.q(problem.start)), Vector<1>(exact.v(problem.start)), {}};
  Moreau<PulsedParticle> scheme(particle);
  const double T = 1 - 1e-12;  // just before the impact at 1
  const long every = stride(h, 1);
  long k = 0;
  const MotionReport report = run(scheme, m.end, h, T, [&](const State<PulsedParticle>& s, const StepReport&) {
    m.error = std::max(m.error, std::abs(s.q(0) - exact.q(s.t)));
    if (k++ % every == 0) m.t.push_back(s.t), m.q.push_back(s.q(0)), m.v.push_back(s.u(0));
    return true;
  });
  if (report.fault != Fault::none) return failure(report, m.end.t);
  return m;
}

// Both exact motions and the computed one; logarithms, since each rebound is smaller than the next by orders.
plot::Figure picture(const NonUniqueness& problem, const Motion& computed) {
  plot::Axes force{"The force", "time [s]", "f [N]"}, height{"Two motions from one start", "time [s]", "q [m]"};
  force.log_x = height.log_x = height.log_y = true;
  std::vector<double> t, f, q[2];
  for (int k = 0; k <= 4000; ++k) {
    t.push_back(problem.start * std::pow(1 / problem.start, k / 4000.0) * (1 - 1e-12));
    f.push_back(problem.force.force(t.back()));
    for (int branch = 0; branch < 2; ++branch) {
      const double height_of = problem.motion[branch].q(t.back());
      q[branch].push_back(height_of > 1e-9 ? height_of : std::nan(""));  // on the obstacle: not on this scale
    }
  }
  force.curves.push_back({"", t, f});
  const char* names[] = {"branch 0, at rest at first", "branch 1, moving"};
  for (int branch = 0; branch < 2; ++branch) height.curves.push_back({names[branch], t, q[branch]});
  std::vector<double> above;
  for (const double x : computed.q) above.push_back(x > 1e-9 ? x : std::nan(""));
  height.curves.push_back({"computed", computed.t, above, plot::Curve::line, "", 1.0, true});
  return {"", {height, force}, 1, 760, 620};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const NonUniqueness problem(p.number("e"), p.integer("n"));
  const PulsedParticle particle{&problem.force, p.number("e")};
  const auto m = simulate(particle, problem, p);
  if (!m) return Error{m.error()};
  Output out;
  out.set("q", m->end.q(0));
  out.set("v", m->end.u(0));
  out.set("residual_rest", residual(particle, problem, 0));
  out.set("residual_moving", residual(particle, problem, 1));
  out.set("error_sup", m->error);
  out.table("motion", {{"t", m->t}, {"q", m->q}, {"v", m->v}});
  out.figure("motions", picture(problem, *m));
  return out;
}

Expected<double> error(const Parameters& p) {
  const NonUniqueness problem(p.number("e"), p.integer("n"));
  const auto m = simulate({&problem.force, p.number("e")}, problem, p);
  if (!m) return Error{m.error()};
  return m->error;
}

}  // namespace

Example non_uniqueness() {
  return {
      "non-uniqueness",
      "A smooth force under which a particle at rest on the obstacle has two motions",
      "BC18 2",
      {number("e", 0.5, "", "coefficient of restitution; 0: two motions that take turns", 0, 1),
       integer("branch", 1, "the motion to follow: 0 begins at rest, 1 begins moving", 0, 1),
       integer("n", 3, "the run begins at t = 2^-n", 1, 6),
       number("h", 1e-5, "s", "time step; the pulses are about 2^(-3 n) long", 1e-8, 1e-2)},
      {{"q", "m", "height just before t = 1"},
       {"v", "m/s", "velocity there"},
       {"residual_rest", "", "of the inclusion, for the exact motion that begins at rest (largest of its parts, SI)"},
       {"residual_moving", "", "the same for the other exact motion"},
       {"error_sup", "m", "largest distance of the computed motion from the exact one it follows"}},
      simulate_and_show,
      error};
}

}  // namespace cairn::examples
