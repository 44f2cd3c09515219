#include "cairn/detection/planar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/detection/tolerance.hpp"

namespace cairn {

namespace {

constexpr Real boundless = std::numeric_limits<Real>::infinity();

const Vec<2>& vertex(const PlanarCore& p, int i) { return p.vertices[static_cast<std::size_t>(i)]; }
const Vec<2>& normal(const PlanarCore& p, int i) { return p.normals[static_cast<std::size_t>(i)]; }
int size(const PlanarCore& p) { return static_cast<int>(p.vertices.size()); }
int next(const PlanarCore& p, int i) { return i + 1 < size(p) ? i + 1 : 0; }
int previous(const PlanarCore& p, int i) { return i > 0 ? i - 1 : size(p) - 1; }

// The edge of one core that the other core is furthest beyond, and the vertex there that is least so.
struct Axis {
  Real separation = -boundless;
  int edge = -1;
  int vertex = 0;
};

Axis best_axis(const PlanarCore& p, const PlanarCore& q) {
  Axis best;
  for (int i = 0; i < static_cast<int>(p.normals.size()); ++i) {
    const Vec<2>&n = normal(p, i), &v = vertex(p, i);
    Axis axis{boundless, i, 0};
    for (int j = 0; j < size(q); ++j)
      if (const Real s = dot(vertex(q, j) - v, n); s < axis.separation) axis.separation = s, axis.vertex = j;
    if (axis.separation > best.separation) best = axis;
  }
  return best;
}

Real edge_length(const PlanarCore& p, int i) { return norm(vertex(p, next(p, i)) - vertex(p, i)); }

// Whether the edge of b is the reference. Equal separations: the longer edge, else the one that looks up.
bool second_is_reference(const PlanarCore& a, const Axis& on_a, const PlanarCore& b, const Axis& on_b, Real extent) {
  const Real difference = on_b.separation - on_a.separation;
  if (!(std::fabs(difference) <= tolerance::tie * extent)) return difference > 0;
  const Real la = edge_length(a, on_a.edge), lb = edge_length(b, on_b.edge);
  if (std::fabs(la - lb) > tolerance::length * std::max(la, lb)) return lb > la;
  return dot(normal(b, on_b.edge) - normal(a, on_a.edge), tolerance::arbitrary<2>()) > 0;
}

// Of the edges at the deepest vertex, the one that faces the reference most.
int incident_edge(const PlanarCore& q, int deepest, const Vec<2>& n) {
  if (q.normals.empty()) return -1;
  const int before = previous(q, deepest);
  return dot(normal(q, before), n) < dot(normal(q, deepest), n) - tolerance::length ? before : deepest;
}

// A point of the incident core in the frame of the reference edge.
struct Local {
  Real along, height;
};

struct Clip {
  Local low{}, high{};  // of the incident edge above the reference edge
  bool empty = false;
};

Local interpolate(const Local& a, const Local& b, Real along) {
  const Real w = std::clamp((along - a.along) / (b.along - a.along), Real(0), Real(1));
  return {along, a.height + w * (b.height - a.height)};
}

Clip clip(Local low, Local high, Real length, Real slack) {
  if (low.along > high.along) std::swap(low, high);
  if (low.along > length + slack || high.along < -slack) return {low, high, true};
  Clip c{low, high, false};
  if (low.along < 0 && high.along > low.along) c.low = interpolate(low, high, std::min(Real(0), high.along));
  if (high.along > length && high.along > low.along) c.high = interpolate(low, high, std::max(length, low.along));
  return c;
}

std::uint32_t feature_of(int kind, int on_a, int on_b, int end) {
  return (static_cast<std::uint32_t>(kind) << 31) | (static_cast<std::uint32_t>(on_a + 1) & 0x7fffU) << 16 |
         (static_cast<std::uint32_t>(on_b + 1) & 0x7fffU) << 1 | static_cast<std::uint32_t>(end);
}

// The manifold of an incident edge on a reference edge, before it is said which core is which.
struct Reference {
  const PlanarCore& p;  // has the reference edge
  const PlanarCore& q;
  int edge, incident;
  Clip clip;
  bool swapped;  // p is the second shape
};

Manifold<2> face_manifold(const Reference& r, Real alert, Real extent) {
  const Vec<2>&n = normal(r.p, r.edge), t{-n[1], n[0]};
  Manifold<2> m;
  m.normal = r.swapped ? n : -n;
  const int on_a = r.swapped ? r.incident : r.edge, on_b = r.swapped ? r.edge : r.incident;
  const auto add = [&](const Local& l, int end) {
    const Real gap = l.height - (r.p.radius + r.q.radius);
    if (!(gap <= alert)) return;
    const Vec<2> point = vertex(r.p, r.edge) + l.along * t + (r.p.radius + gap / 2) * n;
    m.add({point, gap, feature_of(0, on_a, on_b, end)});
  };
  const Local &low = r.clip.low, &high = r.clip.high;
  if (high.along - low.along > tolerance::merge * extent) {
    add(r.swapped ? high : low, 0);  // ends along the edge of a
    add(r.swapped ? low : high, 1);
  } else {
    add(low.height <= high.height ? low : high, 0);
  }
  return m;
}

Manifold<2> vertex_manifold(const PlanarCore& a, int i, const PlanarCore& b, int j, Real alert) {
  const Vec<2> d = vertex(a, i) - vertex(b, j);
  const Real length = norm(d), gap = length - (a.radius + b.radius);
  Manifold<2> m;
  if (!(gap <= alert)) return m;
  m.normal = length > 0 ? (1 / length) * d : Vec<2>{0, 1};
  const Vec<2> point = Real(0.5) * (vertex(a, i) + vertex(b, j)) + (Real(0.5) * (b.radius - a.radius)) * m.normal;
  m.add({point, gap, feature_of(1, i, j, 0)});
  return m;
}

std::pair<int, int> nearest_vertices(const PlanarCore& a, const PlanarCore& b) {
  std::pair<int, int> best{0, 0};
  Real least = boundless;
  for (int i = 0; i < size(a); ++i)
    for (int j = 0; j < size(b); ++j)
      if (const Real d = norm2(vertex(a, i) - vertex(b, j)); d < least) least = d, best = {i, j};
  return best;
}

Real planar_extent(const PlanarCore& a, const PlanarCore& b) {
  Real extent = 0;
  for (const PlanarCore* p : {&a, &b})
    for (const Vec<2>& v : p->vertices) extent = std::max({extent, std::fabs(v[0]), std::fabs(v[1])});
  return extent;
}

Clip clip_incident(const PlanarCore& p, int edge, const PlanarCore& q, int deepest, int incident, Real slack) {
  const Vec<2>&n = normal(p, edge), t{-n[1], n[0]}, &origin = vertex(p, edge);
  const auto local = [&](int j) {
    const Vec<2> d = vertex(q, j) - origin;
    return Local{dot(d, t), dot(d, n)};
  };
  const Real length = dot(vertex(p, next(p, edge)) - origin, t);
  const Local bottom = local(deepest);
  if (incident < 0) return clip(bottom, bottom, length, slack);
  const Clip c = clip(local(incident), local(next(q, incident)), length, slack);
  return c.empty ? Clip{bottom, bottom, true} : c;
}

}  // namespace

Manifold<2> collide_cores(const PlanarCore& a, const PlanarCore& b, Real alert) {
  const Axis on_a = best_axis(a, b), on_b = best_axis(b, a);
  const Real separation = std::max(on_a.separation, on_b.separation);
  if (separation - a.radius - b.radius > alert) return {};
  const Real extent = planar_extent(a, b), slack = tolerance::distance * extent;
  if (on_a.edge >= 0 || on_b.edge >= 0) {
    const bool swapped = on_a.edge < 0 || (on_b.edge >= 0 && second_is_reference(a, on_a, b, on_b, extent));
    const PlanarCore &p = swapped ? b : a, &q = swapped ? a : b;
    const Axis& axis = swapped ? on_b : on_a;
    const int incident = incident_edge(q, axis.vertex, normal(p, axis.edge));
    const Clip c = clip_incident(p, axis.edge, q, axis.vertex, incident, slack);
    // A point of q at this height above the edge of p: the distance is no more; and no less than the separation.
    const bool exact = !c.empty && std::min(c.low.height, c.high.height) <= separation + slack;
    if (separation <= -slack || exact) return face_manifold({p, q, axis.edge, incident, c, swapped}, alert, extent);
    const auto [i, j] = nearest_vertices(a, b);
    if (norm(vertex(a, i) - vertex(b, j)) > slack) return vertex_manifold(a, i, b, j, alert);
    return face_manifold({p, q, axis.edge, incident, c, swapped}, alert, extent);
  }
  return vertex_manifold(a, 0, b, 0, alert);
}

Manifold<2> rest_on_edge(const PlanarCore& a, const PlanarCore& b, int edge, Real alert, Real depth) {
  const Vec<2>&n = normal(b, edge), &origin = vertex(b, edge);
  int deepest = 0;
  Real low = boundless, high = -boundless;
  for (int j = 0; j < size(a); ++j) {
    const Real height = dot(vertex(a, j) - origin, n);
    if (height < low) low = height, deepest = j;
    high = std::max(high, height);
  }
  const Real radii = a.radius + b.radius, extent = planar_extent(a, b), slack = tolerance::distance * extent;
  if (low - radii > alert || high + a.radius < 0) return {};
  const int incident = incident_edge(a, deepest, n);
  const Clip c = clip_incident(b, edge, a, deepest, incident, slack);
  const bool parallel = incident >= 0 && dot(normal(a, incident), n) < -tolerance::parallel;
  const Real least = std::min(c.low.height, c.high.height);
  if (c.empty || least - radii < -tolerance::facing * depth - slack || (!parallel && least > low + slack)) return {};
  return face_manifold({b, a, edge, incident, c, true}, alert, extent);
}

}  // namespace cairn
