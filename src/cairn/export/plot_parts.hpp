// Curves of runs, as the standard plots put them together.
#pragma once

#include "cairn/export/plots.hpp"

namespace cairn::exporting {

bool shown(const PlotOptions& options, Real t);
Real largest(const std::vector<Real>& values);  // in size; 0 for none

using StepNumber = Real record::StepRow::*;

plot::Curve step_curve(const Run& run, const PlotOptions& options, StepNumber member, const std::string& name);
// The sum of these numbers over all steps up to each.
plot::Curve summed_curve(const Run& run, const PlotOptions& options, const std::vector<StepNumber>& members,
                         const std::string& name);
// What the cumulated ledger leaves open: change - applied - inertial - boundary + dissipation.
plot::Curve defect_curve(const Run& run, const PlotOptions& options, const std::string& name);
plot::Curve probe_curve(const Run& run, const PlotOptions& options, const Probe& probe, const std::string& name);
plot::Curve against(const Run& run, const PlotOptions& options, const Probe& x, const Probe& y,
                    const std::string& name);

// Density of f / mean(f) in bins of equal width up to the largest, as steps; bins without any are gaps.
plot::Curve histogram(const std::vector<Real>& forces, int bins);

// The frame nearest to the time asked for; null: there is none.
const FrameSummary* frame_at(const Run& run, const PlotOptions& options);

// The probes asked for, or all; a message where one is in no run.
Expected<std::vector<std::string>> probe_names(const std::vector<Run>& runs, const PlotOptions& options);
std::string unit_of(const std::vector<Run>& runs, const std::string& probe);
std::string labelled(const std::string& name, const std::string& unit);

// Empty, or which run has no step in the times shown.
std::string need_steps(const std::vector<Run>& runs, const PlotOptions& options);

// From that many decades below the highest value up to it; none where no value is positive.
std::optional<plot::Range> decades_below(const std::vector<plot::Curve>& curves, int decades);

}  // namespace cairn::exporting
