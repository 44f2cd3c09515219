#include "cairn/scene/cell.hpp"

#include <algorithm>

namespace cairn::scene {

template <int D>
Expected<Blocks<D>> build(const Cell& o) {
  Faults f("cell");
  f.positive("width", o.width).positive("depth", o.depth).matter(o.matter);
  f.material("wall_material", o.wall_material).material("lid_material", o.lid_material);
  f.positive("lid_thickness", o.lid_thickness).positive("lid_density", o.lid_density);
  f.at_least("grains.count", o.grains.count, 1);
  grain_faults(f, o.grains, D, o.width, o.depth);
  f.between("clearance", o.clearance, 0, o.grains.least);  // no grain may pass
  if (f.any()) return f.error();
  Blocks<D> out;
  drop_grains<D>(o.grains, o.width, o.depth, 0, o.matter, out);
  const Real bottom = top_of(out);
  out.blocks.push_back({brick<D>({o.width / 2 - o.clearance, o.lid_thickness / 2}, o.depth - 2 * o.clearance),
                        in_plane<D>({0, bottom + o.lid_thickness / 2}), o.lid_density, o.lid_material, false, -1,
                        "lid"});
  add_walls(o.width, o.depth, o.wall_material, out);
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Cell&);
template Expected<Blocks<3>> build(const Cell&);

}  // namespace cairn::scene
