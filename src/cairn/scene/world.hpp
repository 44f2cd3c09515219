// A scene ready to be computed: the model, its state, and what its bodies are called.
#pragma once

#include <string>
#include <vector>

#include "cairn/model/model.hpp"

namespace cairn::scene {

// The surface of a pair of materials from a time on.
struct SurfaceChange {
  Real from = 0;       // [s]
  int a = -1, b = -1;  // materials; -1: all pairs not named
  Surface surface;
};

template <int D>
struct World {
  Model<D> model;
  ModelState<D> state;
  std::vector<SurfaceChange> changes;  // in the order of their times
  std::vector<std::string> names;  // (bodies) "ground", "lid", "wall.17"; several may share one, as the slabs of a drum
  std::vector<int> part;  // (bodies) where it belongs, as its generator says: course, voussoir, level ...; or 0

  // Surfaces as they are in a step from t on: a sample may be settled without friction and tested with it.
  void change_surfaces(Real t) {
    for (const SurfaceChange& c : changes) {
      if (c.from > t) return;
      if (c.a < 0)
        model.materials.standard = c.surface;
      else
        model.materials.set(c.a, c.b, c.surface);
    }
  }

  // The bodies of that name, in order; empty: none.
  std::vector<int> find(const std::string& name) const {
    std::vector<int> found;
    for (std::size_t b = 0; b < names.size(); ++b)
      if (names[b] == name) found.push_back(static_cast<int>(b));
    return found;
  }
};

}  // namespace cairn::scene
