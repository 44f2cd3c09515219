// Perturbs a scene that is ready to run.
#pragma once

#include "cairn/ensemble/perturbation.hpp"
#include "cairn/lagrange/random.hpp"
#include "cairn/scene/world.hpp"

namespace cairn::ensemble {

// [m/s] the larger of sqrt(g L), L: the reach of the largest free body, and the fastest of them at the start.
template <int D>
Real own_speed(const scene::World<D>& world);

// Each component of each free body's place by size r, r in [-1, 1), times the body's reach. Bodies held by joints and
// locked components stay. Bodies that touch may then overlap, by no more than twice as much: what is deeper than the
// scheme allows it corrects in its first step (M88 Remark 11.1), without giving velocity.
template <int D>
void move_bodies(scene::World<D>& world, const Size& size, RandomStream& random);

// Each component of each free body's velocity by size r times own_speed(); spins by that over the body's reach.
template <int D>
void push_bodies(scene::World<D>& world, const Size& size, RandomStream& random);

// One factor for each pair of materials, at all times.
template <int D>
void change_friction(scene::World<D>& world, Real size, RandomStream& random);

}  // namespace cairn::ensemble
