#include "cairn/scene/drum.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <type_traits>

#include "cairn/base/check.hpp"

namespace cairn::scene {
namespace {

// The lowest slab, in axes whose origin is on the drum's axis: a boundary turns about its own origin, so that one
// motion given to all slabs turns the drum.
template <int D>
Shape<D> slab(const Drum& o) {
  const Real half = (o.radius + o.thickness) * std::tan(std::numbers::pi / o.slabs);  // closed on the outer side
  std::vector<Vec<D>> corners;
  for (const Real x : {-half, half})
    for (const Real up : {-o.radius - o.thickness, -o.radius})
      for (const Real y : {-o.depth / 2, o.depth / 2}) {
        if (D == 2 && y > 0) continue;
        Vec<D> at{};
        at[1] = y, at[0] = x, at[D - 1] = up;
        corners.push_back(at);
      }
  using Solid = std::conditional_t<D == 2, Polygon, Polyhedron>;
  const auto made = Solid::make(std::span<const Vec<D>>(corners));
  CAIRN_CHECK(made, "the corners of a slab are those of a box");
  return *made;
}

}  // namespace

template <int D>
Expected<Blocks<D>> build(const Drum& o) {
  Faults f("drum");
  f.positive("radius", o.radius).positive("depth", o.depth).positive("thickness", o.thickness).matter(o.matter);
  f.material("drum_material", o.drum_material);
  f.at_least("slabs", o.slabs, 4).require(!o.matter.ground, "matter.ground is true, expected no ground around a drum");
  const Real side = o.radius * std::numbers::sqrt2;  // of the square in the circle
  grain_faults(f, o.grains, D, side, o.depth);
  if (f.any()) return f.error();
  Blocks<D> out;
  drop_grains<D>(o.grains, side, o.depth, -side / 2, o.matter, out);
  f.require(top_of(out) <= side / 2,
            fmt::format("grains.count is {}, expected fewer: they do not fit into the drum's square", o.grains.count));
  if (f.any()) return f.error();
  const Shape<D> shape = slab<D>(o);
  for (int k = 0; k < o.slabs; ++k)
    out.blocks.push_back({shape, in_plane<D>({0, 0}, 2 * std::numbers::pi * k / o.slabs), o.matter.density,
                          o.drum_material, true, k, "drum"});
  if constexpr (D == 3) add_end_walls(o.depth, o.drum_material, out);
  return out;
}

template Expected<Blocks<2>> build(const Drum&);
template Expected<Blocks<3>> build(const Drum&);

}  // namespace cairn::scene
