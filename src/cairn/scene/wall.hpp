// Wall of superimposed blocks without mortar. The defaults are JM92 example 1: 16 courses of ten blocks 60 x 40 cm and
// a half block 30 x 40 cm at alternate ends, 176 blocks, 640 cm high and 630 cm wide.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Opening {
  int course = 1;      // its lowest course, from 0
  int courses = 4;     // its height
  Real left = -0.6;    // [m] the wall's middle is at 0
  Real width = 1.2;    // [m]
  Real bearing = 0.3;  // [m] of its lintel on each side; 0: no lintel
};

struct Wall {
  int courses = 16;
  int blocks = 10;         // whole ones in a course
  Real length = 0.6;       // [m] of a block
  Real height = 0.4;       // [m] of a block
  Real depth = 0.4;        // [m] in space
  Real lap = 0.5;          // of a block's length, by which courses are shifted and the end block is long; 0: no bond
  Real joint = 0;          // [m] left open between the blocks of a course
  Real uneven_height = 0;  // [m] a block is lower by a random part of this
  Real uneven_length = 0;  // [m] and shorter by one of this
  std::uint64_t seed = 1;
  std::vector<Opening> openings = {};
  Matter matter = {};
};

// Course by course from below, left to right; part: the course. Each block rests on the highest one below it.
template <int D>
Expected<Blocks<D>> build(const Wall& options);

}  // namespace cairn::scene
