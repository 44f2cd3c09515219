// A particle between two straight obstacles (BC18 fig. 1): at the corner Moreau's law answers for both at once, and the
// motion may depend on the start in a discontinuous way.
#include <fmt/format.h>

#include <numbers>

#include "cairn/law/signorini.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

constexpr double degree = std::numbers::pi / 180;

// Unit mass in the plane, { q : n_a . q >= 0 }: a wedge with its corner at the origin and its bisector along +y.
struct Wedge {
  using Law = Signorini;
  static constexpr int freedoms = 2;
  Real half = 0, e = 1;  // [rad] half of the interior angle

  int contacts() const { return 2; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return Vector<2>::Zero(); }
  Vector<2> normal(int a) const { return {a == 0 ? -std::cos(half) : std::cos(half), std::sin(half)}; }  // right, left
  Real gap(int a, Real, const Vector<2>& q) const { return normal(a).dot(q); }
  Kinematics<1, 2> kinematics(int a, Real, const Vector<2>&) const { return {normal(a).transpose(), Vector<1>(0)}; }
  Law law(int, Real, const Vector<2>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

struct Flight {
  std::vector<double> t, x, y;
  Vector<2> v{0, -1};
  int impacts = 0;
  bool ended = false;
  MotionReport report;
};

// Downward at unit speed from `path` above the obstacle, until the velocity points away from both obstacles, since no
// force acts.
Flight fly(const Wedge& wedge, Real offset, Real path, Real h) {
  Flight out;
  State<Wedge> s{0, Vector<2>(offset, path + std::abs(offset) / std::tan(wedge.half)), out.v, {}};
  const auto record = [&] { out.t.push_back(s.t), out.x.push_back(s.q(0)), out.y.push_back(s.q(1)); };
  record();
  Moreau<Wedge> scheme(wedge);
  Vector<2> before = s.u;
  const Real T = 100 * (path + std::abs(offset));
  out.report = cairn::run(scheme, s, h, T, [&](const State<Wedge>& now, const StepReport&) {
    if ((now.u - before).norm() > Real(1e-12)) ++out.impacts;
    before = now.u;
    record();
    out.ended = wedge.normal(0).dot(now.u) >= -Real(1e-13) && wedge.normal(1).dot(now.u) >= -Real(1e-13);
    return !out.ended;
  });
  out.v = s.u;
  if (out.ended) s.q += path * s.u, s.t += path, record();  // as long again, for the picture
  return out;
}

// Cosine of the angle between the gradients of the constraints in the kinetic metric (BC18 Proposition 1).
Real kinetic_cosine(const Wedge& wedge) {
  ContactProblem<Wedge> problem(wedge);
  problem.begin(0, Vector<2>::Zero());
  problem.add(0), problem.add(1);
  const auto product = [&](int a, int b) { return (problem.contact(a).G * problem.contact(b).Y)(0, 0); };
  return product(0, 1) / std::sqrt(product(0, 0) * product(1, 1));
}

plot::Figure picture(const Wedge& wedge, const std::vector<std::pair<std::string, Flight>>& flights, Real offset) {
  plot::Axes axes{fmt::format("Interior angle {:.6g} deg, e = {:.4g}", 2 * wedge.half / degree, wedge.e), "x", "y"};
  axes.equal_aspect = true;
  const double far = 1.1 * std::min(1.0, 10 * std::abs(offset)) + 2 * std::abs(offset);
  const double x = far * std::sin(wedge.half), y = far * std::cos(wedge.half);
  plot::Shape walls = plot::polyline({-x, 0, x}, {y, 0, y});
  walls.closed = false, walls.width = 2.5;
  axes.shapes.push_back(walls);
  for (const auto& [name, flight] : flights) axes.curves.push_back({name, flight.x, flight.y});
  return {"", {axes}, 1, 640, 440};
}

Expected<Output> run(const Parameters& p) {
  const Wedge wedge{p.number("angle") / 2 * degree, p.number("e")};
  const Real offset = p.number("offset"), aside = offset != 0 ? std::abs(offset) : Real(0.1);
  // Near the bisector the start is low: flights are exact, so nothing is lost, and steps can be short against the
  // offset, without which both obstacles would be met in one step.
  const Real path = std::min(Real(1), 10 * aside), h = std::min(p.number("h"), Real(1e-3) * path);
  const Flight asked = fly(wedge, offset, path, h);
  const Flight right = fly(wedge, aside, path, h), left = fly(wedge, -aside, path, h), corner = fly(wedge, 0, path, h);
  for (const Flight* flight : {&asked, &right, &left, &corner}) {
    if (flight->report.fault != Fault::none) return Error{fmt::format("h = {}: {}", h, describe(flight->report.fault))};
    if (!flight->ended) return Error{fmt::format("h = {}: the impacts do not end, expected another angle or e", h)};
  }
  // Nothing here has a length but the offset: what is true for one offset is true as it goes to zero.
  const Real jump = std::max((right.v - corner.v).norm(), (left.v - corner.v).norm());
  Output out;
  out.set("vx", asked.v(0));
  out.set("vy", asked.v(1));
  out.set("impacts", asked.impacts);
  out.set("continuous", jump < Real(1e-9));
  out.set("cosine", kinetic_cosine(wedge));
  out.set("right", std::vector<double>{right.v(0), right.v(1)});
  out.set("left", std::vector<double>{left.v(0), left.v(1)});
  out.set("corner", std::vector<double>{corner.v(0), corner.v(1)});
  if (h < p.number("h")) out.remark(fmt::format("Steps of {:.3g} s, shorter than h, tell the obstacles apart.", h));
  for (const auto& [name, flight] :
       {std::pair{"right", &right}, std::pair{"left", &left}, std::pair{"corner", &corner}})
    out.table(name, {{"t", flight->t}, {"x", flight->x}, {"y", flight->y}});
  out.figure("wedge", picture(wedge, {{"right of the corner", right}, {"left of it", left}, {"at it", corner}}, aside));
  return out;
}

}  // namespace

Example wedge() {
  return {
      "wedge",
      "A particle falls into a corner: continuous dependence on the start, or not",
      "BC18 fig. 1, Proposition 1",
      {number("angle", 135, "deg", "interior angle of the wedge", 1, 179),
       number("offset", 0.1, "m", "of the start to the right of the bisector; 0: straight into the corner", -10, 10),
       number("e", 1, "", "coefficient of restitution", 0, 1),
       number("h", 1e-3, "s", "time step, cut to 1 ms and to offset/100; the first speed is 1 m/s", above_zero, 1)},
      {{"vx", "m/s", "velocity in the end, across the bisector"},
       {"vy", "m/s", "and along it"},
       {"impacts", "", "number of jumps of the velocity"},
       {"continuous", "", "whether starts on both sides, however near, end as the start at the corner does"},
       {"cosine", "",
        "of the angle between the constraints in the kinetic metric: 0 is right, where continuity holds "
        "for every e; not positive is acute, where it holds for e = 0"},
       {"right", "m/s", "final velocity from the right of the corner"},
       {"left", "m/s", "from its left"},
       {"corner", "m/s", "from straight above"}},
      run};
}

}  // namespace cairn::examples
