#include "cairn/detection/solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/detection/segments.hpp"
#include "cairn/detection/solid_axis.hpp"
#include "cairn/detection/solid_clip.hpp"
#include "cairn/detection/solid_nearest.hpp"
#include "cairn/detection/tolerance.hpp"

namespace cairn {

namespace {

constexpr Real parallel_faces = 0.9;  // cosine: a face this near to the normal of crossing edges shares a polygon
constexpr Real edge_margin = 2e-3;    // of the extent: rounding turns normals of almost parallel edges by less

Real area(const SolidCore& p, int face) {
  const std::vector<int>& ring = p.ring(face);
  Vec<3> sum{};
  for (std::size_t i = 2; i < ring.size(); ++i)
    sum += cross(p.vertex(ring[i - 1]) - p.vertex(ring[0]), p.vertex(ring[i]) - p.vertex(ring[0]));
  return norm(sum) / 2;
}

// Between equals the larger face is the reference, else the one that looks up.
bool second_is_larger(const SolidCore& a, int on_a, const SolidCore& b, int on_b) {
  const Real la = area(a, on_a), lb = area(b, on_b);
  if (std::fabs(la - lb) > tolerance::length * std::max(la, lb)) return lb > la;
  return dot(b.normal(on_b) - a.normal(on_a), tolerance::arbitrary<3>()) > 0;
}

bool second_face_is_reference(const SolidCore& a, const FaceAxis& on_a, const SolidCore& b, const FaceAxis& on_b,
                              Real extent) {
  if (on_a.face < 0 || on_b.face < 0) return on_a.face < 0;
  const Real difference = on_b.separation - on_a.separation;
  if (std::fabs(difference) > tolerance::tie * extent) return difference > 0;
  return second_is_larger(a, on_a.face, b, on_b.face);
}

// All vertices of a point or a segment.
std::span<const int> all_of(const SolidCore& q) {
  static constexpr int both[2] = {0, 1};
  return {both, q.vertices.size()};
}

// Of the faces at the vertex, the one that looks against n most.
std::span<const int> incident_ring(const SolidCore& q, int vertex, const Vec<3>& n) {
  if (q.faces.empty()) return all_of(q);
  int best = -1;
  Real least = std::numeric_limits<Real>::infinity();  // cosine
  const auto look_at = [&](int face) {
    if (const Real cosine = dot(q.normal(face), n); cosine < least - tolerance::length) least = cosine, best = face;
  };
  for (const Polyhedron::Edge& e : q.edges)
    if (e.a == vertex || e.b == vertex) look_at(e.left), look_at(e.right);
  return q.ring(best);
}

FacePair face_pair(const SolidCore& a, const FaceAxis& on_a, const SolidCore& b, const FaceAxis& on_b, Real extent) {
  const bool swapped = second_face_is_reference(a, on_a, b, on_b, extent);
  const SolidCore &p = swapped ? b : a, &q = swapped ? a : b;
  const FaceAxis& axis = swapped ? on_b : on_a;
  const Vec<3> n = p.normal(axis.face);
  return {p, q, axis.face, incident_ring(q, axis.vertex, n), n, swapped};
}

// The face at an edge nearest to the direction n, or -1.
int face_at(const SolidCore& p, int edge, const Vec<3>& n) {
  const Polyhedron::Edge& e = p.edge(edge);
  if (e.left < 0) return -1;
  const Real left = dot(p.normal(e.left), n), right = dot(p.normal(e.right), n);
  return std::max(left, right) < parallel_faces ? -1 : left >= right ? e.left : e.right;
}

// Faces at crossing edges: the two bodies may all but lie on each other although the edges are nearest.
Manifold<3> crossing_faces(const SolidCore& a, const SolidCore& b, const EdgeAxis& axis, Real slack, Real alert,
                           SharedPolygon& polygon) {
  const int fa = face_at(a, axis.on_a, axis.normal), fb = face_at(b, axis.on_b, -axis.normal);
  if ((fa < 0 && !a.faces.empty()) || (fb < 0 && !b.faces.empty()) || (fa < 0 && fb < 0)) return {};
  const bool swapped = fa < 0 || (fb >= 0 && second_is_larger(a, fa, b, fb));
  const SolidCore& q = swapped ? a : b;
  const int other = swapped ? fa : fb;
  const FacePair pair{swapped ? b : a,
                      q,
                      swapped ? fb : fa,
                      other < 0 ? all_of(q) : std::span<const int>(q.ring(other)),
                      swapped ? -axis.normal : axis.normal,
                      swapped};
  share(pair, slack, polygon);
  if (polygon.empty() || polygon.least > axis.separation + slack) return {};
  return manifold_of(pair, polygon, alert);
}

Manifold<3> crossing_edges(const SolidCore& a, const SolidCore& b, const EdgeAxis& axis, Real slack, Real alert) {
  const Polyhedron::Edge &ea = a.edge(axis.on_a), &eb = b.edge(axis.on_b);
  const auto [x, y] = nearest_on_segments(a.vertex(ea.a), a.vertex(ea.b), b.vertex(eb.a), b.vertex(eb.b));
  Manifold<3> m;
  if (axis.separation > -slack && norm(x - y) > axis.separation + slack) return m;
  const Real gap = axis.separation - (a.radius + b.radius);
  m.normal = -axis.normal;
  if (gap <= alert)
    m.add({Real(0.5) * (x + y) + (Real(0.5) * (a.radius - b.radius)) * axis.normal, gap,
           solid_feature(0, axis.on_a, axis.on_b)});
  return m;
}

Real solid_extent(const SolidCore& a, const SolidCore& b) { return std::max(largest(a.vertices), largest(b.vertices)); }

// Whether the ring, a face or a segment, is nearly perpendicular to n.
bool nearly_parallel(const SolidCore& q, std::span<const int> ring, const Vec<3>& n) {
  if (ring.size() < 2) return false;
  const Vec<3> e = q.vertex(ring[1]) - q.vertex(ring[0]);
  const Real sine = std::sqrt(1 - tolerance::parallel * tolerance::parallel);
  if (ring.size() == 2) return std::fabs(dot(e, n)) < sine * norm(e);
  const Vec<3> normal = cross(e, q.vertex(ring[2]) - q.vertex(ring[0]));
  return -dot(normal, n) > tolerance::parallel * norm(normal);
}

// At the vertex that is deepest below the face.
Manifold<3> deepest_vertex(const FacePair& pair, const FaceAxis& axis, Real alert) {
  const Real gap = axis.separation - (pair.p.radius + pair.q.radius);
  Manifold<3> m;
  m.normal = pair.swapped ? pair.normal : -pair.normal;
  const Vec<3> point = pair.q.vertex(axis.vertex) - (axis.separation - pair.p.radius - gap / 2) * pair.normal;
  const int on_a = pair.swapped ? axis.vertex : 0, on_b = pair.swapped ? 0 : axis.vertex;
  if (gap <= alert) m.add({point, gap, solid_feature(pair.swapped ? 1 : 2, on_a, on_b)});
  return m;
}

// No more than the least width of the polygon [m], seen along n: a convex one is in a strip of that width, which is
// nowhere longer than the polygon.
Real polygon_width(const SharedPolygon& polygon, const Vec<3>& n) {
  const std::span<const Vec<3>> x = polygon.corners;
  Real twice = 0, reach2 = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    reach2 = std::max(reach2, norm2(x[i] - x[0]));
    if (i > 1) twice += dot(cross(x[i - 1] - x[0], x[i] - x[0]), n);
  }
  return reach2 > 0 ? std::fabs(twice) / (4 * std::sqrt(reach2)) : 0;
}

// Whether no direction parts the cores better than the face does, but for a tie T: then no edges need to be looked at.
// Along a unit n at the angle A from the normal of the face the separation is n.(y - x) at most, with any points x of p
// and y of q; so take corners of the polygon, at heights s, and their feet on the face (to the slack outside of it).
// (1) The lowest corner and its foot: s cos A + outside sin A at most. Enough if no corner is below the face or
// outside. (2) The two that are furthest along and against n: s cos A - w sin A at most, w being the width of the
// polygon. If n is better than the face, by which they are d deep, then sin A < (d + s) / w by (2), with the highest
// corner's s, and by (1) the gain is at most d sin^2 A + outside sin A. If n looks back, then sin A < 2 d / w by (2),
// and from the face to a vertex of q at the height H it is -H cos A + (2 d / w) 2 sqrt(3) extent at most.
bool settles(const FacePair& pair, const SharedPolygon& polygon, Real by_faces, Real extent) {
  const Real tie = tolerance::tie * extent, slack = tolerance::distance * extent;
  if (polygon.empty() || polygon.least > by_faces + tie / 2) return false;
  if (by_faces >= -tie / 8 && polygon.outside <= tie / 100) return true;
  const Real highest = *std::max_element(polygon.separation.begin(), polygon.separation.end());
  const Real w = polygon_width(polygon, pair.normal), d = std::max(-by_faces, Real(0)) + slack;
  const Real sine = (std::max(highest, Real(0)) - by_faces + slack) / w;
  if (!(sine <= Real(1e-3) && d * sine * sine <= tie / 4)) return false;
  const Vec<3>& origin = pair.p.vertex(pair.p.ring(pair.face)[0]);
  return std::any_of(pair.q.vertices.begin(), pair.q.vertices.end(),
                     [&](const Vec<3>& v) { return dot(v - origin, pair.normal) >= 12 * extent * d / w; });
}

Manifold<3> at_edges(const SolidCore& a, const SolidCore& b, const EdgeAxis& axis, Real slack, Real alert,
                     SharedPolygon& polygon) {
  if (axis.separation - (a.radius + b.radius) > alert) return {};
  if (const Manifold<3> m = crossing_faces(a, b, axis, slack, alert, polygon); m.size > 0) return m;
  if (const Manifold<3> m = crossing_edges(a, b, axis, slack, alert); m.size > 0) return m;
  return nearest_manifold(a, b, -axis.normal, slack, alert);
}

}  // namespace

Manifold<3> collide_cores(const SolidCore& a, const SolidCore& b, Real alert, EdgePairs looked_at) {
  thread_local SharedPolygon polygon;
  thread_local std::vector<Real> above_a, above_b;
  const Real radii = a.radius + b.radius;
  const Real enough = (alert + radii) * (1 + tolerance::length);
  const FaceAxis on_a = best_face(a, b, enough, above_a);
  if (on_a.separation - radii > alert) return {};
  const FaceAxis on_b = best_face(b, a, enough, above_b);
  const Real by_faces = std::max(on_a.separation, on_b.separation);
  if (by_faces - radii > alert) return {};
  const Real extent = solid_extent(a, b), tie = tolerance::tie * extent, slack = tolerance::distance * extent;
  const bool all = looked_at == EdgePairs::all;
  const Real margin = all ? std::numeric_limits<Real>::infinity() : edge_margin * extent;
  const EdgeSearch search{by_faces + tie, margin, above_a, above_b};
  if (on_a.face < 0 && on_b.face < 0) {
    const EdgeAxis edges = best_edges(a, b, search);
    return edges.on_a >= 0 ? at_edges(a, b, edges, slack, alert, polygon)
                           : nearest_manifold(a, b, {0, 0, 1}, slack, alert);
  }
  const FacePair pair = face_pair(a, on_a, b, on_b, extent);
  const bool first = !all && (by_faces >= -tie / 8 || nearly_parallel(pair.q, pair.ring, pair.normal));
  if (first) share(pair, slack, polygon);
  if (first && settles(pair, polygon, by_faces, extent)) return manifold_of(pair, polygon, alert);
  if (const EdgeAxis edges = best_edges(a, b, search); edges.on_a >= 0)
    return at_edges(a, b, edges, slack, alert, polygon);
  if (!first) share(pair, slack, polygon);
  // A point of q at this height above the face of p: the distance is no more; and no less than the separation.
  if (!polygon.empty() && polygon.least <= by_faces + slack) return manifold_of(pair, polygon, alert);
  if (by_faces <= -slack) return deepest_vertex(pair, pair.swapped ? on_b : on_a, alert);
  return nearest_manifold(a, b, pair.swapped ? pair.normal : -pair.normal, slack, alert);
}

void rest_on_face(const SolidCore& a, const SolidCore& b, int face, Real alert, Real depth,
                  std::vector<ContactPoint<3>>& points) {
  points.clear();
  thread_local SharedPolygon polygon;
  const Vec<3>&n = b.normal(face), &origin = b.vertex(b.ring(face)[0]);
  int deepest = 0;
  Real low = std::numeric_limits<Real>::infinity(), high = -low;
  for (int j = 0; j < static_cast<int>(a.vertices.size()); ++j) {
    const Real height = dot(a.vertex(j) - origin, n);
    if (height < low) low = height, deepest = j;
    high = std::max(high, height);
  }
  const Real radii = a.radius + b.radius, slack = tolerance::distance * solid_extent(a, b);
  if (low - radii > alert || high + a.radius < 0) return;
  const FacePair pair{b, a, face, incident_ring(a, deepest, n), n, true};
  share(pair, slack, polygon);
  if (polygon.empty() || polygon.least - radii < -tolerance::facing * depth - slack) return;
  if (polygon.least > low + slack && !nearly_parallel(a, pair.ring, n)) return;
  list_points(pair, polygon, alert, points);
}

}  // namespace cairn
