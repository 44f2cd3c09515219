// Where SCENE on the command line leads: a file, or the name of a scene that comes with Cairn.
#pragma once

#include <string>

#include "cairn/input/load.hpp"

namespace cairn::app {

Expected<input::SceneText> find_scene(const std::string& scene);

}  // namespace cairn::app
