// Schneebeli's biaxial cell: grains between a floor, side walls and a lid that rests on them.
#pragma once

#include "cairn/scene/packing.hpp"

namespace cairn::scene {

struct Cell {
  Grains grains = {};
  Real width = 0.5, depth = 0.5;  // [m] between the walls; depth: in space
  Real lid_thickness = 0.02;      // [m]
  Real lid_density = 2000;        // [kg/m^D] its weight loads the grains; more load is the caller's
  Real clearance = 0.001;         // [m] between the lid and each wall
  int wall_material = 0;
  int lid_material = 0;
  Matter matter = {};
};

// The grains, the "lid" (free; the caller may let it move vertically only), the fixed walls as in a packing, which the
// caller may drive, and the ground.
template <int D>
Expected<Blocks<D>> build(const Cell& options);

}  // namespace cairn::scene
