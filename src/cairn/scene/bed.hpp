// Vibrated bed: grains in a box that moves up and down harmonically (JM92, introduction).
#pragma once

#include "cairn/model/drive.hpp"
#include "cairn/scene/packing.hpp"

namespace cairn::scene {

struct Bed {
  Packing packing = {};    // with walls and a ground, which are the box
  Real amplitude = 0.005;  // [m]
  Real frequency = 15;     // [Hz]
};

// As a packing; all that is fixed is to follow shaking().
template <int D>
Expected<Blocks<D>> build(const Bed& options);

template <int D>
Drive<D> shaking(const Bed& options);

// [m/s^2] of the box; the grains leave its floor where it is more than their weight's.
Real peak_acceleration(const Bed& options);

}  // namespace cairn::scene
