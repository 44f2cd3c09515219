// [parameters]: names that formulas may use, to be changed from outside.
#pragma once

#include "cairn/input/diagnostics.hpp"
#include "cairn/input/read.hpp"
#include "cairn/input/scene_file.hpp"

namespace cairn::input {

// In the order of the file: one whose value is a formula sees those before it.
std::vector<Parameter> read_parameters(const Node& root, const std::vector<std::string>& settings,
                                       Diagnostics& diagnostics);

Scope scope_of(const std::vector<Parameter>& parameters);

}  // namespace cairn::input
