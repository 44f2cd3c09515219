// Places and velocities of all bodies in a few frames, as streams.
#pragma once

#include <string>
#include <vector>

#include "cairn/view/quantise.hpp"

namespace cairn::view {

// A frame as docs/view-data.md has it.
struct Places {
  std::vector<float> x, r, u, w;  // (bodies, 3), (bodies, 4), (bodies, 3), (bodies, 3)
};

// The same as integers, a column for each component: x, y; angle; u, v; spin in the plane, and in space x, y, z;
// quaternion x, y, z, w; u, v, w; spin x, y, z.
struct CoarsePlaces {
  std::vector<Integers> columns;  // (components)(bodies)
  std::vector<double> angle;      // [rad] (bodies) in the plane, turns counted
};

// Frames that are decoded together. Places and rotations are counted from those of the first frame of all.
class BodyGroup {
 public:
  // `first`: the first frame; null: from zero.
  BodyGroup(const Grid& grid, std::size_t bodies, const CoarsePlaces* first);

  // Empty: added; else why not.
  std::string add(const Places& frame);
  int frames() const { return static_cast<int>(frames_.size()); }
  const CoarsePlaces& last() const { return frames_.back(); }
  std::string bytes() const;

 private:
  // Form 0: less the first frame. 1: less the frame before. 2: less what would go on evenly from the two before.
  Integers column(std::size_t component, int form) const;

  Grid grid_;
  std::size_t bodies_;
  CoarsePlaces first_;
  std::vector<CoarsePlaces> frames_;
};

}  // namespace cairn::view
