#include "cairn/run/probe.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cairn/run/probe_kinds.hpp"

namespace cairn::run {
namespace {

template <int D>
using MadeProbe = Expected<std::unique_ptr<Probe<D>>>;

// A number in decimal digits alone; -1: it is not one.
int number(const std::string& text) {
  int n = -1;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
  return bad == std::errc() && end == text.data() + text.size() ? n : -1;
}

template <int D>
Expected<std::vector<int>> bodies_of(const ProbeSpec& spec, const scene::World<D>& world) {
  if (spec.body.empty()) return Error{"body is missing, expected the name or the number of a body"};
  std::vector<int> found = world.find(spec.body);
  if (!found.empty()) return found;
  const int count = static_cast<int>(world.model.bodies.size()), n = number(spec.body);
  if (n >= 0 && n < count) return std::vector<int>{n};
  return Error{fmt::format("body is \"{}\", expected a name in the scene or a number below {}", spec.body, count)};
}

// -1: the length.
template <int D>
Expected<int> axis_of(const std::string& component) {
  if (component.empty()) return -1;
  const std::size_t k = std::string(D == 2 ? "xy" : "xyz").find(component);
  if (component.size() == 1 && k != std::string::npos) return static_cast<int>(k);
  return Error{fmt::format("component is \"{}\", expected {} or nothing", component, D == 2 ? "x, y" : "x, y, z")};
}

template <int D, class Make>
MadeProbe<D> with_body_and_axis(const ProbeSpec& spec, const scene::World<D>& world, bool single, const Make& make) {
  const auto bodies = bodies_of(spec, world);
  if (!bodies) return Error{bodies.error()};
  const auto axis = axis_of<D>(spec.component);
  if (!axis) return Error{axis.error()};
  if (single && bodies->size() != 1)
    return Error{fmt::format("body is \"{}\", which {} bodies are called; expected one", spec.body, bodies->size())};
  return std::unique_ptr<Probe<D>>(make(*bodies, *axis));
}

template <int D>
MadeProbe<D> position(const ProbeSpec& spec, const scene::World<D>& world) {
  return with_body_and_axis<D>(spec, world, false, [](const auto& b, int axis) {
    return new BodyProbe<D>(b, axis, [](const Moment<D>& now, int k) { return now.state.x[at(k)]; });
  });
}
template <int D>
MadeProbe<D> displacement(const ProbeSpec& spec, const scene::World<D>& world) {
  return with_body_and_axis<D>(spec, world, false, [](const auto& b, int axis) {
    return new BodyProbe<D>(b, axis,
                            [](const Moment<D>& now, int k) { return now.state.x[at(k)] - now.world.state.x[at(k)]; });
  });
}
// Of a driven body the mean over the step, which is what the scheme uses.
template <int D>
Vec<D> velocity_of(const Moment<D>& now, int b) {
  if (now.world.model.bodies[at(b)].free() || !(now.h > 0)) return linear<D>(now.state.u[at(b)]);
  return linear<D>(boundary_velocity(now.world.model, b, now.state.t - now.h, now.h));
}
template <int D>
MadeProbe<D> velocity(const ProbeSpec& spec, const scene::World<D>& world) {
  return with_body_and_axis<D>(spec, world, false,
                               [](const auto& b, int axis) { return new BodyProbe<D>(b, axis, &velocity_of<D>); });
}
template <int D>
MadeProbe<D> angle(const ProbeSpec& spec, const scene::World<D>& world) {
  return with_body_and_axis<D>(spec, world, true, [](const auto& b, int) { return new AngleProbe<D>(b[0]); });
}
template <int D>
MadeProbe<D> spinning(const ProbeSpec& spec, const scene::World<D>& world) {
  if (D == 2 && !spec.component.empty() && spec.component != "z")
    return Error{fmt::format("component is \"{}\", expected z or nothing", spec.component)};
  ProbeSpec inner = spec;
  if (D == 2) inner.component = "x";  // the only one
  return with_body_and_axis<D>(inner, world, true,
                               [](const auto& b, int axis) { return new SpinProbe<D>(b[0], axis); });
}
template <int D>
MadeProbe<D> reaction(const ProbeSpec& spec, const scene::World<D>& world) {
  return with_body_and_axis<D>(spec, world, false,
                               [](const auto& b, int axis) { return new ReactionProbe<D>(b, axis, 1); });
}
template <int D>
MadeProbe<D> wall_stress(const ProbeSpec& spec, const scene::World<D>& world) {
  if (!(spec.area > 0)) return Error{fmt::format("area is {}, expected more than 0", spec.area)};
  return with_body_and_axis<D>(spec, world, false,
                               [&](const auto& b, int axis) { return new ReactionProbe<D>(b, axis, spec.area); });
}
template <int D>
MadeProbe<D> joint_reaction(const ProbeSpec& spec, const scene::World<D>& world) {
  const auto axis = axis_of<D>(spec.component);
  if (!axis) return Error{axis.error()};
  const int count = static_cast<int>(world.model.joints.size());
  if (spec.joint < 0 || spec.joint >= count)
    return Error{fmt::format("joint is {}, expected a number from 0 and below {}", spec.joint, count)};
  return std::unique_ptr<Probe<D>>(new JointReactionProbe<D>(spec.joint, *axis));
}
template <int D>
MadeProbe<D> energy(const ProbeSpec& spec, const scene::World<D>&) {
  const bool kinetic = spec.component == "kinetic", potential = spec.component == "potential";
  const bool total = spec.component == "total" || spec.component.empty();
  if (!kinetic && !potential && !total)
    return Error{fmt::format("component is \"{}\", expected kinetic, potential or total", spec.component)};
  return std::unique_ptr<Probe<D>>(new EnergyProbe<D>(kinetic || total, potential || total));
}
template <int D>
MadeProbe<D> contacts(const ProbeSpec&, const scene::World<D>& world) {
  return std::unique_ptr<Probe<D>>(new CountProbe<D>(
      world, [](const Survey<D>& s, const Moment<D>& now) { return static_cast<Real>(s.carrying(now).size()); }));
}
template <int D>
MadeProbe<D> mean_contacts(const ProbeSpec&, const scene::World<D>& world) {
  return std::unique_ptr<Probe<D>>(new CountProbe<D>(world, &coordination<D>));
}
template <int D>
MadeProbe<D> stress(const ProbeSpec& spec, const scene::World<D>& world) {
  const auto i = axis_of<D>(spec.component.substr(0, 1));
  const auto j = axis_of<D>(spec.component.size() == 2 ? spec.component.substr(1) : "");
  if (!i || !j || *i < 0 || *j < 0)
    return Error{fmt::format("component is \"{}\", expected two of the axes, as xx or xy", spec.component)};
  if (spec.low.size() != spec.high.size() || (!spec.low.empty() && spec.low.size() != at(D)))
    return Error{fmt::format("low and high have {} and {} numbers, expected {} each, or none", spec.low.size(),
                             spec.high.size(), D)};
  for (std::size_t k = 0; k < spec.low.size(); ++k)
    if (!(spec.low[k] < spec.high[k]))
      return Error{
          fmt::format("low is {} and high {} along axis {}, expected less and more", spec.low[k], spec.high[k], k)};
  if (spec.low.empty() && Survey<D>(world).grains.empty()) return Error{"needs low and high, or grains"};
  return std::unique_ptr<Probe<D>>(new StressProbe<D>(world, spec, *i, *j));
}
template <int D, int what>
MadeProbe<D> cell(const ProbeSpec&, const scene::World<D>& world) {
  if (const std::string bad = CellView<D>::lacks(world); !bad.empty()) return Error{bad};
  return std::unique_ptr<Probe<D>>(new CellProbe<D>(world, static_cast<typename CellProbe<D>::What>(what)));
}

struct ProbeEntry {
  ProbeDoc doc;
  MadeProbe<2> (*plane)(const ProbeSpec&, const scene::World<2>&);
  MadeProbe<3> (*space)(const ProbeSpec&, const scene::World<3>&);
};

// The one list.
const std::vector<ProbeEntry>& probe_entries() {
  static const std::vector<ProbeEntry> list{
      {{"position", "m", "body, component", "of a body's centre of mass"}, &position<2>, &position<3>},
      {{"displacement", "m", "body, component", "of a body's centre of mass since the start"},
       &displacement<2>,
       &displacement<3>},
      {{"velocity", "m/s", "body, component", "of a body's centre of mass; of a driven one the mean over the step"},
       &velocity<2>,
       &velocity<3>},
      {{"angle", "rad", "body", "turned since the start, in space about the vertical; full turns count"},
       &angle<2>,
       &angle<3>},
      {{"spin", "rad/s", "body, component", "in the world's axes"}, &spinning<2>, &spinning<3>},
      {{"reaction", "N", "body, component", "force of all contacts on a body or boundary, mean over the step"},
       &reaction<2>,
       &reaction<3>},
      {{"wall_stress", "N/m^(D-1)", "body, component, area", "the reaction over a given area"},
       &wall_stress<2>,
       &wall_stress<3>},
      {{"joint_reaction", "N", "joint, component",
        "force of a joint on its first body, along the axes of its second frame, mean over the step"},
       &joint_reaction<2>,
       &joint_reaction<3>},
      {{"energy", "J", "component: kinetic, potential or total", "of the free bodies; potential is that of the weight"},
       &energy<2>,
       &energy<3>},
      {{"contacts", "", "", "contact points that carry force"}, &contacts<2>, &contacts<3>},
      {{"coordination", "", "", "as the outcome of that name"}, &mean_contacts<2>, &mean_contacts<3>},
      {{"stress", "N/m^(D-1)", "component as xx or xy, low, high",
        "mean stress of the bodies in a box, pressure positive: sum over contacts of force times branch over volume"},
       &stress<2>,
       &stress<3>},
      {{"biaxial_strain", "", "", "biaxial cell: strain of the driven side since the start, a magnitude"},
       &cell<2, 0>,
       &cell<3, 0>},
      {{"stress_ratio", "", "", "biaxial cell: |s_v - s_h| / (s_v + s_h) of the step"}, &cell<2, 1>, &cell<3, 1>},
      {{"volume_strain", "", "", "biaxial cell: relative change of width times height since the driven side moves"},
       &cell<2, 2>,
       &cell<3, 2>},
  };
  return list;
}

}  // namespace

const std::vector<ProbeDoc>& probe_docs() {
  static const std::vector<ProbeDoc> docs = [] {
    std::vector<ProbeDoc> d;
    for (const ProbeEntry& e : probe_entries()) d.push_back(e.doc);
    return d;
  }();
  return docs;
}

template <int D>
Expected<std::unique_ptr<Probe<D>>> make_probe(const ProbeSpec& spec, const scene::World<D>& world) {
  std::string known;
  for (const ProbeEntry& e : probe_entries()) {
    if (spec.kind != e.doc.kind) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", e.doc.kind);
      continue;
    }
    MadeProbe<D> made = [&] {
      if constexpr (D == 2)
        return e.plane(spec, world);
      else
        return e.space(spec, world);
    }();
    if (!made) return Error{fmt::format("probe \"{}\" of kind {}: {}", spec.name, spec.kind, made.error())};
    (*made)->name = spec.name;
    (*made)->unit = std::string(e.doc.unit) == "N/m^(D-1)" ? (D == 2 ? "N/m" : "Pa") : e.doc.unit;
    return made;
  }
  return Error{fmt::format("probe \"{}\": kind is \"{}\", expected one of {}", spec.name, spec.kind, known)};
}

template Expected<std::unique_ptr<Probe<2>>> make_probe(const ProbeSpec&, const scene::World<2>&);
template Expected<std::unique_ptr<Probe<3>>> make_probe(const ProbeSpec&, const scene::World<3>&);

}  // namespace cairn::run
