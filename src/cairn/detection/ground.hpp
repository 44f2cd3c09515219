// A convex shape on a half-plane or half-space: its lowest edge or face gives the points.
#pragma once

#include <vector>

#include "cairn/detection/manifold.hpp"
#include "cairn/detection/reduce.hpp"
#include "cairn/shape/capsule.hpp"
#include "cairn/shape/half_space.hpp"
#include "cairn/shape/polygon.hpp"
#include "cairn/shape/polyhedron.hpp"

namespace cairn {

namespace ground_parts {

template <int D>
struct Ground {
  Vec<D> normal;  // of the plane, in the world
  Vec<D> down;    // minus this normal in the axes of the shape
  Real height;    // [m] of the shape's origin above the plane
  Real alert;     // [m]
  const Pose<D>& pose;

  ContactPoint<D> contact(const Vec<D>& local, Real radius, int feature) const {
    const Real gap = height - dot(local, down) - radius;
    return {pose.to_world(local) - (radius + gap / 2) * normal, gap, static_cast<std::uint32_t>(feature)};
  }
  void add(const Vec<D>& local, Real radius, int feature, Manifold<D>& m) const {
    if (const ContactPoint<D> p = contact(local, radius, feature); p.gap <= alert) m.add(p);
  }
};

template <class T, int D>
requires ConvexShape<T, D>
void rest(const T& shape, const Ground<D>& ground, Manifold<D>& m) {
  ground.add(shape.support(ground.down), shape.radius, 0, m);
}

template <int D>
void rest(const Capsule<D>& shape, const Ground<D>& ground, Manifold<D>& m) {
  Vec<D> end{};
  end[0] = shape.half_length;
  ground.add(-end, shape.radius, 0, m);
  if (shape.half_length > 0) ground.add(end, shape.radius, 1, m);
}

inline void rest(const Polygon& shape, const Ground<2>& ground, Manifold<2>& m) {
  const int deepest = shape.support_index(ground.down);
  const int before = deepest > 0 ? deepest - 1 : shape.size() - 1;
  const bool other =
      dot(shape.normal(before), ground.down) > dot(shape.normal(deepest), ground.down) + tolerance::length;
  const int edge = other ? before : deepest;
  ground.add(shape.vertex(edge), shape.radius, edge, m);
  ground.add(shape.vertex(shape.next(edge)), shape.radius, shape.next(edge), m);
}

// Of the faces at the deepest vertex, the one that looks down most.
inline int lowest_face(const Polyhedron& shape, const Vec<3>& down) {
  const int deepest = shape.support_index(down);
  int best = -1;
  for (const Polyhedron::Edge& e : shape.edges) {
    if (e.a != deepest && e.b != deepest) continue;
    for (const int f : {e.left, e.right})
      if (best < 0 || dot(shape.face(f).normal, down) > dot(shape.face(best).normal, down) + tolerance::length)
        best = f;
  }
  return best;
}

inline void rest(const Polyhedron& shape, const Ground<3>& ground, Manifold<3>& m) {
  thread_local std::vector<ContactPoint<3>> points;
  points.clear();
  Real extent = 0;
  const Polyhedron::Face& face = shape.face(lowest_face(shape, ground.down));
  for (const int v : face.ring) {
    const ContactPoint<3> p = ground.contact(shape.vertex(v), shape.radius, v);
    if (p.gap <= ground.alert) points.push_back(p);
    extent = std::max(extent, norm(shape.vertex(v)));
  }
  const Vec<3> edge = shape.vertex(face.ring[1]) - shape.vertex(face.ring[0]);
  reduce(points, extent, ground.pose.R * skew_direction(face.normal, edge), m);
}

}  // namespace ground_parts

template <int D, class T>
Manifold<D> collide_ground(const T& shape, const Pose<D>& pose, const HalfSpace<D>& ground, const Pose<D>& pg,
                           Real alert) {
  const Vec<D> normal = pg.R * ground.normal();
  const ground_parts::Ground<D> frame{normal, -(pose.R.inverse() * normal), dot(pose.x - pg.x, normal), alert, pose};
  Manifold<D> m;
  m.normal = normal;
  ground_parts::rest(shape, frame, m);
  return m;
}

}  // namespace cairn
