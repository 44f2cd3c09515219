// What must not matter: the order in which bodies are given, and which way the whole scene is turned.
#include <numbers>

#include "cairn/scene/packing.hpp"
#include "cairn/scene/test/world.hpp"

namespace cairn {
namespace {

using test::World;

template <class Dimension>
class Invariance : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Invariance, Dimensions);

constexpr Real quarter = std::numbers::pi / 2;

std::vector<Pose<2>> turns(Pose<2>*) {
  return {
      {{0.3, -2}, Rotation<2>::by(quarter)}, {{}, Rotation<2>::by(2 * quarter)}, {{1, 1}, Rotation<2>::by(-quarter)}};
}
std::vector<Pose<3>> turns(Pose<3>*) {
  return {{{0.3, -2, 1}, Rotation<3>::by({quarter, 0, 0})},
          {{}, Rotation<3>::by({0, quarter, 0})},
          {{1, 1, 1}, Rotation<3>::by({0, 0, quarter})},
          {{}, Rotation<3>::by({2 * quarter, 0, 0})}};
}
template <int D>
std::vector<Pose<D>> turns() {
  return turns(static_cast<Pose<D>*>(nullptr));
}

template <int D>
Rotation<D> tilted(int k) {
  if constexpr (D == 2)
    return Rotation<2>::by(0.3 + 0.1 * k);
  else
    return Rotation<3>::by(Vec<3>{0.2 * k, -0.3, 0.1 + 0.05 * k});
}

template <int D>
Shape<D> some_shape(int k) {
  Vec<D> half;
  for (int i = 0; i < D; ++i) half[i] = 0.1 + 0.02 * i;
  switch (k) {
    case 0: return Ball<D>{0.1};
    case 1: return Capsule<D>{0.1, 0.05};
    case 2: return Ellipsoid<D>{half};
    default:
      if constexpr (D == 2)
        return Polygon::box(half);
      else
        return Polyhedron::box(half);
  }
}

// Bodies of all shapes that hit shaken ground, each alone and with spin, the whole carried by a rigid motion; in the
// order given.
template <int D>
World<D> falling(const std::vector<int>& order, const Pose<D>& by) {
  World<D> world(0.4, 0.3);
  world.model.gravity = by.R * world.model.gravity;
  Vec<D> shaken{};
  shaken[0] = 0.6, shaken[D - 1] = 0.8;
  for (const int k : order) {
    if (k == 4) {
      EXPECT_TRUE(add_boundary<D>(world.model, world.state, {{Shape<D>{HalfSpace<D>{}}, {}, 0}}, by, 0,
                                  harmonic<D>(by.R * shaken, {{0.02, 5, 0.3}})));
      continue;
    }
    Pose<D> pose{{}, tilted<D>(k)};
    pose.x[0] = k, pose.x[D - 1] = 0.25 + 0.05 * k;
    EXPECT_TRUE(add_body<D>(world.model, world.state, {{some_shape<D>(k), {}, 1000}}, by * pose));
    Vec<D> v{};
    v[0] = 0.5 - 0.3 * k, v[D - 1] = -0.2 * k;
    v = by.R * v;
    for (int i = 0; i < freedoms<D>; ++i) world.state.u.back()[i] = i < D ? v[i] : 3 - k;  // spins in own axes
  }
  world.start = world.state;
  return world;
}

TYPED_TEST(Invariance, of_single_contacts_under_turns_of_the_whole_and_orders_of_bodies) {
  constexpr int D = TypeParam::value;
  const std::vector<int> plain{0, 1, 2, 3, 4};
  World<D> reference = falling<D>(plain, {});
  reference.run(0.3, 1e-3);
  EXPECT_TRUE(test::sanitized || reference.energy.boundary != 0);  // they have met the ground
  const auto compare = [&](const std::vector<int>& order, const Pose<D>& by) {
    World<D> other = falling<D>(order, by);
    other.run(0.3, 1e-3);
    for (std::size_t i = 0; i < 5; ++i) {
      const auto k = static_cast<std::size_t>(order[i]);  // its number in the reference
      if (k == 4) continue;
      EXPECT_LT(norm(by.inverse().to_world(other.state.x[i]) - reference.state.x[k]), 1e-12);
      const Vec<D> v = by.R.inverse() * Vec<D>::load(other.state.u[i].v);
      EXPECT_LT(norm(v - Vec<D>::load(reference.state.u[k].v)), 1e-12);
      for (int j = D; j < freedoms<D>; ++j) EXPECT_NEAR(other.state.u[i][j], reference.state.u[k][j], 2e-11);
    }
  };
  for (const Pose<D>& by : turns<D>()) compare(plain, by);
  compare({4, 3, 2, 1, 0}, {});
  compare({2, 4, 0, 3, 1}, turns<D>()[0]);
}

struct Pile {
  Real height;   // [m] mean of the centres along the scene's own vertical
  Real kinetic;  // [J]
};

template <int D>
Pile settled(unsigned seed, const Pose<D>& by, bool reversed) {
  scene::Packing packing;
  packing.grains = {.count = D == 2 ? 12 : 8, .kind = scene::Grains::angular, .separation = 0.05, .seed = seed};
  packing.width = 0.1, packing.depth = 0.05;
  auto blocks = build<D>(packing);
  EXPECT_TRUE(blocks);
  if (reversed) std::reverse(blocks->blocks.begin(), blocks->blocks.end());
  World<D> world(0.5);
  world.model.gravity = by.R * world.model.gravity;
  EXPECT_TRUE(scene::add_blocks<D>(world.model, world.state, blocks->moved(by)));
  world.start = world.state;
  world.run(0.2, 1e-3);
  EXPECT_EQ(world.missed, 0);
  Pile pile{};
  Real mass = 0;
  for (std::size_t b = 0; b < world.state.x.size(); ++b) {
    const Body<D>& body = world.model.bodies[b];
    if (!body.free()) continue;
    mass += body.mass, pile.height += body.mass * by.to_local(world.state.x[b])[D - 1];
    for (int k = 0; k < freedoms<D>; ++k) pile.kinetic += body.A(k) * world.state.u[b][k] * world.state.u[b][k] / 2;
  }
  pile.height /= mass;
  return pile;
}

// Largest of the differences of the means, in standard errors of the first sample.
Real off(const std::vector<Real>& first, const std::vector<std::vector<Real>>& others) {
  const auto mean = [](const std::vector<Real>& x) {
    Real sum = 0;
    for (const Real v : x) sum += v;
    return sum / static_cast<Real>(x.size());
  };
  const auto n = static_cast<Real>(first.size());
  const Real m = mean(first);
  Real squares = 0, most = 0;
  for (const Real x : first) squares += (x - m) * (x - m);
  for (const auto& other : others) most = std::max(most, std::abs(mean(other) - m) / std::sqrt(squares / (n - 1) / n));
  return most;
}

// One pile may settle otherwise; on the mean over seeds piles may not.
TYPED_TEST(Invariance, of_settled_piles_on_the_mean) {
  constexpr int D = TypeParam::value;
  std::vector<Real> height[3], kinetic[3];
  for (unsigned seed = 1; seed <= (test::sanitized ? 1u : 6u); ++seed) {
    const Pile piles[] = {settled<D>(seed, {}, false), settled<D>(seed, {}, true),
                          settled<D>(seed, turns<D>()[0], false)};
    for (int i = 0; i < 3; ++i) height[i].push_back(piles[i].height), kinetic[i].push_back(piles[i].kinetic);
    const Pile again = settled<D>(seed, {}, false);
    EXPECT_EQ(piles[0].height, again.height);  // to the bit
    EXPECT_EQ(piles[0].kinetic, again.kinetic);
  }
  if (test::sanitized) return;  // too short to settle
  EXPECT_LT(off(height[0], {height[1], height[2]}), 2);
  EXPECT_LT(off(kinetic[0], {kinetic[1], kinetic[2]}), 2);
}

}  // namespace
}  // namespace cairn
