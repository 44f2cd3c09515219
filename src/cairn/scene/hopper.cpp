#include "cairn/scene/hopper.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace cairn::scene {

template <int D>
Expected<Blocks<D>> build(const Hopper& o) {
  Faults f("hopper");
  f.positive("width", o.width).positive("depth", o.depth).positive("thickness", o.thickness).positive("fall", o.fall);
  f.not_negative("opening", o.opening).matter(o.matter).material("wall_material", o.wall_material);
  f.require(o.opening < o.width, fmt::format("opening is {}, expected less than the width {}", o.opening, o.width));
  f.require(o.slope >= 0 && o.slope < 1.5, fmt::format("slope is {}, expected at least 0 and less than 1.5", o.slope));
  f.require(o.thickness * std::cos(o.slope) < o.fall,
            fmt::format("thickness is {}, expected thin enough for the fall {} below the slabs", o.thickness, o.fall));
  grain_faults(f, o.grains, D, o.width, o.depth);
  if (f.any()) return f.error();
  Blocks<D> out;
  const Real run = (o.width - o.opening) / 2, rise = run * std::tan(o.slope), length = run / std::cos(o.slope);
  drop_grains<D>(o.grains, o.width, o.depth, o.fall + rise, o.matter, out);
  for (const int side : {-1, +1}) {
    // The upper face goes from the wall down to the opening's edge.
    const Vec<2> middle{side * (o.opening + run) / 2, o.fall + rise / 2};
    const Vec<2> down = o.thickness / 2 * Vec<2>{side * std::sin(o.slope), -std::cos(o.slope)};
    out.blocks.push_back({brick<D>({length / 2, o.thickness / 2}, o.depth), in_plane<D>(middle + down, side * o.slope),
                          o.matter.density, o.wall_material, true, -1, side < 0 ? "left slab" : "right slab"});
  }
  add_walls(o.width, o.depth, o.wall_material, out);
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Hopper&);
template Expected<Blocks<3>> build(const Hopper&);

}  // namespace cairn::scene
