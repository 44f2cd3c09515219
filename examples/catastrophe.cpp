// Frictional catastrophe (M88 14, 15.3): a sliding round tip jumps without collision, and any time step gives one
// outcome out of a segment of them.
#include "examples/catastrophe.hpp"

#include <fmt/format.h>

#include <numbers>
#include <random>

#include "cairn/base/check.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"

namespace cairn::examples {

// With the contact closed and sliding, z = psi'^2 is a function of psi: dz/dpsi = 2 lever (g - d cos(psi) z) / (k2 Y),
// Y the yield, which vanishes at psi*. There g - d cos z falls as |psi - psi*|^a, a = 2 d cos / (d sin |Y'|): a node.
// In p = |psi - psi*|^a all is smooth enough for the implicit midpoint rule.
std::optional<Catastrophe> exact_catastrophe(const RoundTip& b, Real psi0, Real psi_dot0, Real slide0) {
  if (slide0 == 0 || psi_dot0 == 0 || !(b.yield(psi0, slide0 > 0 ? 1 : -1) > 0)) return {};
  const Real side = slide0 > 0 ? 1 : -1, way = psi_dot0 > 0 ? 1 : -1;
  Real far = psi0, step = way * Real(1e-4);
  while (std::abs(far) < std::numbers::pi / 2 && b.yield(far + step, side) > 0) far += step;
  if (!(std::abs(far) < std::numbers::pi / 2)) return {};
  Real near = far + step;
  for (int k = 0; k < 200; ++k) {
    const Real middle = (far + near) / 2;
    (b.yield(middle, side) > 0 ? far : near) = middle;
  }
  const Real psi = far, slope = (b.yield(psi + 1e-6, side) - b.yield(psi - 1e-6, side)) / 2e-6;
  const Real exponent = 2 / (std::abs(std::tan(psi)) * std::abs(slope)), k = std::max(Real(1), 1 / exponent);
  const int steps = 20000;
  const Real p0 = std::pow(std::abs(psi0 - psi), 1 / k), dp = p0 / steps;
  Real z = psi_dot0 * psi_dot0, t = 0, slip = slide0, w = psi_dot0;
  for (int i = steps; i > 0; --i) {
    const Real p = (i - Real(0.5)) * dp, at = psi - way * std::pow(p, k), along = way * k * std::pow(p, k - 1) * dp;
    const Real c = b.d * std::cos(at), s = b.d * std::sin(at), lever = b.lever(at, side);
    const Real rate = 2 * lever / (b.k2 * b.yield(at, side)) * along / 2;  // of half a step
    const Real mean = (z + rate * b.g) / (1 + rate * c);                   // z at the middle
    const Real normal = (b.g - c * mean) / b.yield(at, side);              // force over mass
    if (!(mean > 0) || !(normal > 0) || !(slip * side > 0)) return {};
    z = 2 * mean - z;
    const Real dt = along / (way * std::sqrt(mean));
    slip += dt * (-side * b.mu * normal + (c + b.tip) * normal * lever / b.k2 - s * mean);
    w += dt * normal * lever / b.k2;
    t += dt;
  }
  // The rule leaves the last of the approach to the node; what remains is an impulse, whose effects are proportional.
  const Real limit = way * std::sqrt(b.g / (b.d * std::cos(psi))), lever = b.lever(psi, side);
  slip += (limit - w) * (b.d * std::cos(psi) + b.tip - side * b.mu * b.k2 / lever);
  return Catastrophe{t, psi, limit, slip};
}

Real full_stick(const RoundTip& b, const Catastrophe& at) {
  const Real side = at.slip > 0 ? 1 : -1, arm = b.d * std::cos(at.psi) + b.tip, lever = b.lever(at.psi, side);
  const Real impulse = at.slip / (side * b.mu - arm * lever / b.k2);  // over mass: brings the sliding to zero
  return at.psi_dot + impulse * lever / b.k2;
}

std::vector<Outcome> outcome_segment(const RoundTip& b, const Catastrophe& at) {
  const Real c = b.d * std::cos(at.psi), s = b.d * std::sin(at.psi);
  const Vector<3> q(-s, c + b.tip, at.psi);
  const Vector<3> u(at.slip - (c + b.tip) * at.psi_dot, -s * at.psi_dot, at.psi_dot);  // in contact
  ContactProblem<RoundTip> problem(b);
  CAIRN_CHECK(problem.begin(at.t, q), "a body has inertia");
  problem.add(0);
  problem.solve(u, u);  // no force counts at an instant
  const auto all = problem.all_solutions();
  if (!all || all->sets.size() != 1 || all->sets[0].dimension != 1) return {};
  std::vector<Outcome> ends;
  for (const SolutionPoint& x : all->sets[0].points) {
    const Vector<3> after = u + problem.contact(0).Y * Vector<2>(x.S[0], x.S[1]);
    ends.push_back({after(2), b.slip(q, after)});
  }
  return ends;
}

namespace {

constexpr double degree = std::numbers::pi / 180;

struct Start {
  RoundTip body;
  Real psi, psi_dot, slide;
  State<RoundTip> state() const {
    const Real c = body.d * std::cos(psi), s = body.d * std::sin(psi);
    return {0, {-s, c + body.tip, psi}, {slide - (c + body.tip) * psi_dot, -s * psi_dot, psi_dot}, {Status::slide}};
  }
};

Start start(const Parameters& p) {
  return {{p.number("m"), p.number("k2"), p.number("tip"), p.number("d"), p.number("mu"), p.number("g")},
          p.number("psi0_deg") * degree,
          p.number("psi_dot0"),
          p.number("slide0")};
}

// One motion, the step of its greatest drop of sliding, and what the contact left when it broke: a jump may take two or
// three steps.
struct Motion {
  std::vector<double> t, x, y, psi, psi_dot, slip;
  Real drop = 0, when = 0, after = 0, slip_after = 0, h = 0;
  bool sticks = false, jumps = false;
  MotionReport report;
};

Motion move(const Start& start, Real h, Real T) {
  const RoundTip& body = start.body;
  Motion out;
  out.h = h;
  State<RoundTip> s = start.state();
  const auto record = [&] {
    out.t.push_back(s.t), out.x.push_back(s.q(0)), out.y.push_back(s.q(1)), out.psi.push_back(s.q(2));
    out.psi_dot.push_back(s.u(2)), out.slip.push_back(body.slip(s.q, s.u));
  };
  record();
  bool away = false;  // the body has left the boundary for good
  Moreau<RoundTip> scheme(body);
  out.report = cairn::run(scheme, s, h, T, [&](const State<RoundTip>& now, const StepReport& step) {
    record();
    const Real before = out.slip[out.slip.size() - 2], drop = std::abs(before) - std::abs(out.slip.back());
    away = away || body.gap(0, now.t, now.q) > Real(1e-3) * body.d;
    if (step.closed == 0 || away) return true;
    const Matrix<2, 2> H = scheme.contacts().contact(0).G * scheme.contacts().contact(0).Y;
    const Real yield = H(0, 0) - (before > 0 ? 1 : -1) * body.mu * H(0, 1);
    const bool weak = yield < Real(0.05) * H(0, 0);  // a sliding that ends where the yield is not small just ends
    if (drop > out.drop) out.drop = drop, out.when = now.t - h / 2, out.jumps = weak;
    if (weak) out.after = now.u(2), out.slip_after = out.slip.back(), out.sticks = now.status[0] == Status::stick;
    return true;
  });
  return out;
}

// Outline of the body: the hull of the tip and of a disc about the centre of mass with the radius of gyration asked.
plot::Shape outline(const RoundTip& b, double x, double y, double psi) {
  const double r = std::sqrt(2 * b.k2), cx = x + b.d * std::sin(psi), cy = y - b.d * std::cos(psi);
  const double open = b.d > std::abs(b.tip - r) ? std::acos((b.tip - r) / b.d) : (b.tip > r ? 0 : std::numbers::pi);
  std::vector<double> px, py;
  const auto arc = [&](double ox, double oy, double radius, double from, double to) {
    for (int k = 0; k <= 24; ++k) {  // angles from the axis, tip to centre of mass
      const double phi = from + (to - from) * k / 24 + psi + std::numbers::pi / 2;
      px.push_back(ox + radius * std::cos(phi)), py.push_back(oy + radius * std::sin(phi));
    }
  };
  arc(cx, cy, b.tip, open, 2 * std::numbers::pi - open);
  arc(x, y, r, -open, open);
  return plot::polygon(px, py);
}

plot::Figure profiles(const RoundTip& body, const Motion& m) {
  plot::Axes axes{fmt::format("Every third step, h = {:.4g} s", m.h), "x [m]", "y [m]"};
  axes.equal_aspect = true;
  double left = infinite, right = -infinite;
  for (std::size_t k = 0; k < m.t.size(); k += 3) {
    plot::Shape shape = outline(body, m.x[k], m.y[k], m.psi[k]);
    shape.stroke = m.t[k] <= m.when ? "#0072b2" : "#d55e00";
    for (const double x : shape.x) left = std::min(left, x), right = std::max(right, x);
    if (k % 9 == 0) axes.texts.push_back({m.x[k], m.y[k], fmt::format("{}", k), plot::Text::middle, 10, shape.stroke});
    axes.shapes.push_back(std::move(shape));
  }
  axes.shapes.push_back(plot::polyline({left - 0.1, right + 0.1}, {0, 0}));
  axes.shapes.back().closed = false, axes.shapes.back().width = 2;
  return {"", {axes}, 1, 640, 560};
}

plot::Figure outcomes(const std::vector<Motion>& motions) {
  plot::Axes slip{"", "time [s]", "horizontal velocity of the lowest point [m/s]"};
  plot::Axes after{"", "step h [s]", "angular velocity after [rad/s]"};
  plot::Curve stuck{"stick", {}, {}, plot::Curve::points, "#0072b2"},
      slid{"partial", {}, {}, plot::Curve::points, "#d55e00"};
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const Motion& m = motions[k];
    if (k < 60) slip.curves.push_back({"", m.t, m.slip, plot::Curve::line, m.sticks ? "#0072b2" : "#d55e00", 0.7});
    if (!m.jumps) continue;
    plot::Curve& curve = m.sticks ? stuck : slid;
    curve.x.push_back(m.h), curve.y.push_back(m.after);
  }
  after.curves = {stuck, slid};
  return {"", {slip, after}, 2, 960, 420};
}

// All solutions at the catastrophe itself, and where the runs came to.
plot::Figure segment(const std::vector<Outcome>& ends, const std::vector<Motion>& motions) {
  plot::Axes axes{"", "velocity of the lowest point after [m/s]", "angular velocity after [rad/s]"};
  plot::Curve all{"all solutions at the catastrophe", {}, {}, plot::Curve::line_points, "#999999", 4};
  for (const Outcome& end : ends) all.x.push_back(end.slip), all.y.push_back(end.psi_dot);
  plot::Curve stuck{"runs that stick", {}, {}, plot::Curve::points, "#0072b2"},
      slid{"runs that slide on", {}, {}, plot::Curve::points, "#d55e00"};
  for (const Motion& m : motions) {
    if (!m.jumps) continue;
    plot::Curve& curve = m.sticks ? stuck : slid;
    curve.x.push_back(m.slip_after), curve.y.push_back(m.after);
  }
  axes.curves = {all, stuck, slid};
  if (ends.size() == 2) {
    const Real middle = (ends[0].slip + ends[1].slip) / 2;
    for (const Outcome& end : ends)
      axes.texts.push_back({end.slip, end.psi_dot + (end.slip == ends[0].slip ? 0.08 : -0.12),
                            fmt::format("{:.4f}", end.psi_dot), end.slip < middle ? plot::Text::start : plot::Text::end,
                            12});
  }
  return {"", {axes}, 1, 640, 460};
}

Expected<Output> run(const Parameters& p) {
  const Start from = start(p);
  const Real h_max = p.number("h_max"), span = p.number("h_span"), T = p.number("T");
  if (!(span < h_max)) return Error{fmt::format("h_span: {} s, expected less than h_max = {} s", span, h_max)};
  std::mt19937_64 random(static_cast<std::uint64_t>(p.integer("seed")));
  Output out;
  std::vector<Motion> motions;
  std::vector<double> h, t, psi_dot, slip, sticks;
  Real gain = 0;
  for (int k = 0; k < p.integer("runs"); ++k) {
    motions.push_back(move(from, h_max - span * static_cast<Real>(random() >> 11) * 0x1p-53, T));
    Motion& m = motions.back();
    if (m.report.fault != Fault::none)
      return Error{fmt::format("run {} with h = {}: {}", k, m.h, describe(m.report.fault))};
    gain = std::max(gain, m.report.energy_gain_max);
    if (m.jumps) {
      h.push_back(m.h), t.push_back(m.when), psi_dot.push_back(m.after), slip.push_back(m.slip_after);
      sticks.push_back(m.sticks);
    }
    if (k >= 60) m.t.clear(), m.t.shrink_to_fit(), m.slip.clear();  // not drawn
  }
  const double n = static_cast<double>(t.size()), none = std::nan("");
  double mean = 0, square = 0, stuck = 0;
  for (const double x : t) mean += x / n;
  for (const double x : t) square += (x - mean) * (x - mean);
  for (const double x : sticks) stuck += x / n;
  out.set("t_mean", n > 0 ? mean : none);
  out.set("t_sd", n > 1 ? std::sqrt(square / (n - 1)) : n > 0 ? 0 : none);
  out.set("stick_fraction", n > 0 ? stuck : none);
  out.set("psi_dot_min", n > 0 ? *std::min_element(psi_dot.begin(), psi_dot.end()) : none);
  out.set("psi_dot_max", n > 0 ? *std::max_element(psi_dot.begin(), psi_dot.end()) : none);
  out.set("energy_gain_max", gain);
  out.set("catastrophes", n / static_cast<double>(p.integer("runs")));
  const Motion drawn = move(from, p.number("h"), T);
  if (drawn.report.fault != Fault::none) return Error{fmt::format("h = {}: {}", drawn.h, describe(drawn.report.fault))};
  if (n == 0) out.remark("No catastrophe: the contact lifts off, comes to rest or slides on until the end.");
  out.table("runs", {{"h", h}, {"t", t}, {"psi_dot", psi_dot}, {"slip", slip}, {"stick", sticks}});
  out.table("motion", {{"t", drawn.t},
                       {"x", drawn.x},
                       {"y", drawn.y},
                       {"psi", drawn.psi},
                       {"psi_dot", drawn.psi_dot},
                       {"slip", drawn.slip}});
  out.figure("profiles", profiles(from.body, drawn));
  out.figure("outcomes", outcomes(motions));
  const auto exact = exact_catastrophe(from.body, from.psi, from.psi_dot, from.slide);
  const std::vector<Outcome> ends =
      exact && exact->t <= T ? outcome_segment(from.body, *exact) : std::vector<Outcome>{};
  out.set("segment_slide", ends.size() == 2 ? ends[0].psi_dot : none);
  out.set("segment_stick", ends.size() == 2 ? ends[1].psi_dot : none);
  if (ends.size() == 2) out.figure("segment", segment(ends, motions));
  return out;
}

Expected<double> error(const Parameters& p) {
  const Start from = start(p);
  const auto exact = exact_catastrophe(from.body, from.psi, from.psi_dot, from.slide);
  if (!exact || exact->t > p.number("T")) return Error{"these data lead to no catastrophe before T: no exact answer"};
  const Motion m = move(from, p.number("h"), p.number("T"));
  if (m.report.fault != Fault::none) return Error{fmt::format("h = {}: {}", m.h, describe(m.report.fault))};
  if (!m.jumps) return Error{fmt::format("h = {}: too coarse, the motion shows no catastrophe", m.h)};
  return std::abs(m.when - exact->t);
}

}  // namespace

Example catastrophe() {
  return {"catastrophe",
          "A sliding round tip jumps without collision; the outcome depends on the time step",
          "M88 15.3",
          {number("m", 1, "kg", "mass", above_zero),
           number("k2", 0.02, "m2", "squared radius of gyration about the centre of mass", above_zero),
           number("tip", 0.1, "m", "radius of the tip", 0),
           number("d", 1, "m", "from the centre of the tip to the centre of mass", above_zero),
           number("g", 9.81, "m/s2", "gravity", 0), number("mu", 0.5, "", "coefficient of friction", 0),
           number("psi0_deg", 32, "deg", "first lean of the centre of mass, to the left of the contact", -90, 90),
           number("psi_dot0", -1.5, "rad/s", "first rate of the lean"),
           number("slide0", 4, "m/s", "first sliding velocity, to the right"),
           number("h_max", 0.00046, "s", "longest time step of the runs", above_zero),
           number("h_span", 0.0001, "s", "each run has the step h_max - h_span times a random number in [0, 1)", 0),
           integer("runs", 300, "motions with random steps", 1, 1e6),
           integer("seed", 1, "of the random steps; the same seed gives the same bits"),
           number("h", 0.002, "s", "step of the motion that is drawn, and of a study", above_zero),
           number("T", 0.12, "s", "end of the motions", above_zero)},
          {{"t_mean", "s", "time of the catastrophe, mean of the runs"},
           {"t_sd", "s", "its standard deviation"},
           {"stick_fraction", "", "part of the catastrophes that end the sliding altogether"},
           {"psi_dot_min", "rad/s", "least angular velocity after the catastrophe"},
           {"psi_dot_max", "rad/s", "greatest"},
           {"segment_slide", "rad/s", "all solutions at the exact catastrophe: the end where sliding goes on"},
           {"segment_stick", "rad/s", "their other end, where it stops"},
           {"energy_gain_max", "J", "greatest energy that the contact gave in one step of any run"},
           {"catastrophes", "", "part of the runs in which one took place"}},
          run,
          error};
}

}  // namespace cairn::examples
