#include "cairn/scene/column.hpp"

#include <cmath>
#include <numbers>

namespace cairn::scene {

namespace {

template <int D>
Shape<D> drum(const Column& c) {
  if constexpr (D == 3) {
    if (c.sides > 0) {
      std::vector<Vec<2>> corners;
      for (int k = 0; k < c.sides; ++k) {
        const Real angle = 2 * std::numbers::pi * k / c.sides;
        corners.push_back({c.width / 2 * std::cos(angle), c.width / 2 * std::sin(angle)});
      }
      return upright_prism(corners, c.height);
    }
  }
  return brick<D>({c.width / 2, c.height / 2}, c.depth);
}

bool is_heavy(const Column& c, int level) {
  switch (c.heavy) {
    case Column::none: return false;
    case Column::alternate: return level % 2 == 1;
    case Column::bottom: return level == 0;
    case Column::top: return level + 1 == c.count;
  }
  return false;
}

}  // namespace

template <int D>
Expected<Blocks<D>> build(const Column& c) {
  Faults f("column");
  f.at_least("count", c.count, 1).positive("width", c.width).positive("height", c.height).positive("depth", c.depth);
  f.positive("ratio", c.ratio).matter(c.matter);
  f.require(c.sides == 0 || c.sides >= 3, "sides is " + std::to_string(c.sides) + ", expected 0 or at least 3");
  if (f.any()) return f.error();
  Blocks<D> out;
  for (int k = 0; k < c.count; ++k) {
    const Real density = c.matter.density * (is_heavy(c, k) ? c.ratio : 1);
    out.blocks.push_back(
        {drum<D>(c), in_plane<D>({0, (k + Real(0.5)) * c.height}), density, c.matter.material, false, k});
  }
  if (c.matter.ground) out.blocks.push_back(ground_at<D>(0, c.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Column&);
template Expected<Blocks<3>> build(const Column&);

}  // namespace cairn::scene
