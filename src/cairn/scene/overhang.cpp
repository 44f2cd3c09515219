#include "cairn/scene/overhang.hpp"

namespace cairn::scene {

Real critical_overhang(int bricks, Real length) {
  Real sum = 0;
  for (int k = bricks; k >= 1; --k) sum += length / (2 * k);
  return sum;
}

template <int D>
Expected<Blocks<D>> build(const Overhang& o) {
  Faults f("overhang");
  f.at_least("bricks", o.bricks, 1)
      .positive("length", o.length)
      .positive("height", o.height)
      .positive("depth", o.depth);
  f.positive("table_height", o.table_height).matter(o.matter);
  f.require(o.fraction >= 0 && o.fraction < 2,
            "fraction is " + std::to_string(o.fraction) + ", expected at least 0 and less than 2");
  if (f.any()) return f.error();
  Blocks<D> out;
  const Real table = 2 * o.length;
  out.blocks.push_back({brick<D>({table / 2, o.table_height / 2}, 2 * o.depth),
                        in_plane<D>({-table / 2, o.table_height / 2}), o.matter.density, o.matter.material, true, -1,
                        "table"});
  Real edge = 0;  // of what is below
  for (int level = 0; level < o.bricks; ++level) {
    edge += o.fraction * o.length / (2 * (o.bricks - level));
    const Vec<2> centre{edge - o.length / 2, o.table_height + (level + Real(0.5)) * o.height};
    out.blocks.push_back({brick<D>({o.length / 2, o.height / 2}, o.depth), in_plane<D>(centre), o.matter.density,
                          o.matter.material, false, level});
  }
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Overhang&);
template Expected<Blocks<3>> build(const Overhang&);

}  // namespace cairn::scene
