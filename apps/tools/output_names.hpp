// Where `--write` puts the solutions.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/expected.hpp"

namespace cairn::app {

// One path for each input. `out` is a folder (created) when there are several inputs, when it is one already or ends
// with '/': files are then named by the inputs' stems, numbered where two are the same. Never one of the inputs.
Expected<std::vector<std::string>> output_names(const std::vector<std::string>& inputs, const std::string& out);

}  // namespace cairn::app
