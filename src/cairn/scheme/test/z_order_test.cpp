#include "cairn/scheme/z_order.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cairn {
namespace {

template <int D>
std::vector<Pose<D>> random_places(int count, unsigned seed) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<Real> within(-8, 8);
  std::vector<Pose<D>> poses(static_cast<std::size_t>(count));
  for (Pose<D>& p : poses)
    for (int k = 0; k < D; ++k) p.x[k] = within(gen);
  return poses;
}

// Moved step by step or sorted at once: the same order.
template <int D>
void expect_no_memory() {
  auto poses = random_places<D>(500, 1);
  ZOrder<D> kept;
  for (unsigned step = 2; step < 12; ++step) {
    const auto other = random_places<D>(500, step);
    for (std::size_t i = step; i < poses.size(); i += step) poses[i] = other[i];
    poses[3].x[0] = -1e30, poses[4].x[1] = 1e30;  // far out
    EXPECT_EQ(kept.sort(poses, 1), ZOrder<D>().sort(poses, 1));
  }
}
TEST(ZOrder, depends_on_places_alone) {
  expect_no_memory<2>();
  expect_no_memory<3>();
}

// Of a cube of 2^3 octants, one octant after the other; in each the same again.
TEST(ZOrder, goes_through_octants) {
  std::vector<Pose<3>> poses;
  for (int x = -4; x < 4; ++x)
    for (int y = -4; y < 4; ++y)
      for (int z = -4; z < 4; ++z) poses.push_back({{x + 0.5, y + 0.5, z + 0.5}, {}});
  ZOrder<3> order;
  const std::vector<int>& sorted = order.sort(poses, 1);
  for (const int side : {4, 2})
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto first =
          i / static_cast<std::size_t>(side * side * side) * static_cast<std::size_t>(side * side * side);
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(std::floor(poses[static_cast<std::size_t>(sorted[i])].x[k] / side),
                  std::floor(poses[static_cast<std::size_t>(sorted[first])].x[k] / side));
    }
}

TEST(ZOrder, keeps_the_order_in_a_cell) {
  std::vector<Pose<2>> poses(5);
  poses[1].x[0] = 3;
  ZOrder<2> order;
  EXPECT_EQ(order.sort(poses, 1), (std::vector<int>{0, 2, 3, 4, 1}));
}

}  // namespace
}  // namespace cairn
