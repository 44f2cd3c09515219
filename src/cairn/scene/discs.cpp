#include "cairn/scene/discs.hpp"

#include <cmath>
#include <numbers>

namespace cairn::scene {

namespace {

// Of the lower centres from the axis, for radius 1; they are 2 apart.
template <int D>
constexpr Real spread = D == 2 ? Real(1) : Real(2) / std::numbers::sqrt3;

}  // namespace

template <int D>
Expected<Blocks<D>> build(const DiscPile& o) {
  Faults f("disc pile");
  f.positive("radius", o.radius).matter(o.matter);
  if (f.any()) return f.error();
  Blocks<D> out;
  const auto add = [&](const Vec<D>& x, int part) {
    Pose<D> at;
    at.x = o.radius * x;
    out.blocks.push_back({Ball<D>{o.radius}, at, o.matter.density, o.matter.material, false, part});
  };
  const Real rise = 1 + std::sqrt(4 - spread<D> * spread<D>);
  if constexpr (D == 2) {
    add({-1, 1}, 0), add({1, 1}, 0), add({0, rise}, 1);
  } else {
    const Real half = spread<3> / 2;
    add({-half, -1, 1}, 0), add({-half, 1, 1}, 0), add({spread<3>, 0, 1}, 0), add({0, 0, rise}, 1);
  }
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template <int D>
DiscFriction least_friction(const DiscPile&) {
  const Real between = std::tan(std::asin(spread<D> / 2) / 2);
  return {between, between / (D + 1)};  // the floor bears 1 + 1/D of a weight
}

template Expected<Blocks<2>> build(const DiscPile&);
template Expected<Blocks<3>> build(const DiscPile&);
template DiscFriction least_friction<2>(const DiscPile&);
template DiscFriction least_friction<3>(const DiscPile&);

}  // namespace cairn::scene
