#include "cairn/shape/terrain.hpp"

#include <fmt/format.h>

#include "cairn/shape/refuse.hpp"
#include "cairn/shape/tolerance.hpp"

namespace cairn {

std::string Polyline::complaint() const {
  if (auto bad = refuse_unless_finite<2>("polyline", points); !bad.empty()) return bad;
  if (size() < 1) return fmt::format("polyline: found {} points, expected at least 2", points.size());
  const Real least = tolerance_of<2>(points).distance;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (!(norm(points[i + 1] - points[i]) > least))
      return fmt::format("polyline: points {} and {} coincide, expected segments with a length", i, i + 1);
  return "";
}

std::string TriangleMesh::complaint() const {
  if (auto bad = refuse_unless_finite<3>("triangle mesh", vertices); !bad.empty()) return bad;
  if (triangles.empty()) return "triangle mesh: found no triangle, expected at least 1";
  const int n = static_cast<int>(vertices.size());
  const Real least = tolerance_of<3>(vertices).distance;
  for (int t = 0; t < size(); ++t) {
    for (const int v : triangles[static_cast<std::size_t>(t)])
      if (v < 0 || v >= n)
        return fmt::format("triangle mesh: triangle {} has vertex {}, expected 0 to {}", t, v, n - 1);
    const Vec<3> ab = corner(t, 1) - corner(t, 0), ac = corner(t, 2) - corner(t, 0), bc = ac - ab;
    const Real longest = std::fmax(norm(ab), std::fmax(norm(ac), norm(bc)));
    if (!(norm(cross(ab, ac)) > least * longest))  // its height over the longest side
      return fmt::format("triangle mesh: triangle {} has no area", t);
  }
  return "";
}

}  // namespace cairn
