// Kane's double pendulum over all coefficients of friction and restitution: where Newton's restitution with Coulomb's
// law on the outgoing velocity creates energy, and the generalised law of problem P4, which never does (BC18 5.1, 5.2).
#include <fmt/format.h>

#include <numbers>

#include "cairn/lagrange/generalised_problem.hpp"
#include "cairn/lagrange/impact.hpp"
#include "cairn/plot/contour.hpp"
#include "examples/double_pendulum.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

constexpr double degree = std::numbers::pi / 180;

struct Ratios {
  double newton, moreau, p4;  // kinetic energy after over before; not a number: no solution
  Vector<2> u_p4, u_moreau;
};

Ratios strike(const DoublePendulum& system, const Vector<2>& q, const Vector<2>& u) {
  const int contact[] = {0};
  const auto ratio = [](const auto& o, bool converged) {
    return converged && o.energy_before > 0 ? o.energy_after / o.energy_before : std::nan("");
  };
  const auto newton = newton_impact(system, 0, q, u, contact, system.e);
  const auto moreau = weighted_mean_impact(system, 0, q, u, contact);
  const WithFrictionSets<DoublePendulum> sets(system);
  const auto p4 = generalised_impact(sets, 0, q, u, {0});
  return {ratio(newton, newton.converged), ratio(moreau, moreau.converged), ratio(p4, p4.report.converged), p4.u_plus,
          moreau.u_plus};
}

// W_nn/|W_nt|: from there on the set is unbounded.
double bound(const DoublePendulum& system, const Vector<2>& q) {
  const Matrix<2, 2> G = system.kinematics(0, 0, q).G;
  const Matrix<2, 2> W = G * Cholesky<2>(system.inertia(0, q)).solve(G.transpose());
  return W(0, 0) / std::abs(W(0, 1));
}

struct Map {
  plot::Field newton, p4;
  double newton_most = 0, p4_most = 0, gain = 0;  // gain: part of the map where Newton's law creates energy
};

Map chart(DoublePendulum system, const Vector<2>& q, const Vector<2>& u, double mu_most, int n) {
  Map out;
  for (int i = 0; i <= n; ++i) out.newton.x.push_back(mu_most * i / n), out.newton.y.push_back(double(i) / n);
  out.p4 = out.newton;
  for (const double e : out.newton.y)
    for (const double mu : out.newton.x) {
      system.mu = mu, system.e = e;
      const Ratios r = strike(system, q, u);
      out.newton.value.push_back(r.newton), out.p4.value.push_back(r.p4);
      if (r.newton > out.newton_most) out.newton_most = r.newton;
      out.p4_most = std::max(out.p4_most, r.p4);
      out.gain += r.newton > 1 + 1e-12;
    }
  out.gain /= static_cast<double>(out.newton.value.size());
  return out;
}

const plot::ColourScale& colours() {  // blue: energy lost; red: gained
  static const plot::ColourScale scale{{0, 0.5, 1, 1.0001, 1.5, 3},
                                       {"#2b5c8a", "#86b6d8", "#eef4f8", "#fde5d8", "#ef8a62", "#9e1b2f"}};
  return scale;
}

// Lines of equal ratio, each with its number.
void lines(plot::Axes& axes, const plot::Field& field, const std::vector<double>& levels) {
  for (const double level : levels) {
    plot::Curve line = plot::contour(field, level);
    if (line.x.empty()) continue;
    line.colour = "black", line.width = level == 1 ? 2.5 : 0.8;
    std::size_t best = 0;  // the label stands at the middle of what the map shows of the line
    double nearest = infinite;
    for (std::size_t k = 0; k < line.x.size(); ++k) {
      const double off = line.x[k] / field.x.back() - 0.5;
      const double away = std::abs(line.y[k] - 0.62) + (std::abs(off) < 0.42 ? 0 : 1);
      if (away < nearest) nearest = away, best = k;
    }
    axes.texts.push_back(
        {line.x[best], line.y[best], fmt::format("{:g}", level), plot::Text::start, level == 1 ? 14.0 : 11.0, "black"});
    axes.curves.push_back(std::move(line));
  }
}

plot::Axes panel(const std::string& title, const plot::Field& field, const std::vector<double>& levels, double limit) {
  plot::Axes axes{title, "coefficient of friction mu", "restitution e"};
  axes.shapes = plot::cells(field, colours());
  axes.x_range = plot::Range{field.x.front(), field.x.back()}, axes.y_range = plot::Range{0, 1};
  lines(axes, field, levels);
  if (limit < field.x.back())
    axes.curves.push_back({"", {limit, limit}, {0, 1}, plot::Curve::line, "#444444", 1.5, true});
  return axes;
}

plot::Axes cut(DoublePendulum system, const Vector<2>& q, const Vector<2>& u, double mu_most) {
  plot::Axes axes{fmt::format("Cut at e = {:g}", system.e), "coefficient of friction mu", "energy after / before"};
  std::vector<double> mu, newton, moreau, p4;
  for (int k = 0; k <= 200; ++k) {
    system.mu = mu_most * k / 200;
    const Ratios r = strike(system, q, u);
    mu.push_back(system.mu), newton.push_back(r.newton), moreau.push_back(r.moreau), p4.push_back(r.p4);
  }
  axes.curves.push_back({"Newton + Coulomb", mu, newton, plot::Curve::line, "#d55e00", 2.5});
  axes.curves.push_back({"P4", mu, p4, plot::Curve::line, "#0072b2", 4});
  axes.curves.push_back({"weighted mean", mu, moreau, plot::Curve::line, "#e69f00", 1.5, true});
  axes.curves.push_back({"", {0, mu_most}, {1, 1}, plot::Curve::line, "#777777", 1, true});
  return axes;
}

Expected<Output> run(const Parameters& p) {
  const Vector<2> q = degree * Vector<2>(p.number("q1_deg"), p.number("q2_deg"));
  const Vector<2> u(p.number("w1"), p.number("w2"));
  DoublePendulum system{1, 1, p.number("mu"), p.number("e"), 0};
  system.floor = system.height(q);
  if (!((system.kinematics(0, 0, q).G.row(0) * u)(0) < 0))
    return Error{"w1, w2: the end does not approach the obstacle, expected sin(q1) w1 + sin(q2) w2 < 0"};
  const double limit = bound(system, q), mu_most = p.number("mu_most");
  const Ratios here = strike(system, q, u);
  const Map map = chart(system, q, u, mu_most, p.integer("cells"));
  Output out;
  out.set("ratio_newton", here.newton);
  out.set("ratio_moreau", here.moreau);
  out.set("ratio_p4", here.p4);
  out.set("moreau_plus", here.u_moreau);
  out.set("p4_plus", here.u_p4);
  out.set("unbounded_above", limit);
  out.set("newton_most", map.newton_most);
  out.set("newton_gain_part", map.gain);
  out.set("p4_most", map.p4_most);
  const std::string dashed = "; dashed: the set is unbounded beyond";
  out.figure("map", {"Kinetic energy after the impact over before",
                     {panel("Newton + Coulomb", map.newton, {0.5, 0.75, 1, 1.5, 2}, 10 * mu_most),
                      panel("P4" + dashed, map.p4, {0.25, 0.5, 0.75, 0.9}, limit), cut(system, q, u, mu_most)},
                     3,
                     1380,
                     460});
  return out;
}

}  // namespace

Example kane_map() {
  return {"kane-map",
          "Kane's double pendulum over all coefficients: where energy is created, and a law under which it never is",
          "BC18 5.1, 5.2",
          {number("q1_deg", 20, "deg", "angle of the first rod from the downward vertical"),
           number("q2_deg", 30, "deg", "angle of the second rod from the downward vertical"),
           number("w1", -0.1, "rad/s", "rate of the first angle before the impact"),
           number("w2", -0.2, "rad/s", "rate of the second"), number("mu", 0.5, "", "coefficient of friction", 0),
           number("e", 0.5, "", "coefficient of restitution", 0, 1),
           number("mu_most", 1, "", "right end of the map", above_zero),
           integer("cells", 80, "of the map, each way", 4, 400)},
          {{"ratio_newton", "", "kinetic energy after over before: U_N+ = -e U_N-, Coulomb on the outgoing velocity"},
           {"ratio_moreau", "", "the same for the weighted mean of JM92 6.1"},
           {"ratio_p4", "", "the same for problem P4 with the set of Coulomb's cone"},
           {"moreau_plus", "rad/s", "both rates after, weighted mean"},
           {"p4_plus", "rad/s", "both rates after, P4"},
           {"unbounded_above", "", "coefficient of friction from which on the friction set is unbounded"},
           {"newton_most", "", "greatest ratio on the map, Newton and Coulomb"},
           {"newton_gain_part", "", "part of the map where Newton and Coulomb create energy"},
           {"p4_most", "", "greatest ratio on the map, P4: at most 1"}},
          run};
}

}  // namespace cairn::examples
