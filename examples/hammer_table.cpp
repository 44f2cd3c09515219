// An object on a table that is hit by a hammer (M88 9.2). A rigid table that nothing moves gives the object no
// percussion, whatever the law of impact; a table on a stiff support, hit, moves too little to be seen, and the object
// jumps.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "cairn/law/signorini.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

// Heights q = (table, object, hammer) from their places at rest. The support carries table and object; the hammer is
// held by an operator, so that its weight does not count.
struct Table3 {
  using Law = Signorini;
  static constexpr int freedoms = 3;
  Real table = 20, object = 0.1, hammer = 0.5;  // [kg]
  Real stiffness = 0, damping = 0, g = 9.81;    // [N/m] [N s/m] [m/s2]
  Real e_object = 0, e_hammer = 0;              // [-]
  bool from_below = false, rigid = false;       // rigid: the table does not move at all

  int contacts() const { return 2; }  // object on table, hammer on table
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Vector<3>(table, object, hammer).asDiagonal(); }
  Vector<3> force(Real, const Vector<3>& q, const Vector<3>& u) const {
    const Real support = rigid ? 0 : -stiffness * q(0) - damping * u(0) + object * g;
    return {support, -object * g, 0};
  }
  Real gap(int a, Real, const Vector<3>& q) const {
    if (a == 0) return q(1) - q(0);
    return from_below ? q(0) - q(2) : q(2) - q(0);
  }
  Kinematics<1, 3> kinematics(int a, Real, const Vector<3>&) const {
    const Real side = from_below ? -1 : 1, moves = rigid ? 0 : 1;
    if (a == 0) return {Matrix<1, 3>(-moves, 1, 0), Vector<1>(0)};
    return {side * Matrix<1, 3>(-moves, 0, 1), Vector<1>(0)};
  }
  Law law(int, Real, const Vector<3>&) const { return {}; }
  Restitution restitution(int a) const { return a == 0 ? Restitution{e_object, 0} : Restitution{e_hammer, 0}; }
};

Table3 system_of(const Parameters& p) {
  Table3 s{p.number("m_table"), p.number("m_object"), p.number("m_hammer")};
  const Real pulsation = 2 * std::numbers::pi * p.number("frequency");
  s.stiffness = s.table * pulsation * pulsation, s.damping = 2 * p.number("damping") * s.table * pulsation;
  s.g = p.number("g"), s.e_object = p.number("e"), s.e_hammer = p.number("e_hammer");
  s.from_below = p.word("side") == "below";
  return s;
}

struct Motion {
  std::vector<double> t, table, object;
  std::vector<double> heights;  // of the flights seen
  Real highest = 0, moved = 0;  // of the object, of the table either way
  bool flying = false;
  MotionReport report;
};

Motion move(const Table3& system, Real speed, Real h, Real T, Real seen) {
  Motion out;
  State<Table3> s{0, Vector<3>::Zero(), Vector<3>(0, 0, system.from_below ? speed : -speed), {}};
  Moreau<Table3> scheme(system);
  Real top = 0;
  const auto land = [&] {
    if (top > seen) out.heights.push_back(top);
    top = 0;
  };
  out.report = cairn::run(scheme, s, h, T, [&](const State<Table3>& now, const StepReport&) {
    out.t.push_back(now.t), out.table.push_back(now.q(0)), out.object.push_back(now.q(1));
    out.highest = std::max(out.highest, now.q(1)), out.moved = std::max(out.moved, std::abs(now.q(0)));
    if (system.gap(0, now.t, now.q) > 0)
      top = std::max(top, now.q(1));
    else
      land();
    return true;
  });
  out.flying = top > seen;
  land();
  return out;
}

// The same blow on stiffer and stiffer supports.
struct Sweep {
  std::vector<double> frequency, height, moved;
};

Expected<Sweep> over_stiffness(const Parameters& p) {
  Sweep out;
  for (int k = 0; k < 7; ++k) {
    const Real frequency = 25 * std::pow(Real(2), k), pulsation = 2 * std::numbers::pi * frequency;
    Table3 system = system_of(p);
    system.stiffness = system.table * pulsation * pulsation;
    system.damping = 2 * p.number("damping") * system.table * pulsation;
    const Motion m = move(system, p.number("speed"), 1 / (200 * frequency), std::min<Real>(0.1, p.number("T")), 0);
    if (m.report.fault != Fault::none) return Error{describe(m.report.fault)};
    out.frequency.push_back(frequency), out.height.push_back(m.highest), out.moved.push_back(m.moved);
  }
  return out;
}

plot::Figure picture(const Motion& m, const Sweep& sweep) {
  const auto millimetres = [](std::vector<double> x) {
    for (double& value : x) value *= 1e3;
    return x;
  };
  plot::Axes whole{"Heights", "time [s]", "height [mm]"};
  whole.curves = {{"object", m.t, millimetres(m.object)}, {"table", m.t, millimetres(m.table)}};
  plot::Axes limit{"On stiffer and stiffer supports", "frequency of the table [Hz]", "[mm]", true, true};
  limit.curves = {{"height of the object", sweep.frequency, millimetres(sweep.height), plot::Curve::line_points},
                  {"motion of the table", sweep.frequency, millimetres(sweep.moved), plot::Curve::line_points}};
  return {"", {whole, limit}, 2, 960, 420};
}

Expected<Output> run(const Parameters& p) {
  const Table3 system = system_of(p);
  const Real h = p.number("h"), T = p.number("T"), speed = p.number("speed"), seen = p.number("seen");
  const Real turn = 2 * std::numbers::pi * p.number("frequency") * h;
  if (turn > 0.5)
    return Error{fmt::format("h: {} s, expected less than {:.3g} s to follow a table of {} Hz", h, h * 0.5 / turn,
                             p.number("frequency"))};
  const Motion m = move(system, speed, h, T, seen);
  Table3 fixed = system;
  fixed.rigid = true;
  const Motion rigid = move(fixed, speed, h, T, seen);
  for (const Motion* motion : {&m, &rigid})
    if (motion->report.fault != Fault::none) return Error{fmt::format("h = {}: {}", h, describe(motion->report.fault))};
  const auto sweep = over_stiffness(p);
  if (!sweep) return Error{sweep.error()};
  Output out;
  out.set("jumps", m.heights.size());
  out.set("heights", m.heights);
  out.set("height", m.highest);
  out.set("table_motion", m.moved);
  out.set("rigid_height", rigid.highest);
  out.set("energy_defect", std::abs(m.report.energy.defect()));
  if (m.flying) out.remark("The object is still in the air at T; its last flight is counted as far as it went.");
  out.table("motion", {{"t", m.t}, {"table", m.table}, {"object", m.object}});
  out.table("stiffness", {{"frequency", sweep->frequency}, {"height", sweep->height}, {"table_motion", sweep->moved}});
  out.figure("hammer", picture(m, *sweep));
  return out;
}

}  // namespace

Example hammer_table() {
  return {"hammer-table",
          "A table is hit and hardly moves, and the object on it jumps; on a rigid table it does not",
          "M88 9.2",
          {number("m_table", 20, "kg", "mass of the table", above_zero),
           number("m_object", 0.1, "kg", "mass of the object", above_zero),
           number("m_hammer", 0.5, "kg", "mass of the hammer", above_zero),
           number("speed", 8, "m/s", "of the hammer when it strikes", 0),
           word("side", "above", {"above", "below"}, "from which the hammer strikes the table"),
           number("frequency", 200, "Hz", "of the table alone on its support", above_zero, 1e5),
           number("damping", 0.05, "", "of the support, as a part of the critical one", 0, 1),
           number("e", 0, "", "restitution between object and table", 0, 1),
           number("e_hammer", 0.5, "", "restitution between hammer and table", 0, 1),
           number("g", 9.81, "m/s2", "gravity", 0),
           number("seen", 5e-4, "m", "flights that rise higher than this count as jumps", 0),
           number("h", 1e-5, "s", "time step", above_zero), number("T", 0.1, "s", "end of the motion", above_zero)},
          {{"jumps", "", "flights of the object that can be seen"},
           {"heights", "m", "which they reach"},
           {"height", "m", "greatest height of the object"},
           {"table_motion", "m", "greatest displacement of the table"},
           {"rigid_height", "m", "greatest height of the object on a table that cannot move"},
           {"energy_defect", "J", "what is left of the balance of energy"}},
          run};
}

}  // namespace cairn::examples
