// Motion that a boundary is given: its place in time (JM92 2, the term W). Velocities are differences of places over
// the interval that a step covers, so that a body which follows the boundary's velocity follows its place.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "cairn/base/pose.hpp"

namespace cairn {

// How far the boundary is from where it was placed: a displacement, and a turn about its own origin (angle in the
// plane, rotation vector in space).
template <int D>
struct Excursion {
  Vec<D> shift{};        // [m]
  Vec<spins<D>> turn{};  // [rad]
};

// Continuous in time, turns included: an angle that jumps back by 2 pi would be a spin.
template <int D>
using Drive = std::function<Excursion<D>(Real t)>;

struct Harmonic {
  Real amplitude;  // [m]
  Real frequency;  // [Hz]
  Real phase = 0;  // [rad]
};

// sum amplitude sin(2 pi frequency t + phase) along a direction.
template <int D>
Drive<D> harmonic(const Vec<D>& direction, std::vector<Harmonic> terms) {
  return [direction, terms = std::move(terms)](Real t) {
    Real x = 0;
    for (const Harmonic& h : terms) x += h.amplitude * std::sin(2 * std::numbers::pi * h.frequency * t + h.phase);
    return Excursion<D>{x * direction, {}};
  };
}

template <int D>
Drive<D> constant_velocity(const Vec<D>& velocity, const Vec<spins<D>>& spin = {}) {
  return [velocity, spin](Real t) { return Excursion<D>{t * velocity, t * spin}; };
}

}  // namespace cairn
