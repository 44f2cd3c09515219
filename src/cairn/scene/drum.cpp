#include "cairn/scene/drum.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace cairn::scene {

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
  const Real half = (o.radius + o.thickness) * std::tan(std::numbers::pi / o.slabs);  // closed on the outer side
  for (int k = 0; k < o.slabs; ++k) {
    const Real angle = 2 * std::numbers::pi * k / o.slabs, r = o.radius + o.thickness / 2;
    const Vec<2> at{r * std::sin(angle), -r * std::cos(angle)};
    out.blocks.push_back({brick<D>({half, o.thickness / 2}, o.depth), in_plane<D>(at, angle), o.matter.density,
                          o.drum_material, true, k, "drum"});
  }
  if constexpr (D == 3) add_end_walls(o.depth, o.drum_material, out);
  return out;
}

template Expected<Blocks<2>> build(const Drum&);
template Expected<Blocks<3>> build(const Drum&);

}  // namespace cairn::scene
