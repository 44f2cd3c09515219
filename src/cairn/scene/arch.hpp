// Arch of equal voussoirs with radial joints, between fixed springers, on the ground, or on piers. The centre is at x =
// 0.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

enum class ArchSupport {
  springers,  // two fixed blocks
  ground,     // the ground itself; embrace pi only
  piers,      // stacks of blocks on the ground, the top one cut to the springing joint
};

struct Piers {
  int courses = 6;     // blocks in each, with the one that is cut
  Real width = 0.4;    // [m] from the arch's inner edge outward
  Real height = 0.25;  // [m] of a block, of the top one at its inner edge
};

struct Arch {
  int voussoirs = 15;
  Real embrace = 3.14159265358979323846;  // [rad] angle between the springing joints
  Real radius = 1;                        // [m] mean
  Real thickness = 0.12;                  // [m]
  Real depth = 0.3;                       // [m] in space
  ArchSupport support = ArchSupport::springers;
  Piers piers = {};
  Matter matter = {};
};

// Voussoirs from left to right, part 0 to n - 1; then, left to right, springers or piers from below (part -1 - course);
// then the ground. With springers the arch's centre is at height 0 and the ground below all; else the ground is at 0.
// Faces between joints are plane, so that a voussoir is a little lighter than a sector of the ring.
template <int D>
Expected<Blocks<D>> build(const Arch& options);

// The thickness [m] below which no thrust line fits and the arch falls, when nothing slides, for these voussoirs on
// firm springers; the `thickness` of the options is not used. (For n to infinity and pi: 0.1075 of the radius,
// Milankovitch.)
Real least_thickness(const Arch& options);

}  // namespace cairn::scene
