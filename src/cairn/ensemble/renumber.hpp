// The same scene with its bodies, their parts and so its contacts numbered in another order.
#pragma once

#include <vector>

#include "cairn/lagrange/random.hpp"
#include "cairn/run/plan.hpp"
#include "cairn/scene/world.hpp"

namespace cairn::ensemble {

// order[new number] = number in the scene. Bodies that share a name keep their order among themselves, since measures
// take the first of that name; so do the first and the last free body where `keep_ends`.
template <int D>
std::vector<int> random_order(const scene::World<D>& world, bool keep_ends, RandomStream& random);

template <int D>
scene::World<D> renumbered(const scene::World<D>& world, const std::vector<int>& order);

// Probes that call bodies by number get the new numbers.
template <int D>
void renumber_probes(std::vector<run::ProbeSpec>& probes, const scene::World<D>& world, const std::vector<int>& order);

}  // namespace cairn::ensemble
