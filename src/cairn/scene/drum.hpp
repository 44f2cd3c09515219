// Drum about a horizontal axis: a ring of fixed slabs that the caller turns, with grains inside.
#pragma once

#include "cairn/scene/packing.hpp"

namespace cairn::scene {

struct Drum {
  Grains grains = {};
  Real radius = 0.4;  // [m] of the circle that the slabs touch from outside; its centre is the origin
  Real depth = 0.2;   // [m] in space, between "front wall" and "back wall"
  int slabs = 48;
  Real thickness = 0.02;  // [m]
  int drum_material = 0;
  Matter matter = {.ground = false};
};

// The grains, at first in the square that fits into the drum; the slabs (fixed, part: their number, named "drum"),
// whose origins lie on the axis, so that one spin turns them all about it; in space the two end walls.
template <int D>
Expected<Blocks<D>> build(const Drum& options);

}  // namespace cairn::scene
