#include "cairn/scene/rocks.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::scene {

namespace {

struct Grid {
  int nx, ny;            // points
  std::vector<Real> up;  // [m] (nx * ny)
  Real at(int i, int j) const { return up[static_cast<std::size_t>(j * nx + i)]; }
};

Real y_of(const Rocks& o, const Grid& g, int j) { return (j - Real(0.5) * (g.ny - 1)) * o.step; }

Grid heights(const Rocks& o, int dimension, RandomStream& random) {
  Grid g{static_cast<int>(std::ceil((o.length + o.run_out) / o.step)) + 1,
         dimension == 2 ? 1 : static_cast<int>(std::ceil(o.width / o.step)) + 1,
         {}};
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i)
      g.up.push_back(std::tan(o.slope) * std::max(Real(0), o.length - i * o.step) + o.roughness * random.within(-1, 1));
  return g;
}

template <int D>
Shape<D> terrain(const Rocks& o, const Grid& g);
template <>
Shape<2> terrain<2>(const Rocks& o, const Grid& g) {
  Polyline line;
  for (int i = 0; i < g.nx; ++i) line.points.push_back({i * o.step, g.at(i, 0)});
  return line;
}
template <>
Shape<3> terrain<3>(const Rocks& o, const Grid& g) {
  TriangleMesh mesh;
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i) mesh.vertices.push_back({i * o.step, y_of(o, g, j), g.at(i, j)});
  for (int j = 0; j + 1 < g.ny; ++j)
    for (int i = 0; i + 1 < g.nx; ++i) {
      const int a = j * g.nx + i, b = a + 1, c = a + g.nx, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  return mesh;
}

}  // namespace

template <int D>
Expected<Blocks<D>> build(const Rocks& o) {
  Faults f("rocks");
  f.at_least("count", o.count, 0).positive("radius", o.radius).at_least("corners", o.corners, D + 1);
  f.not_negative("height", o.height).between("slope", o.slope, 0, 1.5).positive("length", o.length);
  f.not_negative("run_out", o.run_out).positive("width", o.width).positive("step", o.step);
  f.not_negative("roughness", o.roughness).matter(o.matter).material("terrain_material", o.terrain_material);
  f.require(!o.matter.ground, "matter.ground is true, expected no ground beside the terrain");
  const Real points = (o.length + o.run_out) / o.step * (D == 2 ? 1 : o.width / o.step);
  f.require(points < 1e7, "step is " + std::to_string(o.step) + ", expected more: the terrain would have " +
                              std::to_string(points) + " points");
  if (f.any()) return f.error();
  RandomStream random(o.seed);
  const Grid g = heights(o, D, random);
  const Real highest = *std::max_element(g.up.begin(), g.up.end());
  Blocks<D> out;
  for (int k = 0; k < o.count; ++k) {
    Pose<D> at;
    at.x[0] = 2 * o.radius;
    at.x[D - 1] = highest + o.height + (Real(2.1) * k + 1) * o.radius;
    out.blocks.push_back(
        {grain<D>(Grains::angular, o.corners, o.radius, random), at, o.matter.density, o.matter.material, false, k});
  }
  out.blocks.push_back({terrain<D>(o, g), {}, 0, o.terrain_material, true, 0, "terrain"});
  return out;
}

template Expected<Blocks<2>> build(const Rocks&);
template Expected<Blocks<3>> build(const Rocks&);

}  // namespace cairn::scene
