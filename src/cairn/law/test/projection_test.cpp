// What the projection and the shift of every law must satisfy, whatever the law.
#include "cairn/law/test/random_law.hpp"

namespace cairn::test {

template <class L>
struct Projection : ::testing::Test {};
TYPED_TEST_SUITE(Projection, AsTypes<AllLaws>::type);

constexpr int trials = problems / 5;

TYPED_TEST(Projection, IsInTheConeAndNearest) {
  using L = TypeParam;
  Random r(11);
  Real worst = 0;
  for (int i = 0; i < trials; ++i) {
    const L law = random_law<L>(r);
    const Vec<L::dim> x = r.power_of_ten(-3, 3) * r.vector<L::dim>(), p = law.project(x);
    // (x - p).(k - p) <= 0 for every k of the cone: p is the nearest point.
    const Vec<L::dim> k = r.power_of_ten(-3, 3) * random_impulse(r, law);
    worst = std::max(worst, dot(x - p, k - p) / (norm(x) * (norm(k) + norm(x)) + Real(1e-300)));
    // In the cone: p_T.d <= p_N sup { D1.d }, the support function being the shift.
    if (is_contact(law)) {
      Vec<L::dim> d = r.vector<L::dim>();
      d[0] = 0;
      worst = std::max(worst, (dot(p, d) - p[0] * law.shift(-d)[0]) / (norm(x) * norm(d) + Real(1e-300)));
    }
  }
  EXPECT_LE(worst, 1e-14);
}

TYPED_TEST(Projection, IsIdempotentAndNonexpansive) {
  using L = TypeParam;
  Random r(12);
  for (int i = 0; i < trials; ++i) {
    const L law = random_law<L>(r);
    const Vec<L::dim> x = r.vector<L::dim>(), y = x + r.power_of_ten(-6, 1) * r.vector<L::dim>();
    const Vec<L::dim> p = law.project(x), q = law.project(y);
    ASSERT_LE(norm(law.project(p) - p), 1e-15 * 8 * norm(x));
    ASSERT_LE(norm(p - q), norm(x - y) + 1e-14 * (norm(x) + norm(y)));
  }
}

// Moreau: x = p + q, p in K, q in the polar cone, p.q = 0; -q is then in the dual cone.
TYPED_TEST(Projection, SplitsInOrthogonalCones) {
  using L = TypeParam;
  Random r(13);
  for (int i = 0; i < trials; ++i) {
    const L law = random_law<L>(r);
    const Vec<L::dim> x = r.vector<L::dim>(), p = law.project(x), q = x - p;
    ASSERT_NEAR(dot(p, q), 0, 1e-14 * norm2(x));
    ASSERT_LE(dot(q, random_impulse(r, law)), 1e-13 * norm(x));
    ASSERT_LE(norm(law.project(q)), 1e-14 * norm(x));
  }
}

// Where the law says how much of its friction is in use: all of it on the border, the same for any normal impulse.
TYPED_TEST(Projection, BringsFrictionInUseToOne) {
  using L = TypeParam;
  if constexpr (requires(L law, Vec<L::dim> S) { law.use(S); }) {
    Random r(16);
    for (int i = 0; i < trials; ++i) {
      const L law = random_law<L>(r);
      const Vec<L::dim> x = r.vector<L::dim>(), p = law.project(x), inside = random_impulse(r, law);
      const bool border = p[0] > Real(1e-6) && norm(p - x) > 0 && law.use(p) > 0;
      ASSERT_NEAR(border ? law.use(p) : 1, 1, 1e-9);
      ASSERT_LE(law.use(inside), 1 + 1e-12);
      ASSERT_NEAR(law.use(Real(3) * inside), law.use(inside), 1e-12);
      ASSERT_EQ(law.use(Vec<L::dim>::zero()), 0);
    }
  }
}

TYPED_TEST(Projection, IsPositivelyHomogeneous) {
  using L = TypeParam;
  Random r(14);
  for (int i = 0; i < trials; ++i) {
    const L law = random_law<L>(r);
    const Vec<L::dim> x = r.vector<L::dim>();
    const Vec<L::dim> p = law.project(x), q = law.project(Real(0x1p-7) * x);
    for (int k = 0; k < L::dim; ++k) ASSERT_EQ(p[k] * Real(0x1p-7), q[k]);
  }
  const L law = random_law<L>(r);
  EXPECT_EQ(norm(law.project(Vec<L::dim>::zero())), 0);
  EXPECT_EQ(norm(law.shift(Vec<L::dim>::zero())), 0);
}

// shift(U) = sup { -U_T.d : d in D1 } n: never exceeded on the cone, and attained where law(U, S) slides.
TYPED_TEST(Projection, ShiftIsTheSupportFunction) {
  using L = TypeParam;
  Random r(15);
  for (int i = 0; i < trials; ++i) {
    const L law = random_law<L>(r);
    const Vec<L::dim> U = r.vector<L::dim>(), S = random_impulse(r, law), s = law.shift(U);
    for (int k = 1; k < L::dim; ++k) ASSERT_EQ(s[k], 0);
    ASSERT_GE(s[0], -1e-15 * norm(U));
    if (is_contact(law)) {
      Real power = 0;
      for (int k = 1; k < L::dim; ++k) power -= U[k] * S[k];
      ASSERT_LE(power, S[0] * s[0] + 1e-14 * norm(S) * norm(U));
    }
    const Pair<L> pair = random_pair(r, law);
    ASSERT_LE(norm(natural_map(law, pair.U, pair.S)), 1e-14 * (norm(pair.S) + norm(pair.U)) * 8);
  }
}

// Without friction the cone is a half-line: |x_T| <= mu x_N holds of a pull along the normal too, where it is 0 <= -0.
TEST(ProjectionOfCoulomb, AFrictionlessContactDoesNotPull) {
  EXPECT_EQ(norm(Coulomb2::with(0).project({-1, 0})), 0);
  EXPECT_EQ(norm(Coulomb3{0}.project({-1, 0, 0})), 0);
  EXPECT_GT(norm(natural_map(Coulomb2::with(0), {0, 0}, {-1, 0})), 0.5);
}

TYPED_TEST(Projection, OfAPullAlongTheNormalIsZero) {
  using L = TypeParam;
  Random r(16);
  for (int i = 0; i < trials / 10; ++i) {
    const L law = random_law<L>(r);
    Vec<L::dim> x{};
    x[0] = -r.power_of_ten(-3, 3);
    if (is_contact(law)) {
      ASSERT_EQ(law.project(x)[0], 0);
    }
  }
}

}  // namespace cairn::test
