// A piece of chalk driven at an angle against a blackboard draws a dotted line (M88 Remark 14.1, after Delassus).
//
// The chalk is a rigid rod. The hand moves along the board at constant velocity and holds the upper end through a
// spring and a damper in every direction of the plane, and the inclination through a spring and a damper too; it
// presses by keeping its rest position below where the chalk can go. The tip obeys Coulomb's law, static above dynamic
// (M88 17). Pushed, tip ahead, the chalk wedges: friction calls for more normal force, which calls for more friction.
// The tip stops, the hand goes on, the chalk is turned upright until the tip breaks loose, slides or jumps ahead, and
// stops.
#include "cairn/law/static_dynamic.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct Chalk {  // (x along the board, y off it) of the end in the hand, lean (positive: tip ahead of the hand)
  using Law = StaticDynamic2;
  static constexpr int freedoms = 3;
  Real mass, length, lean0, mu_s, mu_d, V;                         // [kg] [m] [rad] [-] [-] [m/s]
  Real along, along_damping, grip, damping, wrist, wrist_damping;  // [N/m] [N s/m] ... [N m/rad] [N m s/rad]
  Real depth;  // [m] of the rest position below the one of a tip that just touches

  Real rest_height() const { return length * std::cos(lean0) - depth; }
  Vector<2> rod(Real lean) const { return length * Vector<2>(std::sin(lean), -std::cos(lean)); }  // hand to tip

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>& q) const {  // of a uniform rod, in terms of its end
    const Real mc = mass * length / 2 * std::cos(q(2)), ms = mass * length / 2 * std::sin(q(2));
    return (Matrix<3, 3>() << mass, 0, mc, 0, mass, ms, mc, ms, mass * length * length / 3).finished();
  }
  Vector<3> force(Real t, const Vector<3>& q, const Vector<3>& u) const {
    const Real w2 = mass * length / 2 * u(2) * u(2);
    return {-along * (q(0) - V * t) - along_damping * (u(0) - V) + w2 * std::sin(q(2)),
            -grip * (q(1) - rest_height()) - damping * u(1) - w2 * std::cos(q(2)),
            -wrist * (q(2) - lean0) - wrist_damping * u(2)};
  }
  Real gap(int, Real, const Vector<3>& q) const { return q(1) + rod(q(2))(1); }
  Kinematics<2, 3> kinematics(int, Real, const Vector<3>& q) const {
    const Vector<2> r = rod(q(2));
    return {(Matrix<2, 3>() << 0, 1, r(0), 1, 0, -r(1)).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return {Coulomb2::with(mu_s), Coulomb2::with(mu_d)}; }
};

Chalk chalk_of(const Parameters& p) {
  const double m = p.number("m"), L = p.number("length"), k = p.number("grip"), w = p.number("wrist");
  const double a = p.number("along"), z = 2 * p.number("damping");
  return {m,
          L,
          p.number("angle_deg") * degree,
          p.number("mu_s"),
          p.number("mu_d"),
          p.number("V"),
          a,
          z * std::sqrt(a * m),
          k,
          z * std::sqrt(k * m),
          w,
          z * std::sqrt(w * m * L * L / 3),
          p.number("press") / k};
}

struct Motion {
  std::vector<double> t, tip, gap, slide, push;  // position of the tip on the board, off it, velocity, normal force
  std::vector<double> dots_t, dots_x;            // where and when the tip comes to a stop
  int hops = 0;
  long touching = 0, sticking = 0, steps = 0;
};

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), T = p.number("T");
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  const Chalk chalk = chalk_of(p);
  if (chalk.mu_d > chalk.mu_s)
    return Error{fmt::format("mu_d: {}, expected at most mu_s = {}", chalk.mu_d, chalk.mu_s)};
  Moreau<Chalk> scheme(chalk);
  State<Chalk> s{0, {0, chalk.length * std::cos(chalk.lean0), chalk.lean0}, {chalk.V, 0, 0}, {Status::slide}};
  Motion m;
  const long every = stride(h, T, 20000);
  bool flew = false;
  double pushed = 0, dot = -infinite;
  const double settle = T / 4, apart = chalk.length / 50;
  const MotionReport report = run(scheme, s, h, T, [&](const State<Chalk>& now, const StepReport&) {
    const bool touches = scheme.contacts().size() > 0 && scheme.contacts().status(0) != Status::take_off;
    const bool sticks = touches && scheme.contacts().status(0) == Status::stick;
    const double gap = chalk.gap(0, now.t, now.q), x = now.q(0) + chalk.rod(now.q(2))(0);
    const double slide = (chalk.kinematics(0, now.t, now.q).G * now.u)(1);
    if (touches) pushed += scheme.contacts().impulse(0)(0);
    const bool flies = !touches && gap > 1e-6 * chalk.length;
    m.hops += flies && !flew && now.t > settle;
    if (sticks && std::abs(x - dot) > apart) {
      dot = x;
      if (now.t > settle) m.dots_t.push_back(now.t), m.dots_x.push_back(x);
    }
    m.touching += touches, m.sticking += sticks, flew = flies;
    if (++m.steps % every == 0) {
      m.t.push_back(now.t), m.tip.push_back(x), m.gap.push_back(gap), m.slide.push_back(slide);
      m.push.push_back(pushed / (static_cast<double>(every) * h)), pushed = 0;
    }
    return true;
  });
  if (report.fault != Fault::none) return failure(report, s.t);
  return m;
}

plot::Figure picture(const Motion& m, double T) {
  plot::Axes line{"The line drawn: time spent at each place; points: where the tip stops", "along the board [m]",
                  "time [s]"};
  line.curves.push_back({"", m.tip, m.t});
  line.curves.push_back({"", m.dots_x, m.dots_t, plot::Curve::points});
  plot::Axes slide{"Velocity of the tip along the board", "time [s]", "[m/s]"};
  slide.curves.push_back({"", m.t, m.slide, plot::Curve::line, "", 1});
  plot::Axes push{"Normal force", "time [s]", "[N]"};
  push.curves.push_back({"", m.t, m.push, plot::Curve::line, "", 1});
  plot::Axes gap{"Height of the tip off the board", "time [s]", "[mm]"};
  std::vector<double> mm;
  for (const double g : m.gap) mm.push_back(1e3 * g);
  gap.curves.push_back({"", m.t, mm, plot::Curve::line, "", 1});
  slide.x_range = push.x_range = gap.x_range = plot::Range{0.7 * T, T};
  return {"", {line, slide, push, gap}, 2, 1000, 680};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  const std::size_t n = m->dots_t.size();
  Output out;
  out.set("dots", n);
  out.set("period", n > 1 ? (m->dots_t.back() - m->dots_t.front()) / static_cast<double>(n - 1) : infinite);
  out.set("distance", n > 1 ? (m->dots_x.back() - m->dots_x.front()) / static_cast<double>(n - 1) : infinite);
  out.set("hops", m->hops);
  out.set("sticking", static_cast<double>(m->sticking) / static_cast<double>(m->steps));
  out.set("touching", static_cast<double>(m->touching) / static_cast<double>(m->steps));
  if (n < 2) out.remark("The tip does not stop again and again: what the chalk draws is a line.");
  out.table("motion", {{"t", m->t}, {"tip", m->tip}, {"gap", m->gap}, {"slide", m->slide}, {"push", m->push}});
  out.table("dots", {{"t", m->dots_t}, {"x", m->dots_x}});
  out.figure("line", picture(*m, p.number("T")));
  return out;
}

}  // namespace

Example chalk() {
  return {"chalk",
          "A chalk driven at an angle against a board sticks and slips, and draws a dotted line",
          "M88 14.1, 17",
          {number("angle_deg", 20, "deg", "lean off the normal of the board; positive: the tip is ahead", -80, 80),
           number("mu_s", 0.6, "", "static coefficient of friction", 0, 10),
           number("mu_d", 0.3, "", "dynamic coefficient of friction, at most the static one", 0, 10),
           number("V", 0.1, "m/s", "velocity of the hand along the board"),
           number("press", 2, "N", "force with which the hand presses, at rest", 0, 1e3),
           number("m", 0.01, "kg", "mass of the chalk", above_zero, 1e3),
           number("length", 0.08, "m", "length of the chalk, from the hand to the tip", 1e-4, 10),
           number("along", 2000, "N/m", "stiffness of the hand along the board", above_zero, 1e9),
           number("grip", 2000, "N/m", "stiffness of the hand towards the board", above_zero, 1e9),
           number("wrist", 2, "N m/rad", "stiffness against turning", 0, 1e9),
           number("damping", 0.02, "", "damping of the hand, over the critical one of the chalk alone", 0, 10),
           number("h", 1e-5, "s", "time step", 1e-8, 1e-2), number("T", 2, "s", "duration", above_zero, 1e3)},
          {{"dots", "",
            "stops of the tip on the board in the last three quarters of T, a fiftieth of the length apart or more"},
           {"period", "s", "mean time between stops (null: fewer than two)"},
           {"distance", "m", "mean distance between stops"},
           {"hops", "", "how many times the tip leaves the board, meanwhile"},
           {"sticking", "", "part of the time for which the tip is at rest on the board"},
           {"touching", "", "part of the time for which it touches"}},
          simulate_and_show};
}

}  // namespace cairn::examples
