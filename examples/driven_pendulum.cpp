// A pendulum whose pivot is moved harmonically, with a fixed wall that limits the swing: both the equation of motion
// and the constraint depend on time (M88 4, JM92 2.4), and the drive does work that the balance of energy must show.
#include <fmt/format.h>

#include <numbers>

#include "cairn/law/signorini.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

constexpr double degree = std::numbers::pi / 180;

// q = angle from the downward vertical. A bob on a massless rod, pivot at p(t) = a sin(Omega t) along a fixed
// direction, bob at p + L (sin q, -cos q), which stays at the left of the wall x = stop.
struct DrivenPendulum {
  using Law = Signorini;
  static constexpr int freedoms = 1;
  Real m = 1, L = 1, g = 9.81;           // [kg] [m] [m/s2]
  Real a = 0, pulsation = 0, along = 0;  // [m] [rad/s] [rad] of the drive; along: from the horizontal
  Real stop = 0, e = 1;                  // [m] [-]

  Vector<2> direction() const { return {std::cos(along), std::sin(along)}; }
  Vector<2> pivot(Real t) const { return a * std::sin(pulsation * t) * direction(); }
  Vector<2> pivot_velocity(Real t) const { return a * pulsation * std::cos(pulsation * t) * direction(); }
  Vector<2> tangent(Real q) const { return {std::cos(q), std::sin(q)}; }
  Vector<2> bob(Real t, Real q) const { return pivot(t) + L * Vector<2>(std::sin(q), -std::cos(q)); }
  Vector<2> bob_velocity(Real t, Real q, Real u) const { return pivot_velocity(t) + L * u * tangent(q); }

  int contacts() const { return 1; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(m * L * L); }
  Vector<1> force(Real t, const Vector<1>& q, const Vector<1>&) const {
    const Vector<2> acceleration = -pulsation * pulsation * pivot(t);
    return Vector<1>(-m * L * (g * std::sin(q(0)) + acceleration.dot(tangent(q(0)))));
  }
  Real gap(int, Real t, const Vector<1>& q) const { return stop - bob(t, q(0))(0); }
  Kinematics<1, 1> kinematics(int, Real t, const Vector<1>& q) const {
    return {Matrix<1, 1>(-L * std::cos(q(0))), Vector<1>(-pivot_velocity(t)(0))};
  }
  Law law(int, Real, const Vector<1>&) const { return {}; }
  Restitution restitution(int) const { return {e, 0}; }

  Real energy(Real t, Real q, Real u) const {
    return m / 2 * bob_velocity(t, q, u).squaredNorm() + m * g * bob(t, q)(1);
  }
};

struct Motion {
  std::vector<double> t, q, u, x, energy, work, lost;  // work of the drive and energy lost at the wall, so far
  std::vector<double> impacts;                         // when
  MotionReport report;
  Real imbalance() const { return energy.back() - energy.front() - work.back() + lost.back(); }
};

Motion move(const DrivenPendulum& system, Real q0, Real u0, Real h, Real T) {
  Motion out;
  State<DrivenPendulum> s{0, Vector<1>(q0), Vector<1>(u0), {}};
  Real work = 0, lost = 0;
  const auto record = [&] {
    out.t.push_back(s.t), out.q.push_back(s.q(0)), out.u.push_back(s.u(0)), out.x.push_back(system.bob(s.t, s.q(0))(0));
    out.energy.push_back(system.energy(s.t, s.q(0), s.u(0))), out.work.push_back(work), out.lost.push_back(lost);
  };
  record();
  Moreau<DrivenPendulum> scheme(system);
  Vector<2> before = system.bob_velocity(0, q0, u0);
  Real start = 0;
  bool touched = false;
  out.report = cairn::run(scheme, s, h, T, [&](const State<DrivenPendulum>& now, const StepReport& step) {
    // What the pivot gave the bob: its change of momentum less weight and wall. The power is that on the pivot.
    const Real dt = now.t - start, S = step.active > 0 ? scheme.contacts().impulse(0)(0) : 0;
    const Vector<2> after = system.bob_velocity(now.t, now.q(0), now.u(0));
    const Vector<2> given = system.m * (after - before) + Vector<2>(S, system.m * system.g * dt);
    work += given.dot(system.pivot_velocity(start + dt / 2));
    lost += step.energy.dissipation;
    if (step.closed > 0 && !touched) out.impacts.push_back(start + dt / 2);
    touched = step.closed > 0;
    before = after, start = now.t;
    record();
    return true;
  });
  return out;
}

struct Task {
  DrivenPendulum system;
  Real q0, u0, h, T;
};

Expected<Task> task(const Parameters& p) {
  const Task out{
      {p.number("m"), p.number("length"), p.number("g"), p.number("a"), 2 * std::numbers::pi * p.number("turns"),
       p.number("direction_deg") * degree, p.number("stop"), p.number("e")},
      p.number("theta0_deg") * degree,
      p.number("omega0"),
      p.number("h"),
      p.number("T")};
  const Real x = out.system.bob(0, out.q0)(0);
  if (x > out.system.stop)
    return Error{fmt::format("theta0_deg: the bob starts at x = {:.6g} m, expected at most stop = {:.6g} m", x,
                             out.system.stop)};
  return out;
}

plot::Figure picture(const DrivenPendulum& system, const Motion& m) {
  plot::Axes swing{"Bob and wall", "time [s]", "x [m]"};
  swing.curves.push_back({"bob", m.t, m.x});
  plot::Curve pivot{"pivot", m.t, {}};
  for (const double t : m.t) pivot.y.push_back(system.pivot(t)(0));
  swing.curves.push_back(pivot);
  swing.curves.push_back(
      {"wall", {m.t.front(), m.t.back()}, {system.stop, system.stop}, plot::Curve::line, "black", 1.5, true});
  plot::Axes phase{"Phase plane", "angle [rad]", "rate [rad/s]"};
  phase.curves.push_back({"", m.q, m.u, plot::Curve::line, "", 0.8});
  plot::Axes ledger{"Balance of energy", "time [s]", "[J]"};
  std::vector<double> gained = m.energy;
  for (double& value : gained) value -= m.energy.front();
  ledger.curves = {
      {"energy gained", m.t, gained}, {"work of the drive", m.t, m.work}, {"lost at the wall", m.t, m.lost}};
  return {"", {swing, phase, ledger}, 1, 720, 900};
}

Expected<Output> run(const Parameters& p) {
  const auto asked = task(p);
  if (!asked) return Error{asked.error()};
  const Motion m = move(asked->system, asked->q0, asked->u0, asked->h, asked->T);
  if (m.report.fault != Fault::none) return Error{fmt::format("h = {}: {}", asked->h, describe(m.report.fault))};
  Output out;
  out.set("impacts", m.impacts.size());
  out.set("energy_defect", std::abs(m.report.energy.defect()));
  out.set("impact_times", m.impacts);
  out.set("theta", m.q.back());
  out.set("omega", m.u.back());
  out.set("energy_gain", m.energy.back() - m.energy.front());
  out.set("pivot_work", m.work.back());
  out.set("dissipation", m.lost.back());
  out.set("imbalance", m.imbalance());
  out.set("violation_max", m.report.violation_max);
  out.table("motion", {{"t", m.t},
                       {"theta", m.q},
                       {"omega", m.u},
                       {"x", m.x},
                       {"energy", m.energy},
                       {"pivot_work", m.work},
                       {"dissipation", m.lost}});
  out.figure("pendulum", picture(asked->system, m));
  return out;
}

// The exact motion balances its energy: gained = work of the drive - lost at the wall.
Expected<double> error(const Parameters& p) {
  const auto asked = task(p);
  if (!asked) return Error{asked.error()};
  const Motion m = move(asked->system, asked->q0, asked->u0, asked->h, asked->T);
  if (m.report.fault != Fault::none) return Error{fmt::format("h = {}: {}", asked->h, describe(m.report.fault))};
  return std::abs(m.imbalance());
}

}  // namespace

Example driven_pendulum() {
  return {
      "driven-pendulum",
      "A pendulum on a moving pivot swings against a wall; the work of the drive is accounted for",
      "M88 4, JM92 2.4",
      {number("m", 1, "kg", "mass of the bob", above_zero), number("length", 1, "m", "of the massless rod", above_zero),
       number("g", 9.81, "m/s2", "gravity"), number("a", 0.05, "m", "amplitude of the pivot, a sin(2 pi turns t)"),
       number("turns", 0.7, "1/s", "frequency of the pivot", 0),
       number("direction_deg", 0, "deg", "of the motion of the pivot, from the horizontal; 90: vertical"),
       number("stop", 0.1, "m", "place of the wall, from the middle of the pivot's motion"),
       number("e", 0.8, "", "coefficient of restitution of the wall", 0, 1),
       number("theta0_deg", -20, "deg", "first angle from the downward vertical; positive towards the wall"),
       number("omega0", 0, "rad/s", "first rate of the angle"), number("h", 1e-3, "s", "time step", above_zero),
       number("T", 10, "s", "end of the motion", above_zero)},
      {{"impacts", "", "on the wall"},
       {"energy_defect", "J", "what the ledger of the steps leaves, the work of the drive included: rounding"},
       {"impact_times", "s", "when"},
       {"theta", "rad", "angle in the end"},
       {"omega", "rad/s", "its rate"},
       {"energy_gain", "J", "of kinetic and potential energy, seen from the ground"},
       {"pivot_work", "J", "work of the drive on the pendulum, from the force on the pivot"},
       {"dissipation", "J", "energy lost at the wall"},
       {"imbalance", "J", "energy_gain - pivot_work + dissipation: goes to zero with h"},
       {"violation_max", "m", "deepest way of the bob into the wall"}},
      run,
      error};
}

}  // namespace cairn::examples
