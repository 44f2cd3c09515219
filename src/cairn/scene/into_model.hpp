// Puts the blocks of a scene into a model: body k is block k, unless there were bodies before.
#pragma once

#include "cairn/model/build.hpp"
#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

// Fixed blocks become boundaries, which `drive` moves (none: they stay). Returns the first block's body.
template <int D>
Expected<int> add_blocks(Model<D>& model, ModelState<D>& state, const Blocks<D>& blocks, const Drive<D>& drive = {}) {
  const int first = static_cast<int>(model.bodies.size());
  for (std::size_t k = 0; k < blocks.blocks.size(); ++k) {
    const Block<D>& b = blocks.blocks[k];
    std::vector<Part<D>> part{{b.shape, {}, b.density}};
    const Expected<int> body = b.fixed ? add_boundary<D>(model, state, std::move(part), b.pose, b.material, drive)
                                       : add_body<D>(model, state, std::move(part), b.pose, b.material);
    if (!body) return Error{"block " + std::to_string(k) + ": " + body.error()};
  }
  return first;
}

}  // namespace cairn::scene
