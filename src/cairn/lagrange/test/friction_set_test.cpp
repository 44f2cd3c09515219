// Friction sets: the point found is in the set and maximises dissipation, cones cut as they should, rays are felt.
#include "cairn/lagrange/friction_set.hpp"

#include <gtest/gtest.h>

#include "cairn/base/test/share.hpp"
#include "cairn/lagrange/friction_cones.hpp"
#include "cairn/lagrange/random.hpp"

namespace cairn {
namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();

Reals random_vector(RandomStream& random, int n, Real size = 1) {
  Reals v(n);
  for (int i = 0; i < n; ++i) v(i) = size * random.normal();
  return v;
}
RealMatrix normal_matrix(RandomStream& random, int n, int m) {
  RealMatrix M(n, m);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) M(i, j) = random.normal();
  return M;
}
RealMatrix normal_metric(RandomStream& random, int n) {
  const RealMatrix F = normal_matrix(random, n, n);
  return F * F.transpose() + Real(0.05) * RealMatrix::Identity(n, n);
}

// x in scale C (against `tried` half-spaces), and x . (-V) = scale S(-V) with V = H x + b: together the law, by
// duality.
void expect_law(const FrictionSet& C, const RealMatrix& H, const Reals& b, Real scale, RandomStream& random) {
  const Reals x = C.least(H, b, scale), V = H * x + b;
  const Real size = std::max(b.norm(), H.norm() * x.norm());
  for (int k = 0; k < 20; ++k) {
    const Reals v = random_vector(random, C.dim());
    const Real reach = C.support(v);
    if (reach < infinite) {
      EXPECT_LE(x.dot(v), scale * reach + 1e-11 * (x.norm() + scale) * v.norm());
    }
  }
  // Where a set is unbounded V may be forbidden by rounding alone: look at the natural map instead.
  EXPECT_LE(C.error(x, V, scale, H.norm()) * H.norm(), 3e-12 * size) << x.transpose() << " b " << b.transpose();
  const Real most = scale * C.support(-V);
  if (most < infinite) {
    EXPECT_NEAR(-x.dot(V), most, 1e-10 * (size * x.norm() + most) + 1e-13 * size * scale);
  }
}

FrictionSet random_set(int kind, RandomStream& random, int& dim) {
  dim = 1 + random.below(3);
  switch (kind) {
    case 0: dim = 1; return interval(-random.unit(), random.unit() < 0.5 ? infinite : random.unit());
    case 1: return whole_space(dim);
    case 2: return disc(random.within(0, 2), dim);
    case 3: {
      const RealMatrix L = normal_matrix(random, dim, dim);
      Reals y = random_vector(random, dim);
      y *= random.unit() / y.norm();
      return ellipsoid(L * y, L);
    }
    case 4: dim = 2; return focal_conic(random.within(0.1, 2), random_vector(random, 2));
    case 5: {
      RealMatrix P = normal_matrix(random, dim, 2 + random.below(6));
      P.col(0).setZero();
      return polyhedron(P, normal_matrix(random, dim, random.below(2)));
    }
    default: {
      dim = 3;
      return product({disc(random.unit(), 2), interval(-random.unit(), random.unit())});
    }
  }
}

TEST(FrictionSet, every_kind_solves_the_law_in_any_metric) {
  RandomStream random(1);
  for (int kind = 0; kind < 7; ++kind)
    for (int k = 0; k < 1500 / test::share; ++k) {
      int dim = 0;
      const FrictionSet C = random_set(kind, random, dim);
      ASSERT_EQ(C.dim(), dim);
      SCOPED_TRACE(kind * 100000 + k);
      const Real scale = k % 5 == 0 ? 0 : std::pow(10, random.within(-3, 3));
      expect_law(C, normal_metric(random, dim), random_vector(random, dim, std::pow(10, random.within(-2, 2))), scale,
                 random);
    }
}

TEST(FrictionSet, bounded_sets_vanish_with_the_normal_impulse_and_unbounded_ones_leave_their_rays) {
  const RealMatrix I = RealMatrix::Identity(2, 2);
  const Reals b = (Reals(2) << -3, -4).finished();
  EXPECT_EQ(disc(0.5).least(I, b, 0).norm(), 0);
  EXPECT_EQ(focal_conic(0.5, (Reals(2) << 0.9, 0).finished()).least(I, b, 0).norm(), 0);
  EXPECT_NEAR((whole_space(2).least(I, b, 0) + b).norm(), 0, 1e-14);
  // beta = (-2, 0): the cone |x| <= 2 x_1, half angle 60 degrees; (3, 4) lies inside.
  EXPECT_NEAR((focal_conic(0.5, (Reals(2) << -2, 0).finished()).least(I, b, 0) + b).norm(), 0, 1e-14);
  // beta = (-1, 0): a half-line.
  const Reals x = focal_conic(0.5, (Reals(2) << -1, 0).finished()).least(I, b, 0);
  EXPECT_NEAR(x(0), 3, 1e-14);
  EXPECT_NEAR(x(1), 0, 1e-14);
  const FrictionSet half = interval(-1, infinite);
  EXPECT_TRUE(half.forbidden(Reals::Constant(1, -1)));
  EXPECT_FALSE(half.forbidden(Reals::Constant(1, 1)));
  EXPECT_FALSE(half.bounded());
  EXPECT_EQ(half.support(Reals::Constant(1, -2)), 2);
}

TEST(FrictionSet, a_sum_is_the_sum_of_two_crossed_segments) {
  TangentialSet<2> a{Matrix<1, 2>(1, 0), interval(-1, 1), {}}, b{Matrix<1, 2>(0.5, 1), interval(-2, 2), {}};
  const TangentialSet<2> sum = a + b;
  RealMatrix P(2, 4);  // corners of the parallelogram a +- b
  P << 2, 0, 0, -2, 2, -2, 2, -2;
  const FrictionSet hull = polyhedron(P, RealMatrix(2, 0));
  RandomStream random(2);
  for (int k = 0; k < 200; ++k) {
    const Vector<2> u(random.normal(), random.normal());
    EXPECT_NEAR(sum.set.support(sum.rows * u), hull.support(u), 1e-13);
    const RealMatrix M = normal_metric(random, 2);  // A^-1
    const Vector<2> free = 3 * Vector<2>(random.normal(), random.normal());
    const Reals x = sum.set.least(sum.rows * M * sum.rows.transpose(), sum.rows * free);
    EXPECT_NEAR((sum.rows.transpose() * x - hull.least(M, free)).norm(), 0, 1e-10);
  }
}

TEST(FrictionSet, bad_numbers_are_refused_with_what_was_expected) {
  EXPECT_FALSE(checked_interval(0.1, 1));
  EXPECT_FALSE(checked_interval(-1, NAN));
  EXPECT_FALSE(checked_ellipsoid(Reals::Constant(1, 2), RealMatrix::Identity(1, 1)));
  EXPECT_FALSE(checked_polyhedron(RealMatrix::Constant(2, 1, 1), RealMatrix(2, 0)));
  EXPECT_NE(checked_interval(1, 2).error().find("low <= 0 <= high"), std::string::npos);
}

TEST(FrictionSet, functions_of_the_user_stand_for_any_other_set) {
  const FrictionSet own =
      friction_by({1, true, [](const Reals& v) { return 2 * v.cwiseAbs().sum(); },
                   [](const RealMatrix& H, const Reals& b, Real scale) {
                     return Reals(Reals::Constant(1, std::clamp(-b(0) / H(0, 0), -2 * scale, 2 * scale)));
                   }});
  const FrictionSet same = interval(-2, 2);
  RandomStream random(4);
  for (int k = 0; k < 100; ++k) {
    const RealMatrix H = normal_metric(random, 1);
    const Reals b = random_vector(random, 1, 5);
    EXPECT_EQ(own.least(H, b, 0.7), same.least(H, b, 0.7));
    EXPECT_EQ(own.support(b), same.support(b));
  }
}

// --- from cones ------------------------------------------------------------------------------------------------------

template <int D, int N>
struct RandomContact {
  Matrix<N, N> A;
  Cholesky<N> factors;
  Kinematics<D, N> k;
  Matrix<D, D> W;
  explicit RandomContact(RandomStream& random) {
    A = normal_metric(random, N);
    factors.compute(A);
    k.G = normal_matrix(random, D, N), k.W = Vector<D>::Zero();
    W = k.G * factors.solve(k.G.transpose());
  }
};

// C* = { s sqrt(W_nn)/(W_nn + s W_nt) b_t : |s| <= mu, W_nn + s W_nt > 0 }, in BC18's units, from the forces
// themselves.
TEST(FrictionCones, one_planar_contact_is_the_interval_of_the_closed_form) {
  RandomStream random(5);
  int unbounded = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const RandomContact<2, 4> c(random);
    const Real mu = random.within(0, 2), Wnn = c.W(0, 0), Wnt = c.W(0, 1);
    const TangentialSet<4> t = friction_of_cone(c.k, c.factors, mu);
    EXPECT_EQ(t.set.bounded(), mu * std::abs(Wnt) < Wnn);
    unbounded += !t.set.bounded();
    const Vector<4> a = c.k.G.row(0).transpose(), b = c.k.G.row(1).transpose(), b_t = b - Wnt / Wnn * a;
    Real least = 0, most = 0;
    for (int i = 0; i <= 400; ++i) {
      const Real s = mu * (i / 200.0 - 1);
      if (!(Wnn + s * Wnt > 1e-6 * Wnn)) continue;
      const Vector<4> r = a + s * b;  // the generalised reaction of S = (1, s)
      const Real r_n = a.dot(c.factors.solve(r)) / std::sqrt(Wnn);
      const Vector<4> r_t = r - r_n / std::sqrt(Wnn) * a;
      const Real formula = s * std::sqrt(Wnn) / (Wnn + s * Wnt);
      EXPECT_NEAR((r_t / r_n - formula * b_t).norm(), 0, 1e-9 * (1 + std::abs(formula)) * b_t.norm());
      const Real x = formula * std::sqrt(Wnn);  // our units: for a unit of lambda = r_n/sqrt(W_nn)
      EXPECT_LE(x, t.set.support(Reals::Constant(1, 1)) * (1 + 1e-12));
      EXPECT_LE(-x, t.set.support(Reals::Constant(1, -1)) * (1 + 1e-12));
      least = std::min(least, x), most = std::max(most, x);
    }
    if (t.set.bounded()) {
      EXPECT_NEAR(most, t.set.support(Reals::Constant(1, 1)), 1e-12 * most);
      EXPECT_NEAR(-least, t.set.support(Reals::Constant(1, -1)), 1e-12 * -least);
    }
  }
  EXPECT_GT(unbounded, 20);
}

TEST(FrictionCones, one_contact_in_space_is_a_conic_whose_border_is_the_border_of_the_cone) {
  RandomStream random(6);
  int unbounded = 0;
  for (int trial = 0; trial < (test::sanitized ? 40 : 200); ++trial) {
    const RandomContact<3, 5> c(random);
    const Real mu = random.within(0.1, 2);
    const TangentialSet<5> t = friction_of_cone(c.k, c.factors, mu);
    const Vector<2> coupling = c.W.row(0).tail(2).transpose() / c.W(0, 0);
    EXPECT_EQ(t.set.bounded(), mu * coupling.norm() < 1);
    unbounded += !t.set.bounded();
    const RealMatrix I = RealMatrix::Identity(2, 2);
    for (int i = 0; i < 50; ++i) {
      const Real angle = 0.1257 * i;
      const Vector<2> d = mu * Vector<2>(std::cos(angle), std::sin(angle));
      const Real lambda = 1 + coupling.dot(d);
      if (!(lambda > 0.01)) continue;
      const Reals x = d / lambda, out = x + (x.normalized() + mu * coupling);  // along the outward normal
      EXPECT_NEAR((t.set.project(I, x) - x).norm(), 0, 1e-9 * (1 + x.norm()));
      EXPECT_NEAR((t.set.project(I, out) - x).norm(), 0, 1e-7 * (1 + x.norm()));
    }
  }
  EXPECT_GT(unbounded, test::sanitized ? 4 : 20);
}

// A plate that slides and turns on its corners: the dissipation is that of the fastest corner, mu max |V_i|.
TEST(FrictionCones, several_points_of_one_constraint_give_the_hull) {
  const Matrix<4, 4> A = Vector<4>(2, 2, 2, 0.3).asDiagonal();  // x, y, z, turn about z
  const Cholesky<4> factors(A);
  std::vector<Kinematics<3, 4>> corners;
  for (const Real x : {-1.0, 1.0})
    for (const Real y : {-0.5, 0.5})
      corners.push_back({(Matrix<3, 4>() << 0, 0, 1, 0, 1, 0, 0, -y, 0, 1, 0, x).finished(), Vector<3>::Zero()});
  const Real mu = 0.4;
  const int facets = 64;
  const TangentialSet<4> t = friction_of_cones(corners, factors, mu, facets);
  EXPECT_TRUE(t.set.bounded());
  RandomStream random(7);
  for (int k = 0; k < 200; ++k) {
    const Vector<4> u(random.normal(), random.normal(), 0, random.normal());
    Real fastest = 0;
    for (const auto& c : corners) fastest = std::max(fastest, (c.G * u).tail(2).norm());
    const Real found = t.set.support(t.rows * u);
    EXPECT_LE(found, mu * fastest * (1 + 1e-12));
    EXPECT_GE(found, mu * fastest * std::cos(3.1416 / facets) * (1 - 1e-12));
  }
}

TEST(FrictionCones, the_hull_of_one_planar_contact_is_its_interval_bounded_or_not) {
  RandomStream random(8);
  for (int trial = 0; trial < 300; ++trial) {
    const RandomContact<2, 3> c(random);
    const Real mu = random.within(0.05, 2);
    const TangentialSet<3> one = friction_of_cone(c.k, c.factors, mu);
    const TangentialSet<3> hull = friction_of_cones(std::vector{c.k}, c.factors, mu);
    EXPECT_EQ(one.set.bounded(), hull.set.bounded());
    const Vector<3> a = c.k.G.row(0).transpose();
    Vector<3> u = random_vector(random, 3);
    u -= a.dot(u) / c.W(0, 0) * c.factors.solve(a);
    const Real x = one.set.support(one.rows * u), y = hull.set.support(hull.rows * u);
    if (x < infinite && y < infinite) {
      EXPECT_NEAR(x, y, 1e-9 * x);
    }
    EXPECT_EQ(std::isfinite(x), std::isfinite(y));
  }
}

}  // namespace
}  // namespace cairn
