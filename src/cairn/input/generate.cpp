// The generators of scene/, called from a scene file.
#include <fmt/format.h>

#include <cmath>

#include "cairn/input/build.hpp"

namespace cairn::input {
namespace {

using namespace scene;

Matter& matter_of(Bed& bed) { return bed.packing.matter; }
template <class T>
Matter& matter_of(T& t) {
  return t.matter;
}

template <int D>
Expected<Blocks<D>> built(const Dome& dome) {
  if constexpr (D == 3)
    return build_dome(dome);
  else
    return Error{"a dome is a scene of space, expected dimension = 3"};
}
template <int D, class T>
Expected<Blocks<D>> built(const T& t) {
  return build<D>(t);
}

Real grain_cost(const Grains& g) {
  const Real shape = g.kind == Grains::angular ? 1 + Real(g.corners) / 4 : 1;
  return Real(g.count) * std::fmax(1, Real(g.tries) / 24) * shape;
}

struct Cost {
  int dimension;

  Real square(Real n) const { return dimension == 3 ? n * n : n; }
  Real operator()(const Wall& w) const { return Real(w.courses) * (w.blocks + 1); }
  Real operator()(const Arch& a) const { return Real(a.voussoirs) + Real(2) * a.piers.courses; }
  Real operator()(const Column& c) const { return Real(c.count) * (1 + Real(c.sides) / 8); }
  Real operator()(const Overhang& o) const { return o.bricks; }
  Real operator()(const LeaningCards&) const { return 2; }
  Real operator()(const CardHouse& c) const { return 2 * Real(c.levels) * c.levels; }
  Real operator()(const Ladder&) const { return 1; }
  Real operator()(const DiscPile&) const { return 4; }
  Real operator()(const Dominoes& d) const { return d.count; }
  Real operator()(const Pyramid& p) const { return square(p.courses) * p.courses; }
  Real operator()(const Dome& d) const { return Real(d.courses) * d.sectors; }
  Real operator()(const Packing& p) const { return grain_cost(p.grains); }
  Real operator()(const Cell& c) const { return grain_cost(c.grains); }
  Real operator()(const Hopper& h) const { return grain_cost(h.grains); }
  Real operator()(const Drum& d) const { return grain_cost(d.grains) + d.slabs; }
  Real operator()(const Chute& c) const { return grain_cost(c.grains); }
  Real operator()(const Bed& b) const { return grain_cost(b.packing.grains); }
  Real operator()(const Rocks& r) const {  // a point of terrain costs about a tenth of a body
    const Real along = (r.length + r.run_out) / r.step, across = dimension == 3 ? r.width / r.step : 1;
    return Real(r.count) * (1 + Real(r.corners) / 4) + along * std::fmax(1, across) / 10;
  }
};

}  // namespace

template <int D>
Expected<Blocks<D>> generate(const GenerateSpec& spec, const std::vector<Real>& densities) {
  return std::visit(
      [&](auto options) -> Expected<Blocks<D>> {
        Matter& matter = matter_of(options);
        if (!spec.has("density")) matter.density = densities[static_cast<std::size_t>(matter.material)];
        Expected<Blocks<D>> blocks = built<D>(options);
        if (!blocks || spec.position.empty()) return blocks;
        return blocks->moved({vector_of<D>(spec.position), {}});
      },
      spec.generator);
}
template Expected<Blocks<2>> generate<2>(const GenerateSpec&, const std::vector<Real>&);
template Expected<Blocks<3>> generate<3>(const GenerateSpec&, const std::vector<Real>&);

Real cost_of(const GenerateSpec& spec, int dimension) { return std::visit(Cost{dimension}, spec.generator); }

}  // namespace cairn::input
