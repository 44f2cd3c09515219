#include "scene_source.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cairn/base/closest.hpp"
#include "own_scenes.hpp"

namespace cairn::app {

Expected<input::SceneText> find_scene(const std::string& scene) {
  std::error_code ignored;
  const bool plain = scene.find('/') == std::string::npos && !scene.ends_with(".toml");
  if (!plain || std::filesystem::is_regular_file(scene, ignored)) return input::read_text(scene);
  std::vector<std::string> names;
  for (const OwnScene& own : own_scenes()) {
    if (own.name == scene) return input::SceneText{own.name + ".toml", own.name, own.text};
    names.push_back(own.name);
  }
  if (std::filesystem::is_directory(scene, ignored)) return input::read_text(scene);  // says what it is
  return Error{fmt::format("{}: neither a scene file nor one of Cairn's scenes{}; 'cairn scenes' lists them", scene,
                           hint(scene, names))};
}

}  // namespace cairn::app
