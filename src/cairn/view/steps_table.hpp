// Certificate, energies and probes of all steps, thinned to intervals: no peak is lost, and sums stay sums.
#pragma once

#include <string>

#include "cairn/record/reader.hpp"

namespace cairn::view {

// The bundle `steps` (docs/view-data.md) with at most so many intervals.
template <int D>
Expected<std::string> steps_bundle(const record::Reader<D>& reader, int points);

}  // namespace cairn::view
