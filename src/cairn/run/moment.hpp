// What observers of a running scene see after a step.
#pragma once

#include "cairn/scene/world.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn::run {

template <int D>
struct Moment {
  const scene::World<D>& world;    // model, names, parts; its state is that at the START of the run
  const ModelState<D>& state;      // now
  const Collection<D>* scheme;     // that made the step; null before the first
  const CollectionReport* report;  // of the step; null before the first
  Real h;                          // [s] of the step; 0 before the first
  long step;                       // steps done
  bool stepped() const { return report != nullptr; }
};

}  // namespace cairn::run
