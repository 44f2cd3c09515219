// A scene ready to be computed: the model, its state, and what its bodies are called.
#pragma once

#include <string>
#include <vector>

#include "cairn/model/model.hpp"

namespace cairn::scene {

template <int D>
struct World {
  Model<D> model;
  ModelState<D> state;
  std::vector<std::string> names;  // (bodies) "ground", "lid", "wall.17"; several may share one, as the slabs of a drum
  std::vector<int> part;  // (bodies) where it belongs, as its generator says: course, voussoir, level ...; or 0

  // The bodies of that name, in order; empty: none.
  std::vector<int> find(const std::string& name) const {
    std::vector<int> found;
    for (std::size_t b = 0; b < names.size(); ++b)
      if (names[b] == name) found.push_back(static_cast<int>(b));
    return found;
  }
};

}  // namespace cairn::scene
