// Cards that lean against each other, and houses of them. Edges are rounded, so that two that meet have one normal.
#pragma once

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Card {
  Real length = 0.09;      // [m]
  Real thickness = 0.003;  // [m]
  Real radius = 0.001;     // [m] of its edges, less than half the thickness
  Real depth = 0.06;       // [m] in space
};

// Two cards on the ground, each at `angle` from the vertical.
struct LeaningCards {
  Card card = {};
  Real angle = 0.35;  // [rad] between 0 and pi/4
  Matter matter = {};
};

// The left card, then the right one.
template <int D>
Expected<Blocks<D>> build(const LeaningCards& options);

// The coefficient of friction with the ground below which they slide apart: tan(angle)/2 for cards without thickness.
Real least_friction(const LeaningCards& options);

// `levels` rows of leaning pairs, from `levels` in the lowest to one, with level cards between that bridge their tops.
struct CardHouse {
  int levels = 3;
  Card card = {};
  Real angle = 0.35;  // [rad] from the vertical
  Real gap = 0.0005;  // [m] between level cards of one row
  Matter matter = {};
};

// Row by row from below: leaning cards left to right (part 2 row), then level ones (part 2 row + 1).
template <int D>
Expected<Blocks<D>> build(const CardHouse& options);

}  // namespace cairn::scene
