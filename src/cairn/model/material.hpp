// What two touching surfaces do to each other, a table over pairs of materials.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "cairn/base/check.hpp"
#include "cairn/base/vec.hpp"

namespace cairn {

struct Surface {
  Real mu = Real(0.5);           // [-] coefficient of friction
  Real restitution = 0;          // [-] normal, in [0, 1] (JM92 6.1)
  Real restitution_tangent = 0;  // [-] the paper's law has it equal to the normal one
  Real mu_dynamic = -1;          // [-] where the contact slid in the step before (M88 17); negative: mu
  Real mu_across = -1;  // [-] across the grain of the first body that has one, an ellipse between (M88 12.2); in the
                        // plane where the other body slides against the grain; negative: mu. Not with rolling
  Real rolling = 0;     // [m] bound of the torque against rolling, over the normal impulse (M98 4.5)
  Real drilling = 0;    // [m] and of that against drilling, in space
  bool none = false;    // they pass through each other: a wall that slides past the end of a lid
};

// What is wrong with the numbers of a surface; empty when nothing is.
std::string complaint(const Surface& surface);

// Symmetric: what is said of (a, b) holds for (b, a). Pairs of which nothing is said take the default.
class Materials {
 public:
  Surface standard;

  void set(int a, int b, const Surface& s) {
    if (a > b) std::swap(a, b);
    CAIRN_CHECK(a >= 0, "materials are numbered from 0");
    const auto n = static_cast<std::size_t>(b) + 1;
    if (table_.size() < n) table_.resize(n);
    for (auto& row : table_)
      if (row.size() < n) row.resize(n);
    table_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = {true, s};
  }
  const Surface& between(int a, int b) const {
    const auto i = static_cast<std::size_t>(std::min(a, b)), j = static_cast<std::size_t>(std::max(a, b));
    return j < table_.size() && table_[i][j].given ? table_[i][j].surface : standard;
  }
  // Whether it holds of some surface.
  template <class Property>
  bool any(Property&& has) const {
    if (has(standard)) return true;
    for (const auto& row : table_)
      for (const Entry& e : row)
        if (e.given && has(e.surface)) return true;
    return false;
  }

 private:
  struct Entry {
    bool given = false;
    Surface surface;
  };
  std::vector<std::vector<Entry>> table_;
};

}  // namespace cairn
