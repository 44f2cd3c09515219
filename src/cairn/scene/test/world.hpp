// Scenes of the collections' cases, built and run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/test/share.hpp"
#include "cairn/scene/into_model.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn::test {

template <int D>
struct World {
  Model<D> model;
  ModelState<D> state, start;
  Real error = 0, violation = 0;  // largest of the steps since the last clear()
  long missed = 0;                // steps whose contact problem was not solved to the required error
  EnergyLedger energy;
  Real exchanged = 0;  // [J]

  explicit World(Real mu, Real restitution = 0) {
    model.gravity[D - 1] = Real(-9.81);
    model.materials.standard = {mu, restitution, restitution};
  }

  template <class Options>
  void put(const Options& options, const Drive<D>& drive = {}) {
    const Expected<scene::Blocks<D>> blocks = build<D>(options);  // the one of the options' own namespace
    ASSERT_TRUE(blocks) << blocks.error();
    const Expected<int> first = scene::add_blocks<D>(model, state, *blocks, drive);
    ASSERT_TRUE(first) << first.error();
    start = state;
  }

  // Steps of h [s] for the duration [s], or until a centre has moved by `far` [m] from the start.
  void run(Real duration, Real h, const CollectionOptions& options = {},
           Real far = std::numeric_limits<Real>::infinity()) {
    if (sanitized) duration = std::min(duration, 30 * h);
    Collection<D> scheme(model, options);
    for (long k = 0, n = std::lround(duration / h); k < n && moved(start) < far; ++k) {
      const CollectionReport r = scheme.step(state, h);
      error = std::max(error, r.error), violation = std::max(violation, r.violation);
      missed += r.missed;
      energy += r.energy;
      exchanged += std::abs(r.energy.applied) + std::abs(r.energy.boundary) + std::abs(r.energy.dissipation);
    }
  }

  // Largest way that a centre has moved [m] since `from`.
  Real moved(const ModelState<D>& from) const {
    Real most = 0;
    for (std::size_t b = 0; b < state.x.size(); ++b)
      if (model.bodies[b].free()) most = std::max(most, norm(state.x[b] - from.x[b]));
    return most;
  }
};

}  // namespace cairn::test
