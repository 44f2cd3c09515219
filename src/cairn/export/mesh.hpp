// Surfaces of bodies as points and cells, for programs that draw: round shapes are cut into facets.
#pragma once

#include <span>
#include <vector>

#include "cairn/record/frame.hpp"

namespace cairn::exporting {

using record::Cast;
using record::ContactRow;
using record::Frame;

struct Mesh {
  std::vector<Vec<3>> points;  // [m] the plane's have z = 0
  std::vector<int> corners;    // points of all cells, one cell after the other
  std::vector<int> ends;       // (cells) in `corners`, behind the last corner of each
  bool lines = false;          // the cells are polylines, not polygons

  int cells() const { return static_cast<int>(ends.size()); }
  std::span<const int> cell(int k) const {
    const int begin = k == 0 ? 0 : ends[static_cast<std::size_t>(k) - 1];
    return std::span(corners).subspan(static_cast<std::size_t>(begin),
                                      static_cast<std::size_t>(ends[static_cast<std::size_t>(k)] - begin));
  }
  void add_cell(std::span<const int> ring) {
    corners.insert(corners.end(), ring.begin(), ring.end());
    ends.push_back(static_cast<int>(corners.size()));
  }
};

// The boundary of a bounded shape of the plane, counter-clockwise in its own axes; `around`: points of a full circle.
std::vector<Vec<2>> outline(const Shape<2>& shape, int around);

// A part in the axes of its body. `around`: facets of a full circle, rounded up to a multiple of four. Of a half-space
// the part of its surface in the box is shown (in the plane: of the solid itself), the body being at `body`.
template <int D>
Mesh mesh_of(const BodyPart<D>& part, int around, const Pose<D>& body, const Bounds<D>& box);

// The part of a half-space's surface (in the plane: of its solid) that lies in the box; `pose` is that of its axes.
template <int D>
std::vector<Vec<D>> half_space_in(const Bounds<D>& box, const Pose<D>& pose);

template <int D>
Pose<D> pose_of(const Frame<D>& frame, int body) {
  return {frame.x[static_cast<std::size_t>(body)], frame.r[static_cast<std::size_t>(body)].rotation()};
}

// Around all that is bounded, terrain included. Nothing is: a box of the model's size about the origin.
template <int D>
Bounds<D> scene_bounds(const Cast<D>& cast, const Frame<D>& frame);
// Wider by `share` of its diagonal on every side.
template <int D>
Bounds<D> padded(Bounds<D> box, Real share);

Vec<3> in_space(const Vec<2>& p);
inline const Vec<3>& in_space(const Vec<3>& p) { return p; }

}  // namespace cairn::exporting
