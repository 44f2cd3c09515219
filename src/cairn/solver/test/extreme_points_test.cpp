#include "cairn/solver/extreme_points.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <bit>
#include <random>

namespace cairn {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

TEST(ExtremePoints, of_a_cube_of_a_quadrant_and_of_nothing) {
  const ExtremePoints cube = extreme_points(-Matrix::Identity(3, 3), Vector::Ones(3));
  EXPECT_EQ(cube.points.size(), 8u);
  EXPECT_TRUE(cube.rays.empty());
  const ExtremePoints quadrant = extreme_points(Matrix::Identity(2, 2), Vector::Constant(2, -1));  // z >= 1
  ASSERT_EQ(quadrant.points.size(), 1u);
  EXPECT_EQ(quadrant.points[0], Vector::Ones(2));
  EXPECT_EQ(quadrant.rays.size(), 2u);
  const ExtremePoints nothing = extreme_points(Matrix{{-1, -1}}, Vector::Constant(1, -1));
  EXPECT_TRUE(nothing.points.empty() && nothing.rays.empty() && nothing.complete);
}

// The same corner held by more planes than needed is one point.
TEST(ExtremePoints, of_a_pyramid_cut_through_its_top) {
  const Matrix C{{-1, 0, -1}, {0, -1, -1}, {-1, -1, -2}, {1, 0, -1}, {0, 1, -1}};
  const Vector c{{2, 2, 4, 0, 0}};  // square base [0, 2]^2, top (1, 1, 1); the third plane touches it there alone
  EXPECT_EQ(extreme_points(C, c).points.size(), 5u);
}

// Against all choices of `k` equalities out of the constraints.
TEST(ExtremePoints, of_random_polytopes_are_the_corners_that_brute_force_finds) {
  std::mt19937_64 gen(11);
  std::normal_distribution<Real> normal;
  for (int run = 0; run < 60; ++run) {
    const int k = 1 + run % 4, rows = 1 + run % 6, all = k + rows + 1;
    Matrix C = Matrix::NullaryExpr(rows + 1, k, [&] { return normal(gen); });
    Vector c = Vector::NullaryExpr(rows + 1, [&] { return normal(gen) + 1; });
    C.row(rows).setConstant(-1), c(rows) = 3;  // bounded: the sum is 3 at most
    Matrix A(all, k);
    A << Matrix::Identity(k, k), C;
    Vector b(all);
    b << Vector::Zero(k), c;
    int corners = 0;
    for (unsigned chosen = 0; chosen < 1u << all; ++chosen) {
      if (std::popcount(chosen) != k) continue;
      Matrix a(k, k);
      Vector rhs(k);
      for (int i = 0, at = 0; i < all; ++i)
        if (chosen >> i & 1) a.row(at) = A.row(i), rhs(at++) = -b(i);
      const Vector z = a.partialPivLu().solve(rhs);
      corners += z.allFinite() && (A * z + b).minCoeff() > -1e-9;
    }
    const ExtremePoints found = extreme_points(C, c);
    EXPECT_EQ(static_cast<int>(found.points.size()), corners) << run;
    EXPECT_TRUE(found.rays.empty());
    for (const Vector& z : found.points) EXPECT_GT((A * z + b).minCoeff(), -1e-9);
  }
}

TEST(ExtremePoints, too_many_are_given_up) {
  const ExtremePoints cube = extreme_points(-Matrix::Identity(6, 6), Vector::Ones(6), 20);
  EXPECT_FALSE(cube.complete);
}

}  // namespace
}  // namespace cairn
