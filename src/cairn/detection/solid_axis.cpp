#include "cairn/detection/solid_axis.hpp"

#include <algorithm>
#include <cmath>

namespace cairn {

namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();
constexpr Real parallel = 1e-12;  // sine of the angle below which two edges make no face
constexpr Real slanted = 1e-3;    // above: the cross product is good as it comes

Vec<3> direction(const SolidCore& p, const Polyhedron::Edge& e) { return p.vertex(e.b) - p.vertex(e.a); }
bool has_faces(const Polyhedron::Edge& e) { return e.left >= 0; }

// Whether the arcs that two edges are on the sphere of normals cross; that of b is mirrored. The arc of a segment is
// the great circle.
bool make_face(const SolidCore& a, const Polyhedron::Edge& ea, const Vec<3>& da, const SolidCore& b,
               const Polyhedron::Edge& eb, const Vec<3>& db) {
  Real cba = 0, dba = 0, adc = 0, bdc = 0;
  if (has_faces(eb)) {
    cba = -dot(b.normal(eb.left), da), dba = -dot(b.normal(eb.right), da);
    if (!(cba * dba < 0)) return false;
  }
  if (has_faces(ea)) {
    adc = dot(a.normal(ea.left), db), bdc = dot(a.normal(ea.right), db);
    if (!(adc * bdc < 0)) return false;
  }
  return !has_faces(ea) || !has_faces(eb) || cba * bdc > 0;
}

// Unit and perpendicular to both edges to rounding, also where these are almost parallel; zero where they are parallel.
Vec<3> common_normal(const Vec<3>& da, const Vec<3>& db) {
  const Vec<3> u = normalised(da), v = normalised(db), w = cross(u, v);
  const Real sine = norm(w);
  if (!(sine > parallel)) return {};
  Vec<3> n = (1 / sine) * w;
  if (sine > slanted) return n;
  const Real cosine = dot(u, v);
  const Vec<3> across = normalised(v - cosine * u);
  for (int i = 0; i < 2; ++i) {
    const Real ru = dot(n, u), rv = dot(n, v);
    n = normalised(n - ru * u - ((rv - ru * cosine) / sine) * across);
  }
  return n;
}

// Into the arc of an edge: halfway from the normal on its left to that on its right, which are opposite if the core is
// flat.
Vec<3> into_arc(const SolidCore& p, const Polyhedron::Edge& e, const Vec<3>& d) {
  const Vec<3>&left = p.normal(e.left), sum = left + p.normal(e.right);
  return norm2(sum) > 1e-6 ? sum : cross(d, left);
}

Vec<3> outward(const Vec<3>& n, const SolidCore& a, const Polyhedron::Edge& ea, const Vec<3>& da, const SolidCore& b,
               const Polyhedron::Edge& eb, const Vec<3>& db) {
  Real side = 0;
  if (has_faces(ea))
    side = dot(n, into_arc(a, ea, da));
  else if (has_faces(eb))
    side = -dot(n, into_arc(b, eb, db));
  else
    side = dot(n, b.vertex(eb.a) - a.vertex(ea.a));
  return side < 0 ? -n : n;
}

// Whatever the direction, this is never more than the distance.
Real separation_along(const Vec<3>& n, const SolidCore& a, const SolidCore& b) {
  Real high = -infinite, low = infinite;
  for (const Vec<3>& v : a.vertices) high = std::max(high, dot(v, n));
  for (const Vec<3>& v : b.vertices) low = std::min(low, dot(v, n));
  return low - high;
}

}  // namespace

FaceAxis best_face(const SolidCore& p, const SolidCore& q) {
  FaceAxis best;
  for (int i = 0; i < static_cast<int>(p.normals.size()); ++i) {
    const Vec<3>&n = p.normal(i), &v = p.vertex(p.ring(i)[0]);
    FaceAxis axis{infinite, i, 0};
    for (int j = 0; j < static_cast<int>(q.vertices.size()); ++j)
      if (const Real s = dot(q.vertex(j) - v, n); s < axis.separation) axis.separation = s, axis.vertex = j;
    if (axis.separation > best.separation) best = axis;
  }
  return best;
}

EdgeAxis best_edges(const SolidCore& a, const SolidCore& b, Real floor) {
  EdgeAxis best{floor, {}, -1, -1};
  for (int i = 0; i < static_cast<int>(a.edges.size()); ++i) {
    const Polyhedron::Edge& ea = a.edge(i);
    const Vec<3> da = direction(a, ea);
    for (int j = 0; j < static_cast<int>(b.edges.size()); ++j) {
      const Polyhedron::Edge& eb = b.edge(j);
      const Vec<3> db = direction(b, eb);
      if (!make_face(a, ea, da, b, eb, db)) continue;
      const Vec<3> n = outward(common_normal(da, db), a, ea, da, b, eb, db), d = b.vertex(eb.a) - a.vertex(ea.a);
      if (!(norm2(n) > 0) || !(dot(d, n) > best.separation)) continue;
      const Real separation = separation_along(n, a, b);  // rounding may take arcs that miss for arcs that cross
      if (separation > best.separation) best = {separation, n, i, j};
    }
  }
  return best;
}

}  // namespace cairn
