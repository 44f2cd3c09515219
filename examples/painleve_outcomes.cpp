// Painleve's rod side by side (BC18 5.1, 5.2.3): in four regimes, all motions that Coulomb's law at the point of
// contact allows, found by trying its modes, and the one motion of problem P4.
//
// The lower end slides at v > 0. With Y the normal acceleration of a unit of normal force (times m) while it slides,
// and b the one without contact:     Y > 0, b < 0   slide          Y > 0, b > 0   lift off
//                                Y < 0, b < 0   inconsistent   Y < 0, b > 0   indeterminate
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "cairn/base/check.hpp"
#include "cairn/scheme/generalised.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/catastrophe.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

constexpr double degree = std::numbers::pi / 180;

enum Mode { take_off, stick, slide };
constexpr const char* mode_names[] = {"lift off", "jam", "slide"};

struct Solution {
  Mode mode;
  Vector<2> S;  // [N s] of the step
};

// All solutions of U = b + H S with Coulomb's law in the plane, mode by mode; on the border of two modes both count.
std::vector<Solution> all_solutions(const Matrix<2, 2>& H, const Vector<2>& b, Real mu) {
  std::vector<Solution> found;
  if (b(0) >= 0) found.push_back({take_off, Vector<2>::Zero()});
  const Vector<2> S = -(H.inverse() * b);
  if (S(0) > 0 && std::abs(S(1)) <= mu * S(0)) found.push_back({stick, S});
  for (const Real side : {Real(-1), Real(1)}) {  // of the slip velocity
    const Real yield = H(0, 0) - side * mu * H(0, 1), N = -b(0) / yield;
    const Vector<2> slip(N, -side * mu * N);
    if (N > 0 && side * (b + H * slip)(1) > 0) found.push_back({slide, slip});
  }
  return found;
}

struct Trace {
  std::vector<double> t, slip, omega, energy, gap;
};

struct Rod {
  RoundTip body;
  Real psi, psi_dot, v;

  template <class S>
  State<S> start() const {
    const Real c = body.d * std::cos(psi), s = body.d * std::sin(psi);
    return {0, {-s, c, psi}, {v - c * psi_dot, -s * psi_dot, psi_dot}, {}};
  }
  void record(Trace& trace, Real t, const Vector<3>& q, const Vector<3>& u) const {
    trace.t.push_back(t), trace.slip.push_back(body.slip(q, u)), trace.omega.push_back(-u(2));
    trace.gap.push_back(body.gap(0, t, q));
    trace.energy.push_back(u.dot(body.inertia(t, q) * u) / 2 + body.m * body.g * q(1));
  }
};

// The step of moreau.hpp with the preferred mode where the law allows it, else with the first that it does. Contact is
// posed at q_I + h u_I (M88 Remark 11.1): there G u holds all of the normal acceleration b, not half of its turning
// part.
struct Branch {
  const Rod& rod;
  Mode prefer;

  bool step(State<RoundTip>& s, Real h, std::vector<Solution>* all = nullptr) const {
    const RoundTip& body = rod.body;
    const bool first = s.t == 0;
    const Vector<3> q_M = s.q + h / 2 * s.u, q = s.q + h * s.u;
    const Cholesky<3> A(body.inertia(s.t, q));
    Vector<3> u = s.u + h * A.solve(body.force(s.t, q, s.u));
    // A contact that is kept closed may open by rounding or curvature, O(h^2), without being left.
    if (first || !(body.gap(0, s.t, q) > (prefer == take_off ? 0 : Real(1e-5) * body.d))) {
      const Matrix<2, 3> G = body.kinematics(0, s.t, q).G;
      const std::vector<Solution> found = all_solutions(G * A.solve(G.transpose()), G * u, body.mu);
      if (all) *all = found;
      if (found.empty()) return false;
      const auto wanted = std::find_if(found.begin(), found.end(), [&](const auto& x) { return x.mode == prefer; });
      u += A.solve(G.transpose() * (wanted == found.end() ? found.front() : *wanted).S);
    }
    s.u = u, s.q = q_M + h / 2 * u, s.t += h;
    return true;
  }
};

struct Regime {
  std::string name;
  Rod rod;
  std::vector<Solution> pointwise;  // of the first step
  std::vector<Trace> branches;      // one a solution
  Trace p4;
  Mode p4_mode = slide;
  Real law_gain = 0;
};

using Sets = WithFrictionSets<RoundTip>;

// The first step by P4, posed as that of the branches.
Mode first_by_p4(const Sets& sets, State<Sets>& s, Real h) {
  GeneralisedProblem<Sets> problem(sets);
  const Vector<3> u = s.u, q = s.q + h * u;
  CAIRN_CHECK(problem.begin(0, q), "a rod has inertia");
  problem.add(0);
  const Vector<3> u_free = u + h * problem.accelerate(sets.force(0, q, u));
  CAIRN_CHECK(problem.solve(u, u_free).converged, "P4 has one solution");
  s.u = problem.velocity(), s.q += h / 2 * (u + s.u), s.t += h;
  const auto& c = problem.constraint(0);
  if (c.status == Status::take_off) return take_off;
  return c.status == Status::stick ? stick : slide;
}

void follow(Regime& r, Real h, Real T) {
  State<RoundTip> first = r.rod.start<RoundTip>();
  Branch{r.rod, slide}.step(first, h, &r.pointwise);
  for (const Solution& solution : r.pointwise) {
    Trace trace;
    State<RoundTip> s = r.rod.start<RoundTip>();
    r.rod.record(trace, s.t, s.q, s.u);
    const Branch branch{r.rod, solution.mode};
    while (s.t < T - h / 2 && branch.step(s, h)) r.rod.record(trace, s.t, s.q, s.u);
    r.branches.push_back(std::move(trace));
  }
  const Sets sets(r.rod.body);
  auto s = r.rod.start<Sets>();
  r.rod.record(r.p4, s.t, s.q, s.u);
  r.p4_mode = first_by_p4(sets, s, h);
  r.rod.record(r.p4, s.t, s.q, s.u);
  Generalised<Sets> scheme(sets);
  r.law_gain = run(scheme, s, h, T, [&](const auto& now, const StepReport&) {
                 r.rod.record(r.p4, now.t, now.q, now.u);
                 return true;
               }).law_gain_max;
}

std::vector<Regime> regimes(const Parameters& p) {
  const Real d = p.number("length") / 2, theta = p.number("theta_deg") * degree, g = 9.81;
  const Real spin = std::sqrt(g / (d * std::sin(theta)));  // at this rate the end rises by itself
  std::vector<Regime> all;
  for (const auto& [name, mu, fast] :
       {std::tuple("slide", p.number("mu_low"), 0.0), std::tuple("lift off", p.number("mu_low"), p.number("fast")),
        std::tuple("inconsistent", p.number("mu_high"), 0.0),
        std::tuple("indeterminate", p.number("mu_high"), p.number("fast"))}) {
    Regime r;
    r.name = name;
    r.rod = {{1, d * d / 3, 0, d, mu, g}, std::numbers::pi / 2 - theta, -fast * spin, p.number("v")};
    follow(r, p.number("h"), p.number("T"));
    all.push_back(std::move(r));
  }
  return all;
}

plot::Axes axes_of(const Regime& r, bool phase) {
  plot::Axes axes{fmt::format("{}, mu = {:g}", r.name, r.rod.body.mu), phase ? "slip velocity [m/s]" : "time [s]",
                  phase ? "angular velocity [rad/s]" : "energy [J]"};
  const auto add = [&](const Trace& t, const std::string& name, const char* colour, double width, bool dashed) {
    axes.curves.push_back(
        {name, phase ? t.slip : t.t, phase ? t.omega : t.energy, plot::Curve::line, colour, width, dashed});
  };
  add(r.p4, "P4", "#9ecae1", 7, false);
  const char* colours[] = {"#009e73", "#d55e00", "#000000"};
  for (std::size_t k = 0; k < r.branches.size(); ++k)
    add(r.branches[k], fmt::format("Coulomb: {}", mode_names[r.pointwise[k].mode]), colours[r.pointwise[k].mode], 1.8,
        k % 2 == 1);
  if (phase) axes.curves.push_back({"", {r.p4.slip.front()}, {r.p4.omega.front()}, plot::Curve::points, "black", 2.5});
  return axes;
}

// Largest difference of slip and angular velocities between P4 and the branch of the same name.
double distance(const Regime& r) {
  double least = infinite;
  for (const Trace& b : r.branches) {
    double most = b.t.size() == r.p4.t.size() ? 0 : infinite;
    for (std::size_t k = 0; k < std::min(b.t.size(), r.p4.t.size()); ++k)
      most = std::max({most, std::abs(b.slip[k] - r.p4.slip[k]), std::abs(b.omega[k] - r.p4.omega[k])});
    least = std::min(least, most);
  }
  return least;
}

Expected<Output> run_and_show(const Parameters& p) {
  const double theta = p.number("theta_deg") * degree, tangent = std::tan(theta);
  const double limit = (tangent * tangent + 4) / (3 * tangent);
  if (!(p.number("mu_low") < limit) || !(p.number("mu_high") > limit))
    return Error{fmt::format("mu_low, mu_high: {}, {}, expected one below and one above {:.6g}", p.number("mu_low"),
                             p.number("mu_high"), limit)};
  if (p.number("T") / p.number("h") > 1e6) return Error{"h: expected at least T/1e6"};
  const std::vector<Regime> all = regimes(p);
  Output out;
  out.set("threshold", limit);
  std::vector<double> counts, distances;
  plot::Figure figure{"", {}, 4, 1480, 720};
  Real gain = 0;
  for (const Regime& r : all) {
    counts.push_back(static_cast<double>(r.pointwise.size())), distances.push_back(distance(r));
    gain = std::max(gain, r.law_gain);
    std::string modes;
    for (const Solution& s : r.pointwise) modes += std::string(modes.empty() ? "" : ", ") + mode_names[s.mode];
    out.remark(fmt::format("{}: Coulomb at the point: {}; P4: {}.", r.name, modes.empty() ? "none" : modes,
                           mode_names[r.p4_mode]));
    figure.axes.push_back(axes_of(r, true));
  }
  for (const Regime& r : all) figure.axes.push_back(axes_of(r, false));
  out.set("pointwise_solutions", counts);
  out.set("p4_distance", distances);
  out.set("law_gain_max", gain);
  out.figure("outcomes", std::move(figure));
  return out;
}

}  // namespace

Example painleve_outcomes() {
  return {"painleve-outcomes",
          "Painleve's rod in four regimes: all motions of Coulomb's law at the point, and the one of problem P4",
          "BC18 5.1, 5.2.3",
          {number("theta_deg", 60, "deg", "angle of the rod with the boundary", 5, 85),
           number("mu_low", 0.5, "", "coefficient of friction below the threshold", above_zero),
           number("mu_high", 1.6, "", "coefficient of friction above it", above_zero),
           number("fast", 1.2, "", "rate of turning over the one at which the end rises by itself", 1.001, 10),
           number("v", 1, "m/s", "first sliding velocity", above_zero),
           number("length", 1, "m", "length of the rod", above_zero), number("h", 1e-4, "s", "time step", above_zero),
           number("T", 0.1, "s", "end of the motion", above_zero)},
          {{"threshold", "", "(tan^2 theta + 4)/(3 tan theta): paradox above"},
           {"pointwise_solutions", "", "solutions of the first step under Coulomb's law at the point, each regime"},
           {"p4_distance", "",
            "each regime: from the motion of P4 to the nearest of those, the largest difference of slip [m/s] and "
            "angular velocity [rad/s]"},
           {"law_gain_max", "J", "energy that the law of P4 gave in a step, BC18 (8)"}},
          run_and_show};
}

}  // namespace cairn::examples
