// One disc on two that touch; in space one ball on three. They stand by friction alone.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct DiscPile {
  Real radius = 0.1;  // [m]
  Matter matter = {};
};

// The lower ones, then the upper one (part 1), then the ground.
template <int D>
Expected<Blocks<D>> build(const DiscPile& options);

// Below these they roll apart. With a the angle of the slanted contacts from the vertical, each carries the weight over
// D and tan(a/2) of it as friction, which is also what the floor must give: 2 - sqrt 3 and a third of it in the plane.
struct DiscFriction {
  Real between, floor;
};
template <int D>
DiscFriction least_friction(const DiscPile& options);

}  // namespace cairn::scene
