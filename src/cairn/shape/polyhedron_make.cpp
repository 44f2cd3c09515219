// From points to a polyhedron: the hull, its facets in one plane merged, the points that are no corners dropped.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "cairn/shape/hull.hpp"
#include "cairn/shape/polyhedron.hpp"
#include "cairn/shape/refuse.hpp"
#include "cairn/shape/tolerance.hpp"

namespace cairn {
namespace {

using Points = std::vector<Vec<3>>;

const Vec<3>& point_of(const Points& points, int i) { return points[static_cast<std::size_t>(i)]; }

// In the given order, without those within the tolerance of an earlier one. Neighbours are looked for along a direction
// in which few points share a place.
Points distinct(std::span<const Vec<3>> points, Real tolerance) {
  const Vec<3> generic{0.367879441171442, 0.540302305868140, 0.756802495307928};  // shorter than 1.01
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Real> place(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) place[i] = dot(generic, points[i]);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
  std::vector<char> dropped(points.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size() && place[order[j]] - place[order[i]] <= 2 * tolerance; ++j)
      if (norm(points[order[i]] - points[order[j]]) <= tolerance) dropped[std::max(order[i], order[j])] = 1;
  Points kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!dropped[i]) kept.push_back(points[i]);
  return kept;
}

template <class Distance>
Vec<3> furthest(std::span<const Vec<3>> points, Distance&& distance) {
  return *std::max_element(points.begin(), points.end(),
                           [&](const Vec<3>& a, const Vec<3>& b) { return distance(a) < distance(b); });
}

// A height of the solid: over the largest triangle found greedily.
Real thickness(std::span<const Vec<3>> points) {
  const Vec<3> a = points[0], b = furthest(points, [&](const Vec<3>&p) { return norm(p - a); });
  const Vec<3> c = furthest(points, [&](const Vec<3>& p) { return norm(cross(b - a, p - a)); });
  const Vec<3> square = cross(b - a, c - a);
  if (!(norm(square) > 0)) return 0;
  const Vec<3> n = normalised(square), d = furthest(points, [&](const Vec<3>&p) { return std::fabs(dot(n, p - a)); });
  const Real line = norm(square) / norm(b - a);  // how far c is from a line
  return std::min(line, std::fabs(dot(n, d - a)));
}

// Half the sum of x_i x x_{i+1}, from the first corner so that what is common to all is exactly absent (Newell).
Vec<3> area_vector(const Points& points, const Ring& ring) {
  Vec<3> sum{};
  const Vec<3>& origin = point_of(points, ring[0]);
  for (std::size_t i = 2; i < ring.size(); ++i)
    sum += Real(0.5) * cross(point_of(points, ring[i - 1]) - origin, point_of(points, ring[i]) - origin);
  return sum;
}

// Facets that lie in the plane of a larger one become one face with it.
class Merger {
 public:
  Merger(const Points& points, std::vector<Ring> facets, Real tolerance)
      : points_(points), facets_(std::move(facets)), tolerance_(tolerance), region_(facets_.size(), -1) {
    for (std::size_t f = 0; f < facets_.size(); ++f) area_.push_back(area_vector(points_, facets_[f]));
    turn_outward();
    for (std::size_t f = 0; f < facets_.size(); ++f) for_edges(facets_[f], [&](int a, int b) { left_[{a, b}] = f; });
  }

  // Empty when the facets do not close.
  std::vector<Ring> faces() {
    std::vector<std::size_t> order(facets_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return norm2(area_[a]) > norm2(area_[b]); });
    std::vector<Ring> rings;
    for (const std::size_t seed : order) {
      if (region_[seed] >= 0) continue;
      if (!(norm(area_[seed]) > 0)) return {};
      Ring ring = border(grown(seed, static_cast<int>(rings.size())));
      if (ring.size() < 3) return {};
      rings.push_back(std::move(ring));
    }
    return rings;
  }

 private:
  template <class Visit>
  static void for_edges(const Ring& ring, Visit&& visit) {
    for (std::size_t i = 0; i < ring.size(); ++i) visit(ring[i], ring[(i + 1) % ring.size()]);
  }

  // The rings turn all the same way; the largest facet tells which.
  void turn_outward() {
    Vec<3> middle{};
    for (const Vec<3>& p : points_) middle += (1 / static_cast<Real>(points_.size())) * p;
    std::size_t largest = 0;
    for (std::size_t f = 1; f < facets_.size(); ++f)
      if (norm2(area_[f]) > norm2(area_[largest])) largest = f;
    if (dot(area_[largest], point_of(points_, facets_[largest][0]) - middle) > 0) return;
    for (Ring& ring : facets_) std::reverse(ring.begin(), ring.end());
    for (Vec<3>& a : area_) a = -a;
  }

  bool in_plane(const Ring& ring, const Vec<3>& normal, const Vec<3>& point) const {
    return std::all_of(ring.begin(), ring.end(),
                       [&](int v) { return std::fabs(dot(normal, point_of(points_, v) - point)) <= tolerance_; });
  }

  std::vector<std::size_t> grown(std::size_t seed, int number) {
    const Vec<3> normal = normalised(area_[seed]), point = point_of(points_, facets_[seed][0]);
    std::vector<std::size_t> members{seed};
    region_[seed] = number;
    for (std::size_t k = 0; k < members.size(); ++k)
      for_edges(facets_[members[k]], [&](int a, int b) {
        const auto next = left_.find({b, a});
        if (next == left_.end() || region_[next->second] >= 0) return;
        if (!in_plane(facets_[next->second], normal, point)) return;
        region_[next->second] = number;
        members.push_back(next->second);
      });
    return members;
  }

  // The edges of a region whose other side is another region, one after the other; empty when they make no ring.
  Ring border(const std::vector<std::size_t>& members) const {
    std::map<int, int> next;
    std::size_t edges = 0;
    bool closed = true;
    for (const std::size_t f : members)
      for_edges(facets_[f], [&](int a, int b) {
        const auto other = left_.find({b, a});
        if (other == left_.end()) closed = false;
        if (!closed || region_[other->second] == region_[f]) return;
        next[a] = b;
        ++edges;
      });
    if (!closed || next.size() != edges || next.empty()) return {};
    Ring ring{next.begin()->first};
    for (auto step = next.find(ring[0]); step != next.end() && step->second != ring[0];
         step = next.find(step->second)) {
      ring.push_back(step->second);
      if (ring.size() > edges) return {};
    }
    return ring.size() == edges ? ring : Ring{};
  }

  const Points& points_;
  std::vector<Ring> facets_;
  Real tolerance_;
  std::vector<int> region_;  // of each facet: its face
  std::vector<Vec<3>> area_;
  std::map<std::pair<int, int>, std::size_t> left_;  // the facet left of each directed edge
};

// A point that belongs to two faces only lies on an edge, or was within a merged face.
void drop_idle(std::vector<Ring>& rings) {
  std::map<int, int> uses;
  for (const Ring& ring : rings)
    for (const int v : ring) ++uses[v];
  for (Ring& ring : rings) std::erase_if(ring, [&](int v) { return uses[v] < 3; });
}

// Numbers vertices and faces by the order of the points they came from.
Polyhedron numbered(const Points& points, std::vector<Ring> rings, Real radius) {
  Polyhedron p;
  p.radius = radius;
  std::map<int, int> number;
  for (const Ring& ring : rings)
    for (const int v : ring) number[v] = 0;
  for (auto& [v, n] : number) {
    n = static_cast<int>(p.vertices.size());
    p.vertices.push_back(point_of(points, v));
  }
  for (Ring& ring : rings) {
    for (int& v : ring) v = number[v];
    std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
  }
  std::sort(rings.begin(), rings.end());
  for (Ring& ring : rings) {
    const Vec<3> normal = normalised(area_vector(p.vertices, ring));
    Real offset = -std::numeric_limits<Real>::infinity();
    for (const int v : ring) offset = std::max(offset, dot(normal, p.vertex(v)));
    p.faces.push_back({std::move(ring), normal, offset});
  }
  return p;
}

// Each directed edge once, each with its way back.
bool closes(const std::vector<Ring>& rings) {
  std::set<std::pair<int, int>> edges;
  std::size_t count = 0;
  for (const Ring& ring : rings) {
    if (ring.size() < 3) return false;
    for (std::size_t i = 0; i < ring.size(); ++i, ++count) edges.insert({ring[i], ring[(i + 1) % ring.size()]});
  }
  return edges.size() == count && rings.size() >= 4 && std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
           return edges.contains({edge.second, edge.first});
         });
}

Expected<Polyhedron> hull_within(std::span<const Vec<3>> points, Real radius, Real tolerance) {
  const Points kept = distinct(points, tolerance);
  if (kept.size() < 4)
    return Error{
        fmt::format("polyhedron: found {} distinct points among {}, expected at least 4", kept.size(), points.size())};
  auto facets = hull_facets(kept);
  if (!facets) return Error{"polyhedron: " + facets.error()};
  std::vector<Ring> rings = Merger(kept, std::move(*facets), tolerance).faces();
  drop_idle(rings);
  if (!closes(rings)) return Error{"polyhedron: its points are too close to one another to tell its faces apart"};
  Polyhedron p = numbered(kept, std::move(rings), radius);
  p.link();
  if (const std::string bad = p.complaint(); !bad.empty()) return Error{bad};
  for (const Polyhedron::Face& face : p.faces)
    for (const Vec<3>& x : points)
      if (dot(face.normal, x) - face.offset > 4 * tolerance)
        return Error{"polyhedron: a point lies outside of a face of the hull by more than rounding"};
  return p;
}

}  // namespace

Expected<Polyhedron> Polyhedron::make(std::span<const Vec<3>> points, Real radius) {
  if (const auto bad = refuse_unless_not_negative("radius around a polyhedron", radius); !bad.empty())
    return Error{bad};
  if (const auto bad = refuse_unless_finite("polyhedron", points); !bad.empty()) return Error{bad};
  const Tolerance t = tolerance_of(points);
  if (points.size() >= 4 && t.size > 0 && thickness(points) <= flat_limit * t.size)
    return Error{fmt::format("polyhedron: its {} points lie in one plane (to {:g} of their extent), expected a volume",
                             points.size(), flat_limit)};
  // Points noisier than the tolerance make slivers whose planes mean nothing: a coarser look takes them for flat.
  Expected<Polyhedron> p = hull_within(points, radius, t.distance);
  for (Real coarser = 10 * t.distance; !p && coarser < 2 * flat_limit * t.size; coarser *= 10)
    p = hull_within(points, radius, coarser);
  return p;
}

}  // namespace cairn
