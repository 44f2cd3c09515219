# The scene files of scenes/ as texts in the program: `cairn run wall` works from any folder.
include_guard(GLOBAL)

function(cairn_embed_scenes target)
  file(GLOB scenes CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/scenes/*.toml")
  set(entries "")
  foreach(scene IN LISTS scenes)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${scene}")
    cmake_path(GET scene STEM name)
    file(READ "${scene}" text)
    string(APPEND entries "      {\"${name}\", R\"cairn_scene(${text})cairn_scene\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/own_scenes.cpp" CONTENT [[
#include "own_scenes.hpp"

namespace cairn::app {

const std::vector<OwnScene>& own_scenes() {
  static const std::vector<OwnScene> all{
@entries@  };
  return all;
}

}  // namespace cairn::app
]] @ONLY)
  target_sources(${target} PRIVATE "${PROJECT_BINARY_DIR}/own_scenes.cpp")
endfunction()
