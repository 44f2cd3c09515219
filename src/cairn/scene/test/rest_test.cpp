// Bodies at rest are held by the impulses of the step before, and move again as soon as anything asks them to.
#include "cairn/scene/column.hpp"
#include "cairn/scene/test/world.hpp"

namespace cairn {
namespace {

using test::World;

template <class T>
struct Rest : ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Rest, Dimensions);

template <int D>
CollectionReport steps(Collection<D>& scheme, ModelState<D>& state, int n) {
  CollectionReport last;
  for (int k = 0; k < n; ++k) last = scheme.step(state, 1e-3);
  return last;
}

TYPED_TEST(Rest, velocities_are_zero_and_nothing_is_solved) {
  constexpr int D = TypeParam::value;
  World<D> world(0.5);
  scene::Column column;
  column.count = 5;
  world.put(column);
  Collection<D> scheme(world.model);
  const CollectionReport r = steps(scheme, world.state, 1000);
  EXPECT_EQ(r.at_rest, 1);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_LT(r.error, 1e-12);
  EXPECT_LT(std::abs(r.energy.defect()), 1e-12);
  for (const auto& u : world.state.u) EXPECT_EQ(norm2(u), 0);
  EXPECT_LT(world.moved(world.start), 1e-12);
}

TYPED_TEST(Rest, a_push_however_small_is_felt) {
  constexpr int D = TypeParam::value;
  World<D> world(0.5);
  scene::Column column;
  column.count = 3;
  world.put(column);
  Collection<D> scheme(world.model);
  steps(scheme, world.state, 1000);
  int top = 0;
  for (std::size_t b = 0; b < world.state.x.size(); ++b)
    if (world.model.bodies[b].free()) top = static_cast<int>(b);
  world.state.u[static_cast<std::size_t>(top)][D - 1] = 1e-9;  // [m/s] upwards: gravity stops it within the step
  EXPECT_EQ(scheme.step(world.state, 1e-3).at_rest, 0);
  world.state.u[static_cast<std::size_t>(top)][0] = 0.1;
  const Real x = world.state.x[static_cast<std::size_t>(top)][0];
  steps(scheme, world.state, 10);
  EXPECT_GT(world.state.x[static_cast<std::size_t>(top)][0], x + 0.5e-3);
}

// The ground stands still for .3 s and then moves off gently enough to take the column along.
TYPED_TEST(Rest, ground_that_starts_to_move_takes_bodies_along) {
  constexpr int D = TypeParam::value;
  World<D> world(0.5);
  scene::Column column;
  column.count = 2;
  world.put(column, [](Real t) {
    Excursion<D> e;
    e.shift[0] = t > 0.3 ? 0.5 * (t - 0.3) * (t - 0.3) : 0;  // 1 m/s^2
    return e;
  });
  Collection<D> scheme(world.model);
  EXPECT_EQ(steps(scheme, world.state, 290).at_rest, 1);
  EXPECT_EQ(steps(scheme, world.state, 210).at_rest, 0);
  for (std::size_t b = 0; b < world.state.x.size(); ++b)
    if (world.model.bodies[b].free()) {
      EXPECT_NEAR(world.state.x[b][0] - world.start.x[b][0], 0.02, 1e-6);
    }
}

}  // namespace
}  // namespace cairn
