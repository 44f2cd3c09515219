#include "cairn/scene/bed.hpp"

#include <numbers>

namespace cairn::scene {

template <int D>
Expected<Blocks<D>> build(const Bed& o) {
  Faults f("bed");
  f.not_negative("amplitude", o.amplitude).not_negative("frequency", o.frequency);
  f.require(o.packing.walls, "packing.walls is false, expected the walls of the box");
  f.require(o.packing.matter.ground, "packing.matter.ground is false, expected the floor of the box");
  if (f.any()) return f.error();
  return build<D>(o.packing);
}

template <int D>
Drive<D> shaking(const Bed& o) {
  Vec<D> up{};
  up[D - 1] = 1;
  return harmonic<D>(up, {{o.amplitude, o.frequency}});
}

Real peak_acceleration(const Bed& o) {
  const Real pulsation = 2 * std::numbers::pi * o.frequency;
  return o.amplitude * pulsation * pulsation;
}

template Expected<Blocks<2>> build(const Bed&);
template Expected<Blocks<3>> build(const Bed&);
template Drive<2> shaking(const Bed&);
template Drive<3> shaking(const Bed&);

}  // namespace cairn::scene
