#include "example_run.hpp"
#include "examples/non_uniqueness.hpp"

namespace cairn::examples {
namespace {

TEST(NonUniqueness, bump_has_unit_integral_and_the_stated_height) {
  const Bump bump;
  EXPECT_NEAR(bump.value(0), std::exp(-1) / 0.4439938162, 1e-9);
  EXPECT_EQ(bump.value(1), 0);
  EXPECT_NEAR(bump.primitive(0), 0.5, 1e-14);
  EXPECT_NEAR(bump.primitive(1 - 1e-9), 1, 1e-14);
  EXPECT_NEAR(bump.second_primitive(1 - 1e-13), 1, 1e-12);
  const double d = 1e-5;
  for (const double s : {-0.9, -0.3, 0.1, 0.77}) {
    EXPECT_NEAR((bump.primitive(s + d) - bump.primitive(s - d)) / (2 * d), bump.value(s), 1e-8);
    EXPECT_NEAR((bump.second_primitive(s + d) - bump.second_primitive(s - d)) / (2 * d), bump.primitive(s), 1e-9);
  }
}

TEST(NonUniqueness, the_moving_motion_arrives_with_the_stated_speeds) {
  for (const double e : {0.3, 0.5, 1.0}) {
    const NonUniqueness problem(e, 4);
    for (int n = 3; n >= 1; --n) {
      const double t = std::ldexp(1, -n), v = std::ldexp(1, -n * n);
      EXPECT_NEAR(problem.motion[1].v_left(t), -v, 1e-14) << "e = " << e;
      EXPECT_NEAR(problem.motion[1].v(t), e * v, 1e-14);
      EXPECT_NEAR(problem.motion[1].q(t * (1 - 1e-15)), 0, 1e-14);
    }
  }
}

TEST(NonUniqueness, both_motions_satisfy_the_inclusion) {
  for (const double e : {0.0, 0.2, 0.5, 1.0})
    for (const int n : {1, 2, 3, 4}) {
      const Output out = run_example("non-uniqueness", {{"e", e}, {"n", n}, {"h", 1e-3}});
      EXPECT_LT(number_of(out, "residual_rest"), 1e-10) << "e = " << e << ", n = " << n;
      EXPECT_LT(number_of(out, "residual_moving"), 1e-10) << "e = " << e << ", n = " << n;
    }
}

TEST(NonUniqueness, time_stepping_follows_either_motion) {
  for (const double e : {0.0, 0.5, 1.0})
    for (const int branch : {0, 1}) {
      const Output out = run_example("non-uniqueness", {{"e", e}, {"branch", branch}, {"n", 3}, {"h", 1.3e-6}});
      EXPECT_LT(number_of(out, "error_sup"), 2 * 1.3e-6) << "e = " << e << ", branch " << branch;
    }
  const Output rest = run_example("non-uniqueness", {{"branch", 0}, {"h", 1e-4}});
  EXPECT_EQ(number_of(rest, "q"), 0);
  EXPECT_EQ(number_of(rest, "v"), 0);
}

}  // namespace
}  // namespace cairn::examples
