#include "cairn/scene/chute.hpp"

#include <cmath>

namespace cairn::scene {

template <int D>
Pose<D> incline_of(const Chute& o) {
  return in_plane<D>({0, o.length * std::sin(o.slope)}, -o.slope);
}

template <int D>
Expected<Blocks<D>> build(const Chute& o) {
  Faults f("chute");
  f.between("slope", o.slope, 0, 1.5).positive("length", o.length).positive("width", o.width);
  f.between("stock", o.stock, 0, o.length).positive("thickness", o.thickness);
  f.matter(o.matter).material("wall_material", o.wall_material);
  grain_faults(f, o.grains, D, o.stock, o.width, "stock", "width");
  if (f.any()) return f.error();
  const Pose<D> incline = incline_of<D>(o);
  Blocks<D> grains;
  drop_grains<D>(o.grains, o.stock, o.width, 0, o.matter, grains);
  Blocks<D> out = grains.moved(incline * in_plane<D>({o.stock / 2, 0}));
  out.blocks.push_back({brick<D>({o.length / 2, o.thickness / 2}, o.width),
                        incline * in_plane<D>({o.length / 2, -o.thickness / 2}), o.matter.density, o.wall_material,
                        true, -1, "incline"});
  if constexpr (D == 3) add_end_walls(o.width, o.wall_material, out);
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Chute&);
template Expected<Blocks<3>> build(const Chute&);
template Pose<2> incline_of<2>(const Chute&);
template Pose<3> incline_of<3>(const Chute&);

}  // namespace cairn::scene
