// Reads a scene file: TOML, parameters and their settings, the table of keys.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/base/formula.hpp"
#include "cairn/input/diagnostics.hpp"
#include "cairn/input/scene_file.hpp"

namespace cairn::input {

struct SceneText {
  std::string path;  // as messages call it; files that it names are beside it
  std::string name;  // "wall" for "scenes/wall.toml"
  std::string text;
};

Expected<SceneText> read_text(const std::string& path);

// `settings`: "name=value" for parameters. None where anything is wrong: the diagnostics say what.
std::optional<SceneFile> read_scene(const SceneText& scene, const std::vector<std::string>& settings,
                                    Diagnostics& diagnostics);

// The numbers among the parameters, for formulas; flags count as 0 and 1.
Constants constants_of(const std::vector<Parameter>& parameters);

std::string value_text(const Parameter& parameter);  // as --set takes it

}  // namespace cairn::input
