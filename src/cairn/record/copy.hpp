// Copies the frames of a results file into a new one that takes a name.
#pragma once

#include "cairn/record/sink.hpp"

namespace cairn::record {

// The first frames and rows; still open, to go on with. A frame that cannot be read is a Failure.
template <int D>
std::unique_ptr<Sink<D>> copy_kept(const std::string& to, const Content<D>& from, hsize_t frames, hsize_t steps);

struct Salvaged {
  hsize_t frames = 0, steps = 0;  // copied
};
// All that can be read, closed; with the outcome where there is one.
template <int D>
Salvaged copy_readable(const std::string& to, const Content<D>& from);

}  // namespace cairn::record
