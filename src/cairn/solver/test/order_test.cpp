// The order of contacts in a file means nothing: all orders are solved, and a solution of one is a solution of all.
#include <gtest/gtest.h>

#include "cairn/problem/generate.hpp"
#include "cairn/problem/transform.hpp"
#include "cairn/solver/solve.hpp"

namespace cairn {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr int orders = 2;
#else
constexpr int orders = 10;
#endif

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> back(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) back[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  return back;
}

void expect_order_does_not_matter(const fclib::Problem& p) {
  for (int seed = 1; seed <= orders; ++seed) {
    const std::vector<int> order = random_order(p.contacts(), static_cast<unsigned long long>(seed));
    fclib::Problem moved = permute_contacts(p, order);
    const Solved s = solve(moved);
    EXPECT_EQ(s.report.status, Stop::converged) << "order " << seed << ": " << s.report.reason;
    moved.solution = s.solution;
    const fclib::Problem back = permute_contacts(moved, inverse(order));
    EXPECT_LE(error_of(p, back.solution->r), 1.001e-8);  // sums in another order
  }
}

TEST(Order, Masonry) {
  expect_order_does_not_matter(to_fclib_local(wall(8, 6, 0.3)));
  expect_order_does_not_matter(to_fclib_local(arch(17, 0.15, 0.5)));
  expect_order_does_not_matter(to_fclib_local(stack(6, 0.5)));
  expect_order_does_not_matter(to_fclib_global(plank_tower(5, 3, 0.5)));
}

TEST(Order, Grains) {
  expect_order_does_not_matter(to_fclib_local(disc_packing(100, 0.3, 1)));
  expect_order_does_not_matter(to_fclib_global(sphere_packing(80, 0.1, 1)));
  expect_order_does_not_matter(to_fclib_local(sphere_pyramid(5, 0.3, 1)));
}

TEST(Order, RandomBodies) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    RandomBodies o;
    o.seed = seed, o.contacts = 60, o.redundancy = 2, o.mass_ratio = 100;
    expect_order_does_not_matter(to_fclib_local(random_bodies_2d(o)));
    expect_order_does_not_matter(to_fclib_local(random_bodies_3d(o)));
  }
}

// Where bodies rest, the velocities are unique even though the impulses are not.
TEST(Order, RestIsRestInEveryOrder) {
  const fclib::Problem p = to_fclib_local(wall(6, 5, 0.5));
  for (int seed = 1; seed <= orders; ++seed) {
    const Solved s = solve(permute_contacts(p, random_order(p.contacts(), static_cast<unsigned long long>(seed))));
    EXPECT_LE(s.solution.u.norm(), 1e-7 * p.q.norm());
  }
}

}  // namespace
}  // namespace cairn
