// The contact problem of the step after a frame, computed again from what the results file holds.
#pragma once

#include <string>
#include <vector>

#include "cairn/record/frame.hpp"
#include "cairn/record/info.hpp"

namespace cairn::app {

// Empty: written.
template <int D>
std::string write_step_problem(const std::string& path, const record::ResultInfo& info, const record::Frame<D>& frame);

// "name=value" for each member of a flat JSON object, as --set takes them.
std::vector<std::string> settings_of(const std::string& parameters);

}  // namespace cairn::app
