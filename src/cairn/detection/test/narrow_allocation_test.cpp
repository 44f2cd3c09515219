// Once warm, the narrow phase takes no memory.
#include <gtest/gtest.h>

#include "cairn/base/test/allocations.hpp"
#include "cairn/base/test/share.hpp"
#include "random_pairs.hpp"

namespace cairn {
namespace {

using test::Dice;

template <int D>
void expect_none(const std::vector<Shape<D>>& shapes) {
  std::vector<Manifold<D>> out;
  out.reserve(1000);
  for (int round = 0; round < 4; ++round) {
    Dice dice(1);
    const long before = test::allocations;
    for (int i = 0; i < (test::sanitized ? 30 : 300); ++i)
      for (const Shape<D>& a : shapes)
        for (const Shape<D>& b : shapes) {
          out.clear();
          collide_all<D>(a, dice.pose<D>(1), b, dice.pose<D>(0.5), 0.1, out);
        }
    if (round >= 2) {  // the first two warm up: two buffers that change places must both have grown
      EXPECT_EQ(test::allocations, before);
    }
  }
}

TEST(NarrowAllocation, NoneInThePlane) {
  expect_none<2>({Ball<2>{0.3}, Capsule<2>{0.3, 0.1}, test::brick(0.3, 0.2), Ellipsoid<2>{{0.3, 0.2}}, HalfSpace<2>{},
                  Polyline{{{-1, 0}, {-0.3, 0.1}, {0.2, 0}, {1, 0.2}}}});
}

TEST(NarrowAllocation, NoneInSpace) {
  const TriangleMesh land{{{-1, -1, 0}, {1, -1, 0.1}, {1, 1, 0}, {-1, 1, 0.2}}, {{0, 1, 2}, {0, 2, 3}}};
  expect_none<3>({Ball<3>{0.3}, Capsule<3>{0.3, 0.1}, Polyhedron::box({0.3, 0.2, 0.1}), Ellipsoid<3>{{0.3, 0.2, 0.4}},
                  HalfSpace<3>{}, land});
}

}  // namespace
}  // namespace cairn
