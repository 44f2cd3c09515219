// Several friction sets at once: the law is solved to rounding, whatever the rows, and where no velocity is allowed a
// certificate says so.
#include "cairn/lagrange/friction_product.hpp"

#include <gtest/gtest.h>

#include "cairn/base/test/share.hpp"
#include "cairn/lagrange/test/random_friction.hpp"

namespace cairn {
namespace {

using test::random_matrix;

constexpr Real inf = std::numeric_limits<Real>::infinity();

// The disc as a user would give it, so that its slope comes from differences.
FrictionSet disc_by_functions(Real mu) {
  return friction_by({2, true, [mu](const Reals& v) { return mu * v.norm(); },
                      [mu](const RealMatrix& H, const Reals& b, Real scale) { return disc(mu).least(H, b, scale); }});
}

FrictionSet random_set(RandomStream& random) {
  const Real mu = random.within(0, 2);
  switch (random.below(8)) {
    case 0: return interval(-mu, random.unit() < 0.5 ? inf : mu);
    case 1: return disc(mu, 1 + random.below(3));
    case 2: {
      const RealMatrix L = random_matrix(random, 2, 2);
      Reals y = random_matrix(random, 2, 1);
      y *= random.unit() / y.norm();
      return ellipsoid(L * y, L);
    }
    case 3: return whole_space(1 + random.below(2));
    case 4: {
      const int dim = 1 + random.below(3);
      RealMatrix P = random_matrix(random, dim, 2 + random.below(6));
      P.col(0).setZero();
      return polyhedron(P, random_matrix(random, dim, random.below(3)));
    }
    case 5: return focal_conic(random.within(0.01, 2), random_matrix(random, 2, 1));
    case 6: return disc_by_functions(mu);
    default: return product({interval(-mu, mu / 2), whole_space(1)});
  }
}

struct Problem {
  std::vector<FrictionSet> sets;
  std::vector<Real> scales;
  RealMatrix F;
  Reals b;

  // Rows may be more than the freedoms, and four in ten are multiples of others. With `apart` the rates are any.
  Problem(RandomStream& random, bool apart) {
    int rows = 0;
    for (int p = 2 + random.below(3); p > 0; --p) {
      sets.push_back(random_set(random)), scales.push_back(random.below(6) == 0 ? 0 : random.unit());
      rows += sets.back().dim();
    }
    F = random_matrix(random, 1 + random.below(rows + 2), rows);
    for (int i = 1; i < rows; ++i)
      if (random.unit() < 0.4) F.col(i) = F.col(random.below(i)) * random.normal();
    b = F.transpose() * random_matrix(random, static_cast<int>(F.rows()), 1);
    if (apart) b += random_matrix(random, rows, 1);
  }
  Real eta() const { return F.colwise().squaredNorm().maxCoeff(); }

  // The largest of the sets' natural maps, over the velocities.
  Real error(const Reals& x) const {
    const Reals V = b + F.transpose() * (F * x);
    Real worst = 0;
    int at = 0;
    for (std::size_t p = 0; p < sets.size(); ++p) {
      const int k = sets[p].dim();
      worst = std::max(worst, sets[p].error(x.segment(at, k), V.segment(at, k), scales[p], eta()));
      at += k;
    }
    return worst * eta() / b.norm();
  }
  // x . V + sum scale S(-V) >= 0 is what the objective and its dual differ by; zero at the solution.
  Real gap(const Reals& x) const {
    const Reals V = b + F.transpose() * (F * x);
    Real sum = x.dot(V);
    int at = 0;
    for (std::size_t p = 0; p < sets.size(); ++p) {
      const Real support = sets[p].support(-V.segment(at, sets[p].dim()));
      sum += support < inf ? scales[p] * support : inf;
      at += sets[p].dim();
    }
    return sum;
  }
};

// 1e-11: rounding, times what x may be larger than V/eta; 20 000 such problems reach 3e-12.
TEST(FrictionProduct, every_mixture_of_sets_is_solved_to_rounding_also_where_rows_depend_on_each_other) {
  int finite = 0;
  for (int k = 0; k < 6000 / test::share; ++k) {
    RandomStream random(21, static_cast<std::uint64_t>(k));
    const Problem problem(random, false);
    const ProductSolution found = least_of_product(problem.sets, problem.scales, problem.F, problem.b);
    ASSERT_EQ(found.forbidden.size(), 0) << k;
    ASSERT_LE(problem.error(found.x), 1e-11) << k;
    const Real gap = problem.gap(found.x);
    if (!(gap < inf)) continue;  // a velocity that rounding forbids
    ++finite;
    ASSERT_NEAR(gap, 0, 1e-10 * (problem.b.norm() * found.x.norm() + problem.b.squaredNorm() / problem.eta())) << k;
  }
  EXPECT_GT(finite, 2000 / test::share);
}

// Forces of the asymptotic cones that balance, and on which the boundaries would have to work without end.
TEST(FrictionProduct, where_no_velocity_is_allowed_a_certificate_says_so) {
  int impossible = 0;
  for (int k = 0; k < 3000 / test::share; ++k) {
    RandomStream random(22, static_cast<std::uint64_t>(k));
    const Problem problem(random, true);
    const ProductSolution found = least_of_product(problem.sets, problem.scales, problem.F, problem.b);
    const Reals& d = found.forbidden;
    if (d.size() == 0) continue;
    ++impossible;
    ASSERT_EQ(found.error, inf);
    ASSERT_NEAR(d.norm(), 1, 1e-12);
    int at = 0;
    for (const FrictionSet& set : problem.sets) {
      const Reals part = d.segment(at, set.dim());
      ASSERT_LE((set.nearest(part, 0) - part).norm(), 1e-12) << k;
      at += set.dim();
    }
    ASSERT_LT(problem.b.dot(d), 0) << k;
    ASSERT_LE((problem.F * d).norm() * problem.b.norm(), -1e-7 * problem.b.dot(d) * std::sqrt(problem.eta())) << k;
  }
  EXPECT_GT(impossible, 300 / test::share);
}

TEST(FrictionProduct, two_blades_on_one_line_with_different_speeds_exclude_each_other) {
  const RealMatrix F = RealMatrix::Ones(1, 2);
  const Reals apart = (Reals(2) << 1, -1).finished(), same = Reals::Ones(2);
  const std::vector<FrictionSet> blades{whole_space(1), whole_space(1)};
  const ProductSolution none = least_of_product(blades, {1, 0}, F, apart);
  ASSERT_EQ(none.forbidden.size(), 2);
  EXPECT_NEAR(none.forbidden(0), -std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(none.forbidden(1), std::sqrt(0.5), 1e-12);
  const ProductSolution one = least_of_product(blades, {1, 0}, F, same);
  EXPECT_EQ(one.forbidden.size(), 0);
  EXPECT_NEAR(one.x.sum(), -1, 1e-15);
  // With bounded sets they slip in opposite directions, V = (0.5, -1.5).
  const std::vector<FrictionSet> brakes{interval(-1, 1), interval(-1, 1)};
  const ProductSolution rub = least_of_product(brakes, {1, 0.5}, F, apart);
  EXPECT_EQ(rub.x, (Reals(2) << -1, 0.5).finished());
}

// Away from kinks the slope is the derivative; 1e-6 is what differences of 1e-6 leave beside curvature.
TEST(FrictionProduct, slopes_of_nearest_points_are_their_derivatives) {
  int smooth = 0;
  for (int k = 0; k < 4000 / test::share; ++k) {
    RandomStream random(23, static_cast<std::uint64_t>(k));
    const FrictionSet set = random_set(random);
    const Real scale = random.below(6) == 0 ? 0 : random.unit(), h = 1e-6;
    const Reals z = 2 * random_matrix(random, set.dim(), 1);
    const Reals d = random_matrix(random, set.dim(), 1).normalized();
    RealMatrix slope;
    const Reals x = set.nearest(z, scale, &slope);
    const RealMatrix I = RealMatrix::Identity(set.dim(), set.dim());
    ASSERT_LE((x - set.least(I, -z, scale)).norm(), 1e-12 * (1 + z.norm())) << k;
    const Reals up = (set.nearest(z + h * d, scale) - x) / h, down = (x - set.nearest(z - h * d, scale)) / h;
    if ((up - down).norm() > 1e-3) continue;  // a kink between them
    ++smooth;
    ASSERT_LE((slope * d - (up + down) / 2).norm(), 1e-6) << k;
    ASSERT_LE((slope - slope.transpose()).norm(), 1e-12) << k;
  }
  EXPECT_GT(smooth, 3500 / test::share);
}

TEST(FrictionProduct, numbers_that_are_none_give_no_solution) {
  const ProductSolution found =
      least_of_product({disc(1), whole_space(1)}, {1, 1}, RealMatrix::Identity(3, 3), Reals::Constant(3, NAN));
  EXPECT_EQ(found.error, inf);
  EXPECT_FALSE(found.x.allFinite());
}

}  // namespace
}  // namespace cairn
