// The scenes that come with Cairn, as they stand in scenes/.
#pragma once

#include <string>
#include <vector>

namespace cairn::app {

struct OwnScene {
  std::string name, text;
};

const std::vector<OwnScene>& own_scenes();  // made by cmake/Scenes.cmake

}  // namespace cairn::app
