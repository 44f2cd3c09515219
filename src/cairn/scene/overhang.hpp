// Bricks that overhang the edge of a table, each as far over the one below as a fraction of what balance allows: n of
// them reach (L/2) (1 + 1/2 + ... + 1/n) at the limit.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Overhang {
  int bricks = 10;
  Real fraction = 0.999;    // of the critical overhang, at every level
  Real length = 0.2;        // [m]
  Real height = 0.06;       // [m]
  Real depth = 0.1;         // [m] in space
  Real table_height = 0.5;  // [m]
  Matter matter = {};
};

// The fixed "table", edge at x = 0; then the bricks from below, part: the level.
template <int D>
Expected<Blocks<D>> build(const Overhang& options);

Real critical_overhang(int bricks, Real length);  // [m]

}  // namespace cairn::scene
