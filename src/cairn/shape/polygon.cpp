#include "cairn/shape/polygon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cairn/shape/moments.hpp"
#include "cairn/shape/refuse.hpp"
#include "cairn/shape/tolerance.hpp"

namespace cairn {
namespace {

Vec<2> outward(const Vec<2>& from, const Vec<2>& to) {
  const Vec<2> d = to - from;
  return normalised(Vec<2>{d[1], 0 - d[0]});  // 0 - x: no negative zero
}

// How far b stands out to the right of the line from a to c.
Real height(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) {
  const Vec<2> ac = c - a;
  return cross(b - a, ac) / norm(ac);
}

// Adds to the chain the lower hull of points sorted along their first coordinate, without its last point.
template <class Iterator>
void add_chain(Iterator begin, Iterator end, std::vector<Vec<2>>& chain) {
  const std::size_t start = chain.size();
  for (Iterator p = begin; p != end; ++p) {
    while (chain.size() >= start + 2 && !(height(chain[chain.size() - 2], chain.back(), *p) > 0)) chain.pop_back();
    chain.push_back(*p);
  }
  chain.pop_back();
}

// The hull with every corner that it has in exact arithmetic.
std::vector<Vec<2>> full_hull(const std::vector<Vec<2>>& sorted) {
  std::vector<Vec<2>> ring;
  add_chain(sorted.begin(), sorted.end(), ring);
  add_chain(sorted.rbegin(), sorted.rend(), ring);
  return ring;
}

std::vector<Vec<2>> sorted_distinct(std::span<const Vec<2>> points) {
  std::vector<Vec<2>> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Vec<2>& a, const Vec<2>& b) { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]); });
  const auto same = [](const Vec<2>& a, const Vec<2>& b) { return a[0] == b[0] && a[1] == b[1]; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
  return sorted;
}

// Corners that stand out from the line between their neighbours by no more than the tolerance, the least first: also
// those that nearly coincide with a neighbour.
void drop_straight(std::vector<Vec<2>>& ring, Real tolerance) {
  while (ring.size() > 3) {
    const std::size_t n = ring.size();
    std::size_t lowest = 0;
    Real least = std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < n; ++i)
      if (const Real h = height(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]); h < least) lowest = i, least = h;
    if (least > tolerance) return;
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(lowest));
  }
}

// Largest distance of a corner from the line of an edge, the least over the edges.
Real width_of(const std::vector<Vec<2>>& ring) {
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec<2> n = outward(ring[i], ring[(i + 1) % ring.size()]);
    Real most = 0;
    for (const Vec<2>& p : ring) most = std::max(most, dot(n, ring[i] - p));
    least = std::min(least, most);
  }
  return least;
}

}  // namespace

Expected<Polygon> Polygon::make(std::span<const Vec<2>> points, Real radius) {
  if (const auto bad = refuse_unless_not_negative("radius around a polygon", radius); !bad.empty()) return Error{bad};
  if (const auto bad = refuse_unless_finite("polygon", points); !bad.empty()) return Error{bad};
  const Tolerance t = tolerance_of(points);
  const std::vector<Vec<2>> sorted = sorted_distinct(points);
  if (sorted.size() < 3)
    return Error{
        fmt::format("polygon: found {} distinct points among {}, expected at least 3", sorted.size(), points.size())};
  Polygon polygon;
  polygon.radius = radius;
  polygon.vertices = full_hull(sorted);
  drop_straight(polygon.vertices, t.distance);
  if (polygon.size() < 3 || width_of(polygon.vertices) <= flat_limit * t.size)
    return Error{fmt::format("polygon: its {} points lie on one line (to {:g} of their extent), expected an area",
                             points.size(), flat_limit)};
  for (int i = 0; i < polygon.size(); ++i)
    polygon.normals.push_back(outward(polygon.vertex(i), polygon.vertex(polygon.next(i))));
  return polygon;
}

Polygon Polygon::box(const Vec<2>& half, Real radius) {
  const Real x = half[0], y = half[1];
  return {{{-x, -y}, {x, -y}, {x, y}, {-x, y}}, {{0, -1}, {1, 0}, {0, 1}, {-1, 0}}, radius};
}

Real Polygon::reach() const {
  Real most = 0;
  for (const Vec<2>& p : vertices) most = std::max(most, norm(p));
  return most + radius;
}

// Triangles of the core; with a radius also a rectangle on each edge and a sector at each corner.
MassProperties<2> Polygon::mass_properties() const {
  Vec<2> middle{};  // near the centre: moments about a far point would lose digits
  for (const Vec<2>& p : vertices) middle += (Real(1) / size()) * p;
  Moments<2> m;
  for (int i = 0; i < size(); ++i) {
    const Vec<2> a = vertex(i) - middle, b = vertex(next(i)) - middle;
    m += simplex_moments<2>(cross(a, b) / 2, {Vec<2>{}, a, b});
    if (radius == 0) continue;
    m += simplex_moments<2>(norm(b - a), {a, b}).swept(normal(i), radius);
    m += sector_moments(normal(i), normal(next(i)), radius).shifted(b);
  }
  MassProperties<2> properties = mass_properties_of(m);
  properties.centre += middle;
  return properties;
}

std::string Polygon::complaint() const {
  if (auto bad = refuse_unless_not_negative("radius around a polygon", radius); !bad.empty()) return bad;
  if (auto bad = refuse_unless_finite<2>("polygon", vertices); !bad.empty()) return bad;
  if (size() < 3) return fmt::format("polygon: found {} corners, expected at least 3", size());
  if (normals.size() != vertices.size())
    return fmt::format("polygon: found {} normals for {} edges (Polygon::make sets them)", normals.size(), size());
  const Real slack = 4 * tolerance_of<2>(vertices).distance;
  for (int i = 0; i < size(); ++i) {
    const Vec<2>&a = vertex(i), &b = vertex(next(i)), &c = vertex(next(next(i)));
    if (!(cross(b - a, c - b) > 0))
      return fmt::format("polygon: it does not turn left at corner {}, expected convex and counter-clockwise", next(i));
    for (const Vec<2>& p : vertices)
      if (dot(normal(i), p - a) > slack) return fmt::format("polygon: a corner lies outside of edge {}", i);
    if (std::fabs(norm(normal(i)) - 1) > 1e-12 || std::fabs(dot(normal(i), b - a)) > slack)
      return fmt::format("polygon: the normal of edge {} is not square to it, or not unit", i);
  }
  return "";
}

}  // namespace cairn
