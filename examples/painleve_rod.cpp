// Painleve's rod (BC18 5.1): a uniform rod whose lower end slides on a fixed boundary. Beyond a coefficient of friction
// the sliding motion has no acceleration, or two; the time stepping goes on with a jump of velocity (Lecornu; M88 14).
#include <fmt/format.h>

#include <numbers>

#include "cairn/base/check.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/catastrophe.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

constexpr double degree = std::numbers::pi / 180;

// The rod is a round-tipped body with a tip of no radius; psi = 90 deg - theta.
struct Rod {
  RoundTip body;
  Real psi, psi_dot, v;
  State<RoundTip> state() const {
    const Real c = body.d * std::cos(psi), s = body.d * std::sin(psi);
    return {0, {-s, c, psi}, {v - c * psi_dot, -s * psi_dot, psi_dot}, {Status::slide}};
  }
};

Rod rod(const Parameters& p) {
  const Real d = p.number("length") / 2;
  return {{p.number("m"), d * d / 3, 0, d, p.number("mu"), p.number("g")},
          (90 - p.number("theta_deg")) * degree,
          -p.number("omega"),
          p.number("v")};
}

// Sliding with the contact kept, at the first instant: gap'' = b + Y R/m, with R >= 0 the normal force.
struct Judgement {
  Real yield, free;  // Y and b
  const char* kind() const {
    if (yield > 0) return "consistent";  // R = -m b/Y where b < 0, lift-off where b >= 0
    return free >= 0 ? "indeterminate"   // lift-off, or sliding with R = -m b/Y
                     : "inconsistent";   // neither
  }
};

Judgement judge(const Rod& r) {
  ContactProblem<RoundTip> problem(r.body);
  const State<RoundTip> s = r.state();
  CAIRN_CHECK(problem.begin(0, s.q), "a rod has inertia");
  problem.add(0);
  const Matrix<2, 2> H = problem.contact(0).G * problem.contact(0).Y;
  const Velocity<RoundTip> a = problem.accelerate(r.body.force(0, s.q, s.u));
  const Real turning = r.body.d * std::cos(r.psi) * r.psi_dot * r.psi_dot;  // gap'' of a free motion beside G a
  return {r.body.m * (H(0, 0) - (r.v < 0 ? -1 : 1) * r.body.mu * H(0, 1)), (problem.contact(0).G * a)(0) + turning};
}

struct Motion {
  std::vector<double> t, x, y, theta, slip, gap;
  std::string outcome = "slide";
  Real when = std::nan(""), jump = 0;
  bool rests = false;
  MotionReport report;
};

Motion move(const Rod& r, Real h, Real T) {
  const RoundTip& body = r.body;
  Motion out;
  State<RoundTip> s = r.state();
  const auto record = [&] {
    out.t.push_back(s.t), out.theta.push_back(std::numbers::pi / 2 - s.q(2)), out.gap.push_back(body.gap(0, s.t, s.q));
    out.x.push_back(s.q(0) + body.d * std::sin(s.q(2))), out.y.push_back(s.q(1) - body.d * std::cos(s.q(2)));
    out.slip.push_back(body.slip(s.q, s.u));
  };
  record();
  Moreau<RoundTip> scheme(body);
  out.report = cairn::run(scheme, s, h, T, [&](const State<RoundTip>& now, const StepReport& step) {
    record();
    if (out.outcome != "slide") return true;  // the first event gives the name
    const Real before = out.slip[out.slip.size() - 2], drop = std::abs(before) - std::abs(out.slip.back());
    if (step.closed > 0) {
      const Matrix<2, 2> H = scheme.contacts().contact(0).G * scheme.contacts().contact(0).Y;
      const Real yield = H(0, 0) - (before < 0 ? -1 : 1) * body.mu * H(0, 1);
      const bool sticks = now.status[0] == Status::stick;
      if (yield < Real(0.05) * H(0, 0) && drop > (yield > 0 ? Real(0.1) * std::abs(r.v) : 0))
        out.outcome = "jam", out.when = now.t - h / 2, out.jump = out.slip.back() - before;
      else if (sticks && !out.rests)
        out.rests = true, out.when = now.t;
    } else if (out.gap.back() > Real(1e-4) * body.d) {
      out.outcome = "lift off", out.when = now.t;
    }
    return true;
  });
  return out;
}

plot::Axes rods(const Rod& r, const Motion& m) {
  plot::Axes axes{"Motion", "x [m]", "y [m]"};
  axes.equal_aspect = true;
  const std::size_t count = 9;
  double left = infinite, right = -infinite;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = i * (m.t.size() - 1) / (count - 1);
    const double x = m.x[k] - 2 * r.body.d * std::cos(m.theta[k]), y = m.y[k] + 2 * r.body.d * std::sin(m.theta[k]);
    const bool late = m.outcome != "slide" && m.t[k] > m.when;
    plot::Shape shape = plot::polyline({m.x[k], x}, {m.y[k], y}, late ? "#d55e00" : "#0072b2");
    shape.closed = false, shape.width = 2;
    axes.shapes.push_back(shape);
    left = std::min({left, x, m.x[k]}), right = std::max({right, x, m.x[k]});
  }
  axes.shapes.push_back(plot::polyline({left - 0.1 * r.body.d, right + 0.1 * r.body.d}, {0, 0}));
  axes.shapes.back().closed = false, axes.shapes.back().width = 2;
  return axes;
}

// Where the yield of the rod at the angle theta is zero: Y is affine in mu.
plot::Axes map(const Rod& r) {
  plot::Axes axes{"Paradox above the curve", "theta [deg]", "mu"};
  plot::Curve curve{"", {}, {}};
  for (int k = 0; k <= 160; ++k) {
    RoundTip body = r.body;
    const Real psi = (85 - k * 0.5) * degree;
    body.mu = 0;
    const Real at0 = body.yield(psi, 1);
    body.mu = 1;
    curve.x.push_back(90 - psi / degree), curve.y.push_back(at0 / (at0 - body.yield(psi, 1)));
  }
  axes.curves.push_back(curve);
  const double theta = 90 - r.psi / degree;
  axes.curves.push_back({"", {r.v < 0 ? 180 - theta : theta}, {r.body.mu}, plot::Curve::points, "#d55e00"});
  axes.x_range = plot::Range{0, 90};
  axes.y_range = plot::Range{0, std::max(4.0, 1.2 * r.body.mu)};
  return axes;
}

plot::Figure picture(const Rod& r, const Motion& m) {
  plot::Axes slip{"Velocity of the lower end", "time [s]", "horizontal velocity [m/s]"};
  slip.curves.push_back({"", m.t, m.slip});
  plot::Axes gap{"Height of the lower end", "time [s]", "gap [m]"};
  gap.curves.push_back({"", m.t, m.gap});
  const double small = 0.01 * r.body.d;  // violations of rounding size are not worth a picture
  if (*std::max_element(m.gap.begin(), m.gap.end()) < small) gap.y_range = plot::Range{-small, small};
  return {"", {rods(r, m), map(r), slip, gap}, 2, 960, 720};
}

Expected<Output> run(const Parameters& p) {
  const Rod r = rod(p);
  const Judgement first = judge(r);
  const Motion m = move(r, p.number("h"), p.number("T"));
  if (m.report.fault != Fault::none) return Error{fmt::format("h = {}: {}", p.number("h"), describe(m.report.fault))};
  Output out;
  out.set("paradox", !(first.yield > 0));
  out.set("kind", first.kind());
  out.set("outcome", m.outcome);
  out.set("event_time", m.when);
  out.set("jump", m.jump);
  out.set("yield", first.yield);
  out.set("free_acceleration", first.free);
  out.set("energy_gain_max", m.report.energy_gain_max);
  if (m.outcome == "slide" && m.rests) out.remark(fmt::format("The sliding came to rest at t = {:.6g} s.", m.when));
  if (r.v == 0) out.remark("v = 0: judged for a sliding that is about to start with v > 0.");
  out.table("motion", {{"t", m.t}, {"x", m.x}, {"y", m.y}, {"theta", m.theta}, {"slip", m.slip}, {"gap", m.gap}});
  out.figure("rod", picture(r, m));
  return out;
}

}  // namespace

Example painleve_rod() {
  return {"painleve-rod",
          "A sliding rod without acceleration, or with two, and what the time stepping makes of it",
          "BC18 5.1, M88 14",
          {number("mu", 1.6, "", "coefficient of friction", 0, 1e6),
           number("theta_deg", 60, "deg",
                  "angle of the rod with the boundary; below 90 its centre lies on the left of the "
                  "contact, behind it when v > 0",
                  0, 180),
           number("omega", 0, "rad/s", "first rate of theta"),
           number("v", 1, "m/s", "first sliding velocity of the lower end, to the right"),
           number("length", 1, "m", "length of the rod", above_zero), number("m", 1, "kg", "mass", above_zero),
           number("g", 9.81, "m/s2", "gravity", 0), number("h", 1e-4, "s", "time step", above_zero),
           number("T", 0.1, "s", "end of the motion", above_zero)},
          {{"paradox", "",
            "whether a unit of normal force does not open the sliding contact: mu > (tan^2 theta + 4) / "
            "(3 tan theta) when v > 0"},
           {"kind", "", "of the first instant: consistent, indeterminate (two accelerations) or inconsistent (none)"},
           {"outcome", "", "what the motion does first: slide, lift off, or jam with a jump of velocity"},
           {"event_time", "s", "when it lifts off, jams or comes to rest (null: never)"},
           {"jump", "m/s", "of the sliding velocity, where it jams"},
           {"yield", "", "m times the normal acceleration of a unit of normal force while it slides"},
           {"free_acceleration", "m/s2", "normal acceleration of the end without contact force"},
           {"energy_gain_max", "J", "greatest energy that the contact gave in a step"}},
          run};
}

}  // namespace cairn::examples
