// A ball thrown on a floor with any spin slides, then rolls. Wheel of radius R, inertia kappa m R^2: 2/5 a full ball,
// 1/2 a disc, 1 a hoop. Spin is positive where it makes the ball roll forward: the contact slides at v - R omega.
#include "cairn/law/coulomb2.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct Ball {  // (x, y, turned angle), unit mass
  using Law = Coulomb2;
  static constexpr int freedoms = 3;
  Real kappa, R, mu;  // [-] [m] [-]

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Vector<3>(1, 1, kappa * R * R).asDiagonal(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return {0, -gravity, 0}; }
  Real gap(int, Real, const Vector<3>& q) const { return q(1) - R; }
  Kinematics<2, 3> kinematics(int, Real, const Vector<3>&) const {
    return {(Matrix<2, 3>() << 0, 1, 0, 1, 0, -R).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return Coulomb2::with(mu); }
};

struct Motion {
  std::vector<double> t, x, v, spin;
  double roll_time = infinite;
  State<Ball> end;
};

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), T = p.number("T"), R = p.number("R");
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  const Ball ball{p.number("kappa"), R, p.number("mu")};
  Moreau<Ball> scheme(ball);
  Motion m;
  m.end = {0, {0, R, 0}, {p.number("v0"), 0, p.number("omega0")}, {}};
  const auto record = [&](const State<Ball>& s) {
    m.t.push_back(s.t), m.x.push_back(s.q(0)), m.v.push_back(s.u(0)), m.spin.push_back(s.u(2));
  };
  record(m.end);
  const long every = stride(h, T);
  long k = 0;
  double t_I = 0;
  if (m.end.u(0) == R * m.end.u(2)) m.roll_time = 0;
  const MotionReport report = run(scheme, m.end, h, T, [&](const State<Ball>& s, const StepReport& step) {
    if (m.roll_time == infinite && step.active > 0 && scheme.contacts().status(0) == Status::stick) {
      // The contact needed the full friction mu S_N during a part of the step, and none when it rolled.
      const auto S = scheme.contacts().impulse(0);
      m.roll_time = t_I + (s.t - t_I) * std::min(1.0, std::abs(S(1)) / (ball.mu * S(0)));
    }
    t_I = s.t;
    if (++k % every == 0) record(s);
    return true;
  });
  if (report.fault != Fault::none) return failure(report, m.end.t);
  return m;
}

plot::Figure picture(const Motion& m, double R) {
  plot::Axes speeds{"Sliding, then rolling", "time [s]", "[m/s]"};
  std::vector<double> rim;
  for (const double w : m.spin) rim.push_back(R * w);
  speeds.curves.push_back({"velocity v", m.t, m.v});
  speeds.curves.push_back({"rim R omega", m.t, rim});
  plot::Axes path{"Path", "time [s]", "x [m]"};
  path.curves.push_back({"", m.t, m.x});
  return {"", {speeds, path}, 2, 900, 380};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  Output out;
  out.set("v", m->end.u(0));
  out.set("omega", m->end.u(2));
  out.set("roll_time", m->roll_time);
  out.set("x", m->end.q(0));
  if (m->roll_time == infinite) out.remark("The ball still slides at the end: no instant of rolling.");
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"v", m->v}, {"omega", m->spin}});
  out.figure("motion", picture(*m, p.number("R")));
  return out;
}

// Of the position at T. While the contact slides the velocities are linear in time, afterwards constant.
Expected<double> error(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  const double kappa = p.number("kappa"), mu = p.number("mu"), v0 = p.number("v0"), T = p.number("T");
  const double slide = v0 - p.number("R") * p.number("omega0"), a = -std::copysign(mu * gravity, slide);
  const double rolls = mu > 0 ? std::abs(slide) * kappa / ((1 + kappa) * mu * gravity) : T, t = std::min(T, rolls);
  return std::abs(double(m->end.q(0)) - (v0 * T + a * t * (T - t / 2)));
}

}  // namespace

Example sliding_ball() {
  return {"sliding-ball",
          "A ball slides, its spin changes, and it rolls from a definite instant on",
          "JM92 4",
          {number("kappa", 0.4, "", "moment of inertia over m R^2: 0.4 a full ball, 0.5 a disc, 1 a hoop", 1e-6, 1e6),
           number("R", 0.1, "m", "radius", above_zero, 1e6), number("v0", 1, "m/s", "velocity at the start"),
           number("omega0", 0, "rad/s", "spin at the start, positive for rolling forward"),
           number("mu", 0.2, "", "coefficient of friction", 0, 1e6), number("h", 1e-3, "s", "time step", 1e-7, 10),
           number("T", 0.5, "s", "duration", above_zero, 1e4)},
          {{"v", "m/s", "velocity at the end"},
           {"omega", "rad/s", "spin at the end"},
           {"roll_time", "s", "instant at which rolling begins (null: not before T)"},
           {"x", "m", "position at the end"}},
          simulate_and_show,
          error};
}

}  // namespace cairn::examples
