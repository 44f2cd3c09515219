// Pyramid of equal bricks, each on two below; in space on four, with square courses.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Pyramid {
  int courses = 10;
  Real width = 1;   // [m] of a brick (and its depth, in space)
  Real height = 1;  // [m]
  Real gap = 0.05;  // [m] between the bricks of a course; 0: they touch
  Matter matter = {};
};

// Course by course from below, the lowest with `courses` bricks (squared in space); part: the course.
template <int D>
Expected<Blocks<D>> build(const Pyramid& options);

}  // namespace cairn::scene
