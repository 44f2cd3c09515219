// The standard plots of a motion, by name.
#pragma once

#include <optional>

#include "cairn/export/runs.hpp"
#include "cairn/plot/figure.hpp"

namespace cairn::exporting {

struct PlotOptions {
  std::vector<std::string> probes = {};   // the ones to draw, in that order; none: all
  std::optional<plot::Range> times = {};  // [s] steps outside are left out
  std::optional<Real> at = {};            // [s] the frame of the histogram: the nearest; not given: the last
  int bins = 30;                          // of the histogram
  std::string title = {};                 // not given: one of our own
  double width = 720, height = 0;         // [px]; height 0: as the plot asks for
};

struct PlotKind {
  std::string name, about;  // what it shows, in a line
};

const std::vector<PlotKind>& plot_kinds();

// One or several runs in one figure. A message where the kind is unknown or the runs lack what it needs.
Expected<plot::Figure> make_plot(const std::string& kind, const std::vector<Run>& runs,
                                 const PlotOptions& options = {});

}  // namespace cairn::exporting
