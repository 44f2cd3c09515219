// Figures of an ensemble.
#pragma once

#include "cairn/ensemble/result.hpp"
#include "cairn/plot/figure.hpp"

namespace cairn::ensemble {

// Every observable against time: members as thin lines, run 0 thick.
plot::Figure motion_figure(const Design& design, const Layout& layout, const Result& result);
// How far members are from run 0, root mean square over the scale, on a logarithmic axis.
plot::Figure spread_figure(const Design& design, const Layout& layout, const Result& result);
// Histograms of the outcomes of the members in full. None: there are no outcomes.
std::optional<plot::Figure> outcome_figure(const Design& design, const Layout& layout, const Result& result);

}  // namespace cairn::ensemble
