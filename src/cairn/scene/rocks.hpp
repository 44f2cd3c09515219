// Rocks above a rough slope that runs out on level ground.
#pragma once

#include "cairn/scene/packing.hpp"

namespace cairn::scene {

struct Rocks {
  int count = 1;
  Real radius = 0.5;     // [m]
  int corners = 12;      // of a rock; at least 3 in the plane, 4 in space
  Real height = 1;       // [m] from the terrain up to the lowest rock
  Real slope = 0.7;      // [rad]
  Real length = 40;      // [m] of the slope, along x
  Real run_out = 40;     // [m] of the level ground after it
  Real width = 20;       // [m] along y, in space
  Real step = 1;         // [m] between the points of the terrain
  Real roughness = 0.2;  // [m] points are that much higher or lower, at random
  int terrain_material = 0;
  std::uint64_t seed = 1;
  Matter matter = {.ground = false};
};

// The rocks, one above the other near x = 0 (part: the number); the fixed "terrain", high at x = 0. No ground else.
template <int D>
Expected<Blocks<D>> build(const Rocks& options);

}  // namespace cairn::scene
