// The contact problem of the step after a frame, computed again from what the results file holds.
#pragma once

#include <string>
#include <vector>

#include "cairn/record/frame.hpp"
#include "cairn/record/info.hpp"

namespace cairn::app {

// Where the scene of a results file was read from, as far as its checkpoint tells: files that it names lie beside it.
// Else beside the results.
std::string scene_path_of(const std::string& results, const record::ResultInfo& info);

// Empty: written.
template <int D>
std::string write_step_problem(const std::string& path, const std::string& scene_path, const record::ResultInfo& info,
                               const record::Frame<D>& frame);

// "name=value" for each member of a flat JSON object, as --set takes them.
std::vector<std::string> settings_of(const std::string& parameters);

}  // namespace cairn::app
