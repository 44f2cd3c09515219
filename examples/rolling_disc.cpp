// An upright disc that rolls without slip, along and across: two nonholonomic constraints as one unbounded friction set
// (M88 12). On level ground it goes round in a circle; on a slope it drifts across, as the sleigh does.
#include "cairn/law/signorini.hpp"
#include "cairn/scheme/generalised.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/nonholonomic.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

// q = (x, y, z, phi, psi): centre over the slope (y upward along it), turn of rolling, heading.
struct Coin {
  using Law = Signorini;
  static constexpr int freedoms = 5;
  Real m = 1, R = 0.1, slope = 0, mu = -1;  // [kg] [m] [rad] [-] negative: unbounded

  int contacts() const { return 1; }
  Matrix<5, 5> inertia(Real, const Vector<5>&) const {
    const Real mR2 = m * R * R;
    return (Vector<5>() << m, m, m, mR2 / 2, mR2 / 4).finished().asDiagonal();
  }
  Vector<5> force(Real, const Vector<5>&, const Vector<5>&) const {
    return m * gravity * (Vector<5>() << 0, -std::sin(slope), -std::cos(slope), 0, 0).finished();
  }
  Real gap(int, Real, const Vector<5>& q) const { return q(2); }
  Kinematics<1, 5> kinematics(int, Real, const Vector<5>&) const {
    return {(Matrix<1, 5>() << 0, 0, 1, 0, 0).finished(), Vector<1>::Zero()};
  }
  Law law(int, Real, const Vector<5>&) const { return {}; }
  TangentialSet<5> friction(int, Real, const Vector<5>& q) const {  // V: velocity of the lowest point, along and across
    const Real c = std::cos(q(4)), s = std::sin(q(4));
    return {(Matrix<2, 5>() << c, s, 0, -R, 0, -s, c, 0, 0, 0).finished(), mu < 0 ? whole_space(2) : disc(mu), {}};
  }
};

Coin coin(const Parameters& p) {
  return {p.number("m"), p.number("R"), p.number("slope") * degree,
          p.word("friction") == "unbounded" ? -1 : p.number("mu")};
}

struct Motion {
  std::vector<double> t, x, y;
  State<Coin> end;
  Real slip = 0;  // greatest
  MotionReport report;
};

Expected<Motion> simulate(const Coin& body, const Parameters& p) {
  const double h = p.number("h"), T = p.number("T"), v = p.number("v"), psi = p.number("psi") * degree;
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  Motion m;
  m.end.q = (Vector<5>() << 0, 0, 0, 0, psi).finished();
  m.end.u = (Vector<5>() << v * std::cos(psi), v * std::sin(psi), 0, v / body.R, p.number("omega")).finished();
  const auto record = [&](const State<Coin>& s) { m.t.push_back(s.t), m.x.push_back(s.q(0)), m.y.push_back(s.q(1)); };
  record(m.end);
  Generalised<Coin> scheme(body);
  const long every = stride(h, T);
  long k = 0;
  m.report = run(scheme, m.end, h, T, [&](const State<Coin>& s, const StepReport&) {
    if (++k % every == 0) record(s);
    m.slip = std::max(m.slip, (body.friction(0, 0, s.q).rows * s.u).norm());
    return true;
  });
  if (m.report.fault != Fault::none) return failure(m.report, m.end.t);
  return m;
}

OneWay exact(const Coin& b) { return {gravity * std::sin(b.slope), 0, 0, 2.0 / 3}; }
OneWay::State start(const Parameters& p) { return {0, 0, p.number("psi") * degree, p.number("v"), p.number("omega")}; }

Expected<double> error(const Parameters& p) {
  const Coin body = coin(p);
  if (body.mu >= 0) return Error{"friction: coulomb, expected unbounded: the other has no exact answer here"};
  const auto m = simulate(body, p);
  if (!m) return Error{m.error()};
  const OneWay::State there = exact(body).after(start(p), p.number("T"));
  return std::hypot(m->end.q(0) - there.x, m->end.q(1) - there.y);
}

Expected<Output> run_and_show(const Parameters& p) {
  const Coin body = coin(p);
  const auto m = simulate(body, p);
  if (!m) return Error{m.error()};
  const OneWay::State there = exact(body).after(start(p), p.number("T"));
  Output out;
  out.set("x", m->end.q(0));
  out.set("y", m->end.q(1));
  out.set("exact_x", there.x);
  out.set("exact_y", there.y);
  out.set("slip_max", m->slip);
  out.set("law_gain_max", m->report.law_gain_max);
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"y", m->y}});
  plot::Axes path{"Path of the disc", "x [m]", "y [m]"};
  path.equal_aspect = true;
  std::vector<double> x, y;
  exact(body).path(start(p), p.number("T"), 400, x, y);
  path.curves.push_back({"exact, rolling", x, y, plot::Curve::line, "#bbbbbb", 5});
  path.curves.push_back({"computed", m->x, m->y, plot::Curve::line, "#0072b2"});
  path.legend_beside = true;
  out.figure("path", {"", {path}, 1, 760, 420});
  return out;
}

}  // namespace

Example rolling_disc() {
  return {"rolling-disc",
          "An upright disc rolls without slip: a circle on level ground, a drift across a slope",
          "M88 12, BC18 5.2.2",
          {number("slope", 0, "deg", "slope of the plane", 0, 89),
           number("psi", 0, "deg", "first heading; 0 is across the slope, 90 up it"),
           number("v", 1, "m/s", "first velocity of its centre"), number("omega", 2, "rad/s", "rate of the heading"),
           number("R", 0.1, "m", "radius", above_zero), number("m", 1, "kg", "mass", above_zero),
           word("friction", "unbounded", {"unbounded", "coulomb"}, "set of the forces at the lowest point"),
           number("mu", 0.3, "", "coefficient of the bounded set", 0), number("h", 1e-3, "s", "time step", 1e-7, 10),
           number("T", 3, "s", "end", above_zero, 1e4)},
          {{"x", "m", "of the centre at T, across the slope"},
           {"y", "m", "of the centre at T, up the slope"},
           {"exact_x", "m", "the same, rolling without slip"},
           {"exact_y", "m", "the same, rolling without slip"},
           {"slip_max", "m/s", "greatest velocity of the lowest point, at the ends of steps"},
           {"law_gain_max", "J", "energy that the law of friction gave in a step: none, by BC18 (8)"}},
          run_and_show,
          error};
}

}  // namespace cairn::examples
