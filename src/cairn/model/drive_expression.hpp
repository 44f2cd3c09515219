// Motion of boundaries written as formulas in the time t.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/base/formula.hpp"
#include "cairn/model/drive.hpp"

namespace cairn {

// Components of the excursion in their order: shift [m], then turn [rad]; those left out are 0. A component is a
// formula in t [s] (base/formula.hpp), which may use the names given.
template <int D>
Expected<Drive<D>> expression(const std::vector<std::string>& components, const Constants& constants = {});

}  // namespace cairn
