// The signed distance of two convex solids in space by brute force: all pairs of features when they are apart, all
// normals that a face of their difference can have when they overlap.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cairn/detection/narrow.hpp"

namespace cairn::test {

struct Features {
  std::vector<Vec<3>> points;  // [m] relative to the given origin
  std::vector<std::pair<int, int>> edges;
  std::vector<std::vector<int>> faces;
  Real radius = 0;

  const Vec<3>& at(int i) const { return points[static_cast<std::size_t>(i)]; }
};

inline Features features_of(const Shape<3>& shape, const Pose<3>& pose, const Vec<3>& origin) {
  const Pose<3> near{pose.x - origin, pose.R};
  Features f;
  if (const auto* ball = std::get_if<Ball<3>>(&shape)) {
    f.points = {near.x}, f.radius = ball->radius;
  } else if (const auto* capsule = std::get_if<Capsule<3>>(&shape)) {
    f.points = {near.to_world({-capsule->half_length, 0, 0}), near.to_world({capsule->half_length, 0, 0})};
    f.edges = {{0, 1}}, f.radius = capsule->radius;
  } else {
    const Polyhedron& p = std::get<Polyhedron>(shape);
    for (const Vec<3>& v : p.vertices) f.points.push_back(near.to_world(v));
    for (const Polyhedron::Face& face : p.faces) {
      f.faces.push_back(face.ring);
      for (std::size_t i = 0; i < face.ring.size(); ++i) {
        const int v = face.ring[i], w = face.ring[(i + 1) % face.ring.size()];
        if (v < w) f.edges.push_back({v, w});
      }
    }
    f.radius = p.radius;
  }
  return f;
}

inline Vec<3> face_normal(const Features& f, const std::vector<int>& ring) {
  Vec<3> sum{};
  for (std::size_t i = 2; i < ring.size(); ++i)
    sum += cross(f.at(ring[i - 1]) - f.at(ring[0]), f.at(ring[i]) - f.at(ring[0]));
  return normalised(sum);
}

inline Real separation_along(const Features& a, const Features& b, const Vec<3>& n) {
  Real high = -std::numeric_limits<Real>::infinity(), low = -high;
  for (const Vec<3>& v : a.points) high = std::max(high, dot(v, n));
  for (const Vec<3>& v : b.points) low = std::min(low, dot(v, n));
  return low - high;
}

inline Real greatest_separation(const Features& a, const Features& b) {
  Real most = -std::numeric_limits<Real>::infinity();
  for (const auto& ring : a.faces) most = std::max(most, separation_along(a, b, face_normal(a, ring)));
  for (const auto& ring : b.faces) most = std::max(most, separation_along(a, b, -face_normal(b, ring)));
  for (const auto& [i, j] : a.edges)
    for (const auto& [k, l] : b.edges) {
      const Vec<3> u = normalised(a.at(j) - a.at(i)), v = normalised(b.at(l) - b.at(k)), n = cross(u, v);
      if (norm(n) < 1e-6) continue;
      most = std::max({most, separation_along(a, b, normalised(n)), separation_along(a, b, -normalised(n))});
    }
  return most;
}

inline Real point_segment(const Vec<3>& x, const Vec<3>& a, const Vec<3>& b) {
  const Vec<3> d = b - a;
  return norm(x - a - std::clamp(dot(x - a, d) / norm2(d), Real(0), Real(1)) * d);
}

// Infinite where the foot of the perpendicular falls outside: then an edge is nearer.
inline Real point_face(const Vec<3>& x, const Features& f, const std::vector<int>& ring) {
  const Vec<3> n = face_normal(f, ring);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec<3>&v = f.at(ring[i]), &w = f.at(ring[(i + 1) % ring.size()]);
    if (dot(cross(w - v, n), x - v) > 0) return std::numeric_limits<Real>::infinity();
  }
  return std::fabs(dot(x - f.at(ring[0]), n));
}

inline Real edge_edge(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& d) {
  const Vec<3> u = b - a, v = d - c, n = cross(u, v), w = c - a;
  const Real n2 = norm2(n);
  if (!(n2 > 0)) return std::numeric_limits<Real>::infinity();
  const Real s = dot(cross(w, v), n) / n2, t = dot(cross(w, u), n) / n2;
  if (s < 0 || s > 1 || t < 0 || t > 1) return std::numeric_limits<Real>::infinity();
  return norm(w + t * v - s * u);
}

inline Real feature_distance(const Features& a, const Features& b) {
  Real least = std::numeric_limits<Real>::infinity();
  for (const auto* pair : {&a, &b}) {
    const Features &p = *pair, &q = pair == &a ? b : a;
    for (const Vec<3>& x : p.points) {
      for (const Vec<3>& y : q.points) least = std::min(least, norm(x - y));
      for (const auto& [i, j] : q.edges) least = std::min(least, point_segment(x, q.at(i), q.at(j)));
      for (const auto& ring : q.faces) least = std::min(least, point_face(x, q, ring));
    }
  }
  for (const auto& [i, j] : a.edges)
    for (const auto& [k, l] : b.edges) least = std::min(least, edge_edge(a.at(i), a.at(j), b.at(k), b.at(l)));
  return least;
}

inline Real signed_distance(const Shape<3>& a, const Pose<3>& pa, const Shape<3>& b, const Pose<3>& pb) {
  const Features fa = features_of(a, pa, pb.x), fb = features_of(b, pb, pb.x);
  const Real separation = greatest_separation(fa, fb);
  const bool thin = fa.faces.empty() && fb.faces.empty();  // nothing to be inside of
  return (separation > 0 || thin ? feature_distance(fa, fb) : separation) - fa.radius - fb.radius;
}

}  // namespace cairn::test
