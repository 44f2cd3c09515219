// A block rocks on its two lower corners: at each change of pivot Moreau's law gives the ratio of Housner (e = 0), and
// for other restitution P(e) = (1 + e) P(0).
//
// Half width b, half height h', tan(alpha) = b/h', R = |(b, h')|. About a corner that sticks, the inclination theta
// obeys
//   4/3 R theta'' = -sign(theta) g sin(alpha - |theta|),                                    (inertia m R^2/3 + m R^2)
// and after each impact theta' is (1 - 3/2 sin^2 alpha) of what it was: the exact answer behind error(), by quadrature.
#include "cairn/law/coulomb2.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

// Position (x, y) of the centre and inclination theta (positive: to the right, about the right corner). Velocities are
// in the axes of the block: a constant velocity is then a rotation about a fixed point, and a corner that sticks stays
// where it is while the block turns, which keeps its contact closed. Unit mass.
struct Block {
  using Law = Coulomb2;
  static constexpr int freedoms = 3;
  Real b, half, e, mu;  // [m] [m] [-] [-]

  static Matrix<2, 2> axes(Real theta) {
    const Real c = std::cos(theta), s = std::sin(theta);
    return (Matrix<2, 2>() << c, s, -s, c).finished();
  }
  // Corners: lower left, lower right, upper left, upper right.
  Vector<2> corner(int a) const { return {a % 2 ? b : -b, a < 2 ? -half : half}; }
  Vector<2> arm(int a, Real theta) const { return axes(theta) * corner(a); }

  int contacts() const { return 4; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Vector<3>(1, 1, (b * b + half * half) / 3).asDiagonal(); }
  Vector<3> force(Real, const Vector<3>& q, const Vector<3>& u) const {  // weight, and the turning of the axes
    const Vector<2> weight = axes(q(2)).transpose() * Vector<2>(0, -gravity);
    return {weight(0) - u(2) * u(1), weight(1) + u(2) * u(0), 0};
  }
  Vector<3> drift(const Vector<3>& q, const Vector<3>& u, Real dt) const {
    const Real turn = u(2) * dt, small = turn * turn;
    const Real s = small < 1e-8 ? 1 - small / 6 : std::sin(turn) / turn;
    const Real c = small < 1e-8 ? turn / 2 : (1 - std::cos(turn)) / turn;
    const Vector<2> path = dt * (axes(q(2)) * Vector<2>(s * u(0) + c * u(1), s * u(1) - c * u(0)));
    return {q(0) + path(0), q(1) + path(1), q(2) + turn};
  }
  Real gap(int a, Real, const Vector<3>& q) const { return q(1) + arm(a, q(2))(1); }
  Kinematics<2, 3> kinematics(int a, Real, const Vector<3>& q) const {
    const Vector<2> r = corner(a);
    const Matrix<2, 3> velocity = axes(q(2)) * (Matrix<2, 3>() << 1, 0, r(1), 0, 1, -r(0)).finished();
    return {velocity.colwise().reverse(), Vector<2>::Zero()};  // normal first
  }
  Law law(int, Real, const Vector<3>&) const { return Coulomb2::with(mu); }
  Restitution restitution(int) const { return {e, e}; }
};

struct Motion {
  std::vector<double> t, theta, omega;
  std::vector<double> impact_times, omega_ratios;
  double settled = infinite;
  double steepest = 0;
};

// Notes each change of the corner that bears the block.
class Watcher {
 public:
  Watcher(const Block& block, const Moreau<Block>& scheme, Motion& m, const State<Block>& s)
      : block_(block),
        scheme_(scheme),
        m_(m),
        last_(s),
        pivot_(s.q(2) > 0   ? 1
               : s.q(2) < 0 ? 0
                            : -1) {}

  // False: the block is at rest, as far as steps of this length can tell.
  bool see(const State<Block>& s, double h) {
    for (int k = 0; k < scheme_.contacts().size(); ++k) {
      const int a = scheme_.contacts().contact(k).index;
      if (scheme_.contacts().status(k) == Status::take_off || a == pivot_) continue;
      if (pivot_ >= 0 && !note(a, s, h)) return false;
      if (pivot_ < 0 || s.u(2) * last_.u(2) > 0) pivot_ = a;  // a low block may turn back about the same corner
      break;
    }
    m_.steepest = std::max(m_.steepest, std::abs(double(s.q(2))));
    last_ = s;
    return true;
  }

 private:
  bool note(int a, const State<Block>& s, double h) {
    // The corner comes down at the velocity it had: the instant at which its gap is zero.
    const double gap = block_.gap(a, last_.t, last_.q);
    const double rate = (block_.kinematics(a, last_.t, last_.q).G * last_.u)(0);
    const double t = last_.t + (rate < 0 ? std::clamp(-gap / rate, -h, h) : 0.0);
    if (std::abs(last_.u(2)) < 20 * gravity * h / std::hypot(block_.b, block_.half)) {  // what a few steps change
      m_.settled = t;
      return false;
    }
    m_.impact_times.push_back(t), m_.omega_ratios.push_back(s.u(2) / last_.u(2));
    return true;
  }

  const Block& block_;
  const Moreau<Block>& scheme_;
  Motion& m_;
  State<Block> last_;
  int pivot_;
};

Expected<Motion> simulate(const Parameters& p, double T) {
  const double h = p.number("h");
  if (const std::string message = too_long(h, T); !message.empty()) return Error{message};
  const Block block{p.number("b"), p.number("h_half"), p.number("e"), p.number("mu")};
  Moreau<Block> scheme(block);
  State<Block> s{0, {0, 0, p.number("theta0")}, Vector<3>::Zero(), {}};
  for (int a = 0; a < 4; ++a) s.q(1) = std::max(s.q(1), -block.arm(a, s.q(2))(1));  // the lowest corner touches
  s.q(1) -= 1e-13 * (block.b + block.half);                                         // closed whatever the rounding
  Motion m;
  Watcher watcher(block, scheme, m, s);
  const auto record = [&](const State<Block>& now) {
    m.t.push_back(now.t), m.theta.push_back(now.q(2)), m.omega.push_back(now.u(2));
  };
  record(s);
  const long every = stride(h, T, 4000);
  long k = 0;
  const MotionReport report = run(scheme, s, h, T, [&](const State<Block>& now, const StepReport&) {
    if (++k % every == 0) record(now);
    return watcher.see(now, h);
  });
  if (report.fault != Fault::none) return failure(report, s.t);
  return m;
}

plot::Figure picture(const Motion& m, const Parameters& p) {
  plot::Axes motion{"Inclination", "time [s]", "theta [rad]"};
  motion.curves.push_back({"", m.t, m.theta});
  const std::vector<double> zeros(m.impact_times.size(), 0.0);
  motion.curves.push_back({"", m.impact_times, zeros, plot::Curve::points});
  plot::Axes phase{"Phase plane", "theta [rad]", "theta' [rad/s]"};
  phase.curves.push_back({"", m.theta, m.omega});
  plot::Axes view{"At the start", "[m]", "[m]"};
  view.equal_aspect = true;
  const Block block{p.number("b"), p.number("h_half"), 0, 0};
  const double theta = p.number("theta0");
  double y = 0;
  for (int a = 0; a < 4; ++a) y = std::max(y, -double(block.arm(a, theta)(1)));
  std::vector<double> xs, ys;
  for (const int a : {0, 1, 3, 2}) xs.push_back(block.arm(a, theta)(0)), ys.push_back(y + block.arm(a, theta)(1));
  view.shapes.push_back(plot::polygon(xs, ys, "#dddddd"));
  const double wide = 2 * std::max(block.b, block.half);
  view.shapes.push_back(plot::polyline({-wide, wide}, {0, 0}));
  return {"", {view, motion, phase}, 3, 1150, 360};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p, p.number("T"));
  if (!m) return Error{m.error()};
  Output out;
  out.set("impact_times", m->impact_times);
  out.set("omega_ratios", m->omega_ratios);
  out.set("settled", m->settled);
  out.set("overturned", m->steepest > std::numbers::pi / 4 + std::atan2(p.number("b"), p.number("h_half")) / 2);
  if (m->settled < infinite) out.remark("The block has come to rest, as far as steps of this length can tell.");
  out.table("motion", {{"t", m->t}, {"theta", m->theta}, {"omega", m->omega}});
  out.table("impacts", {{"t", m->impact_times}, {"ratio", m->omega_ratios}});
  out.figure("rocking", picture(*m, p));
  return out;
}

// Time from rest at theta0 in ]0, alpha[ to 0, and the greatest ratio of friction to normal force on the way. With
// theta = theta0 (1 - s^2) the integrand of dt = dtheta/|theta'| is smooth; midpoint rule.
struct Fall {
  double time = 0, friction = 0, omega = 0;
};

Fall fall_from(double theta0, double alpha, double R) {
  const double k = 3 * gravity / (4 * R);
  const int n = 4000;
  Fall f;
  f.omega = std::sqrt(2 * k * (std::cos(alpha - theta0) - std::cos(alpha)));
  for (int i = 0; i < n; ++i) {
    const double s = (i + 0.5) / n, theta = theta0 * (1 - s * s), b = alpha - theta;
    // cos(alpha - theta0) - cos(alpha - theta) as a product: no cancellation near the start
    const double mid = alpha - (theta0 + theta) / 2, d = (theta0 - theta) / 2;
    const double omega2 = 2 * k * 2 * std::sin(mid) * std::sin(d), turn = -k * std::sin(b);
    f.time += 2 * theta0 * s / std::sqrt(omega2) / n;
    const double ax = R * (turn * std::cos(b) + omega2 * std::sin(b));  // of the centre, pivot to the right
    const double ay = R * (turn * std::sin(b) - omega2 * std::cos(b));
    f.friction = std::max(f.friction, std::abs(ax) / (gravity + ay));
  }
  return f;
}

// Of the instants of the four first impacts, the largest.
Expected<double> error(const Parameters& p) {
  const double alpha = std::atan2(p.number("b"), p.number("h_half")), R = std::hypot(p.number("b"), p.number("h_half"));
  const double r = 1 - 1.5 * std::sin(alpha) * std::sin(alpha), mu = p.number("mu");
  double theta = std::abs(p.number("theta0")), t = 0;
  if (p.number("e") != 0 || r <= 0 || !(theta > 0 && theta < alpha))
    return Error{
        fmt::format("theta0, e, b/h_half: no exact answer, expected theta0 in ]0, {:.6g}[, e = 0 and "
                    "b/h_half < 1.41",
                    alpha)};
  std::vector<double> exact;
  double rub = 3 * std::sin(alpha) * std::cos(alpha) / (4 - 3 * std::sin(alpha) * std::sin(alpha));
  for (int k = 0; k < 4; ++k) {
    const Fall f = fall_from(theta, alpha, R);
    rub = std::max(rub, f.friction);
    exact.push_back(t + f.time);
    // Energy kept: r^2 of what falls from theta gave.
    theta = alpha - std::acos(std::cos(alpha) + r * r * (std::cos(alpha - theta) - std::cos(alpha)));
    t = exact.back() + fall_from(theta, alpha, R).time;
  }
  if (mu < rub) return Error{fmt::format("mu: {}, expected at least {:.6g}: the corners must stick", mu, rub)};
  const auto m = simulate(p, exact.back() + 20 * p.number("h"));
  if (!m) return Error{m.error()};
  if (m->impact_times.size() < exact.size()) return Error{"h: too large to see four impacts, expected a smaller one"};
  double worst = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) worst = std::max(worst, std::abs(m->impact_times[k] - exact[k]));
  return worst;
}

}  // namespace

Example rocking_block() {
  return {"rocking-block",
          "A block released from an inclination rocks from corner to corner and loses energy at each impact",
          "JM92 6",
          {number("b", 0.1, "m", "half width", 1e-6, 1e6), number("h_half", 0.5, "m", "half height", 1e-6, 1e6),
           number("e", 0, "", "restitution, the same normal and tangential", 0, 1),
           number("mu", 0.6, "", "coefficient of friction", 0, 1e6),
           number("theta0", 0.5 * std::atan(0.2), "rad", "inclination at the start; 0.0986978: half the critical one",
                  -3, 3),
           number("h", 1e-5, "s", "time step", 1e-7, 1), number("T", 5, "s", "duration", above_zero, 1e4)},
          {{"impact_times", "s", "instants at which the pivot changes"},
           {"omega_ratios", "", "angular velocity after over before, at each"},
           {"settled", "s", "instant of rest (null: it still rocks)"},
           {"overturned", "", "the block has fallen on its side"}},
          simulate_and_show,
          error};
}

}  // namespace cairn::examples
