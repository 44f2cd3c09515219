#include "cairn/scene/cards.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace cairn::scene {

namespace {

// A card is a flat core (length l, thickness w) with a radius r around it. Leaning, it stands on one corner of the core
// and meets its neighbour with another; both lie on its lower side, l apart.
struct Lean {
  Real l, w, r, sine, cosine;

  Lean(const Card& c, Real angle)
      : l(c.length - 2 * c.radius),
        w(c.thickness - 2 * c.radius),
        r(c.radius),
        sine(std::sin(angle)),
        cosine(std::cos(angle)) {}

  Real foot() const { return r + l * sine; }                  // from the apex, of the core's lowest corner
  Real top() const { return 2 * r + l * cosine + w * sine; }  // height of the highest point
  Real top_from_apex() const { return r + w * cosine; }       // of that point
  Vec<2> centre() const {                                     // of the left card, from the point below the apex
    return {-foot() + l / 2 * sine - w / 2 * cosine, r + l / 2 * cosine + w / 2 * sine};
  }
};

template <int D>
void add_pair(const Card& c, Real angle, const Vec<2>& below_apex, const Matter& m, int part, Blocks<D>& out) {
  const Vec<2> centre = Lean(c, angle).centre();
  for (const int side : {-1, +1}) {
    const Vec<2> at{below_apex[0] - side * centre[0], below_apex[1] + centre[1]};
    // Long side along the first axis, which points up the card.
    const Real turn = std::numbers::pi / 2 + side * angle;
    out.blocks.push_back({brick<D>({c.length / 2, c.thickness / 2}, c.depth, c.radius), in_plane<D>(at, turn),
                          m.density, m.material, false, part});
  }
}

void card_faults(Faults& f, const Card& c, Real angle) {
  f.positive("card.length", c.length).positive("card.thickness", c.thickness).positive("card.depth", c.depth);
  f.positive("card.radius", c.radius);
  f.require(2 * c.radius < c.thickness,
            fmt::format("card.radius is {}, expected less than half the thickness {}", c.radius, c.thickness));
  f.require(c.thickness < c.length && c.thickness <= c.depth,
            fmt::format("card.thickness is {}, expected less than its length and depth", c.thickness));
  const Real least = std::atan((c.thickness - 2 * c.radius) / (c.length - 2 * c.radius));
  f.require(angle > least && angle < std::numbers::pi / 4,
            fmt::format("angle is {}, expected more than {:.6g} (a card would fall outward) and less than pi/4", angle,
                        least));
}

}  // namespace

Real least_friction(const LeaningCards& o) {
  // Moments about the foot, for weight 1: the apex pushes with H at the height l cos + r above the ground.
  const Lean a(o.card, o.angle);
  return (a.l / 2 * a.sine - a.w / 2 * a.cosine) / (a.l * a.cosine + a.r);
}

template <int D>
Expected<Blocks<D>> build(const LeaningCards& o) {
  Faults f("leaning cards");
  f.matter(o.matter);
  card_faults(f, o.card, o.angle);
  if (f.any()) return f.error();
  Blocks<D> out;
  add_pair(o.card, o.angle, {0, 0}, o.matter, 0, out);
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template <int D>
Expected<Blocks<D>> build(const CardHouse& o) {
  Faults f("card house");
  f.at_least("levels", o.levels, 1).positive("gap", o.gap).matter(o.matter);
  card_faults(f, o.card, o.angle);
  const Lean a(o.card, o.angle);
  f.require(2 * (a.foot() + a.r) <= o.card.length,
            fmt::format("angle is {}, expected less: the feet of a pair must stand on one card", o.angle));
  f.require(o.gap < 2 * a.w * a.cosine,
            fmt::format("gap is {}, expected less than {:.6g}: a level card must reach the tops "
                        "that carry it",
                        o.gap, 2 * a.w * a.cosine));
  if (f.any()) return f.error();
  Blocks<D> out;
  const Real pitch = o.card.length + o.gap;
  Real floor = 0;
  for (int row = 0; row < o.levels; ++row) {
    const int pairs = o.levels - row;
    for (int k = 0; k < pairs; ++k)
      add_pair(o.card, o.angle, {(k - Real(0.5) * (pairs - 1)) * pitch, floor}, o.matter, 2 * row, out);
    for (int k = 0; k + 1 < pairs; ++k) {
      const Vec<2> centre{(k - Real(0.5) * (pairs - 2)) * pitch, floor + a.top() + o.card.thickness / 2};
      out.blocks.push_back({brick<D>({o.card.length / 2, o.card.thickness / 2}, o.card.depth, o.card.radius),
                            in_plane<D>(centre), o.matter.density, o.matter.material, false, 2 * row + 1});
    }
    floor += a.top() + o.card.thickness;
  }
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const LeaningCards&);
template Expected<Blocks<3>> build(const LeaningCards&);
template Expected<Blocks<2>> build(const CardHouse&);
template Expected<Blocks<3>> build(const CardHouse&);

}  // namespace cairn::scene
