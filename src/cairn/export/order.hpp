// Which body hides which: the order to draw solids in, the hidden ones first.
#pragma once

#include "cairn/export/view.hpp"

namespace cairn::exporting {

// A bounded part where it stands.
struct Solid {
  const BodyPart<3>* part;
  Pose<3> pose;  // of its shape's axes
};

// Numbers of the solids, back to front. Two convex bodies that do not overlap have a plane between them: the one on the
// viewer's side is in front. Depths of centres decide the rest, and cycles.
std::vector<int> back_to_front(const std::vector<Solid>& solids, const View<3>& view);

}  // namespace cairn::exporting
