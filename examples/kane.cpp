// Kane's double pendulum (BC18 5.1): its end strikes a horizontal obstacle with friction. Newton's restitution with
// Coulomb's law on the outgoing velocity creates energy; the law between the percussion and the weighted mean of the
// velocities (JM92 6.1) never does.
#include <fmt/format.h>

#include <numbers>

#include "cairn/lagrange/impact.hpp"
#include "examples/double_pendulum.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

constexpr double degree = std::numbers::pi / 180;

ImpactOutcome<DoublePendulum> strike(const DoublePendulum& system, const Vector<2>& q, const Vector<2>& u,
                                     bool newton) {
  const int contact[] = {0};
  return newton ? newton_impact(system, 0, q, u, contact, system.e) : weighted_mean_impact(system, 0, q, u, contact);
}

std::string mode_of(Status status) {
  if (status == Status::take_off) return "none";
  return status == Status::stick ? "stick" : "slip";
}

plot::Axes pendulum(const DoublePendulum& system, const Vector<2>& q, const Vector<2>& before, const Vector<2>& after) {
  plot::Axes axes{"Velocity of the end", "x [m]", "y [m]"};
  axes.equal_aspect = true;
  const double x1 = system.L * std::sin(q(0)), y1 = -system.L * std::cos(q(0));
  const double x2 = x1 + system.L * std::sin(q(1)), y2 = system.height(q);
  plot::Shape rods = plot::polyline({0, x1, x2}, {0, y1, y2});
  rods.closed = false, rods.width = 3;
  plot::Shape ground = plot::polyline({x2 - system.L, x2 + system.L}, {y2, y2}, "#777777");
  ground.closed = false, ground.width = 2;
  axes.shapes = {rods, ground, plot::circle(0, 0, 0.03 * system.L, "white"),
                 plot::circle(x1, y1, 0.03 * system.L, "white")};
  const Matrix<2, 2> G = system.kinematics(0, 0, q).G;
  const Vector<2> U = G * before, V = G * after;
  const double scale = 0.6 * system.L / std::max({U.norm(), V.norm(), 1e-300});
  axes.shapes.push_back(plot::arrow(x2 - scale * U(1), y2 - scale * U(0), x2, y2, "#0072b2"));
  axes.shapes.push_back(plot::arrow(x2, y2, x2 + scale * V(1), y2 + scale * V(0), "#d55e00"));
  axes.texts.push_back(
      {x2 - scale * U(1), y2 - scale * U(0) + 0.06 * system.L, "before", plot::Text::middle, 11, "#0072b2"});
  axes.texts.push_back(
      {x2 + scale * V(1), y2 + scale * V(0) + 0.06 * system.L, "after", plot::Text::middle, 11, "#d55e00"});
  return axes;
}

struct Sweep {
  std::vector<double> mu, newton, moreau;
};

Sweep over_friction(DoublePendulum system, const Vector<2>& q, const Vector<2>& u) {
  Sweep out;
  const double top = std::max(1.0, 1.5 * system.mu), given = system.mu;
  const auto ratio = [&](bool newton) {
    const auto o = strike(system, q, u, newton);
    return o.converged && o.energy_before > 0 ? o.energy_after / o.energy_before : std::nan("");
  };
  for (int k = 0; k <= 200; ++k) {
    system.mu = top * k / 200;
    out.mu.push_back(system.mu), out.newton.push_back(ratio(true)), out.moreau.push_back(ratio(false));
  }
  system.mu = given;
  return out;
}

Expected<Output> run(const Parameters& p) {
  const Vector<2> q = degree * Vector<2>(p.number("q1_deg"), p.number("q2_deg"));
  const Vector<2> u(p.number("w1"), p.number("w2"));
  DoublePendulum system{p.number("m"), p.number("length"), p.number("mu"), p.number("e"), 0};
  system.floor = system.height(q);
  const bool newton = p.word("law") == "newton";
  const auto o = strike(system, q, u, newton);
  if (!o.converged)
    return Error{
        fmt::format("q1_deg, q2_deg: {}, {}: no percussion satisfies the law, expected a smaller mu or another "
                    "configuration",
                    p.number("q1_deg"), p.number("q2_deg"))};
  const auto& hit = o.percussions.front();
  Output out;
  out.set("P_t", hit.S(1));
  out.set("P_n", hit.S(0));
  out.set("ratio", o.energy_before > 0 ? o.energy_after / o.energy_before : 1);
  out.set("w1_plus", o.u_plus(0));
  out.set("w2_plus", o.u_plus(1));
  out.set("mode", mode_of(hit.status));
  out.set("identity_defect", o.identity_defect);
  out.set("ambiguous", o.ambiguous > 0);
  if (hit.before(0) >= 0) out.remark("The end does not approach the obstacle: no impact.");
  if (o.energy_after > o.energy_before * (1 + 1e-12)) out.remark("The impact creates kinetic energy: Kane's paradox.");
  if (o.ambiguous > 0) out.remark("The law has several solutions here; the most dissipative is shown.");
  const Sweep sweep = over_friction(system, q, u);
  out.table("friction", {{"mu", sweep.mu}, {"ratio_newton", sweep.newton}, {"ratio_moreau", sweep.moreau}});
  plot::Axes energy{"Kinetic energy after over before", "mu", "ratio"};
  energy.curves.push_back({"Newton", sweep.mu, sweep.newton});
  energy.curves.push_back({"weighted mean", sweep.mu, sweep.moreau});
  energy.curves.push_back({"", {sweep.mu.front(), sweep.mu.back()}, {1, 1}, plot::Curve::line, "#777777", 1, true});
  out.figure("kane", {"", {pendulum(system, q, u, o.u_plus), energy}, 2, 960, 440});
  return out;
}

}  // namespace

Example kane() {
  return {"kane",
          "A double pendulum strikes an obstacle: one law of impact creates energy, the other cannot",
          "BC18 5.1, JM92 6.1",
          {number("q1_deg", 20, "deg", "angle of the first rod from the downward vertical"),
           number("q2_deg", 30, "deg", "angle of the second rod from the downward vertical"),
           number("w1", -0.1, "rad/s", "rate of the first angle before the impact"),
           number("w2", -0.2, "rad/s", "rate of the second"), number("mu", 0.5, "", "coefficient of friction", 0),
           number("e", 0.5, "", "coefficient of restitution", 0, 1),
           word("law", "newton", {"newton", "moreau"},
                "newton: U_N+ = -e U_N- and friction on the outgoing velocity; moreau: the weighted mean"),
           number("m", 1, "kg", "mass of each rod", above_zero),
           number("length", 1, "m", "length of each rod", above_zero)},
          {{"P_t", "N s", "tangential percussion on the pendulum, positive to the right"},
           {"P_n", "N s", "normal percussion, upward"},
           {"ratio", "", "kinetic energy after over before"},
           {"w1_plus", "rad/s", "rate of the first angle after"},
           {"w2_plus", "rad/s", "rate of the second"},
           {"mode", "", "stick, slip, or none"},
           {"identity_defect", "J", "what is left of the balance of energy of JM92 (6.2)"},
           {"ambiguous", "", "whether the law has several solutions"}},
          run};
}

}  // namespace cairn::examples
