// base/polynomial.hpp: every real root, and nothing else.
#include "cairn/base/polynomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/law/test/random_problem.hpp"

namespace cairn::test {

TEST(RealRoots, AreFoundInOrder) {
  Random r(31);
  for (int i = 0; i < problems / 5; ++i) {
    Real x[4];
    for (Real& a : x) a = r.uniform(-2, 2);
    std::sort(x, x + 4);
    if (x[1] - x[0] < 0.02 || x[2] - x[1] < 0.02 || x[3] - x[2] < 0.02) continue;
    Real c[5] = {1, 0, 0, 0, 0};
    for (int k = 0; k < 4; ++k)
      for (int j = k + 1; j >= 0; --j) c[j] = (j > 0 ? c[j - 1] : 0) - x[k] * c[j];
    Real roots[4];
    ASSERT_EQ(real_roots<4>(c, 10, roots), 4);
    for (int k = 0; k < 4; ++k) ASSERT_NEAR(roots[k], x[k], 1e-9);
  }
}

TEST(RealRoots, NoneAndTwo) {
  Real roots[4];
  const Real none[5] = {1, 0, 1, 0, 1}, two[5] = {-1, 0, 0, 0, 1};
  EXPECT_EQ(real_roots<4>(none, 10, roots), 0);
  EXPECT_EQ(real_roots<4>(two, 10, roots), 2);
  EXPECT_NEAR(roots[0], -1, 1e-15);
  EXPECT_NEAR(roots[1], 1, 1e-15);
  const Real touching[5] = {1, 0, -2, 0, 1};  // (x^2 - 1)^2
  EXPECT_EQ(real_roots<4>(touching, 10, roots, 1e-14), 2);
}

}  // namespace cairn::test
