// Shapes of the plane as cores placed in the world.
#pragma once

#include <vector>

#include "cairn/detection/planar.hpp"
#include "cairn/shape/ball.hpp"
#include "cairn/shape/capsule.hpp"
#include "cairn/shape/polygon.hpp"

namespace cairn {

struct PlanarStore {
  std::vector<Vec<2>> vertices, normals;
};

inline PlanarCore place(const Ball<2>& shape, const Pose<2>& pose, PlanarStore& store) {
  store.vertices.assign(1, pose.x);
  return {store.vertices, {}, shape.radius};
}

inline PlanarCore place(const Capsule<2>& shape, const Pose<2>& pose, PlanarStore& store) {
  if (!(shape.half_length > 0)) return place(Ball<2>{shape.radius}, pose, store);
  const Vec<2> axis = pose.R * Vec<2>{1, 0}, left{-axis[1], axis[0]};
  store.vertices.assign({pose.x - shape.half_length * axis, pose.x + shape.half_length * axis});
  store.normals.assign({-left, left});
  return {store.vertices, store.normals, shape.radius};
}

inline PlanarCore place(const Polygon& shape, const Pose<2>& pose, PlanarStore& store) {
  const std::size_t n = shape.vertices.size();
  store.vertices.resize(n);
  store.normals.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    store.vertices[i] = pose.to_world(shape.vertices[i]);
    store.normals[i] = pose.R * shape.normals[i];
  }
  return {store.vertices, store.normals, shape.radius};
}

// Halfway between the two origins: far from the world's origin nothing is lost, and neither shape comes first.
template <int D>
Vec<D> middle(const Pose<D>& a, const Pose<D>& b) {
  return Real(0.5) * (a.x + b.x);
}
template <int D>
Pose<D> about(const Pose<D>& pose, const Vec<D>& origin) {
  return {pose.x - origin, pose.R};
}
template <int D>
void move_back(Manifold<D>& m, const Vec<D>& origin) {
  for (int i = 0; i < m.size; ++i) m.points[i].point += origin;
}

// Discs, stadiums and polygons.
template <class T>
concept PlanarShape = requires(const T& shape, const Pose<2>& pose, PlanarStore& store) {
  place(shape, pose, store);
};

// Two shapes that a store can place, about the middle between them.
template <class Store, int D, class A, class B>
Manifold<D> collide_placed(const A& a, const Pose<D>& pa, const B& b, const Pose<D>& pb, Real alert) {
  thread_local Store stores[2];
  const Vec<D> origin = middle(pa, pb);
  const auto core = place(a, about(pa, origin), stores[0]);
  Manifold<D> m = collide_cores(core, place(b, about(pb, origin), stores[1]), alert);
  move_back(m, origin);
  return m;
}

}  // namespace cairn
