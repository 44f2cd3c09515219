#include "cairn/export/plot_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/check.hpp"

namespace cairn::exporting {

using plot::Curve;
using record::StepRow;

bool shown(const PlotOptions& o, Real t) { return !o.times || (t >= o.times->low && t <= o.times->high); }

Real largest(const std::vector<Real>& values) {
  Real most = 0;
  for (const Real v : values) most = std::max(most, std::abs(v));
  return most;
}

Curve step_curve(const Run& run, const PlotOptions& o, StepNumber member, const std::string& name) {
  Curve c{name, {}, {}};
  for (const StepRow& s : run.steps)
    if (shown(o, s.t)) c.x.push_back(s.t), c.y.push_back(s.*member);
  return c;
}

Curve summed_curve(const Run& run, const PlotOptions& o, const std::vector<StepNumber>& members,
                   const std::string& name) {
  Curve c{name, {}, {}};
  Real sum = 0;
  for (const StepRow& s : run.steps) {
    for (const StepNumber m : members) sum += s.*m;
    if (shown(o, s.t)) c.x.push_back(s.t), c.y.push_back(sum);
  }
  return c;
}

Curve defect_curve(const Run& run, const PlotOptions& o, const std::string& name) {
  Curve c{name, {}, {}};
  Real sum = 0;
  for (const StepRow& s : run.steps) {
    sum += s.change - s.applied - s.inertial - s.boundary + s.dissipation;
    if (shown(o, s.t)) c.x.push_back(s.t), c.y.push_back(sum);
  }
  return c;
}

Curve probe_curve(const Run& run, const PlotOptions& o, const Probe& probe, const std::string& name) {
  CAIRN_CHECK(probe.values.size() == run.steps.size(), "a probe has one value a step");
  Curve c{name, {}, {}};
  for (std::size_t k = 0; k < run.steps.size(); ++k)
    if (shown(o, run.steps[k].t)) c.x.push_back(run.steps[k].t), c.y.push_back(probe.values[k]);
  return c;
}

Curve against(const Run& run, const PlotOptions& o, const Probe& x, const Probe& y, const std::string& name) {
  Curve c = probe_curve(run, o, y, name);
  c.x = probe_curve(run, o, x, "").y;
  return c;
}

Curve histogram(const std::vector<Real>& forces, int bins) {
  CAIRN_CHECK(bins > 0 && !forces.empty(), "a histogram needs bins and values");
  Real mean = 0;
  for (const Real f : forces) mean += f / static_cast<Real>(forces.size());
  const Real top = *std::max_element(forces.begin(), forces.end()) / mean, width = top / bins;
  std::vector<Real> count(static_cast<std::size_t>(bins), 0);
  for (const Real f : forces) count[std::min(static_cast<std::size_t>(f / mean / width), count.size() - 1)] += 1;
  Curve c;
  for (std::size_t k = 0; k < count.size(); ++k) {
    const Real density = count[k] > 0 ? count[k] / (static_cast<Real>(forces.size()) * width) : std::nan("");
    c.x.push_back(static_cast<Real>(k) * width), c.y.push_back(density);
    c.x.push_back(static_cast<Real>(k + 1) * width), c.y.push_back(density);
  }
  return c;
}

const FrameSummary* frame_at(const Run& run, const PlotOptions& o) {
  if (run.frames.empty()) return nullptr;
  if (!o.at) return &run.frames.back();
  return &*std::min_element(run.frames.begin(), run.frames.end(), [&](const FrameSummary& a, const FrameSummary& b) {
    return std::abs(a.t - *o.at) < std::abs(b.t - *o.at);
  });
}

Expected<std::vector<std::string>> probe_names(const std::vector<Run>& runs, const PlotOptions& o) {
  std::vector<std::string> all;
  std::string list;
  for (const Run& run : runs)
    for (const Probe& p : run.probes)
      if (std::find(all.begin(), all.end(), p.name) == all.end())
        all.push_back(p.name), list += (list.empty() ? "" : ", ") + p.name;
  if (all.empty()) return Error{"the runs have no probes; expected one at least"};
  for (const std::string& name : o.probes)
    if (std::find(all.begin(), all.end(), name) == all.end())
      return Error{fmt::format("probe {}: in no run; expected of {}", name, list)};
  if (const std::string wrong = need_steps(runs, o); !wrong.empty()) return Error{wrong};
  return o.probes.empty() ? all : o.probes;
}

std::string unit_of(const std::vector<Run>& runs, const std::string& probe) {
  for (const Run& run : runs)
    if (const Probe* p = run.find(probe)) return p->unit;
  return "";
}

std::string labelled(const std::string& name, const std::string& unit) {
  return fmt::format("{} [{}]", name, unit.empty() ? "-" : unit);
}

std::string need_steps(const std::vector<Run>& runs, const PlotOptions& o) {
  for (const Run& run : runs)
    if (std::ranges::none_of(run.steps, [&o](const StepRow& s) { return shown(o, s.t); }))
      return fmt::format("{}: no step in the times asked for, expected one at least ({} steps in all)", run.name,
                         run.steps.size());
  return "";
}

std::optional<plot::Range> decades_below(const std::vector<Curve>& curves, int decades) {
  Real most = 0;
  for (const Curve& c : curves) most = std::max(most, largest(c.y));
  if (!(most > 0) || !std::isfinite(most)) return {};
  return plot::Range{most * std::pow(Real(10), -decades), 2 * most};
}

}  // namespace cairn::exporting
