// Formulas written by a user: "0.1*sin(2*pi*t)", "=n*(n+1)/2".
//
// + - * / ^, sin cos tan asin acos atan atan2 sinh cosh tanh exp ln log10 sqrt abs min max floor ceil, comparisons and
// a ? b : c, the constant pi, and the names given. A message says where a formula is wrong and what was expected.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "cairn/base/expected.hpp"
#include "cairn/base/vec.hpp"

namespace cairn {

using Constants = std::map<std::string, Real>;

// A function of the time t. Threads may share it.
Expected<std::function<Real(Real t)>> formula_in_time(const std::string& text, const Constants& constants = {});

// A number.
Expected<Real> evaluate(const std::string& text, const Constants& constants = {});

}  // namespace cairn
