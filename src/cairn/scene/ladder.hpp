// Ladder against a wall: a uniform rod with round ends on the ground and against a vertical half-space.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Ladder {
  Real length = 3;     // [m] between the centres of its ends
  Real radius = 0.02;  // [m]
  Real angle = 1.1;    // [rad] from the horizontal
  int wall_material = 0;
  Matter matter = {};
};

// The ladder, the "wall" (solid for x < 0), the ground.
template <int D>
Expected<Blocks<D>> build(const Ladder& options);

// The angle [rad] below which it slides, for friction mu_floor and mu_wall: tan(angle) = (1 - mu_floor mu_wall) / (2
// mu_floor) for a ladder without thickness; 0 where it never slides.
Real least_angle(const Ladder& options, Real mu_floor, Real mu_wall);

}  // namespace cairn::scene
