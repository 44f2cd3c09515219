// Which frames of a result are wanted.
#pragma once

#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn::exporting {

// Of frames recorded at these times [s]: those nearest to the times wanted, in their order; none wanted: every so many.
// None where none is recorded.
std::vector<int> chosen_frames(const std::vector<Real>& recorded, const std::vector<double>& wanted, int every);

}  // namespace cairn::exporting
