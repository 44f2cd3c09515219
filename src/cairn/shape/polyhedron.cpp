#include "cairn/shape/polyhedron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cairn/base/check.hpp"
#include "cairn/shape/moments.hpp"
#include "cairn/shape/refuse.hpp"
#include "cairn/shape/tolerance.hpp"

namespace cairn {
namespace {

constexpr std::size_t few_vertices = 24;  // so many vertices are looked at faster than climbed

int furthest_of_all(const std::vector<Vec<3>>& points, const Vec<3>& direction) {
  int best = 0;
  Real most = dot(points[0], direction);
  for (int i = 1; i < static_cast<int>(points.size()); ++i)
    if (const Real d = dot(points[static_cast<std::size_t>(i)], direction); d > most) best = i, most = d;
  return best;
}

}  // namespace

Polyhedron Polyhedron::box(const Vec<3>& half, Real radius) {
  Polyhedron p;
  p.radius = radius;
  for (int i = 0; i < 8; ++i)
    p.vertices.push_back({i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]});
  p.faces = {{{0, 4, 6, 2}, {-1, 0, 0}, half[0]}, {{1, 3, 7, 5}, {1, 0, 0}, half[0]},
             {{0, 1, 5, 4}, {0, -1, 0}, half[1]}, {{2, 6, 7, 3}, {0, 1, 0}, half[1]},
             {{0, 2, 3, 1}, {0, 0, -1}, half[2]}, {{4, 5, 7, 6}, {0, 0, 1}, half[2]}};
  p.link();
  return p;
}

void Polyhedron::link() {
  std::map<std::pair<int, int>, int> left;  // the face on the left of each directed edge
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    const std::vector<int>& ring = face(f).ring;
    for (std::size_t i = 0; i < ring.size(); ++i) left[{ring[i], ring[(i + 1) % ring.size()]}] = f;
  }
  edges.clear();
  neighbours.assign(vertices.size(), {});
  for (const auto& [edge, f] : left) {
    const auto [a, b] = edge;
    const auto back = left.find({b, a});
    CAIRN_CHECK(back != left.end(), "the faces of a polyhedron close");
    neighbours[static_cast<std::size_t>(a)].push_back(b);  // increasing: the map is sorted
    if (a < b) edges.push_back({a, b, f, back->second});
  }
}

int Polyhedron::support_index(const Vec<3>& direction, int start) const {
  if (vertices.size() <= few_vertices) return furthest_of_all(vertices, direction);
  int best = start;
  for (std::size_t step = 0; step < vertices.size(); ++step) {  // rounding could send it round and round on a flat top
    int higher = best;
    Real most = 0;
    for (const int i : neighbours[static_cast<std::size_t>(best)])  // differences: exact where vertices are close
      if (const Real d = dot(vertex(i) - vertex(best), direction); d > most) higher = i, most = d;
    if (higher == best) break;
    best = higher;
  }
  return best;
}

bool Polyhedron::turns_left(const Face& face) const {
  const std::size_t n = face.ring.size();
  bool left = n >= 3;
  for (std::size_t i = 0; i < n && left; ++i) {
    const Vec<3>&a = vertex(face.ring[i]), &b = vertex(face.ring[(i + 1) % n]), &c = vertex(face.ring[(i + 2) % n]);
    left = dot(cross(b - a, c - b), face.normal) > 0;
  }
  return left;
}

Real Polyhedron::reach() const {
  Real most = 0;
  for (const Vec<3>& p : vertices) most = std::max(most, norm(p));
  return most + radius;
}

std::string Polyhedron::complaint() const {
  if (auto bad = refuse_unless_not_negative("radius around a polyhedron", radius); !bad.empty()) return bad;
  if (auto bad = refuse_unless_finite<3>("polyhedron", vertices); !bad.empty()) return bad;
  if (vertices.size() + faces.size() != edges.size() + 2 || vertices.size() < 4)
    return fmt::format("polyhedron: {} vertices, {} edges and {} faces do not make one (Polyhedron::make does)",
                       vertices.size(), edges.size(), faces.size());
  const Tolerance t = tolerance_of<3>(vertices);
  const Real slack = std::max(flat_limit * t.size, 4 * t.distance);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (const Vec<3>& p : vertices)
      if (!(dot(faces[f].normal, p) - faces[f].offset <= slack))
        return fmt::format("polyhedron: a vertex lies outside of face {}, expected a convex solid", f);
    if (!turns_left(faces[f]))
      return fmt::format("polyhedron: face {} is no convex ring, counter-clockwise seen from outside", f);
  }
  return "";
}

}  // namespace cairn
