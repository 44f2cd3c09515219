// Column of equal bricks, cubes or drums, one on the other.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Column {
  enum Heavy {
    none,
    alternate,  // the second from below, the fourth and so on: heavy ones lie on light ones
    bottom,
    top,
  };

  int count = 20;
  Real width = 1;      // [m] of a brick, or across the corners of a drum
  Real height = 1;     // [m] of a block
  Real depth = 1;      // [m] of a brick, in space
  int sides = 0;       // of a drum, in space; 0: bricks
  Heavy heavy = none;  // which of the blocks are denser
  Real ratio = 1;      // by so many times
  Matter matter = {};
};

// From below; part: the level.
template <int D>
Expected<Blocks<D>> build(const Column& options);

}  // namespace cairn::scene
