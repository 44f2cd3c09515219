// Chute: grains let go at the upper end of an inclined slab, between side walls in space, with the ground at its foot.
#pragma once

#include "cairn/scene/packing.hpp"

namespace cairn::scene {

struct Chute {
  Grains grains = {};
  Real slope = 0.6;       // [rad] from the horizontal
  Real length = 2;        // [m] of the incline
  Real stock = 0.4;       // [m] of its upper end, where the grains lie at first
  Real width = 0.3;       // [m] between the side walls, in space
  Real thickness = 0.05;  // [m] of the slab
  int wall_material = 0;  // of the slab and the side walls
  Matter matter = {};
};

// The grains, packed as on level ground and turned with the slab; the fixed "incline", whose upper face goes from x = 0
// down to the height 0; in space the "front wall" and the "back wall"; the ground at 0.
template <int D>
Expected<Blocks<D>> build(const Chute& options);

// The axes of the incline: origin at the middle of its upper edge, first axis downhill, last axis its normal.
template <int D>
Pose<D> incline_of(const Chute& options);

}  // namespace cairn::scene
