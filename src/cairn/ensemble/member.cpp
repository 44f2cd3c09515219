#include "cairn/ensemble/member.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cairn/ensemble/perturb.hpp"
#include "cairn/ensemble/renumber.hpp"
#include "cairn/input/build.hpp"
#include "cairn/input/plan.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn::ensemble {
namespace {

// Each kind draws from a stream of its own: adding one leaves the others as they were.
enum class Stream : std::uint64_t { h = 1, positions, velocities, mu, numbering, parameters };

RandomStream stream(const Design& design, int member, Stream kind) {
  RandomStream mixed(design.seed, static_cast<std::uint64_t>(kind));
  return RandomStream(mixed.bits(), static_cast<std::uint64_t>(design.draw(member)));
}

const input::Parameter* find(const std::vector<input::Parameter>& parameters, const std::string& name) {
  for (const input::Parameter& p : parameters)
    if (p.name == name) return &p;
  return nullptr;
}

Expected<input::SceneFile> read(const Design& design, const std::vector<std::string>& settings) {
  input::Diagnostics out(design.scene.path, design.scene.text);
  auto file = input::read_scene(design.scene, settings, out);
  if (!file) return Error{out.str()};
  return std::move(*file);
}

template <int D>
Expected<scene::World<D>> build(const Design& design, const input::SceneFile& file) {
  input::Diagnostics out(design.scene.path, design.scene.text);
  auto world = input::build_world<D>(file, design.scene.path, out);
  if (!world) return Error{out.str()};
  return std::move(*world);
}

// The parameters as this member has them: a tenth is nearer to the scene's own value by that factor.
std::vector<std::pair<std::string, Real>> drawn(const Design& design, const std::vector<input::Parameter>& parameters,
                                                int index) {
  std::vector<std::pair<std::string, Real>> out;
  RandomStream random = stream(design, index, Stream::parameters);
  for (const Variation& v : design.perturbation.vary) {
    const input::Parameter* p = find(parameters, v.name);
    const Real own = std::get<Real>(p->value);
    Real x = v.normal ? v.a + v.b * random.normal() : p->whole ? random.within(v.a, v.b + 1) : random.within(v.a, v.b);
    if (p->whole)
      x = v.normal ? std::round(x) : std::floor(x);
    else
      x = own + design.factor(index) * (x - own);
    out.emplace_back(v.name, x);
  }
  return out;
}

Size times(Size size, Real factor) { return {factor * size.value, size.absolute}; }

// Perturbs what is built; gives the order of the bodies.
template <int D>
std::vector<int> perturb(const Design& design, int index, scene::World<D>& world, run::Plan& plan) {
  const Perturbation& p = design.perturbation;
  const Real factor = design.factor(index);
  std::vector<int> order(world.model.bodies.size());
  std::iota(order.begin(), order.end(), 0);
  if (index == 0) return order;
  const auto draw = [&](Stream kind) { return stream(design, index, kind); };
  if (p.h) {
    // The end stays where run 0 has it: a time of its own would be a perturbation of the size of h.
    plan.duration = std::max(Real(1), std::ceil(plan.duration / plan.h - Real(1e-6))) * plan.h;
    plan.h *= 1 - *p.h * factor * draw(Stream::h).unit(), plan.land = true;
  }
  if (RandomStream random = draw(Stream::positions); p.positions)
    move_bodies(world, times(*p.positions, factor), random);
  if (RandomStream random = draw(Stream::velocities); p.velocities)
    push_bodies(world, times(*p.velocities, factor), random);
  if (RandomStream random = draw(Stream::mu); p.mu) change_friction(world, *p.mu * factor, random);
  if (RandomStream random = draw(Stream::numbering); p.numbering) {
    const bool ends = std::ranges::any_of(
        plan.outcome, [](const std::string& name) { return name == "first_speed" || name == "last_speed"; });
    order = random_order(world, ends, random);
    renumber_probes(plan.probes, world, order);
    world = renumbered(world, order);
  }
  return order;
}

template <int D>
Expected<std::vector<std::unique_ptr<run::Probe<D>>>> probes_of(const std::vector<run::ProbeSpec>& specs,
                                                                const scene::World<D>& world) {
  std::vector<std::unique_ptr<run::Probe<D>>> probes;
  for (const run::ProbeSpec& spec : specs) {
    auto probe = run::make_probe<D>(spec, world);
    if (!probe) return Error{probe.error()};
    probes.push_back(std::move(*probe));
  }
  return probes;
}

// Puts the run into the member; false: interrupted.
template <int D>
Expected<bool> carry_out(const Design& design, const Layout& layout, const input::SceneFile& file,
                         const std::vector<std::string>& settings, Member& member, Reference& reference,
                         const MemberWatch& watch) {
  auto world = build<D>(design, file);
  if (!world) return Error{world.error()};
  run::Plan plan = input::plan_of(file, design.scene, settings);
  if (design.until > 0) plan.duration = design.until;
  const std::vector<int> order = perturb(design, member.index, *world, plan);
  const std::vector<run::ProbeSpec> specs = std::exchange(plan.probes, {});
  member.h = plan.h;
  auto simulation = run::Simulation<D>::make(plan, std::move(*world));
  if (!simulation) return Error{simulation.error()};
  auto probes = probes_of(specs, (*simulation)->world());
  if (!probes) return Error{probes.error()};
  Sampler<D> sampler((*simulation)->world(), std::move(*probes), layout.times, order,
                     member.index == 0 ? nullptr : &reference);
  (*simulation)->observe([&](const run::Moment<D>& now) { sampler.see(now); });
  run::Watch inner;
  inner.interrupted = watch.interrupted;
  if (watch.show) inner.show = [&](const run::Progress& p) { watch.show(p.t / p.end); };
  const auto summary = (*simulation)->run({}, inner);
  if (!summary) return Error{summary.error()};
  if (summary->interrupted) return false;
  const run::Totals& totals = summary->totals;
  member.time = summary->time, member.stopped = summary->stopped, member.outcome = summary->outcome;
  member.steps = totals.steps, member.missed = totals.missed, member.error_max = totals.error_max;
  member.violation_max = totals.violation_max, member.energy_defect = totals.energy_defect();
  member.seconds = summary->wall_seconds;
  member.samples = sampler.samples();
  if (member.index == 0) reference = sampler.places();
  return true;
}

// --- the layout ------------------------------------------------------------------------------------------------------

std::string wrong_variation(Design& design, const std::vector<input::Parameter>& parameters) {
  for (const Variation& v : design.perturbation.vary) {
    const input::Parameter* p = find(parameters, v.name);
    if (p == nullptr) {
      // The message of --set has the hint.
      std::vector<std::string> settings = design.settings;
      settings.push_back(fmt::format("{}={}", v.name, v.a));
      const auto refused = read(design, settings);
      return refused ? v.name : "--vary: " + refused.error();
    }
    if (!std::holds_alternative<Real>(p->value))
      return fmt::format("--vary {}: the parameter is no number, expected one that is\n", v.name);
    if (p->whole && !v.normal && (v.a != std::floor(v.a) || v.b != std::floor(v.b)))
      return fmt::format("--vary {}: the parameter is a whole number, expected whole bounds\n", v.name);
    if (!p->whole) design.shrinking_parameters = true;
    for (const Real end : {v.a, v.normal ? v.a : v.b}) {
      std::vector<std::string> settings = design.settings;
      settings.push_back(fmt::format("{}={}", v.name, p->whole ? std::round(end) : end));
      if (const auto tried = read(design, settings); !tried) return "--vary: " + tried.error();
    }
  }
  return "";
}

template <int D>
Expected<Layout> laid_out(const Design& design, const input::SceneFile& file) {
  const auto world = build<D>(design, file);
  if (!world) return Error{world.error()};
  run::Plan plan = input::plan_of(file, design.scene, design.settings);
  if (design.until > 0) plan.duration = design.until;
  if (const auto good = run::Simulation<D>::make(plan, *world); !good)
    return Error{fmt::format("{}: {}\n", design.scene.path, good.error())};
  const std::optional<Size>& push = design.perturbation.velocities;
  if (push && !push->absolute && !(own_speed(*world) > 0))
    return Error{"--perturb velocities: nothing moves or weighs in the scene, expected a size in m/s\n"};
  Layout out;
  out.title = plan.title, out.dimension = D, out.h = plan.h;
  out.end = std::max(Real(1), std::ceil(plan.duration / plan.h - Real(1e-6))) * plan.h;
  for (int k = 1; k <= design.samples; ++k)
    out.times.push_back(out.end * static_cast<Real>(k) / static_cast<Real>(design.samples));
  out.observables = own_observables();
  const auto probes = probes_of(plan.probes, *world);
  if (!probes) return Error{probes.error() + "\n"};
  for (const auto& p : *probes) out.observables.push_back({p->name, p->unit});
  for (const std::string& name : plan.outcome)
    for (const run::MeasureDoc& doc : run::measure_docs())
      if (name == doc.name) out.outcomes.push_back({name, doc.unit});
  out.scales.length = world->model.size, out.scales.gravity = norm(world->model.gravity), out.scales.mass = 0;
  for (const Body<D>& b : world->model.bodies) out.scales.mass += b.mass;
  return out;
}

}  // namespace

Real Scales::of(const std::string& unit) const {
  const Real speed = std::sqrt(gravity * length);
  if (unit.empty() || unit == "rad") return 1;
  if (unit == "degrees") return Real(57.295779513082320877);
  if (unit == "m") return length;
  if (unit == "m/s") return speed;
  if (unit == "s") return gravity > 0 ? std::sqrt(length / gravity) : 0;
  if (unit == "rad/s") return speed / length;
  if (unit == "m/s^2") return gravity;
  if (unit == "J") return mass * gravity * length;
  if (unit == "kg/s") return mass * speed / length;
  if (unit == "N") return mass * gravity;
  if (unit == "N/m") return mass * gravity / length;
  if (unit == "Pa") return mass * gravity / (length * length);
  return 0;
}

Real Layout::resolution() const {
  const Real own = scales.of("s");
  return std::clamp(own > 0 ? h / (10 * own) : 0, Real(1e-4), Real(1e-2));
}

Expected<Layout> lay_out(Design& design) {
  const auto file = read(design, design.settings);
  if (!file) return Error{file.error()};
  design.shrinking_parameters = false;
  if (const std::string bad = wrong_variation(design, file->parameters); !bad.empty()) return Error{bad};
  return file->dimension == 2 ? laid_out<2>(design, *file) : laid_out<3>(design, *file);
}

std::optional<Member> run_member(const Design& design, const Layout& layout, int index, Reference& reference,
                                 const MemberWatch& watch) {
  Member member;
  member.index = index;
  std::vector<std::string> settings = design.settings;
  const auto own = read(design, settings);
  CAIRN_CHECK(static_cast<bool>(own), "lay_out() has read the same scene");
  if (index > 0) member.varied = drawn(design, own->parameters, index);
  for (const auto& [name, value] : member.varied) settings.push_back(fmt::format("{}={}", name, value));
  const auto file = read(design, settings);
  Expected<bool> done = !file ? Expected<bool>(Error{file.error()})
                        : file->dimension == 2
                            ? carry_out<2>(design, layout, *file, settings, member, reference, watch)
                            : carry_out<3>(design, layout, *file, settings, member, reference, watch);
  if (done && !*done) return std::nullopt;
  if (!done) member.failed = done.error();
  return member;
}

}  // namespace cairn::ensemble
