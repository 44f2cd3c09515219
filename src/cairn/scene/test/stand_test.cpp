// Structures that stand when they should and fall when they should: the thresholds of statics, in the plane and in
// space.
#include <numbers>

#include "cairn/scene/arch.hpp"
#include "cairn/scene/cards.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/discs.hpp"
#include "cairn/scene/ladder.hpp"
#include "cairn/scene/overhang.hpp"
#include "cairn/scene/test/world.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn {
namespace {

using test::World;

template <class Dimension>
class Collections : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Collections, Dimensions);

constexpr Real still = 1e-9;  // [m] what is at rest moves less

template <int D>
void expect_rest(World<D>& world, Real duration) {
  world.run(1, 1e-3);
  const ModelState<D> first = world.state;
  world.run(duration, 1e-3);
  EXPECT_LT(world.moved(first), still);
  EXPECT_EQ(world.missed, 0);
}

TYPED_TEST(Collections, arches_stand_above_their_least_thickness_and_fall_below) {
  constexpr int D = TypeParam::value;
  for (const int n : {7, 11, 15, 21}) {
    for (const bool stands : {true, false}) {
      scene::Arch arch;
      arch.voussoirs = n;
      arch.support = scene::ArchSupport::ground;
      arch.thickness = (stands ? 1.02 : 0.98) * least_thickness(arch);
      World<D> world(0.7);
      world.put(arch);
      if (stands) {
        expect_rest(world, 1);
      } else {
        world.run(1.5, 1e-3, {}, 0.1);
        EXPECT_TRUE(test::sanitized || world.moved(world.start) >= 0.1) << n;
      }
    }
  }
}

TYPED_TEST(Collections, bricks_overhang_as_far_as_statics_allows) {
  constexpr int D = TypeParam::value;
  for (const int n : {2, 5, 10}) {
    scene::Overhang overhang;
    overhang.bricks = n;
    overhang.fraction = 0.999;
    World<D> stands(0.5);
    stands.put(overhang);
    expect_rest(stands, 1);
    overhang.fraction = 1.001;
    World<D> falls(0.5);
    falls.put(overhang);
    falls.run(3, 1e-3, {}, 0.05);
    EXPECT_TRUE(test::sanitized || falls.moved(falls.start) >= 0.05) << n;
  }
}

TYPED_TEST(Collections, discs_on_discs_need_the_friction_of_statics) {
  constexpr int D = TypeParam::value;
  const scene::DiscFriction least = scene::least_friction<D>({});
  for (const bool floor : {false, true})
    for (const bool stands : {true, false}) {
      World<D> world(1);
      scene::DiscPile pile;
      pile.matter.material = 1, pile.matter.ground_material = 2;
      world.put(pile);
      const Real factor = stands ? 1.01 : 0.99;
      world.model.materials.set(1, 1, {floor ? 1 : factor * least.between, 0, 0});
      world.model.materials.set(1, 2, {floor ? factor * least.floor : 1, 0, 0});
      world.run(1.5, 1e-3);
      EXPECT_TRUE(test::sanitized || (world.moved(world.start) < 1e-8) == stands)
          << floor << " " << world.moved(world.start);
    }
}

TYPED_TEST(Collections, a_ladder_stands_above_its_least_angle) {
  constexpr int D = TypeParam::value;
  for (const Real mu_floor : {0.3, 0.5})
    for (const Real mu_wall : {0.0, 0.4})
      for (const bool stands : {true, false}) {
        scene::Ladder ladder;
        ladder.matter.material = 1, ladder.matter.ground_material = 2, ladder.wall_material = 3;
        ladder.angle = least_angle(ladder, mu_floor, mu_wall) + (stands ? 0.005 : -0.005);
        World<D> world(0);
        world.put(ladder);
        world.model.materials.set(1, 2, {mu_floor, 0, 0});
        world.model.materials.set(1, 3, {mu_wall, 0, 0});
        world.run(1, 1e-3);
        EXPECT_TRUE(test::sanitized || (world.moved(world.start) < 1e-6) == stands)
            << mu_floor << " " << mu_wall << " " << world.moved(world.start);
      }
}

TYPED_TEST(Collections, cards_lean_when_friction_allows) {
  constexpr int D = TypeParam::value;
  scene::LeaningCards cards;
  const Real least = least_friction(cards);
  for (const bool stands : {true, false}) {
    World<D> world((stands ? 1.02 : 0.98) * least);
    world.put(cards);
    world.run(2, 1e-3);
    EXPECT_TRUE(test::sanitized || (world.moved(world.start) < 1e-6) == stands) << world.moved(world.start);
  }
}

TYPED_TEST(Collections, columns_are_at_rest) {
  constexpr int D = TypeParam::value;
  World<D> cubes(0.5);
  cubes.put(scene::Column{});
  expect_rest(cubes, 2);
  scene::Column heavy;
  heavy.count = 2, heavy.heavy = scene::Column::top, heavy.ratio = 1000;
  World<D> light(0.5);
  light.put(heavy);
  expect_rest(light, 2);
}

TEST(Collections, the_wall_is_at_rest_on_still_ground) {
  World<2> wall(0.3);
  wall.put(scene::Wall{});
  ASSERT_EQ(wall.model.bodies.size(), 177u);
  expect_rest(wall, 1);
}

TYPED_TEST(Collections, a_house_of_cards_is_at_rest) {
  constexpr int D = TypeParam::value;
  World<D> world(0.6);
  world.put(scene::CardHouse{});
  expect_rest(world, 1);
}

}  // namespace
}  // namespace cairn
