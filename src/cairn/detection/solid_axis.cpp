#include "cairn/detection/solid_axis.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn {

namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();
constexpr Real parallel = 1e-12;  // sine of the angle below which two edges make no face
constexpr Real slanted = 1e-3;    // above: the cross product is good as it comes

bool has_faces(const Polyhedron::Edge& e) { return e.left >= 0; }

Vec<3> direction(const SolidCore& p, const Polyhedron::Edge& e) { return p.vertex(e.b) - p.vertex(e.a); }

// Whether the arcs that two edges are on the sphere of normals cross, that of b being mirrored, and which way: +1 if
// their common normal from a to b is da x db, -1 if it is the opposite, 0 if they do not cross. The arc of a segment is
// the great circle; of two segments either way. `along`: da on the normals of b.
int crossing(const SolidCore& a, const Polyhedron::Edge& ea, const Real* along, const Polyhedron::Edge& eb,
             const Vec<3>& db) {
  const Real on_b = has_faces(eb) ? along[eb.left] : 1;
  if (has_faces(eb) && !(on_b * along[eb.right] < 0)) return 0;
  if (!has_faces(ea)) return on_b > 0 ? 1 : -1;
  const Real on_a = dot(a.normal(ea.left), db);
  if (!(on_a * dot(a.normal(ea.right), db) < 0) || (has_faces(eb) && !(on_a * on_b > 0))) return 0;
  return on_a > 0 ? 1 : -1;
}

// Unit and perpendicular to both edges to rounding, also where these are almost parallel; zero where they are parallel.
Vec<3> common_normal(const Vec<3>& da, const Vec<3>& db) {
  const Vec<3> product = cross(da, db);
  if (const Real square = norm2(product); square > slanted * slanted * norm2(da) * norm2(db))
    return (1 / std::sqrt(square)) * product;
  const Vec<3> u = normalised(da), v = normalised(db), w = cross(u, v);
  const Real sine = norm(w), cosine = dot(u, v);
  if (!(sine > parallel)) return {};
  Vec<3> n = (1 / sine) * w;
  const Vec<3> across = normalised(v - cosine * u);
  for (int i = 0; i < 2; ++i) {
    const Real ru = dot(n, u), rv = dot(n, v);
    n = normalised(n - ru * u - ((rv - ru * cosine) / sine) * across);
  }
  return n;
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
  thread_local std::vector<Vec<3>> directions;  // of the edges of b
  thread_local std::vector<Real> along;         // of an edge of a on the normals of b
  directions.clear();
  for (const Polyhedron::Edge& eb : b.edges) directions.push_back(direction(b, eb));
  along.resize(b.normals.size());
  EdgeAxis best{floor, {}, -1, -1};
  for (int i = 0; i < static_cast<int>(a.edges.size()); ++i) {
    const Polyhedron::Edge& ea = a.edge(i);
    const Vec<3> da = direction(a, ea);
    for (std::size_t f = 0; f < along.size(); ++f) along[f] = dot(b.normals[f], da);
    for (int j = 0; j < static_cast<int>(b.edges.size()); ++j) {
      const Polyhedron::Edge& eb = b.edge(j);
      const Vec<3>& db = directions[static_cast<std::size_t>(j)];
      const int way = crossing(a, ea, along.data(), eb, db);
      if (way == 0) continue;
      const Vec<3> d = b.vertex(eb.a) - a.vertex(ea.a);
      Vec<3> n = Real(way) * common_normal(da, db);
      if (!has_faces(ea) && !has_faces(eb) && dot(d, n) < 0) n = -n;
      if (!(norm2(n) > 0) || !(dot(d, n) > best.separation)) continue;
      const Real separation = separation_along(n, a, b);  // rounding may take arcs that miss for arcs that cross
      if (separation > best.separation) best = {separation, n, i, j};
    }
  }
  return best;
}

}  // namespace cairn
