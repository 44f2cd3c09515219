// Puts joints into a model.
#pragma once

#include "cairn/base/expected.hpp"
#include "cairn/model/model.hpp"

namespace cairn {

// Joins two bodies where they stand. `where`: the joint's point and axes in the world; both frames are there, so that
// the coordinate is zero now. Body -1 is the world. Returns the joint's number.
template <int D>
Expected<int> add_joint(Model<D>& model, const ModelState<D>& state, JointKind kind, int first, int second,
                        const Pose<D>& where, const JointOptions& options = {});

// A place whose x axis points along `axis` (any length above 0).
Pose<2> along(const Vec<2>& point, const Vec<2>& axis);
Pose<3> along(const Vec<3>& point, const Vec<3>& axis);

}  // namespace cairn
