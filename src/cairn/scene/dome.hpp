// Dome of blocks, in space: a spherical shell cut along meridian planes and along cones through its centre. All faces
// of a block are plane and all joints closed, because every course has the same number of blocks.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Dome {
  int courses = 8;
  int sectors = 16;      // blocks in a course
  Real radius = 5;       // [m] of the edges, mean
  Real thickness = 0.6;  // [m]
  Real springing = 90;   // [degrees] from the axis, of the lowest joint: 90 stands on the ground, less on fixed blocks
  Real oculus = 10;      // [degrees] from the axis, of the opening at the top
  Matter matter = {};
};

// Course by course from below, part: the course; then the fixed ring (part -1), where springing is less than 90
// degrees; then the ground, below all.
Expected<Blocks<3>> build_dome(const Dome& options);

}  // namespace cairn::scene
