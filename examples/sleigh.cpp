// A sleigh on a knife edge (Chaplygin): the blade glides along itself and never sideways, a nonholonomic constraint
// that M88 12 reads as friction with an unbounded set. Across a slope, with its weight on the blade, it goes along a
// cycloid.
#include "cairn/law/signorini.hpp"
#include "cairn/scheme/generalised.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/nonholonomic.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

// q = (x, y, z, theta): centre of mass on the slope (y upward along it), height over it, heading. The blade is at the
// distance a behind the centre of mass.
struct Sleigh {
  using Law = Signorini;
  static constexpr int freedoms = 4;
  Real m = 1, I = 0.1, a = 0, slope = 0, mu = -1;  // [kg] [kg m2] [m] [rad] [-] negative: unbounded

  int contacts() const { return 1; }
  Matrix<4, 4> inertia(Real, const Vector<4>&) const { return Vector<4>(m, m, m, I).asDiagonal(); }
  Vector<4> force(Real, const Vector<4>&, const Vector<4>&) const {
    return m * gravity * Vector<4>(0, -std::sin(slope), -std::cos(slope), 0);
  }
  Real gap(int, Real, const Vector<4>& q) const { return q(2); }
  Kinematics<1, 4> kinematics(int, Real, const Vector<4>&) const { return {{0, 0, 1, 0}, Vector<1>::Zero()}; }
  Law law(int, Real, const Vector<4>&) const { return {}; }
  TangentialSet<4> friction(int, Real, const Vector<4>& q) const {  // V: sideways velocity of the blade
    return {Matrix<1, 4>(-std::sin(q(3)), std::cos(q(3)), 0, -a), mu < 0 ? whole_space(1) : interval(-mu, mu), {}};
  }

  Vector<2> blade(const Vector<4>& q) const { return q.head(2) - a * Vector<2>(std::cos(q(3)), std::sin(q(3))); }
  Real side(const Vector<4>& q, const Vector<4>& u) const { return friction(0, 0, q).rows.row(0).dot(u); }
};

State<Sleigh> launched(const Sleigh& body, Real theta, Real v, Real w) {
  const Real c = std::cos(theta), s = std::sin(theta), a = body.a;
  return {0, {a * c, a * s, 0, theta}, {v * c - a * w * s, v * s + a * w * c, 0, w}, {}};
}

struct Motion {
  std::vector<double> t, x, y, theta, side;
  State<Sleigh> end;
  MotionReport report;
};

Sleigh sleigh(const Parameters& p) {
  return {p.number("m"), p.number("inertia"), p.number("a"), p.number("slope") * degree,
          p.word("friction") == "unbounded" ? -1 : p.number("mu")};
}

Expected<Motion> simulate(const Sleigh& body, const Parameters& p) {
  const double h = p.number("h"), T = p.number("T");
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  Motion m;
  m.end = launched(body, p.number("theta") * degree, p.number("v"), p.number("omega"));
  const auto record = [&](const State<Sleigh>& s) {
    const Vector<2> P = body.blade(s.q);
    m.t.push_back(s.t), m.x.push_back(P(0)), m.y.push_back(P(1)), m.theta.push_back(s.q(3));
    m.side.push_back(body.side(s.q, s.u));
  };
  record(m.end);
  Generalised<Sleigh> scheme(body);
  const long every = stride(h, T);
  long k = 0;
  m.report = run(scheme, m.end, h, T, [&](const State<Sleigh>& s, const StepReport&) {
    if (++k % every == 0) record(s);
    return true;
  });
  if (m.report.fault != Fault::none) return failure(m.report, m.end.t);
  return m;
}

OneWay exact(const Sleigh& b) { return {gravity * std::sin(b.slope), b.a, b.m * b.a / (b.I + b.m * b.a * b.a), 1}; }

OneWay::State start(const Parameters& p) {
  return {0, 0, p.number("theta") * degree, p.number("v"), p.number("omega")};
}

// Distance of the blade from where the exact motion has it at T.
Expected<double> error(const Parameters& p) {
  const Sleigh body = sleigh(p);
  if (body.mu >= 0) return Error{"friction: coulomb, expected unbounded: the other has no exact answer here"};
  const auto m = simulate(body, p);
  if (!m) return Error{m.error()};
  const OneWay::State there = exact(body).after(start(p), p.number("T"));
  const Vector<2> P = body.blade(m->end.q);
  return std::hypot(P(0) - there.x, P(1) - there.y);
}

Expected<Output> run_and_show(const Parameters& p) {
  const Sleigh body = sleigh(p);
  const auto m = simulate(body, p);
  if (!m) return Error{m.error()};
  const double T = p.number("T");
  const OneWay::State there = exact(body).after(start(p), T);
  const Vector<2> P = body.blade(m->end.q);
  Output out;
  out.set("x", P(0));
  out.set("y", P(1));
  out.set("exact_x", there.x);
  out.set("exact_y", there.y);
  out.set("side_max", *std::max_element(m->side.begin(), m->side.end(),
                                        [](double a, double b) { return std::abs(a) < std::abs(b); }));
  out.set("law_gain_max", m->report.law_gain_max);
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"y", m->y}, {"theta", m->theta}, {"side", m->side}});
  plot::Axes path{"Path of the blade", "x [m]", "y [m]"};
  path.equal_aspect = true;
  std::vector<double> x, y;
  exact(body).path(start(p), T, 400, x, y);
  path.curves.push_back({"exact, no slip sideways", x, y, plot::Curve::line, "#bbbbbb", 5});
  path.curves.push_back({"computed", m->x, m->y, plot::Curve::line, "#0072b2"});
  if (body.mu < 0) {
    Sleigh skids = body;
    skids.mu = p.number("mu");
    if (const auto other = simulate(skids, p); other)
      path.curves.push_back({fmt::format("bounded friction, mu = {:g}", p.number("mu")), other->x, other->y,
                             plot::Curve::line, "#d55e00", 1.5, true});
  }
  out.figure("path", {"", {path}, 1, 860, 420});
  return out;
}

}  // namespace

Example sleigh() {
  return {
      "sleigh",
      "A sleigh on a knife edge: a nonholonomic constraint as friction with an unbounded set",
      "M88 12, BC18 5.2.2",
      {number("slope", 20, "deg", "slope of the plane", 0, 89),
       number("theta", -90, "deg", "first heading; 0 is across the slope, -90 down it"),
       number("v", 0, "m/s", "first velocity along the blade"), number("omega", 2, "rad/s", "first rate of turning"),
       number("a", 0, "m", "distance of the centre of mass ahead of the blade"),
       number("m", 1, "kg", "mass", above_zero),
       number("inertia", 0.1, "kg m2", "about the centre of mass", above_zero),
       word("friction", "unbounded", {"unbounded", "coulomb"}, "set of the forces across the blade"),
       number("mu", 0.6, "", "coefficient of the bounded set, which the figure compares", 0),
       number("h", 1e-3, "s", "time step", 1e-7, 10), number("T", 6, "s", "end", above_zero, 1e4)},
      {{"x", "m", "of the blade at T, across the slope"},
       {"y", "m", "of the blade at T, up the slope"},
       {"exact_x", "m", "the same for a blade that never slips sideways"},
       {"exact_y", "m", "the same for a blade that never slips sideways"},
       {"side_max", "m/s", "greatest sideways velocity of the blade, at the ends of steps"},
       {"law_gain_max", "J", "energy that the law of friction gave in a step: none, by BC18 (8)"}},
      run_and_show,
      error};
}

}  // namespace cairn::examples
