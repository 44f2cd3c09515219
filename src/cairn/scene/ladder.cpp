#include "cairn/scene/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::scene {

// At the limit both contacts slide. Floor: N, mu_f N; wall: mu_f N, mu_f mu_w N upward; N (1 + mu_f mu_w) = W. Moments
// about the foot: (1 + m) (l/2) cos = mu_f (r + l sin) + m (l cos + r) with m = mu_f mu_w, that is a cos - b sin = c.
Real least_angle(const Ladder& o, Real mu_floor, Real mu_wall) {
  const Real m = mu_floor * mu_wall, a = (1 - m) * o.length / 2, b = mu_floor * o.length, c = (mu_floor + m) * o.radius;
  const Real ratio = c / std::hypot(a, b);
  return ratio >= 1 ? 0 : std::max(Real(0), std::acos(ratio) - std::atan2(b, a));
}

template <int D>
Expected<Blocks<D>> build(const Ladder& o) {
  Faults f("ladder");
  f.positive("length", o.length).positive("radius", o.radius).matter(o.matter);
  f.material("wall_material", o.wall_material).between("angle", o.angle, 0, std::numbers::pi / 2);
  f.require(o.matter.ground, "matter.ground is false, expected a ground");
  if (f.any()) return f.error();
  Blocks<D> out;
  const Vec<2> along{-std::cos(o.angle), std::sin(o.angle)};  // from foot to top
  const Vec<2> top_end{o.radius, o.radius + o.length * along[1]};
  out.blocks.push_back({Capsule<D>{o.length / 2, o.radius},
                        in_plane<D>(top_end - o.length / 2 * along, std::numbers::pi - o.angle), o.matter.density,
                        o.matter.material, false, 0, "ladder"});
  out.blocks.push_back(wall_at<D>(0, +1, o.wall_material, "wall"));
  out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Ladder&);
template Expected<Blocks<3>> build(const Ladder&);

}  // namespace cairn::scene
