#include "cairn/detection/solid_axis.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn {

namespace {

constexpr Real endless = std::numeric_limits<Real>::infinity();
constexpr Real parallel = 1e-12;  // sine of the angle below which two edges make no face
constexpr Real slanted = 1e-3;    // above: the cross product is good as it comes

bool has_faces(const Polyhedron::Edge& e) { return e.left >= 0; }

Vec<3> direction(const SolidCore& p, const Polyhedron::Edge& e) { return p.vertex(e.b) - p.vertex(e.a); }

// An edge that may make a face of the difference.
struct Candidate {
  int index;
  Polyhedron::Edge edge;
  Vec<3> direction;
};

// Whether the arcs that two edges are on the sphere of normals cross, that of b being mirrored, and which way: +1 if
// their common normal from a to b is da x db, -1 if it is the opposite, 0 if they do not cross. The arc of a segment is
// the great circle; of two segments either way.
int crossing(const SolidCore& a, const Candidate& on_a, const SolidCore& b, const Candidate& on_b) {
  const Polyhedron::Edge &ea = on_a.edge, &eb = on_b.edge;
  const Real of_a = has_faces(eb) ? dot(b.normal(eb.left), on_a.direction) : 1;
  if (has_faces(eb) && !(of_a * dot(b.normal(eb.right), on_a.direction) < 0)) return 0;
  if (!has_faces(ea)) return of_a > 0 ? 1 : -1;
  const Real of_b = dot(a.normal(ea.left), on_b.direction);
  if (!(of_b * dot(a.normal(ea.right), on_b.direction) < 0) || (has_faces(eb) && !(of_b * of_a > 0))) return 0;
  return of_b > 0 ? 1 : -1;
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

// The least of the heights of the points above the plane through `origin`, and the first point that has it.
struct Lowest {
  Real height = endless;
  int index = 0;
};
Lowest lowest(std::span<const Vec<3>> points, const Vec<3>& origin, const Vec<3>& n) {
  const PlaneLanes plane(origin, n);
  const int count = static_cast<int>(points.size());
  Lowest best;
  const auto look_at = [&](Real height, int k) {
    if (height < best.height) best = {height, k};
  };
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const Lanes h = plane.heights(&points[static_cast<std::size_t>(k)]);
    for (int i = 0; i < 4; ++i) look_at(h[i], k + i);
  }
  for (; k < count; ++k) look_at(dot(points[static_cast<std::size_t>(k)] - origin, n), k);
  return best;
}

// Whatever the direction, this is never more than the distance.
Real separation_along(const Vec<3>& n, const SolidCore& a, const SolidCore& b) {
  Real high = -endless, low = endless;
  for (const Vec<3>& v : a.vertices) high = std::max(high, dot(v, n));
  for (const Vec<3>& v : b.vertices) low = std::min(low, dot(v, n));
  return low - high;
}

// The edges of p in whose arc of normals there may be one along which p and a core with a point at these heights above
// the faces of p are further apart than t: such a normal n = x l + y r (x, y >= 0; l and r those of the two faces) has
// the point at the height x h_l + y h_r > t. Of all unit n at the edge the highest is that towards the point; if it is
// outside of the arc, then l or r.
void list_candidates(const SolidCore& p, std::span<const Real> heights, Real t, std::vector<Candidate>& out) {
  const bool flat = p.normals.size() == 2;  // opposite normals have no arc between them: any direction may be in it
  const auto may_reach = [&](const Polyhedron::Edge& e) {
    if (flat || !has_faces(e)) return true;
    const Real left = heights[static_cast<std::size_t>(e.left)], right = heights[static_cast<std::size_t>(e.right)];
    if (left > t || right > t) return true;
    if (!(left + right > 0)) return false;
    const Real c = dot(p.normal(e.left), p.normal(e.right));
    const bool within = left > c * right && right > c * left;
    return within && left * left + right * right - 2 * c * left * right > t * t * (1 - c * c);
  };
  out.clear();
  for (int i = 0; i < static_cast<int>(p.edges.size()); ++i)
    if (const Polyhedron::Edge& e = p.edge(i); may_reach(e)) out.push_back({i, e, direction(p, e)});
}

// The face above which the middle of the other core is highest. A guess: the search ends with the same face from any.
int first_to_try(const SolidCore& p, const Vec<3>& towards) {
  int best = 0;
  Real highest = -endless;
  for (int i = 0; i < static_cast<int>(p.normals.size()); ++i)
    if (const Real h = dot(p.normal(i), towards) - p.faces[static_cast<std::size_t>(i)].offset; h > highest)
      highest = h, best = i;
  return best;
}

}  // namespace

FaceAxis best_face(const SolidCore& p, const SolidCore& q, Real enough, std::vector<Real>& heights) {
  const int faces = static_cast<int>(p.normals.size());
  heights.resize(p.normals.size());
  if (faces == 0) return {};
  const auto origin = [&](int i) -> const Vec<3>& { return p.vertex(p.ring(i)[0]); };
  const int start = first_to_try(p, q.centre - p.centre);
  const Lowest low = lowest(q.vertices, origin(start), p.normal(start));
  FaceAxis best{low.height, start, low.index};
  if (best.separation > enough) return best;
  Real* const h = heights.data();
  const Vec<3> x = q.vertex(low.index),
               opposite = q.vertices[q.vertices.size() - 1 - static_cast<std::size_t>(low.index)];
  for (int i = 0; i < faces; ++i) {
    // A face with any vertex at or below the best separation is out; of equals the first stays.
    const auto out = [&](Real height) {
      return height < best.separation || (i > best.face && height == best.separation);
    };
    h[i] = dot(x - origin(i), p.normal(i));
    if (out(h[i]) || i == start || out(dot(opposite - origin(i), p.normal(i)))) continue;
    const Lowest other = lowest(q.vertices, origin(i), p.normal(i));
    if (!out(other.height)) best = {other.height, i, other.index};
  }
  return best;
}

EdgeAxis best_edges(const SolidCore& a, const SolidCore& b, const EdgeSearch& search) {
  thread_local std::vector<Candidate> of_a, of_b;
  const Real t = search.floor - search.margin;
  EdgeAxis best{search.floor, {}, -1, -1};
  list_candidates(a, search.above_a, t, of_a);
  list_candidates(b, search.above_b, t, of_b);
  for (const Candidate& ca : of_a)
    for (const Candidate& cb : of_b) {
      const int way = crossing(a, ca, b, cb);
      if (way == 0) continue;
      const Vec<3> d = b.vertex(cb.edge.a) - a.vertex(ca.edge.a);
      Vec<3> n = Real(way) * common_normal(ca.direction, cb.direction);
      if (!has_faces(ca.edge) && !has_faces(cb.edge) && dot(d, n) < 0) n = -n;
      if (!(norm2(n) > 0) || !(dot(d, n) > best.separation)) continue;
      const Real separation = separation_along(n, a, b);  // rounding may take arcs that miss for arcs that cross
      if (separation > best.separation) best = {separation, n, ca.index, cb.index};
    }
  return best;
}

}  // namespace cairn
