#include "cairn/detection/solid_nearest.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "cairn/detection/reduce.hpp"
#include "cairn/detection/segments.hpp"
#include "cairn/detection/solid_clip.hpp"

namespace cairn {

namespace {

constexpr Real sideways = 1e-6;  // parts of parallel edges lie in the same direction to this

struct Near {
  Vec<3> on_a, on_b;
  std::uint32_t feature;
};

// Coordinates of the vertices [m] in a direction no longer than one: pairs of points are looked at if that of the point
// of a, less that of the point of b, is between two bounds.
struct Slab {
  std::vector<Real> on_a, on_b;
  Real low = 0, high = 0;  // [m]

  void set(const SolidCore& a, const SolidCore& b, const Vec<3>& direction, Real least, Real most) {
    low = least, high = most;
    on_a.resize(a.vertices.size()), on_b.resize(b.vertices.size());
    for (std::size_t i = 0; i < on_a.size(); ++i) on_a[i] = dot(a.vertices[i], direction);
    for (std::size_t i = 0; i < on_b.size(); ++i) on_b[i] = dot(b.vertices[i], direction);
  }
  bool near_b(int vertex_of_a, const Polyhedron::Edge& edge) const {
    const Real x = on_a[static_cast<std::size_t>(vertex_of_a)];
    const Real y = on_b[static_cast<std::size_t>(edge.a)], z = on_b[static_cast<std::size_t>(edge.b)];
    return x - std::max(y, z) <= high && x - std::min(y, z) >= low;
  }
  bool near_a(int vertex_of_b, const Polyhedron::Edge& edge) const {
    const Real x = on_b[static_cast<std::size_t>(vertex_of_b)];
    const Real y = on_a[static_cast<std::size_t>(edge.a)], z = on_a[static_cast<std::size_t>(edge.b)];
    return std::min(y, z) - x <= high && std::max(y, z) - x >= low;
  }
};

// Each vertex of p with each edge of q that is near, or with its vertex if q is a point.
template <class Near, class Visit>
void each_vertex(const SolidCore& p, const SolidCore& q, const Near& near, const Visit& visit) {
  for (int i = 0; i < static_cast<int>(p.vertices.size()); ++i) {
    if (q.edges.empty()) visit(i, 0, p.vertex(i), q.vertex(0));
    for (int j = 0; j < static_cast<int>(q.edges.size()); ++j)
      if (const Polyhedron::Edge& e = q.edge(j); near(i, e))
        visit(i, j, p.vertex(i), nearest_on_segment(p.vertex(i), q.vertex(e.a), q.vertex(e.b)));
  }
}

// Those that no slab parts.
template <class Visit>
void each_pair(const SolidCore& a, const SolidCore& b, std::span<const Slab> slabs, const Visit& visit) {
  const auto on_b = [&](int i, const Polyhedron::Edge& e) {
    return std::all_of(slabs.begin(), slabs.end(), [&](const Slab& s) { return s.near_b(i, e); });
  };
  const auto on_a = [&](int i, const Polyhedron::Edge& e) {
    return std::all_of(slabs.begin(), slabs.end(), [&](const Slab& s) { return s.near_a(i, e); });
  };
  each_vertex(a, b, on_b, [&](int i, int j, const Vec<3>& x, const Vec<3>& y) {
    visit(Near{x, y, solid_feature(3, i, j)});
  });
  if (!a.edges.empty())
    each_vertex(b, a, on_a, [&](int j, int i, const Vec<3>& y, const Vec<3>& x) {
      visit(Near{x, y, solid_feature(3, i | 0x4000, j)});
    });
}

// [m] from the vertex of p that is furthest that way to the edges of q: about their distance.
Real about_distance(const SolidCore& p, const SolidCore& q, const Vec<3>& towards) {
  Vec<3> x = p.vertex(0);
  for (const Vec<3>& v : p.vertices)
    if (dot(v, towards) > dot(x, towards)) x = v;
  Real least = norm(x - q.vertex(0));
  for (const Polyhedron::Edge& e : q.edges)
    least = std::min(least, norm(x - nearest_on_segment(x, q.vertex(e.a), q.vertex(e.b))));
  return least;
}

}  // namespace

Manifold<3> nearest_manifold(const SolidCore& a, const SolidCore& b, const Vec<3>& otherwise, Real slack, Real alert) {
  thread_local Slab slabs[2];
  const Real radii = a.radius + b.radius;
  const auto with_margin = [&](Real distance) { return Real(1.001) * distance + 10 * slack; };
  const Real most = with_margin(std::min(about_distance(a, b, -otherwise), about_distance(b, a, otherwise)));
  slabs[0].set(a, b, otherwise, -most, most);
  Near best{};
  Real least = std::numeric_limits<Real>::infinity();
  each_pair(a, b, {slabs, 1}, [&](const Near& near) {
    if (const Real d = norm(near.on_a - near.on_b); d < least) least = d, best = near;
  });
  Manifold<3> m;
  if (!(least - radii <= alert)) return m;
  m.normal = least > slack ? (1 / least) * (best.on_a - best.on_b) : otherwise;
  thread_local std::vector<ContactPoint<3>> points;
  points.clear();
  const auto add = [&](const Near& near, Real gap) {
    const Vec<3> middle = Real(0.5) * (near.on_a + near.on_b) + (Real(0.5) * (b.radius - a.radius)) * m.normal;
    for (const ContactPoint<3>& p : points)
      if (norm(p.point - middle) <= 2 * sideways * least + slack) return;
    points.push_back({middle, gap, near.feature});
  };
  add(best, least - radii);
  if (least > slack) {
    const Real off = with_margin(sideways * least);
    slabs[0].set(a, b, m.normal, -std::numeric_limits<Real>::infinity(), with_margin(alert + radii));
    slabs[1].set(a, b, cross(m.normal, tolerance::arbitrary<3>()), -off, off);
    each_pair(a, b, slabs, [&](const Near& near) {
      const Vec<3> d = near.on_a - near.on_b;
      const Real along = dot(d, m.normal);
      if (along - radii <= alert && norm(d - along * m.normal) <= sideways * least) add(near, along - radii);
    });
  }
  reduce(points, least, tolerance::arbitrary<3>(), m);
  return m;
}

}  // namespace cairn
