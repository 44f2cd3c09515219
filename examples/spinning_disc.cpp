// A flat disc that slides and spins under uniform pressure: translation and rotation end at the same instant.
//
// Uniform pressure is a statement on the normal forces, which rigid contacts alone would leave undetermined. The disc
// is therefore a rigid frame that carries vertical rods, free to slide in it and spread over the area in rings: each
// rod presses with its own weight, and rubs by Coulomb's law at its foot. The mean distance of the rods of a ring from
// the centre is that of the points of the ring it stands for, so that the torque of pure spin is the one of the full
// disc.
#include "cairn/law/coulomb3.hpp"
#include "cairn/scheme/moreau.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct Rod {
  Real x, y, mass;  // in axes that follow the centre; the masses sum to 1
};

// The pressure is uniform and the rods are spread evenly: their motion along x and their turning are all there is, and
// the forces are symmetric about the y axis. The rods of the half x > 0 bear the weight of both halves. There are 2, 4,
// 6... of them in rings of equal width; they do not turn with the disc, a ring being the same after any turn.
std::vector<Rod> rods_of(int rings, Real R) {
  std::vector<Rod> rods;
  for (int k = 0; k < rings; ++k) {
    const Real in = R * k / rings, out = R * (k + 1) / rings, area = (out * out - in * in) / (R * R);
    const Real r = 2 * (out * out * out - in * in * in) / (3 * (out * out - in * in));  // mean of the distance
    const int count = 2 * (k + 1);
    for (int j = 0; j < count; ++j) {
      const Real angle = std::numbers::pi * ((j + Real(0.5)) / count - Real(0.5));
      rods.push_back({r * std::cos(angle), r * std::sin(angle), area / count});
    }
  }
  return rods;
}

struct Disc {  // (x, angle, heights of the rods); unit mass
  using Law = Coulomb3;
  static constexpr int freedoms = dynamic_size;
  using V = Vector<dynamic_size>;
  std::vector<Rod> rods;
  Real R, mu;  // [m] [-]

  int contacts() const { return static_cast<int>(rods.size()); }
  const Rod& rod(int a) const { return rods[static_cast<std::size_t>(a)]; }
  Matrix<dynamic_size, dynamic_size> inertia(Real, const V& q) const {
    V diagonal(q.size());
    diagonal.head<2>() << 1, R * R / 2;
    for (int a = 0; a < contacts(); ++a) diagonal(2 + a) = rod(a).mass;
    return diagonal.asDiagonal();
  }
  V force(Real, const V& q, const V&) const {
    V f = V::Zero(q.size());
    for (int a = 0; a < contacts(); ++a) f(2 + a) = -gravity * rod(a).mass;
    return f;
  }
  Real gap(int a, Real, const V& q) const { return q(2 + a); }
  Kinematics<3, dynamic_size> kinematics(int a, Real, const V& q) const {
    Kinematics<3, dynamic_size> k{Matrix<3, dynamic_size>::Zero(3, q.size()), Vector<3>::Zero()};
    k.G(0, 2 + a) = 1;
    k.G(1, 0) = 1, k.G(1, 1) = -rod(a).y;
    k.G(2, 1) = rod(a).x;
    return k;
  }
  Law law(int, Real, const V&) const { return {mu}; }
};

struct Motion {
  std::vector<double> t, x, v, rim;  // rim: R omega
  double stop_time = infinite;
};

Expected<Motion> simulate(const Parameters& p) {
  const double h = p.number("h"), R = p.number("R"), mu = p.number("mu"), v0 = p.number("v0");
  const double rim0 = R * p.number("omega0");
  const double longest = mu > 0 ? 2 * (std::abs(v0) + std::abs(rim0)) / (mu * gravity) + 3 * h : 1;
  if (longest / h > 2e6) return Error{fmt::format("h: {}, expected at least {:.3g} for this motion", h, longest / 2e6)};
  const Disc disc{rods_of(p.integer("rings"), R), R, mu};
  Moreau<Disc> scheme(disc);
  State<Disc> s{0, Disc::V::Zero(2 + disc.contacts()), Disc::V::Zero(2 + disc.contacts()), {}};
  s.u(0) = v0, s.u(1) = p.number("omega0");
  Motion m;
  const auto record = [&](const State<Disc>& now) {
    m.t.push_back(now.t), m.x.push_back(now.q(0)), m.v.push_back(now.u(0)), m.rim.push_back(R * now.u(1));
  };
  const auto speed = [&](const State<Disc>& now) { return std::hypot(now.u(0), R * now.u(1)); };
  record(s);
  if (mu == 0) return m;
  // Halving all velocities halves the time that is left: towards the end steps shorten with the speed, so that the
  // ratio is seen to settle.
  const double start = speed(s), enough = 1e-5 * start;
  double before = start, last = 0;
  while (speed(s) > enough) {
    const double step = std::min(h, 0.03 * speed(s) / (mu * gravity));
    before = speed(s);
    const StepReport report = scheme.step(s, step);
    if (report.fault != Fault::none) return Error{fmt::format("t = {}: {}", s.t, describe(report.fault))};
    record(s);
    last = step;
  }
  m.stop_time = last > 0 ? s.t + last * speed(s) / (before - speed(s)) : 0;  // at the rate of the last step
  return m;
}

plot::Figure picture(const Motion& m, const Parameters& p) {
  plot::Axes speeds{"Translation and rotation end together", "time [s]", "[m/s]"};
  speeds.curves.push_back({"v", m.t, m.v});
  speeds.curves.push_back({"R omega", m.t, m.rim});
  plot::Axes ratio{"Ratio", "time [s]", "v/(R omega)"};
  std::vector<double> ts, rs;
  for (std::size_t k = 0; k < m.t.size(); ++k)
    if (std::abs(m.rim[k]) > 0) ts.push_back(m.t[k]), rs.push_back(m.v[k] / m.rim[k]);
  ratio.curves.push_back({"", ts, rs});
  plot::Axes view{"Rods, by weight", "[m]", "[m]"};
  view.equal_aspect = true;
  const double R = p.number("R");
  view.shapes.push_back(plot::circle(0, 0, R));
  for (const Rod& rod : rods_of(p.integer("rings"), R))
    for (const double side : {-1.0, 1.0})
      view.shapes.push_back(plot::circle(side * rod.x, rod.y, 0.5 * R * std::sqrt(rod.mass), plot::palette(0)));
  return {"", {view, speeds, ratio}, 3, 1150, 360};
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const auto m = simulate(p);
  if (!m) return Error{m.error()};
  Output out;
  out.set("stop_time", m->stop_time);
  out.set("x", m->x.back());
  out.set("final_ratio",
          std::abs(m->rim.back()) > 1e-9 * std::abs(m->v.back()) ? m->v.back() / m->rim.back() : infinite);
  if (p.number("mu") == 0) out.remark("Without friction the disc does not stop: nothing was computed.");
  out.table("motion", {{"t", m->t}, {"x", m->x}, {"v", m->v}, {"R_omega", m->rim}});
  out.figure("motion", picture(*m, p));
  return out;
}

}  // namespace

Example spinning_disc() {
  return {"spinning-disc",
          "A flat disc slides and spins: both motions end at once, in a ratio that does not depend on the start",
          "M88 12, M98 4.5",
          {number("R", 0.1, "m", "radius", 1e-6, 1e6), number("mu", 0.3, "", "coefficient of friction", 0, 1e3),
           number("v0", 1, "m/s", "velocity at the start"), number("omega0", 10, "rad/s", "spin at the start"),
           integer("rings", 6, "rings of rods over which the pressure is spread", 1, 8),
           number("h", 2e-3, "s", "time step", 1e-6, 1)},
          {{"stop_time", "s", "instant of the stop (null: none)"},
           {"x", "m", "where it stops"},
           {"final_ratio", "", "v/(R omega) just before the stop (null: it does not spin)"}},
          simulate_and_show};
}

}  // namespace cairn::examples
