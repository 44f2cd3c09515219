// Contact of two convex cores in space - points, segments, polyhedra - each thickened by a radius.
#pragma once

#include <span>
#include <vector>

#include "cairn/detection/manifold.hpp"
#include "cairn/detection/place.hpp"
#include "cairn/detection/solid_lanes.hpp"
#include "cairn/shape/ball.hpp"
#include "cairn/shape/capsule.hpp"
#include "cairn/shape/polyhedron.hpp"

namespace cairn {

// Placed in the world (about any origin).
struct SolidCore {
  std::span<const Vec<3>> vertices;         // [m]
  std::span<const Vec<3>> normals;          // of the faces
  std::span<const Polyhedron::Face> faces;  // their rings; none for a point or a segment
  std::span<const Polyhedron::Edge> edges;  // without faces for a segment
  Real radius = 0;                          // [m]
  Vec<3> centre{};                          // [m] about in the middle; where to look first depends on it, no result

  const Vec<3>& vertex(int i) const { return vertices[static_cast<std::size_t>(i)]; }
  const Vec<3>& normal(int i) const { return normals[static_cast<std::size_t>(i)]; }
  const Polyhedron::Edge& edge(int i) const { return edges[static_cast<std::size_t>(i)]; }
  const std::vector<int>& ring(int face) const { return faces[static_cast<std::size_t>(face)].ring; }
};

// Faces on each other give the polygon that they share, reduced to four points. The least gap is the signed distance of
// the shapes (minus the least translation that parts them when the cores overlap). The points do not depend on which
// shape comes first.
enum class EdgePairs { where_needed, all };  // all: for tests, with the same result
Manifold<3> collide_cores(const SolidCore& a, const SolidCore& b, Real alert,
                          EdgePairs looked_at = EdgePairs::where_needed);

// Core a on one side of a face of b alone, if the face is what holds it: a's nearest vertex is above the face, or a's
// face is nearly parallel to it. `depth` is the least translation that parts a from all of b, where they overlap.
// All points, not four only: a's face may rest on several faces like this one, and its corners must be among the
// points.
void rest_on_face(const SolidCore& a, const SolidCore& b, int face, Real alert, Real depth,
                  std::vector<ContactPoint<3>>& points);

struct SolidStore {
  std::vector<Vec<3>> vertices, normals;
};

inline SolidCore place(const Ball<3>& shape, const Pose<3>& pose, SolidStore& store) {
  store.vertices.assign(1, pose.x);
  return {store.vertices, {}, {}, {}, shape.radius, pose.x};
}

inline SolidCore place(const Capsule<3>& shape, const Pose<3>& pose, SolidStore& store) {
  static constexpr Polyhedron::Edge core[1] = {{0, 1, -1, -1}};
  const Vec<3> end = pose.R * Vec<3>{shape.half_length, 0, 0};
  store.vertices.assign({pose.x - end, pose.x + end});
  if (!(shape.half_length > 0)) store.vertices.pop_back();
  return {store.vertices, {}, {}, std::span(core, store.vertices.size() - 1), shape.radius, pose.x};
}

// The bits of R.matrix(), less its products with zeros and ones.
inline Mat<3> matrix_of(const Rotation<3>& R) {
  const Real x = 2 * R.x, y = 2 * R.y, z = 2 * R.z;
  const Real xx = R.x * x, yy = R.y * y, zz = R.z * z, xy = R.x * y, xz = R.x * z, yz = R.y * z;
  const Real wx = R.w * x, wy = R.w * y, wz = R.w * z;
  return {{1 - (yy + zz), xy + wz, xz - wy, xy - wz, 1 - (zz + xx), yz + wx, xz + wy, yz - wx, 1 - (xx + yy)}};
}

inline SolidCore place(const Polyhedron& shape, const Pose<3>& pose, SolidStore& store) {
  const Mat<3> R = matrix_of(pose.R);
  const Lanes x = lanes(R(0, 0), R(1, 0), R(2, 0)), y = lanes(R(0, 1), R(1, 1), R(2, 1)),
              z = lanes(R(0, 2), R(1, 2), R(2, 2)), shift = lanes(pose.x[0], pose.x[1], pose.x[2]), zero{};
  const auto turned = [&](const Vec<3>& v) { return zero + x * v[0] + y * v[1] + z * v[2]; };
  const std::size_t vertices = shape.vertices.size(), faces = shape.faces.size();
  if (store.vertices.size() <= vertices) store.vertices.resize(vertices + 1);  // one to spare: the fourth lane
  if (store.normals.size() <= faces) store.normals.resize(faces + 1);
  Vec<3>*const to = store.vertices.data(), *const n = store.normals.data();
  const Vec<3>* const from = shape.vertices.data();
  const Polyhedron::Face* const face = shape.faces.data();
  for (std::size_t i = 0; i < vertices; ++i) put(shift + turned(from[i]), to + i);
  for (std::size_t i = 0; i < faces; ++i) put(turned(face[i].normal), n + i);
  return {{to, vertices}, {n, faces}, shape.faces, shape.edges, shape.radius, pose.x};
}

// Spheres, capsules and polyhedra.
template <class T>
concept SolidShape = requires(const T& shape, const Pose<3>& pose, SolidStore& store) {
  place(shape, pose, store);
};

}  // namespace cairn
