#include "cairn/detection/solid_axis.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn {

namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();
constexpr Real parallel = 1e-12;  // sine of the angle below which two edges make no face
constexpr Real slanted = 1e-3;    // above: the cross product is good as it comes
constexpr Real margin = 2e-3;     // of the extent: rounding turns normals of almost parallel edges by less

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
  Real height = infinite;
  int index = 0;
};
Lowest lowest(std::span<const Vec<3>> points, const Vec<3>& origin, const Vec<3>& n) {
  constexpr std::size_t block = 32;
  Real heights[block];  // apart from the search, so that the compiler takes four at once
  Lowest best;
  for (std::size_t begin = 0; begin < points.size(); begin += block) {
    const std::size_t count = std::min(block, points.size() - begin);
    for (std::size_t k = 0; k < count; ++k) heights[k] = dot(points[begin + k] - origin, n);
    for (std::size_t k = 0; k < count; ++k)
      if (heights[k] < best.height) best = {heights[k], static_cast<int>(begin + k)};
  }
  return best;
}

// Whatever the direction, this is never more than the distance.
Real separation_along(const Vec<3>& n, const SolidCore& a, const SolidCore& b) {
  Real high = -infinite, low = infinite;
  for (const Vec<3>& v : a.vertices) high = std::max(high, dot(v, n));
  for (const Vec<3>& v : b.vertices) low = std::min(low, dot(v, n));
  return low - high;
}

// The edges of p in whose arc of normals there may be one along which p and a core with a point at these heights above
// the faces of p are further apart than t: such a normal n = x l + y r (x, y >= 0; l and r those of the two faces) has
// the point at the height x h_l + y h_r > t. Of all unit n at the edge the highest is that towards the point; if it is
// outside of the arc, then l or r.
void list_candidates(const SolidCore& p, std::span<const Real> heights, Real t, std::vector<Candidate>& out) {
  out.clear();
  for (int i = 0; i < static_cast<int>(p.edges.size()); ++i) {
    const Polyhedron::Edge& e = p.edge(i);
    if (has_faces(e)) {
      const Real left = heights[static_cast<std::size_t>(e.left)], right = heights[static_cast<std::size_t>(e.right)];
      if (!(std::max(left, right) > t)) {
        if (!(left + right > 0)) continue;
        const Real c = dot(p.normal(e.left), p.normal(e.right));
        const bool within = left > c * right && right > c * left;
        if (!within || left * left + right * right - 2 * c * left * right <= t * t * (1 - c * c)) continue;
      }
    }
    out.push_back({i, e, direction(p, e)});
  }
}

}  // namespace

int furthest(const SolidCore& p, const Vec<3>& direction) { return lowest(p.vertices, {}, -direction).index; }

FaceAxis best_face(const SolidCore& p, const SolidCore& q, int near, std::vector<Real>& heights) {
  const int faces = static_cast<int>(p.normals.size());
  heights.resize(p.normals.size());
  FaceAxis best;
  if (faces == 0) return best;
  const Vec<3>& x = q.vertex(near);
  int start = 0;
  for (int i = 0; i < faces; ++i) {
    Real& h = heights[static_cast<std::size_t>(i)] = dot(x - p.vertex(p.ring(i)[0]), p.normal(i));
    if (h > heights[static_cast<std::size_t>(start)]) start = i;
  }
  // A face that has any vertex at or below the best separation is out; of equals the first stays.
  const auto out = [&](int i, Real height) {
    return i < best.face ? height < best.separation : height <= best.separation;
  };
  const auto look_at = [&](int i) {
    const Lowest low = lowest(q.vertices, p.vertex(p.ring(i)[0]), p.normal(i));
    if (!out(i, low.height)) best = {low.height, i, low.index};
  };
  look_at(start);
  for (int i = 0; i < faces; ++i)
    if (i != start && !out(i, heights[static_cast<std::size_t>(i)]) &&
        !out(i, dot(q.vertex(best.vertex) - p.vertex(p.ring(i)[0]), p.normal(i))))
      look_at(i);
  return best;
}

EdgeAxis best_edges(const SolidCore& a, const SolidCore& b, const EdgeSearch& search) {
  thread_local std::vector<Candidate> of_a, of_b;
  const Real t = search.floor - margin * search.extent;
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
