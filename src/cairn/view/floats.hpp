// Numbers as the page wants them: in single precision, one after the other.
#pragma once

#include <vector>

#include "cairn/base/pose.hpp"

namespace cairn::view {

inline void append(std::vector<float>& out, const Vec<3>& v) {
  for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]));
}

// x, y, z, w.
inline void append(std::vector<float>& out, const Rotation<3>& r) {
  for (const Real q : {r.x, r.y, r.z, r.w}) out.push_back(static_cast<float>(q));
}

}  // namespace cairn::view
