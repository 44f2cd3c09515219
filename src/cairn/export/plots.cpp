#include "cairn/export/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cairn/export/plot_parts.hpp"
#include "cairn/export/spectrum.hpp"

namespace cairn::exporting {
namespace {

using plot::Axes;
using plot::Curve;
using plot::Figure;
using record::StepRow;
using Runs = std::vector<Run>;

Axes over_time(std::string y_label) {
  Axes axes;
  axes.x_label = "time [s]", axes.y_label = std::move(y_label), axes.legend_beside = true;
  return axes;
}

// One curve a run of a number of each step.
Axes of_steps(const Runs& runs, const PlotOptions& o, std::string label, Real StepRow::*member, bool log = false) {
  Axes axes = over_time(std::move(label));
  axes.log_y = log;
  for (const Run& run : runs) axes.curves.push_back(step_curve(run, o, member, runs.size() > 1 ? run.name : ""));
  return axes;
}

// Energy against its start: what the ledger's terms brought, cumulated, and what the sum misses.
Axes ledger(const Run& run, const PlotOptions& o) {
  Axes axes = over_time("energy [J]");
  axes.curves.push_back(step_curve(run, o, &StepRow::kinetic, "kinetic"));
  axes.curves.push_back(summed_curve(run, o, {&StepRow::applied}, "work of forces"));
  axes.curves.push_back(summed_curve(run, o, {&StepRow::boundary}, "work of boundaries"));
  axes.curves.push_back(summed_curve(run, o, {&StepRow::dissipation}, "dissipated"));
  const Real scale = Real(1e-6) * std::max(largest(axes.curves[0].y), largest(axes.curves[3].y));
  for (Curve c : {summed_curve(run, o, {&StepRow::inertial}, "inertial"),
                  summed_curve(run, o, {&StepRow::correction}, "corrections")})
    if (largest(c.y) > scale) axes.curves.push_back(std::move(c));
  return axes;
}

Axes defect(const Runs& runs, const PlotOptions& o) {
  Axes axes = over_time("defect of the ledger [J]");
  for (const Run& run : runs) axes.curves.push_back(defect_curve(run, o, runs.size() > 1 ? run.name : ""));
  return axes;
}

Expected<Figure> energy(const Runs& runs, const PlotOptions& o) {
  if (const std::string wrong = need_steps(runs, o); !wrong.empty()) return Error{wrong};
  Figure figure{"Energy ledger"};
  for (const Run& run : runs) {
    figure.axes.push_back(ledger(run, o));
    if (runs.size() > 1) figure.axes.back().title = run.name;
  }
  figure.axes.push_back(defect(runs, o));
  return figure;
}

Expected<Figure> error(const Runs& runs, const PlotOptions& o) {
  if (const std::string wrong = need_steps(runs, o); !wrong.empty()) return Error{wrong};
  return Figure{"Error of contact and violation",
                {of_steps(runs, o, "contact error [-]", &StepRow::error, true),
                 of_steps(runs, o, "violation [m]", &StepRow::violation, true)}};
}

Expected<Figure> contacts(const Runs& runs, const PlotOptions& o) {
  if (const std::string wrong = need_steps(runs, o); !wrong.empty()) return Error{wrong};
  Axes axes = over_time("contacts [-]");
  const bool many = runs.size() > 1;
  for (const Run& run : runs) {
    const std::string of = many ? run.name + ", " : "";
    axes.curves.push_back(step_curve(run, o, &StepRow::active, of + "near"));
    axes.curves.push_back(step_curve(run, o, &StepRow::closed, of + "pressing"));
  }
  return Figure{"Number of contacts", {axes}};
}

Expected<Figure> coordination(const Runs& runs, const PlotOptions& o) {
  Axes axes = over_time("coordination number [-]");
  for (const Run& run : runs) {
    if (run.frames.empty()) return Error{run.name + ": has no frames; expected contacts of one at least"};
    Curve c{run.name, {}, {}};
    c.style = run.frames.size() < 100 ? Curve::line_points : Curve::line;
    for (const FrameSummary& f : run.frames)
      if (shown(o, f.t)) c.x.push_back(f.t), c.y.push_back(f.coordination);
    axes.curves.push_back(std::move(c));
  }
  return Figure{"Coordination number", {axes}};
}

// One panel a unit: what has different units has no common axis.
Expected<Figure> probes(const Runs& runs, const PlotOptions& o) {
  const auto names = probe_names(runs, o);
  if (!names) return Error{names.error()};
  Figure figure{"Probes"};
  std::vector<std::string> units;
  for (const std::string& name : *names)
    if (const std::string unit = unit_of(runs, name); std::ranges::find(units, unit) == units.end())
      units.push_back(unit);
  for (const std::string& unit : units) {
    std::vector<std::string> shared;
    std::ranges::copy_if(*names, std::back_inserter(shared),
                         [&](const std::string& name) { return unit_of(runs, name) == unit; });
    Axes axes = over_time(labelled(shared.size() == 1 ? shared[0] : "value", unit));
    for (const std::string& name : shared)
      for (const Run& run : runs)
        if (const Probe* p = run.find(name)) {
          const std::string both = run.name + ": " + name;
          axes.curves.push_back(probe_curve(run, o, *p,
                                            runs.size() == 1     ? name
                                            : shared.size() == 1 ? run.name
                                                                 : both));
        }
    figure.axes.push_back(std::move(axes));
  }
  return figure;
}

Expected<Figure> stress_strain(const Runs& runs, const PlotOptions& o) {
  Axes ratio, volume;
  ratio.x_label = volume.x_label = "axial strain [-]";
  ratio.y_label = "stress ratio [-]", volume.y_label = "volume strain [-]";
  ratio.legend_beside = volume.legend_beside = true;
  bool with_volume = false;
  for (const Run& run : runs) {
    const Probe *strain = run.find("biaxial_strain"), *stress = run.find("stress_ratio"),
                *v = run.find("volume_strain");
    if (strain == nullptr || stress == nullptr)
      return Error{
          fmt::format("{}: has no probe {}; expected biaxial_strain, stress_ratio and, if wanted, volume_strain",
                      run.name, strain == nullptr ? "biaxial_strain" : "stress_ratio")};
    const std::string name = runs.size() > 1 ? run.name : "";
    ratio.curves.push_back(against(run, o, *strain, *stress, name));
    if (v != nullptr) volume.curves.push_back(against(run, o, *strain, *v, name)), with_volume = true;
  }
  Figure figure{"Stress and strain", {ratio}};
  if (with_volume) figure.axes.push_back(volume);
  return figure;
}

Expected<Figure> forces(const Runs& runs, const PlotOptions& o) {
  Axes axes;
  axes.x_label = "normal force over its mean [-]", axes.y_label = "probability density [-]";
  axes.log_y = true;
  if (o.bins < 1) return Error{fmt::format("bins: {} found, expected 1 at least", o.bins)};
  for (const Run& run : runs) {
    const FrameSummary* const frame = frame_at(run, o);
    if (frame == nullptr || frame->normal_forces.empty())
      return Error{run.name + ": no contact presses in the frame; expected one with forces (choose its time)"};
    Curve c = histogram(frame->normal_forces, o.bins);
    c.name = fmt::format("{}{}t = {:.6g} s, {} contacts", runs.size() > 1 ? run.name : "", runs.size() > 1 ? ", " : "",
                         frame->t, frame->normal_forces.size());
    if (runs.size() == 1) axes.title = c.name;
    axes.curves.push_back(std::move(c));
  }
  return Figure{"Normal forces", {axes}};
}

Expected<Figure> spectra(const Runs& runs, const PlotOptions& o) {
  const auto names = probe_names(runs, o);
  if (!names) return Error{names.error()};
  Figure figure{"Amplitude spectrum"};
  for (const std::string& name : *names) {
    Axes axes;
    axes.x_label = "frequency [Hz]", axes.y_label = labelled(name, unit_of(runs, name)),
    axes.log_y = axes.legend_beside = true;
    for (const Run& run : runs) {
      const Probe* const p = run.find(name);
      if (p == nullptr) continue;
      const Curve signal = probe_curve(run, o, *p, "");
      const Spectrum s = spectrum(signal.x, signal.y);
      if (s.frequency.empty())
        return Error{fmt::format("{}: probe {} has {} values; expected 8 at least", run.name, name, signal.x.size())};
      axes.curves.push_back({runs.size() > 1 ? run.name : "", s.frequency, s.amplitude});
    }
    axes.y_range = decades_below(axes.curves, 6);
    figure.axes.push_back(std::move(axes));
  }
  return figure;
}

struct Maker {
  PlotKind kind;
  Expected<Figure> (*make)(const Runs&, const PlotOptions&);
  double panel;  // [px] of height
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> list{
      {{"energy", "kinetic energy, work of forces and of boundaries, dissipation, and the defect of their balance"},
       energy,
       300},
      {{"error", "error of the contact problem and violation of the gaps, step by step"}, error, 230},
      {{"contacts", "contacts near and pressing, step by step"}, contacts, 360},
      {{"coordination", "mean number of neighbours that a free body presses on, frame by frame"}, coordination, 360},
      {{"probes", "what the probes of the scene measured"}, probes, 260},
      {{"stress-strain", "stress ratio and volume strain against the axial strain of a biaxial cell"},
       stress_strain,
       270},
      {{"forces", "distribution of the normal forces over their mean, in one frame"}, forces, 400},
      {{"spectrum", "amplitude spectrum of probes (Hann's window)"}, spectra, 280},
  };
  return list;
}

}  // namespace

const std::vector<PlotKind>& plot_kinds() {
  static const std::vector<PlotKind> kinds = [] {
    std::vector<PlotKind> all;
    for (const Maker& m : makers()) all.push_back(m.kind);
    return all;
  }();
  return kinds;
}

Expected<Figure> make_plot(const std::string& kind, const Runs& runs, const PlotOptions& options) {
  std::string known;
  for (const Maker& m : makers()) {
    known += (known.empty() ? "" : ", ") + m.kind.name;
    if (m.kind.name != kind) continue;
    if (runs.empty()) return Error{"plot " + kind + ": no run; expected one at least"};
    Expected<Figure> figure = m.make(runs, options);
    if (!figure) return Error{"plot " + kind + ": " + figure.error()};
    if (!options.title.empty())
      figure->title = options.title;
    else if (runs.size() == 1 && !runs[0].name.empty())
      figure->title += ": " + runs[0].name;
    figure->width = options.width;
    figure->height = options.height > 0 ? options.height : 28 + m.panel * static_cast<double>(figure->axes.size());
    return figure;
  }
  return Error{"plot " + kind + ": unknown; expected one of " + known};
}

}  // namespace cairn::exporting
