// The signed distance of two convex solids in the plane by brute force: the hull of all differences of corners.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "cairn/detection/narrow.hpp"

namespace cairn::test {

struct Corners {
  std::vector<Vec<2>> points;  // [m] relative to the given origin
  Real radius = 0;
};

inline Corners corners_of(const Shape<2>& shape, const Pose<2>& pose, const Vec<2>& origin) {
  const Pose<2> near{pose.x - origin, pose.R};
  Corners c;
  if (const auto* ball = std::get_if<Ball<2>>(&shape)) {
    c = {{near.x}, ball->radius};
  } else if (const auto* capsule = std::get_if<Capsule<2>>(&shape)) {
    c = {{near.to_world({-capsule->half_length, 0}), near.to_world({capsule->half_length, 0})}, capsule->radius};
  } else {
    const Polygon& polygon = std::get<Polygon>(shape);
    for (const Vec<2>& v : polygon.vertices) c.points.push_back(near.to_world(v));
    c.radius = polygon.radius;
  }
  return c;
}

inline Real distance_to_segment(const Vec<2>& x, const Vec<2>& a, const Vec<2>& b) {
  const Vec<2> d = b - a;
  const Real length2 = norm2(d), t = length2 > 0 ? std::clamp(dot(x - a, d) / length2, Real(0), Real(1)) : Real(0);
  return norm(x - a - t * d);
}

inline std::vector<Vec<2>> hull(std::vector<Vec<2>> p) {
  std::sort(p.begin(), p.end(),
            [](const Vec<2>& a, const Vec<2>& b) { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]); });
  std::vector<Vec<2>> h;
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = h.size();
    for (const Vec<2>& x : p) {
      while (h.size() >= start + 2 && cross(h.back() - h[h.size() - 2], x - h.back()) <= 0) h.pop_back();
      h.push_back(x);
    }
    h.pop_back();
    std::reverse(p.begin(), p.end());
  }
  return h;
}

// Outside the hull the distance to its edges; inside minus the least support among the directions of its edges: none is
// below the depth, and the exact edge is among them.
inline Real signed_distance(const Corners& a, const Corners& b) {
  std::vector<Vec<2>> differences;
  for (const Vec<2>& v : a.points)
    for (const Vec<2>& w : b.points) differences.push_back(v - w);
  const std::vector<Vec<2>> h = hull(differences);
  if (h.size() < 2) return norm(differences[0]) - a.radius - b.radius;
  Real outside = std::numeric_limits<Real>::infinity(), depth = outside, extent = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const Vec<2>&p = h[i], &q = h[(i + 1) % h.size()], e = q - p, n = normalised(Vec<2>{e[1], -e[0]});
    outside = std::min(outside, distance_to_segment({0, 0}, p, q));
    Real support = -std::numeric_limits<Real>::infinity();
    for (const Vec<2>& x : h) support = std::max(support, dot(x, n));
    extent = std::max(extent, norm(p));
    depth = std::min(depth, support);
  }
  const bool inside = depth > 1e-14 * extent;  // not so of points on one line
  return (inside ? -depth : outside) - a.radius - b.radius;
}

inline Real signed_distance(const Shape<2>& a, const Pose<2>& pa, const Shape<2>& b, const Pose<2>& pb) {
  return signed_distance(corners_of(a, pa, pb.x), corners_of(b, pb, pb.x));
}

}  // namespace cairn::test
