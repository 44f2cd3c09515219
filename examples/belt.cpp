// A mass held by a spring on a moving belt, static above dynamic friction: stick and slip for ever (M88 17).
#include "cairn/law/static_dynamic.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct Mass {  // x along the belt, y up
  using Law = StaticDynamic2;
  static constexpr int freedoms = 2;
  Real m, K, mu_s, mu_d, V;  // [kg] [N/m] [-] [-] [m/s]

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return m * Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>& q, const Vector<2>&) const { return {-K * q(0), -m * gravity}; }
  Real gap(int, Real, const Vector<2>& q) const { return q(1); }
  Kinematics<2, 2> kinematics(int, Real, const Vector<2>&) const {
    return {(Matrix<2, 2>() << 0, 1, 1, 0).finished(), {0, -V}};
  }
  Law law(int, Real, const Vector<2>&) const { return {Coulomb2::with(mu_s), Coulomb2::with(mu_d)}; }
};

struct Motion {
  std::vector<double> t, x, v;
  std::vector<double> slips, sticks;        // instants at which each begins
  std::vector<double> low = {}, high = {};  // of x between one beginning of slip and the next
};

// Instants within a step. A slip begins where the friction, which grows with the spring, would pass its static bound;
// it ends where the relative velocity, followed from the two last steps, is zero.
class Watcher {
 public:
  Watcher(const Mass& mass, const Moreau<Mass>& scheme, Motion& motion) : mass_(mass), scheme_(scheme), m_(motion) {}

  void see(const State<Mass>& s, double h) {
    const bool slides = scheme_.contacts().size() > 0 && scheme_.contacts().status(0) == Status::slide;
    const double slip = std::abs(s.u(0) - mass_.V), t_I = s.t - h;
    if (slides && !slid_) begin_slip(t_I, h);
    if (!slides && slid_) m_.sticks.push_back(zero_after(t_I, h, before_, now_));
    if (!m_.low.empty()) {
      m_.low.back() = std::min(m_.low.back(), double(s.q(0)));
      m_.high.back() = std::max(m_.high.back(), double(s.q(0)));
    }
    slid_ = slides, before_ = slides ? now_ : 0, now_ = slip, x_ = s.q(0);
  }

 private:
  void begin_slip(double t_I, double h) {
    const double bound = mass_.mu_s * mass_.m * gravity / mass_.K;  // stretch that static friction bears
    const double left = (bound - std::abs(x_)) / std::abs(mass_.V);
    m_.slips.push_back(t_I + std::clamp(left, -h, h));
    m_.low.push_back(infinite), m_.high.push_back(-infinite);
  }

  const Mass& mass_;
  const Moreau<Mass>& scheme_;
  Motion& m_;
  bool slid_ = false;
  double before_ = 0, now_ = 0, x_ = 0;
};

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), T = p.number("T");
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  const Mass mass{p.number("m"), p.number("K"), p.number("mu_s"), p.number("mu_d"), p.number("V")};
  if (mass.mu_d > mass.mu_s) return Error{fmt::format("mu_d: {}, expected at most mu_s = {}", mass.mu_d, mass.mu_s)};
  Moreau<Mass> scheme(mass);
  Motion m;
  State<Mass> s{0, Vector<2>::Zero(), {mass.V, 0}, {Status::stick}};
  Watcher watcher(mass, scheme, m);
  m.t.push_back(0), m.x.push_back(0), m.v.push_back(mass.V);
  const long every = stride(h, T, 5000);
  long k = 0;
  const MotionReport report = run(scheme, s, h, T, [&](const State<Mass>& now, const StepReport&) {
    watcher.see(now, h);
    if (++k % every == 0) m.t.push_back(now.t), m.x.push_back(now.q(0)), m.v.push_back(now.u(0));
    return true;
  });
  if (report.fault != Fault::none) return failure(report, s.t);
  return m;
}

struct Cycle {
  double stick = infinite, slip = infinite, x_min = infinite, x_max = infinite;
  int count = 0;
};

// Means over the whole cycles (slip, stick) after the first slip.
Cycle mean_of(const Motion& m) {
  Cycle c;
  c.count = std::max(0, int(m.slips.size()) - 1);
  if (c.count == 0) return c;
  c.stick = c.slip = c.x_min = c.x_max = 0;
  for (std::size_t k = 0; k < std::size_t(c.count); ++k) {
    c.slip += (m.sticks[k] - m.slips[k]) / c.count;
    c.stick += (m.slips[k + 1] - m.sticks[k]) / c.count;
    c.x_min += m.low[k] / c.count, c.x_max += m.high[k] / c.count;
  }
  return c;
}

plot::Figure picture(const Motion& m, double V) {
  plot::Axes motion{"Stick and slip", "time [s]", "stretch of the spring x [m]"};
  motion.curves.push_back({"", m.t, m.x});
  plot::Axes phase{"Phase plane; dashed: the velocity of the belt", "x [m]", "velocity [m/s]"};
  phase.curves.push_back({"", m.x, m.v});
  const auto [low, high] = std::minmax_element(m.x.begin(), m.x.end());
  phase.curves.push_back({"", {*low, *high}, {V, V}, plot::Curve::line, "gray", 1, true});
  return {"", {motion, phase}, 2, 940, 380};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  const Cycle c = mean_of(*m);
  Output out;
  out.set("stick_time", c.stick);
  out.set("slip_time", c.slip);
  out.set("x_min", c.x_min);
  out.set("x_max", c.x_max);
  out.set("cycles", c.count);
  if (c.count == 0) out.remark("No whole cycle of stick and slip before T.");
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"v", m->v}});
  out.figure("motion", picture(*m, p.number("V")));
  return out;
}

// Of the period: slip is a piece of a free oscillation about the stretch of dynamic friction.
Expected<double> error(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  const Cycle c = mean_of(*m);
  if (c.count == 0) return Error{"T: no whole cycle of stick and slip before it, expected a longer duration"};
  const double w = std::sqrt(p.number("K") / p.number("m")), V = std::abs(p.number("V"));
  const double a = (p.number("mu_s") - p.number("mu_d")) * gravity / (w * w);
  const double exact = 2 * a / V + (std::numbers::pi + 2 * std::atan2(V / w, a)) / w;
  return std::abs(c.stick + c.slip - exact);
}

}  // namespace

Example belt() {
  return {"belt",
          "A mass held by a spring on a moving belt sticks and slips",
          "M88 17",
          {number("m", 1, "kg", "mass", above_zero, 1e9), number("K", 100, "N/m", "stiffness", above_zero, 1e12),
           number("mu_s", 0.6, "", "static coefficient of friction", 0, 1e3),
           number("mu_d", 0.4, "", "dynamic coefficient, at most the static one", 0, 1e3),
           number("V", 0.1, "m/s", "velocity of the belt"), number("h", 1e-4, "s", "time step", 1e-7, 10),
           number("T", 10, "s", "duration", above_zero, 1e4)},
          {{"stick_time", "s", "mean duration of a stick (null: no whole cycle)"},
           {"slip_time", "s", "mean duration of a slip"},
           {"x_min", "m", "least stretch in a cycle"},
           {"x_max", "m", "greatest stretch in a cycle"},
           {"cycles", "", "whole cycles seen"}},
          simulate_and_show,
          error};
}

}  // namespace cairn::examples
