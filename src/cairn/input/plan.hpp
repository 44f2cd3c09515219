// What a scene file asks of a run.
#pragma once

#include "cairn/input/load.hpp"
#include "cairn/run/plan.hpp"

namespace cairn::input {

run::Plan plan_of(const SceneFile& file, const SceneText& scene, const std::vector<std::string>& settings);

std::string parameters_json(const std::vector<Parameter>& parameters);

}  // namespace cairn::input
