// A slider on a horizontal floor that rubs more in one direction than in the other: D1 is an ellipse (M88 12.2-12.4).
//
// The force of sliding is -N E^2 u/|E u|, E = diag(mu1, mu2), not along -u: the path bends towards the axis of least
// friction. With ds = g dt/|E u|, u_i = u_i(0) exp(-mu_i^2 s): the exact answer, up to quadratures.
#include "cairn/law/anisotropic.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct Slider {  // (x, y, z), unit mass
  using Law = EllipseFriction;
  static constexpr int freedoms = 3;
  EllipseFriction friction;

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return {0, 0, -gravity}; }
  Real gap(int, Real, const Vector<3>& q) const { return q(2); }
  Kinematics<3, 3> kinematics(int, Real, const Vector<3>&) const {
    return {(Matrix<3, 3>() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(), Vector<3>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return friction; }
};

struct Motion {
  std::vector<double> t, x, y, ux, uy;
  double stop_time = 0;
  State<Slider> end;
};

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), mu1 = p.number("mu1"), mu2 = p.number("mu2");
  const auto friction = EllipseFriction::make({0, 0}, Mat<2>{{mu1, 0, 0, mu2}});
  if (!friction) return Error{friction.error()};
  const double T = std::hypot(p.number("ux"), p.number("uy")) / (gravity * std::min(mu1, mu2)) + 2 * h;
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  const Slider slider{*friction};
  Moreau<Slider> scheme(slider);
  Motion m;
  m.end = {0, Vector<3>::Zero(), {p.number("ux"), p.number("uy"), 0}, {}};
  const auto record = [&](const State<Slider>& s) {
    m.t.push_back(s.t), m.x.push_back(s.q(0)), m.y.push_back(s.q(1)), m.ux.push_back(s.u(0)), m.uy.push_back(s.u(1));
  };
  record(m.end);
  if (m.end.u.norm() == 0) return m;
  const long every = stride(h, T);
  long k = 0;
  const MotionReport report = run(scheme, m.end, h, T, [&](const State<Slider>& s, const StepReport& step) {
    if (step.active > 0 && scheme.contacts().status(0) == Status::stick) {
      // The impulse that stops it, against the greatest one in its direction: the part of the step that it took.
      const auto S = scheme.contacts().impulse(0);
      m.stop_time = s.t - h + h * std::min(1.0, std::hypot(S(1) / mu1, S(2) / mu2) / S(0));
      record(s);
      return false;
    }
    if (++k % every == 0) record(s);
    return true;
  });
  if (report.fault != Fault::none) return failure(report, m.end.t);
  return m;
}

plot::Figure picture(const Motion& m, double mu1, double mu2) {
  plot::Axes path{"Path", "x [m]", "y [m]"};
  path.equal_aspect = true;
  path.curves.push_back({"", m.x, m.y});
  path.curves.push_back({"", {m.x.back()}, {m.y.back()}, plot::Curve::points});
  plot::Axes hodograph{"Hodograph, and the ellipse of friction", "u_x [m/s]", "u_y [m/s]"};
  hodograph.equal_aspect = true;
  hodograph.curves.push_back({"velocity", m.ux, m.uy});
  std::vector<double> ex, ey;
  const double size = 0.4 * std::hypot(m.ux.front(), m.uy.front()) / std::max(mu1, mu2);
  for (int k = 0; k <= 120; ++k) {
    ex.push_back(size * mu1 * std::cos(k * std::numbers::pi / 60));
    ey.push_back(size * mu2 * std::sin(k * std::numbers::pi / 60));
  }
  hodograph.curves.push_back({"D1, not to scale", ex, ey, plot::Curve::line, "", 1, true});
  return {"", {path, hodograph}, 2, 900, 420};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  Output out;
  out.set("stop_time", m->stop_time);
  out.set("x", m->end.q(0));
  out.set("y", m->end.q(1));
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"y", m->y}, {"ux", m->ux}, {"uy", m->uy}});
  out.figure("path", picture(*m, p.number("mu1"), p.number("mu2")));
  return out;
}

struct Stop {
  double t = 0, x = 0, y = 0;
};

// With z = exp(-m s), m = min(mu1, mu2)^2, the quadratures are smooth on [0, 1]; Simpson's rule.
Stop exact(double mu1, double mu2, double ux, double uy) {
  const double m = std::min(mu1 * mu1, mu2 * mu2), a = mu1 * mu1 / m, b = mu2 * mu2 / m;
  const int n = 20000;
  Stop stop;
  for (int k = 0; k <= n; ++k) {
    const double r = double(k) / n, z = r * r;  // dz/z = 2 dr/r
    const double weight = (k == 0 || k == n ? 1 : k % 2 ? 4 : 2) / (3.0 * n);
    if (k == 0) continue;  // every integrand vanishes there
    const double x = ux * std::pow(z, a), y = uy * std::pow(z, b), dt = std::hypot(mu1 * x, mu2 * y) * 2 / r;
    const double w = weight / (m * gravity);
    stop.t += w * dt, stop.x += w * dt * x, stop.y += w * dt * y;
  }
  return stop;
}

// Of the place where it stops.
Expected<double> error(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  const Stop stop = exact(p.number("mu1"), p.number("mu2"), p.number("ux"), p.number("uy"));
  return std::max(std::hypot(double(m->end.q(0)) - stop.x, double(m->end.q(1)) - stop.y),
                  std::abs(m->stop_time - stop.t));
}

}  // namespace

Example anisotropic_slider() {
  return {"anisotropic-slider",
          "A slider whose friction is an ellipse bends towards the axis of least friction",
          "M88 12.2",
          {number("mu1", 0.3, "", "friction along x", above_zero, 1e3),
           number("mu2", 0.3 * std::numbers::sqrt2, "", "friction along y", above_zero, 1e3),
           number("ux", 1, "m/s", "velocity at the start, along x"),
           number("uy", 1, "m/s", "velocity at the start, along y"), number("h", 1e-4, "s", "time step", 1e-7, 10)},
          {{"stop_time", "s", "instant of the stop"}, {"x", "m", "where it stops"}, {"y", "m", "where it stops"}},
          simulate_and_show,
          error};
}

}  // namespace cairn::examples
