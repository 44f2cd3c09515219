#include "cairn/detection/solid_clip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/detection/reduce.hpp"
#include "cairn/detection/tolerance.hpp"

namespace cairn {

namespace {

// Through an edge of a face and along the normal of the contact.
struct SidePlane {
  Vec<3> origin, outward;

  Real beyond(const Vec<3>& x) const { return dot(x - origin, outward); }
};

SidePlane side_plane(const FacePair& pair, std::size_t i) {
  const std::vector<int>& ring = pair.p.ring(pair.face);
  const Vec<3>&v = pair.p.vertex(ring[i]), &w = pair.p.vertex(ring[i + 1 < ring.size() ? i + 1 : 0]);
  return {v, normalised(cross(w - v, pair.normal))};
}

// `beyond` (in.size()): of the corners, beyond the plane.
void clip(const std::vector<Vec<3>>& in, const std::vector<Real>& beyond, Real slack, std::vector<Vec<3>>& out) {
  out.clear();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t next = i + 1 < in.size() ? i + 1 : 0;
    const Real fx = beyond[i], fy = beyond[next];
    if (fx <= slack) out.push_back(in[i]);
    if ((fx <= slack) == (fy <= slack)) continue;
    const Real w = std::clamp(fx / (fx - fy), Real(0), Real(1));
    out.push_back(in[i] + w * (in[next] - in[i]));
  }
}

Real span_of(const SolidCore& p, std::span<const int> ring) {
  Real most = 0;
  for (const int v : ring) most = std::max(most, norm2(p.vertex(v) - p.vertex(ring[0])));
  return std::sqrt(most);
}

// Whether the points are so near to each other sideways from the normal. A root is taken only where it may decide.
bool beside(const Vec<3>& x, const Vec<3>& y, const Vec<3>& n, Real near) {
  const Vec<3> d = x - y;
  const Real square = norm2(d - dot(d, n) * n);
  return square < 2 * near * near && std::sqrt(square) <= near;
}

// Of the corners that are close to each other, seen along the normal, the deepest.
void join(std::vector<ContactPoint<3>>& points, const Vec<3>& n, Real near) {
  std::size_t kept = 0;
  for (const ContactPoint<3>& x : points) {
    std::size_t k = 0;
    while (k < kept && !beside(points[k].point, x.point, n, near)) ++k;
    if (k == kept)
      points[kept++] = x;
    else if (x.gap < points[k].gap)
      points[k] = x;
  }
  points.resize(kept);
}

int vertex_near(const SolidCore& p, std::span<const int> ring, const Vec<3>& x, const Vec<3>& n, Real near) {
  for (const int v : ring)
    if (beside(p.vertex(v), x, n, near)) return v;
  return -1;
}

// The edge of the ring, by its first vertex, whose line passes nearest to the point, seen along the normal.
int edge_near(const SolidCore& p, std::span<const int> ring, const Vec<3>& x, const Vec<3>& n) {
  int best = 0;
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec<3>&v = p.vertex(ring[i]), e = p.vertex(ring[i + 1 < ring.size() ? i + 1 : 0]) - v, m = cross(e, n);
    const Real length = norm(m), off = length > 0 ? std::fabs(dot(x - v, m)) / length : norm(x - v);
    if (off < least) least = off, best = ring[i];
  }
  return best;
}

// Named after a vertex of the first shape, else of the second, else after the two edges that cross: where vertices
// meet, rounding must not change the name.
std::uint32_t name(const FacePair& pair, const Vec<3>& x, Real near) {
  const std::span<const int> face = pair.p.ring(pair.face);
  const SolidCore &a = pair.swapped ? pair.q : pair.p, &b = pair.swapped ? pair.p : pair.q;
  const std::span<const int> on_a = pair.swapped ? pair.ring : face, on_b = pair.swapped ? face : pair.ring;
  if (const int v = vertex_near(a, on_a, x, pair.normal, near); v >= 0) return solid_feature(1, v, 0);
  if (const int v = vertex_near(b, on_b, x, pair.normal, near); v >= 0) return solid_feature(2, 0, v);
  return solid_feature(0, edge_near(a, on_a, x, pair.normal), edge_near(b, on_b, x, pair.normal));
}

}  // namespace

void share(const FacePair& pair, Real slack, SharedPolygon& polygon) {
  thread_local std::vector<Vec<3>> other;
  thread_local std::vector<Real> beyond;
  std::vector<Vec<3>>& corners = polygon.corners;
  corners.clear();
  for (const int v : pair.ring) corners.push_back(pair.q.vertex(v));
  polygon.outside = 0;
  for (std::size_t i = 0; i < pair.p.ring(pair.face).size() && !corners.empty(); ++i) {
    const SidePlane plane = side_plane(pair, i);
    bool all = true;
    beyond.resize(corners.size());
    for (std::size_t k = 0; k < corners.size(); ++k) {
      beyond[k] = plane.beyond(corners[k]);
      if (beyond[k] <= slack)
        polygon.outside = std::max(polygon.outside, beyond[k]);
      else
        all = false;
    }
    if (all) continue;
    clip(corners, beyond, slack, other);
    std::swap(corners, other);
  }
  const Vec<3>&m = pair.p.normal(pair.face), &origin = pair.p.vertex(pair.p.ring(pair.face)[0]);
  const Real slope = 1 / dot(m, pair.normal);
  polygon.separation.clear();
  polygon.least = std::numeric_limits<Real>::infinity();
  for (const Vec<3>& x : corners) {
    polygon.separation.push_back(dot(x - origin, m) * slope);
    polygon.least = std::min(polygon.least, polygon.separation.back());
  }
}

void list_points(const FacePair& pair, const SharedPolygon& polygon, Real alert, std::vector<ContactPoint<3>>& points) {
  points.clear();
  const Real radii = pair.p.radius + pair.q.radius;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    const Real gap = polygon.separation[i] - radii;
    if (!(gap <= alert)) continue;
    const Real back = polygon.separation[i] - pair.p.radius - gap / 2;
    points.push_back({polygon.corners[i] - back * pair.normal, gap, 0});
  }
  const Real face = span_of(pair.p, pair.p.ring(pair.face)), other = span_of(pair.q, pair.ring);
  const Real near = tolerance::join * (other > 0 ? std::min(face, other) : face);
  join(points, pair.normal, near);
  for (ContactPoint<3>& x : points) x.feature = name(pair, x.point, near / 2);
}

Manifold<3> manifold_of(const FacePair& pair, const SharedPolygon& polygon, Real alert) {
  thread_local std::vector<ContactPoint<3>> points;
  list_points(pair, polygon, alert, points);
  Manifold<3> m;
  m.normal = pair.swapped ? pair.normal : -pair.normal;
  if (points.size() <= m.capacity) {
    for (const ContactPoint<3>& p : points) m.add(p);
    return m;
  }
  const std::vector<int>& ring = pair.p.ring(pair.face);
  const Vec<3> edge = pair.p.vertex(ring[1]) - pair.p.vertex(ring[0]);
  const Real size = std::max(span_of(pair.p, ring), span_of(pair.q, pair.ring));
  reduce(points, size, skew_direction(pair.p.normal(pair.face), edge), m);
  return m;
}

}  // namespace cairn
