// Hopper or silo: grains above two slabs, inclined or level, that leave an opening between them, vertical walls above,
// the ground below.
#pragma once

#include "cairn/scene/packing.hpp"

namespace cairn::scene {

struct Hopper {
  Grains grains = {};
  Real width = 0.5, depth = 0.2;  // [m] between the vertical walls; depth: in space
  Real opening = 0.12;            // [m] along x, over the whole depth; 0: closed
  Real slope = 0.8;               // [rad] of the slabs, from the horizontal; 0: a silo with a flat bottom
  Real thickness = 0.02;          // [m] of the slabs
  Real fall = 0.3;                // [m] from the opening to the ground
  int wall_material = 0;
  Matter matter = {};
};

// The grains, held above the slabs at first; the fixed "left slab" and "right slab"; the walls as in a packing; the
// ground.
template <int D>
Expected<Blocks<D>> build(const Hopper& options);

}  // namespace cairn::scene
