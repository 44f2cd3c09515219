// The forces that the motion of a recorded frame leaves undetermined.
#pragma once

#include <string>
#include <vector>

#include "cairn/record/frame.hpp"
#include "cairn/solver/force_range.hpp"
#include "cairn/solver/force_rows.hpp"

namespace cairn::exporting {

template <int D>
struct FrameForces {
  ForceSet set;                     // unknown a is contact a of the frame
  std::vector<ContactState> state;  // (contacts)
  Real speed_tolerance = 0;         // [m/s] a slower motion counts as none
};

// Rows at the middle of the frame's last step, where contacts were found. `model` gives what a results file does not
// hold: friction, at that time, and joints. `tolerance` is relative to the largest of what gravity gives in a step and
// the velocities at contacts. An error tells what the frame cannot answer.
template <int D>
Expected<FrameForces<D>> forces_of_frame(const Model<D>& model, const record::Frame<D>& frame, Real tolerance);

}  // namespace cairn::exporting
