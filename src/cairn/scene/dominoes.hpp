// Row of dominoes, the first tilted towards the others if wanted.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Dominoes {
  int count = 20;
  Real thickness = 0.008;  // [m]
  Real height = 0.048;     // [m]
  Real depth = 0.024;      // [m] in space
  Real spacing = 0.02;     // [m] free between two
  Real tilt = 0;           // [rad] of the first, about its lower edge
  Matter matter = {};
};

// From left to right, the first one's left side at x = 0 when upright; part: the number.
template <int D>
Expected<Blocks<D>> build(const Dominoes& options);

}  // namespace cairn::scene
