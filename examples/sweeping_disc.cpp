// A point swept by a disc that moves to the right (M98 2.3): at rest until the rim reaches it, then pushed by it.
#include <cmath>

#include "cairn/scheme/run.hpp"
#include "cairn/scheme/sweeping.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

Vector<2> centre(Real t) { return {t, 0}; }  // of a disc of radius 1

const Vector<2> start(0, 0.6);

// At rest until the rim reaches it at t = .8; on the rim at the angle p, p' = sin p, i.e. tan(p/2) grows like exp(t).
Vector<2> exact(Real t) {
  if (t <= 0.8) return start;
  const Real p0 = std::atan2(0.6, -0.8), p = 2 * std::atan2(std::sin(p0 / 2) * std::exp(t - 0.8), std::cos(p0 / 2));
  return centre(t) + Vector<2>(std::cos(p), std::sin(p));
}

struct Motion {
  std::vector<double> t, x, y;
  double error = 0;
  Vector<2> end;
};

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), T = p.number("T");
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  const auto disc = ball<2>(centre, 1);
  Sweeping scheme(disc);
  SweepState<decltype(ball<2>(centre, 1))> s{0, start};
  Motion m;
  const long every = stride(h, T);
  long k = 0;
  const MotionReport report = cairn::run(scheme, s, h, T, [&](const auto& now, const StepReport&) {
    m.error = std::max(m.error, double((now.q - exact(now.t)).norm()));
    if (k++ % every == 0) m.t.push_back(now.t), m.x.push_back(now.q(0)), m.y.push_back(now.q(1));
    return true;
  });
  if (report.fault != Fault::none) return failure(report, s.t);
  m.end = s.q;
  return m;
}

plot::Figure picture(const Motion& m, double T) {
  plot::Axes view{"A point swept by a disc", "x [m]", "y [m]"};
  view.equal_aspect = true;
  for (const double t : {0.0, 0.8, T}) {
    std::vector<double> x, y;
    for (int i = 0; i < 180; ++i) x.push_back(t + std::cos(2 * degree * i)), y.push_back(std::sin(2 * degree * i));
    view.shapes.push_back(plot::polygon(x, y, "none"));
    view.shapes.back().opacity = t == T ? 1 : 0.5;
  }
  view.curves.push_back({"path of the point", m.x, m.y, plot::Curve::line, "", 2.0});
  return {"", {view}, 1, 760, 360};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  Output out;
  out.set("qx", m->end(0));
  out.set("qy", m->end(1));
  out.set("error_sup", m->error);
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"y", m->y}});
  out.figure("path", picture(*m, p.number("T")));
  return out;
}

Expected<double> error(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  return m->error;
}

}  // namespace

Example sweeping_disc() {
  return {"sweeping-disc",
          "Moreau's sweeping process: a point that rests until a moving disc pushes it",
          "M98 2.3",
          {number("h", 1e-3, "s", "time step", 1e-8, 10), number("T", 3, "s", "duration", above_zero, 1e3)},
          {{"qx", "m", "at the end"},
           {"qy", "m", "at the end"},
           {"error_sup", "m", "largest distance from the exact motion at the steps"}},
          simulate_and_show,
          error};
}

}  // namespace cairn::examples
