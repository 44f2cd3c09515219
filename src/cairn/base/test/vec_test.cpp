// Small vectors and matrices.
#include "cairn/base/vec.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cairn {
namespace {

class Numbers {
 public:
  Real next() { return static_cast<Real>(engine_()) / static_cast<Real>(std::mt19937::max()) * 2 - 1; }
  template <int R, int C>
  Mat<R, C> matrix() {
    Mat<R, C> m;
    for (Real& x : m.v) x = next();
    return m;
  }

 private:
  std::mt19937 engine_{1};
};

TEST(Vec, Arithmetic) {
  const Vec<3> a{1, 2, 3}, b{4, -5, 6};
  EXPECT_EQ(dot(a, b), 12);
  EXPECT_EQ(norm2(a), 14);
  EXPECT_EQ(norm(Vec<2>{3, 4}), 5);
  const Vec<3> c = 2 * (a + b) - a * 3;
  EXPECT_EQ(c[0], 7);
  EXPECT_EQ(c[1], -12);
  EXPECT_EQ(c[2], 9);
  EXPECT_EQ((-a)[1], -2);
  EXPECT_EQ(norm2(Vec<5>::zero()), 0);
}

TEST(Vec, LoadAndStore) {
  const Real from[] = {1, 2, 3, 4};
  Real to[4] = {};
  Vec<3>::load(from + 1).store(to);
  EXPECT_EQ(to[0], 2);
  EXPECT_EQ(to[2], 4);
  EXPECT_EQ(to[3], 0);
}

TEST(Mat, StoredByColumns) {
  const Mat<2, 3> m{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(m(0, 0), 1);
  EXPECT_EQ(m(1, 0), 2);
  EXPECT_EQ(m(0, 2), 5);
  const Vec<2> y = m * Vec<3>{1, 10, 100};
  EXPECT_EQ(y[0], 531);
  EXPECT_EQ(y[1], 642);
  const Mat<3, 2> t = transpose(m);
  EXPECT_EQ(t(2, 0), 5);
  EXPECT_EQ(t(0, 1), 2);
}

TEST(Mat, ProductOfMatricesIsCompositionOfMaps) {
  Numbers numbers;
  const auto a = numbers.matrix<3, 4>();
  const auto b = numbers.matrix<4, 2>();
  const Vec<2> x{0.3, -0.7};
  EXPECT_LE(norm((a * b) * x - a * (b * x)), 1e-15);
  const auto difference = transpose(a * b) - transpose(b) * transpose(a);
  for (const Real d : difference.v) EXPECT_LE(std::fabs(d), 1e-15);
}

TEST(Mat, IdentityAndTrace) {
  EXPECT_EQ(trace(Mat<5>::identity()), 5);
  EXPECT_EQ(trace(Mat<3>::zero()), 0);
  const auto m = Numbers().matrix<3, 3>();
  const auto difference = Mat<3>::identity() * m - m;
  for (const Real d : difference.v) EXPECT_EQ(d, 0);
}

template <int N>
void expect_inverts() {
  Numbers numbers;
  for (int k = 0; k < 1000; ++k) {
    const auto a = numbers.matrix<N, N>();
    Mat<N> inverse;
    ASSERT_TRUE(invert(a, inverse));
    Real size = 0;
    for (const Real x : inverse.v) size = std::fmax(size, std::fabs(x));
    const auto error = a * inverse - Mat<N>::identity();
    for (const Real e : error.v) EXPECT_LE(std::fabs(e), 1e-14 * N * (1 + size));
  }
}

TEST(Solve, InvertsRandomMatrices) {
  expect_inverts<1>();
  expect_inverts<2>();
  expect_inverts<3>();
  expect_inverts<5>();
  expect_inverts<6>();
}

TEST(Solve, PivotsWhereTheDiagonalVanishes) {
  const Mat<3> a{0, 1, 0, 0, 0, 1, 1, 0, 0};  // a permutation
  Mat<3, 1> b{1, 2, 3};
  ASSERT_TRUE(solve_in_place(a, b));
  const Vec<3> x{b.v[0], b.v[1], b.v[2]};
  EXPECT_EQ(norm(a * x - Vec<3>{1, 2, 3}), 0);
}

TEST(Solve, RefusesSingularMatrices) {
  Mat<2> inverse;
  EXPECT_FALSE(invert(Mat<2>{1, 2, 2, 4}, inverse));
  EXPECT_FALSE(invert(Mat<2>::zero(), inverse));
}

}  // namespace
}  // namespace cairn
