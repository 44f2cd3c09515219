// A ball on a line under constant gravity, restitution e: problem P1 with every scheme, against its closed form.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/law/signorini.hpp"
#include "cairn/scheme/event_driven.hpp"
#include "cairn/scheme/monteiro_marques.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/paoli.hpp"
#include "cairn/scheme/penalty.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct BouncingBall {  // q >= 0, unit mass
  using Law = Signorini;
  static constexpr int freedoms = 1;
  Real g, e;

  int contacts() const { return 1; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(1); }
  Vector<1> force(Real, const Vector<1>&, const Vector<1>&) const { return Vector<1>(-g); }
  Real gap(int, Real, const Vector<1>& q) const { return q(0); }
  Kinematics<1, 1> kinematics(int, Real, const Vector<1>&) const { return {Matrix<1, 1>(1), Vector<1>(0)}; }
  Law law(int, Real, const Vector<1>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

// The exact motion: flights between impacts, whose instants are known one after the other; at rest when they
// accumulate.
class ExactBall {
 public:
  ExactBall(const BouncingBall& ball, Real q0, Real v0) : ball_(ball), q_(q0), v_(v0) {}

  // For increasing t.
  Real q(Real t) {
    advance(t);
    const Real s = t - t_;
    return rests_ ? 0 : std::max(q_ + v_ * s - ball_.g * s * s / 2, Real(0));
  }
  Real v(Real t) {
    advance(t);
    return rests_ ? 0 : v_ - ball_.g * (t - t_);
  }
  Real stop_time() const { return stop_; }

 private:
  Real landing() const { return ball_.g > 0 ? (v_ + std::sqrt(v_ * v_ + 2 * ball_.g * q_)) / ball_.g : infinite; }

  void advance(Real t) {
    while (!rests_ && t_ + landing() <= t) {
      const Real flight = landing(), speed = ball_.g * flight - v_;  // of the impact
      t_ += flight, q_ = 0, v_ = ball_.e * speed;
      if (!(v_ > 1e-15 * std::max(first_, speed))) rests_ = true, stop_ = t_;
      first_ = std::max(first_, speed);
    }
  }

  BouncingBall ball_;
  Real t_ = 0, q_, v_, first_ = 0, stop_ = infinite;
  bool rests_ = false;
};

struct Motion {
  std::vector<double> t, q, v, exact;
  double error = 0, stop = infinite, energy_drift = 0;
  int impacts = 0;
  State<BouncingBall> end;
};

template <class Scheme>
Expected<Motion> simulate(Scheme scheme, const BouncingBall& ball, const Parameters& p) {
  const double h = p.number("h"), T = p.number("T");
  Motion m;
  m.end = {0, Vector<1>(p.number("q0")), Vector<1>(p.number("v0")), {}};
  ExactBall exact(ball, m.end.q(0), m.end.u(0));
  const auto energy = [&](const State<BouncingBall>& s) { return s.u(0) * s.u(0) / 2 + ball.g * s.q(0); };
  const double start = energy(m.end);
  const long every = stride(h, T);
  long k = 0;
  double before = m.end.u(0);
  const MotionReport report = run(scheme, m.end, h, T, [&](const State<BouncingBall>& s, const StepReport&) {
    const double q = exact.q(s.t), v = s.u(0);
    m.error = std::max(m.error, std::abs(s.q(0) - q));
    if (v > ball.g * h && before < 0) ++m.impacts;                // a rebound that lasts more than two steps
    if (std::abs(v) > 2 * ball.g * h || s.q(0) > ball.g * h * h)  // more than the bounces that a step cannot resolve
      m.stop = infinite;
    else if (m.stop == infinite)
      m.stop = s.t;
    m.energy_drift = energy(s) - start;
    before = v;
    if (k++ % every == 0) m.t.push_back(s.t), m.q.push_back(s.q(0)), m.v.push_back(v), m.exact.push_back(q);
    return true;
  });
  if (report.fault != Fault::none) return failure(report, m.end.t);
  return m;
}

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), T = p.number("T");
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  if (p.number("q0") == 0 && p.number("v0") < 0)
    return Error{fmt::format("v0: {} at q0 = 0 enters the obstacle, expected 0 or more there", p.number("v0"))};
  const BouncingBall ball{p.number("g"), p.number("e")};
  const std::string& scheme = p.word("scheme");
  if (scheme == "moreau") return simulate(Moreau<BouncingBall>(ball), ball, p);
  if (scheme == "moreau_end")
    return simulate(Moreau<BouncingBall>(ball, {MoreauOptions::ActiveAt::end, false}), ball, p);
  if (scheme == "paoli") return simulate(Paoli<BouncingBall>(ball, {PaoliOptions::ActiveAt::start}), ball, p);
  if (scheme == "paoli_end") return simulate(Paoli<BouncingBall>(ball), ball, p);
  if (scheme == "event_driven") return simulate(EventDriven<BouncingBall>(ball), ball, p);
  if (scheme == "monteiro_marques") {
    if (ball.e != 0) return Error{fmt::format("e: {} with the scheme monteiro_marques, expected 0", ball.e)};
    return simulate(MonteiroMarques<BouncingBall>(ball), ball, p);
  }
  PenaltyOptions penalty;
  penalty.eps = p.number("eps");
  return simulate(Penalty<BouncingBall>(ball, penalty), ball, p);
}

plot::Figure picture(const Motion& m) {
  plot::Axes q{"Height", "time [s]", "q [m]"}, v{"Velocity", "time [s]", "v [m/s]"};
  q.curves.push_back({"exact", m.t, m.exact, plot::Curve::line, "", 1.0, true});
  q.curves.push_back({"computed", m.t, m.q});
  v.curves.push_back({"", m.t, m.v});
  return {"", {q, v}, 1, 720, 560};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  Output out;
  out.set("q", m->end.q(0));
  out.set("v", m->end.u(0));
  out.set("error_sup", m->error);
  out.set("impacts", m->impacts);
  out.set("stop_time", m->stop);
  out.set("energy_drift", m->energy_drift);
  out.table("motion", {{"t", m->t}, {"q", m->q}, {"v", m->v}, {"exact", m->exact}});
  out.figure("motion", picture(*m));
  return out;
}

Expected<double> error(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  return m->error;
}

}  // namespace

Example bouncing_ball() {
  return {"bouncing-ball",
          "A ball bounces to rest in infinitely many impacts: problem P1, any scheme",
          "BC18 2",
          {number("q0", 1, "m", "height at the start", 0), number("v0", 0, "m/s", "velocity at the start, upward"),
           number("g", 2, "m/s^2", "gravity, downward", above_zero),
           number("e", 0.5, "", "coefficient of restitution", 0, 1), number("h", 1e-3, "s", "time step", 1e-8, 10),
           number("T", 4, "s", "duration", above_zero),
           word("scheme", "moreau",
                {"moreau", "moreau_end", "paoli", "paoli_end", "monteiro_marques", "penalty", "event_driven"},
                "moreau: midpoint; moreau_end: contacts looked for at q + h u; paoli: BC18 2(ii); paoli_end: BC18 "
                "4.3(iii); monteiro_marques: BC18 3(iii), e = 0; penalty: BC18 2(i); event_driven: the reference"),
           number("eps", 1e-6, "s^2", "inverse stiffness of the penalty scheme", above_zero, 1)},
          {{"q", "m", "height at the end"},
           {"v", "m/s", "velocity at the end"},
           {"error_sup", "m", "largest distance of q from the exact motion at the steps"},
           {"impacts", "", "rebounds that last more than two steps; there are infinitely many when 0 < e < 1"},
           {"stop_time", "s", "from when on the ball rests but for bounces within a step (null: it moves at the end)"},
           {"energy_drift", "J/kg", "change of kinetic and potential energy since the start"}},
          simulate_and_show,
          error};
}

}  // namespace cairn::examples
