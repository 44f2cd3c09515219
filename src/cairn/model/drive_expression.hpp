// Motion of boundaries written as formulas in the time t.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/model/drive.hpp"

namespace cairn {

// Components of the excursion in their order: shift [m], then turn [rad]; those left out are 0. A component is a
// formula in t [s] such as "0.1*sin(2*pi*t)": + - * / ^, sin cos tan asin acos atan atan2 sinh cosh tanh exp ln log10
// sqrt abs min max, comparisons and a ? b : c, the constant pi. A message says where a formula is wrong and what was
// expected.
template <int D>
Expected<Drive<D>> expression(const std::vector<std::string>& components);

}  // namespace cairn
