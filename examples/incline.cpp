// A block on an incline: it slides at the rate g (sin - mu cos), or sticks without the least creep.
#include "cairn/law/coulomb2.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct Block {  // x down the slope, y along its normal; unit mass
  using Law = Coulomb2;
  static constexpr int freedoms = 2;
  Real theta, mu;  // [rad] [-]

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const {
    return gravity * Vector<2>(std::sin(theta), -std::cos(theta));
  }
  Real gap(int, Real, const Vector<2>& q) const { return q(1); }
  Kinematics<2, 2> kinematics(int, Real, const Vector<2>&) const {
    return {(Matrix<2, 2>() << 0, 1, 1, 0).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<2>&) const { return Coulomb2::with(mu); }
};

struct Motion {
  std::vector<double> t{0}, x{0}, v{0};
  double fastest = 0;
  State<Block> end;
};

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), T = p.number("T");
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  const Block block{p.number("theta") * degree, p.number("mu")};
  Moreau<Block> scheme(block);
  Motion m;
  m.end = {0, Vector<2>::Zero(), Vector<2>::Zero(), {}};
  const long every = stride(h, T);
  long k = 0;
  const MotionReport report = run(scheme, m.end, h, T, [&](const State<Block>& s, const StepReport&) {
    m.fastest = std::max(m.fastest, std::abs(s.u(0)));
    if (++k % every == 0) m.t.push_back(s.t), m.x.push_back(s.q(0)), m.v.push_back(s.u(0));
    return true;
  });
  if (report.fault != Fault::none) return failure(report, m.end.t);
  return m;
}

plot::Figure picture(const Motion& m, double theta) {
  plot::Axes view{"Block on the slope, at the start and at the end", "across [m]", "up [m]"};
  view.equal_aspect = true;
  const double side = std::max(0.1, std::abs(m.end.q(0)) / 6), c = std::cos(theta), s = std::sin(theta);
  const auto at = [&](double x, double y) { return std::pair(c * x + s * y, -s * x + c * y); };
  const double low = std::min(0.0, double(m.end.q(0))) - 2 * side, high = std::max(0.0, double(m.end.q(0))) + 2 * side;
  view.shapes.push_back(plot::polyline({at(low, 0).first, at(high, 0).first}, {at(low, 0).second, at(high, 0).second}));
  for (const double x : {0.0, double(m.end.q(0))}) {
    std::vector<double> xs, ys;
    for (const auto& [i, j] : {std::pair(-.5, 0.), {.5, 0.}, {.5, 1.}, {-.5, 1.}}) {
      const auto [X, Y] = at(x + i * side, j * side);
      xs.push_back(X), ys.push_back(Y);
    }
    view.shapes.push_back(plot::polygon(xs, ys, x == 0 ? "none" : plot::palette(0)));
    view.shapes.back().opacity = 0.4;
  }
  plot::Axes speed{"Speed down the slope", "time [s]", "speed [m/s]"};
  speed.curves.push_back({"", m.t, m.v});
  return {"", {view, speed}, 2, 900, 380};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  const double T = p.number("T");
  Output out;
  out.set("acceleration", m->end.u(0) / T);
  out.set("slip", m->fastest);
  out.set("drift", m->end.q(0));
  out.set("speed", m->end.u(0));
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"v", m->v}});
  out.figure("motion", picture(*m, p.number("theta") * degree));
  return out;
}

Expected<double> error(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  const double theta = p.number("theta") * degree, mu = p.number("mu"), T = p.number("T");
  const double pull = std::abs(std::sin(theta)), hold = mu * std::cos(theta);
  const double exact = std::copysign(gravity * std::max(0.0, pull - hold), theta);
  return std::abs(double(m->end.u(0)) / T - exact);
}

}  // namespace

Example incline() {
  return {"incline",
          "A block at rest on an incline slides at the rate of Coulomb, or sticks exactly",
          "M88 12, JM92 4",
          {number("theta", 30, "deg", "slope; negative: down to the left", -89, 89),
           number("mu", 0.5, "", "coefficient of friction", 0, 1e6), number("h", 1e-3, "s", "time step", 1e-7, 10),
           number("T", 1, "s", "duration", above_zero, 1e4)},
          {{"acceleration", "m/s^2", "down the slope, from the speed reached"},
           {"slip", "m/s", "greatest speed along the slope; exactly 0 where it sticks"},
           {"drift", "m", "displacement along the slope; exactly 0 where it sticks"},
           {"speed", "m/s", "at the end"}},
          simulate_and_show,
          error};
}

}  // namespace cairn::examples
