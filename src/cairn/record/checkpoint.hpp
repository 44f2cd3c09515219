// All that a run needs to go on bit for bit: the state, where it stands in its results file, and what it was started
// with. One file, whole or refused.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/record/frame.hpp"

namespace cairn::record {

template <int D>
struct Checkpoint {
  ModelState<D> state;
  long step = 0;
  long frames = 0, rows = 0;         // what of the results file belongs to it
  std::vector<StepRow> pending;      // rows since the last frame
  std::vector<Real> pending_probes;  // (pending, probes)
  std::vector<Real> memory;          // of measures and sums, opaque
  std::string scene_text, scene_path, results_path;
  std::vector<std::string> settings;  // --set k=v as given
  std::string version;                // of the program
};

// Under a temporary name, onto the disk, then renamed: a checkpoint of before stays until the new one is whole. Returns
// what went wrong; empty: nothing.
template <int D>
std::string write_checkpoint(const std::string& path, const Checkpoint<D>& checkpoint);

Expected<int> checkpoint_dimension(const std::string& path);

template <int D>
Expected<Checkpoint<D>> read_checkpoint(const std::string& path);

}  // namespace cairn::record
