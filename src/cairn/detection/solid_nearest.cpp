#include "cairn/detection/solid_nearest.hpp"

#include <limits>
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

// Each vertex of p with each edge of q, or with its vertex if q is a point.
template <class Visit>
void each_vertex(const SolidCore& p, const SolidCore& q, const Visit& visit) {
  for (int i = 0; i < static_cast<int>(p.vertices.size()); ++i) {
    if (q.edges.empty()) visit(i, 0, p.vertex(i), q.vertex(0));
    for (int j = 0; j < static_cast<int>(q.edges.size()); ++j)
      visit(i, j, p.vertex(i), nearest_on_segment(p.vertex(i), q.vertex(q.edge(j).a), q.vertex(q.edge(j).b)));
  }
}

template <class Visit>
void each_pair(const SolidCore& a, const SolidCore& b, const Visit& visit) {
  each_vertex(a, b, [&](int i, int j, const Vec<3>& x, const Vec<3>& y) { visit(Near{x, y, solid_feature(3, i, j)}); });
  if (!a.edges.empty())
    each_vertex(b, a, [&](int j, int i, const Vec<3>& y, const Vec<3>& x) {
      visit(Near{x, y, solid_feature(3, i | 0x4000, j)});
    });
}

}  // namespace

Manifold<3> nearest_manifold(const SolidCore& a, const SolidCore& b, const Vec<3>& otherwise, Real slack, Real alert) {
  const Real radii = a.radius + b.radius;
  Near best{};
  Real least = std::numeric_limits<Real>::infinity();
  each_pair(a, b, [&](const Near& near) {
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
  if (least > slack)
    each_pair(a, b, [&](const Near& near) {
      const Vec<3> d = near.on_a - near.on_b;
      const Real along = dot(d, m.normal);
      if (along - radii <= alert && norm(d - along * m.normal) <= sideways * least) add(near, along - radii);
    });
  reduce(points, least, tolerance::arbitrary<3>(), m);
  return m;
}

}  // namespace cairn
