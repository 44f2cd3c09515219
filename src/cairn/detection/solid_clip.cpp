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

SidePlane side_plane(const FacePair& pair, const std::vector<int>& ring, std::size_t i) {
  const Vec<3>&v = pair.p.vertex(ring[i]), &w = pair.p.vertex(ring[i + 1 < ring.size() ? i + 1 : 0]);
  return {v, normalised(cross(w - v, pair.normal))};
}

template <class T>
T* room_for(std::size_t count, std::vector<T>& place) {
  if (place.size() < count) place.resize(count);
  return place.data();
}

// Corners at most `slack` beyond a plane, and where the edges cross it. After the last corner of `in`, and after its
// distance beyond the plane, there is the first again. Returns how many there are.
std::size_t clip_ring(const Vec<3>* in, const Real* beyond, std::size_t count, Real slack, Vec<3>* out) {
  Vec<3>* const first = out;
  bool inside = beyond[0] <= slack;
  for (std::size_t i = 0; i < count; ++i) {
    const bool next = beyond[i + 1] <= slack;
    if (inside) *out++ = in[i];
    if (inside != next) {
      const Real w = std::clamp(beyond[i] / (beyond[i] - beyond[i + 1]), Real(0), Real(1));
      *out++ = in[i] + w * (in[i + 1] - in[i]);
    }
    inside = next;
  }
  return static_cast<std::size_t>(out - first);
}

// Cuts what is more than the slack beyond the plane off the polygon.
void cut(const SidePlane& plane, Real slack, SharedPolygon& polygon) {
  const std::size_t count = polygon.corners.size();
  Vec<3>* const corners = polygon.places[0].data();
  Real* const beyond = room_for(count + 1, polygon.numbers);
  Real outside = polygon.outside;
  bool all = true;
  for (std::size_t k = 0; k < count; ++k) {
    const Real f = beyond[k] = plane.beyond(corners[k]);
    if (f > slack)
      all = false;
    else if (f > outside)
      outside = f;
  }
  polygon.outside = outside;
  if (all) return;
  beyond[count] = beyond[0];
  corners[count] = corners[0];
  Vec<3>* const out = room_for(2 * count + 1, polygon.places[1]);
  polygon.corners = {out, clip_ring(corners, beyond, count, slack, out)};
  std::swap(polygon.places[0], polygon.places[1]);
}

Real span_of(const SolidCore& p, std::span<const int> ring) {
  Real most = 0;
  for (const int v : ring) most = std::max(most, norm2(p.vertex(v) - p.vertex(ring[0])));
  return std::sqrt(most);
}

// What is close, seen along the normal.
struct Sideways {
  Vec<3> normal;
  Real near;                                                 // [m]
  Vec<3> across = cross(normal, tolerance::arbitrary<3>());  // no longer than one

  bool close(const Vec<3>& x, const Vec<3>& y) const {
    const Vec<3> d = x - y;
    if (std::fabs(dot(d, across)) > 2 * near) return false;  // no further than it is sideways: most are out
    return norm2(d - dot(d, normal) * normal) <= near * near;
  }
};

// Of the corners that are close to each other, seen along the normal, the deepest.
void join(std::vector<ContactPoint<3>>& points, const Sideways& seen) {
  std::size_t kept = 0;
  for (const ContactPoint<3>& x : points) {
    std::size_t k = 0;
    while (k < kept && !seen.close(points[k].point, x.point)) ++k;
    if (k == kept)
      points[kept++] = x;
    else if (x.gap < points[k].gap)
      points[k] = x;
  }
  points.resize(kept);
}

int vertex_near(const SolidCore& p, std::span<const int> ring, const Vec<3>& x, const Sideways& seen) {
  for (const int v : ring)
    if (seen.close(p.vertex(v), x)) return v;
  return -1;
}

// The edge of the ring, by its first vertex, whose line passes nearest to the point, seen along the normal. Squares of
// distances are compared as fractions: no root, no division. An edge without length is a point.
int edge_near(const SolidCore& p, std::span<const int> ring, const Vec<3>& x, const Vec<3>& n) {
  int best = ring[0];
  Real over = std::numeric_limits<Real>::infinity(), under = 1;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec<3>&v = p.vertex(ring[i]), e = p.vertex(ring[i + 1 < ring.size() ? i + 1 : 0]) - v, m = cross(e, n);
    const Real length2 = norm2(m), along = dot(x - v, m);
    const Real off2 = length2 > 0 ? along * along : norm2(x - v), by = length2 > 0 ? length2 : 1;
    if (off2 * under < over * by) over = off2, under = by, best = ring[i];
  }
  return best;
}

// Names points after a vertex of the first shape, else of the second, else after the two edges that cross: where
// vertices meet, rounding must not change the name.
void name_points(const FacePair& pair, const Sideways& seen, std::vector<ContactPoint<3>>& points) {
  const std::span<const int> face = pair.p.ring(pair.face);
  const SolidCore &a = pair.swapped ? pair.q : pair.p, &b = pair.swapped ? pair.p : pair.q;
  const std::span<const int> on_a = pair.swapped ? pair.ring : face, on_b = pair.swapped ? face : pair.ring;
  for (ContactPoint<3>& x : points)
    if (const int v = vertex_near(a, on_a, x.point, seen); v >= 0)
      x.feature = solid_feature(1, v, 0);
    else if (const int w = vertex_near(b, on_b, x.point, seen); w >= 0)
      x.feature = solid_feature(2, 0, w);
    else
      x.feature = solid_feature(0, edge_near(a, on_a, x.point, pair.normal), edge_near(b, on_b, x.point, pair.normal));
}

}  // namespace

void share(const FacePair& pair, Real slack, SharedPolygon& polygon) {
  const std::vector<int>& ring = pair.p.ring(pair.face);
  Vec<3>* const corners = room_for(pair.ring.size() + 1, polygon.places[0]);
  for (std::size_t k = 0; k < pair.ring.size(); ++k) corners[k] = pair.q.vertex(pair.ring[k]);
  polygon.corners = {corners, pair.ring.size()};
  polygon.outside = 0;
  for (std::size_t i = 0; i < ring.size() && !polygon.empty(); ++i) cut(side_plane(pair, ring, i), slack, polygon);
  const Vec<3> m = pair.p.normal(pair.face), origin = pair.p.vertex(ring[0]);
  const Real slope = 1 / dot(m, pair.normal);
  Real* const separation = room_for(polygon.corners.size(), polygon.numbers);
  polygon.separation = {separation, polygon.corners.size()};
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t k = 0; k < polygon.corners.size(); ++k) {
    separation[k] = dot(polygon.corners[k] - origin, m) * slope;
    least = std::min(least, separation[k]);
  }
  polygon.least = least;
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
  join(points, {pair.normal, near});
  name_points(pair, {pair.normal, near / 2}, points);
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
