#include "cairn/scene/dominoes.hpp"

#include <cmath>
#include <numbers>

namespace cairn::scene {

template <int D>
Expected<Blocks<D>> build(const Dominoes& o) {
  Faults f("dominoes");
  f.at_least("count", o.count, 1).positive("thickness", o.thickness).positive("height", o.height);
  f.positive("depth", o.depth).positive("spacing", o.spacing).between("tilt", o.tilt, 0, std::numbers::pi / 2);
  f.matter(o.matter);
  f.require(o.count == 1 || o.height * std::sin(o.tilt) <= o.spacing,
            "tilt is " + std::to_string(o.tilt) + ", expected less: the first would stand in the second");
  if (f.any()) return f.error();
  Blocks<D> out;
  for (int k = 0; k < o.count; ++k) {
    Vec<2> centre{k * (o.thickness + o.spacing) + o.thickness / 2, o.height / 2};
    const Real angle = k == 0 ? -o.tilt : 0;
    if (angle != 0) {
      const Vec<2> edge{o.thickness, 0};
      centre = edge + Rotation<2>::by(angle) * (centre - edge);
    }
    out.blocks.push_back({brick<D>({o.thickness / 2, o.height / 2}, o.depth), in_plane<D>(centre, angle),
                          o.matter.density, o.matter.material, false, k});
  }
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Dominoes&);
template Expected<Blocks<3>> build(const Dominoes&);

}  // namespace cairn::scene
