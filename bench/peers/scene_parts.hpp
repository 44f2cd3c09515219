// What the files that make scenes share.
#pragma once

#include <string>
#include <vector>

#include "cairn/scene/blocks.hpp"
#include "peers/scene.hpp"

namespace peers {

using Blocks3 = cairn::scene::Blocks<3>;

constexpr Real g = 9.81;  // [m/s^2]

// placed: (first bodies) where their principal axes are, other than the blocks say; empty: as the blocks say.
cairn::Expected<Scene> finish(Scene scene, const cairn::Expected<Blocks3>& blocks, const Vec3& gravity = {0, 0, -g},
                              const std::vector<Pose3>& placed = {});

// Packings in a box: name is one of packing_names().
std::vector<std::string> packing_names();
cairn::Expected<Scene> packing_scene(const std::string& name, const std::string& packs);

}  // namespace peers
