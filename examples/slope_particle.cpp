// A particle launched across a slope whose friction is k times what holds it: it turns downhill, and stops where k > 1.
//
// With phi the angle of its velocity v with the line of descent and a = g sin(theta), sliding obeys
//   v' = a (cos phi - k),   v phi' = -a sin phi,   hence   v sin phi = v0 w^k,   w = tan(phi/2),
// from which t, x, y are powers of w: the exact answer behind error().
#include "cairn/law/coulomb3.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct Particle {  // x across the slope, y down it, z along its normal; unit mass
  using Law = Coulomb3;
  static constexpr int freedoms = 3;
  Real theta, mu;  // [rad] [-]

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const {
    return gravity * Vector<3>(0, std::sin(theta), -std::cos(theta));
  }
  Real gap(int, Real, const Vector<3>& q) const { return q(2); }
  Kinematics<3, 3> kinematics(int, Real, const Vector<3>&) const {
    return {(Matrix<3, 3>() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(), Vector<3>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return {mu}; }
};

struct Motion {
  std::vector<double> t, x, y, v;
  double stop_time = infinite;
  State<Particle> end;
};

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), T = p.number("T"), theta = p.number("theta") * degree;
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  const Particle particle{theta, p.number("k") * std::tan(theta)};
  Moreau<Particle> scheme(particle);
  Motion m;
  m.end = {0, Vector<3>::Zero(), {p.number("v0"), 0, 0}, {}};
  const auto record = [&](const State<Particle>& s) {
    m.t.push_back(s.t), m.x.push_back(s.q(0)), m.y.push_back(s.q(1)), m.v.push_back(s.u.norm());
  };
  record(m.end);
  const long every = stride(h, T);
  long k = 0;
  double before = infinite, now = m.end.u.norm();
  const MotionReport report = run(scheme, m.end, h, T, [&](const State<Particle>& s, const StepReport& step) {
    if (step.active > 0 && scheme.contacts().status(0) == Status::stick) {
      const double rate = before < infinite ? before - now : now;
      m.stop_time = zero_after(s.t - h, h, now + rate, now);
      record(s);
      return false;  // it cannot start again
    }
    before = now, now = s.u.norm();
    if (++k % every == 0) record(s);
    return true;
  });
  if (report.fault != Fault::none) return failure(report, m.end.t);
  return m;
}

plot::Figure picture(const Motion& m) {
  plot::Axes path{"Trajectory on the slope", "across [m]", "height along the slope [m]"};
  path.equal_aspect = true;
  std::vector<double> up;
  for (const double y : m.y) up.push_back(-y);
  path.curves.push_back({"", m.x, up});
  if (m.stop_time < infinite) path.curves.push_back({"", {m.x.back()}, {up.back()}, plot::Curve::points});
  plot::Axes speed{"Speed along the trajectory", "time [s]", "[m/s]"};
  speed.curves.push_back({"", m.t, m.v});
  return {"", {path, speed}, 2, 900, 380};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  Output out;
  out.set("stop_time", m->stop_time);
  out.set("x", m->end.q(0));
  out.set("y", m->end.q(1));
  out.set("speed", m->end.u.norm());
  if (m->stop_time == infinite)
    out.remark(p.number("k") > 1 ? "The particle still moves at T." : "Friction cannot stop the particle: k <= 1.");
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"y", m->y}, {"speed", m->v}});
  out.figure("trajectory", picture(*m));
  return out;
}

// Integral of w^n from w to 1.
double power(double n, double w) { return std::abs(n + 1) < 1e-12 ? -std::log(w) : (1 - std::pow(w, n + 1)) / (n + 1); }

// Distance between computed and exact positions at T, or at rest.
Expected<double> error(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  const double a = gravity * std::sin(p.number("theta") * degree), k = p.number("k"), v0 = p.number("v0");
  if (v0 == 0) return Error{"v0: 0, expected another value: a particle at rest has no trajectory to compare"};
  const double T = p.number("T") * 2 * a / std::abs(v0);
  const auto time = [&](double w) { return power(k - 2, w) + power(k, w); };
  double low = 0, high = 1;  // of w, which falls from 1
  if (k <= 1 || time(0) > T) {
    low = 1e-300;
    for (int i = 0; i < 1100 && high - low > 1e-16 * high; ++i) {
      const double middle = low < 1e-3 * high ? std::sqrt(low * high) : (low + high) / 2;
      (time(middle) > T ? low : high) = middle;
    }
  }
  const double scale = v0 * v0 / (2 * a);
  const double x = std::copysign(scale, v0) * (power(2 * k - 2, low) + power(2 * k, low));
  const double y = scale / 2 * (power(2 * k - 3, low) - power(2 * k + 1, low));
  return std::hypot(double(m->end.q(0)) - x, double(m->end.q(1)) - y);
}

}  // namespace

Example slope_particle() {
  return {"slope-particle",
          "A particle launched across a slope turns downhill; it stops where friction exceeds the pull",
          "M88 16.1",
          {number("theta", 30, "deg", "slope", 0.01, 89),
           number("k", 2, "", "coefficient of friction over tan(theta)", 0, 1e3),
           number("v0", 1, "m/s", "velocity of the launch, across the slope"),
           number("h", 1e-4, "s", "time step", 1e-7, 10), number("T", 1, "s", "longest duration", above_zero, 1e4)},
          {{"stop_time", "s", "instant of the stop (null: none before T)"},
           {"x", "m", "across the slope, at the end"},
           {"y", "m", "down the slope, at the end"},
           {"speed", "m/s", "at the end"}},
          simulate_and_show,
          error};
}

}  // namespace cairn::examples
