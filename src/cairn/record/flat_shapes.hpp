// Shapes as flat arrays, and back: what is rebuilt is the same bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/shape/shapes.hpp"

namespace cairn::record {

// One entry a part; a polygon's faces are its edges. Corners and faces of part i: [offset i, offset i + 1).
template <int D>
struct FlatShapes {
  std::vector<std::int32_t> kind;                              // (parts) place in shape_names()
  std::vector<Real> radius, half_length;                       // [m] (parts) 0 where the shape has none
  std::vector<Vec<D>> semi;                                    // [m] (parts)
  std::vector<std::int64_t> vertex_offset{0}, face_offset{0};  // (parts + 1)
  std::vector<Vec<D>> vertices;                                // [m]
  std::vector<std::int64_t> ring_offset{0};                    // (faces + 1)
  std::vector<std::int32_t> rings;                             // vertices of the part, from 0
  std::vector<Vec<D>> face_normal;                             // (faces) outward, unit
  std::vector<Real> face_plane;                                // [m] (faces) dot(normal, x) on the face

  void add(const Shape<D>& shape);
  // Throws hdf5::Failure where the numbers make no shape.
  std::vector<Shape<D>> shapes() const;
};

// "ball", "capsule", "polygon" ...: in the order of the variant.
template <int D>
std::vector<std::string> shape_names();

}  // namespace cairn::record
