// Newton's cradle under Moreau's law (BC18 eq. 4): all the contacts are closed and answer at once, so that the motion
// spreads over the whole row. With gaps between the balls the impacts come one after another instead.
#include <fmt/format.h>

#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/law/signorini.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

// Equal balls of unit mass and diameter on a line.
struct Row {
  using Law = Signorini;
  static constexpr int freedoms = dynamic_size;
  int n = 5;
  Real e = 1;

  int contacts() const { return n - 1; }
  Matrix<dynamic_size, dynamic_size> inertia(Real, const Vector<dynamic_size>&) const {
    return Matrix<dynamic_size, dynamic_size>::Identity(n, n);
  }
  Vector<dynamic_size> force(Real, const Vector<dynamic_size>&, const Vector<dynamic_size>&) const {
    return Vector<dynamic_size>::Zero(n);
  }
  Real gap(int a, Real, const Vector<dynamic_size>& q) const { return q(a + 1) - q(a) - 1; }
  Kinematics<1, dynamic_size> kinematics(int a, Real, const Vector<dynamic_size>&) const {
    Matrix<1, dynamic_size> G = Matrix<1, dynamic_size>::Zero(1, n);
    G(0, a) = -1, G(0, a + 1) = 1;
    return {G, Vector<1>(0)};
  }
  Law law(int, Real, const Vector<dynamic_size>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

Vector<dynamic_size> places(int n, Real gap) {
  Vector<dynamic_size> q(n);
  for (int i = 0; i < n; ++i) q(i) = i * (1 + gap);
  return q;
}

Expected<Vector<dynamic_size>> together(const Row& row, const Vector<dynamic_size>& u) {
  ContactProblem<Row> problem(row);
  if (!problem.begin(0, places(row.n, 0))) return Error{"the inertia matrix is not positive definite"};
  for (int a = 0; a < row.contacts(); ++a) problem.add(a);
  if (!problem.solve(u, u).converged) return Error{"the impact has no solution"};
  return problem.velocity();
}

bool approaching(const Vector<dynamic_size>& u) {
  for (Eigen::Index i = 0; i + 1 < u.size(); ++i)
    if (u(i) > u(i + 1) + Real(1e-13)) return true;
  return false;
}

struct Motion {
  std::vector<double> t;
  std::vector<std::vector<double>> x;  // of each ball
  Vector<dynamic_size> u;
  bool ended = false;
};

Expected<Motion> in_turn(const Row& row, const Vector<dynamic_size>& u, Real gap, Real h) {
  Motion out;
  State<Row> s{0, places(row.n, gap), u, {}};
  out.x.resize(static_cast<std::size_t>(row.n));
  const auto record = [&] {
    out.t.push_back(s.t);
    for (int i = 0; i < row.n; ++i) out.x[static_cast<std::size_t>(i)].push_back(s.q(i));
  };
  record();
  Moreau<Row> scheme(row);
  const MotionReport report =
      cairn::run(scheme, s, h, 1000 * gap * row.n, [&](const State<Row>& now, const StepReport&) {
        record();
        out.ended = !approaching(now.u);
        return !out.ended;
      });
  if (report.fault != Fault::none) return Error{fmt::format("h = {}: {}", h, describe(report.fault))};
  out.u = s.u;
  s.q += gap * row.n * s.u, s.t += gap * row.n, record();  // beyond the last impact, for the picture
  return out;
}

plot::Figure picture(const Vector<dynamic_size>& before, const Vector<dynamic_size>& after, const Motion& motion) {
  plot::Axes balls{"", "", ""};
  balls.equal_aspect = true;
  const auto draw = [&](const Vector<dynamic_size>& u, double y, const char* name) {
    for (Eigen::Index i = 0; i < u.size(); ++i)
      balls.shapes.push_back(plot::circle(static_cast<double>(i), y, 0.5, "#dde8f0"));
    for (Eigen::Index i = 0; i < u.size(); ++i) {
      const double x = static_cast<double>(i);
      if (std::abs(u(i)) > 0.02) balls.shapes.push_back(plot::arrow(x, y, x + u(i), y, "#d55e00"));
      balls.texts.push_back(
          {x, y + 0.55, fmt::format("{:.3g}", std::abs(u(i)) < 1e-12 ? 0 : u(i)), plot::Text::middle, 10});
    }
    balls.texts.push_back({-1.0, y, name, plot::Text::end, 11});
  };
  draw(before, 1.8, "before");
  draw(after, 0, "after");
  balls.x_range = plot::Range{-2.2, static_cast<double>(before.size()) + 0.6};
  plot::Figure figure{"", {balls}, 1, 760, 360};
  if (motion.t.empty()) return figure;
  plot::Axes world{"World lines of the balls", "position", "time [s]"};
  for (const auto& x : motion.x) world.curves.push_back({"", x, motion.t, plot::Curve::line, "#0072b2"});
  figure.axes.push_back(world);
  figure.height = 760;
  return figure;
}

Expected<Output> run(const Parameters& p) {
  const Row row{p.integer("n"), p.number("e")};
  const int k = p.integer("k");
  const Real gap = p.number("gap"), h = p.number("h");
  if (k > row.n) return Error{fmt::format("k: {} balls move, expected at most n = {}", k, row.n)};
  Vector<dynamic_size> before = Vector<dynamic_size>::Zero(row.n);
  before.head(k).setOnes();
  Output out;
  Motion motion;
  Vector<dynamic_size> after;
  if (gap > 0) {
    auto found = in_turn(row, before, gap, h);
    if (!found) return Error{found.error()};
    motion = std::move(*found), after = motion.u;
    if (!motion.ended) out.remark("Impacts still go on: their number may be infinite.");
    if (gap < h) out.remark("The gap is shorter than a step at unit speed: contacts may close together.");
    std::vector<Column> columns{{"t", motion.t}};
    for (int i = 0; i < row.n; ++i)
      columns.push_back({fmt::format("x{}", i + 1), motion.x[static_cast<std::size_t>(i)]});
    out.table("motion", columns);
  } else {
    auto found = together(row, before);
    if (!found) return Error{found.error()};
    after = *found;
  }
  out.set("velocities", std::vector<double>(after.data(), after.data() + after.size()));
  out.set("energy_ratio", k > 0 ? after.squaredNorm() / before.squaredNorm() : 1);
  out.set("momentum_ratio", k > 0 ? after.sum() / before.sum() : 1);
  out.table("balls", {{"before", {before.data(), before.data() + before.size()}},
                      {"after", {after.data(), after.data() + after.size()}}});
  out.figure("cradle", picture(before, after, motion));
  return out;
}

}  // namespace

Example cradle() {
  return {"cradle",
          "Newton's cradle: touching balls share the impact, balls with gaps hand it on",
          "BC18 4.2",
          {integer("n", 5, "number of equal balls", 1, 200),
           integer("k", 1, "how many of them, the first ones, come at 1 m/s", 0, 200),
           number("e", 1, "", "coefficient of restitution", 0, 1),
           number("gap", 0, "diameters", "between neighbours; 0: all touch, one impact of all contacts", 0, 10),
           number("h", 1e-3, "s", "time step, where there are gaps", above_zero, 1)},
          {{"velocities", "m/s", "of the balls in the end"},
           {"energy_ratio", "", "kinetic energy in the end over that at first"},
           {"momentum_ratio", "", "the same for the momentum"}},
          run};
}

}  // namespace cairn::examples
