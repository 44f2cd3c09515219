#include "cairn/base/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>

namespace cairn {
namespace {

struct Random {
  std::vector<int> begin{0}, row;
  std::vector<Real> value;
  Eigen::MatrixXd dense;
};

Random random_matrix(int n, Real fill, unsigned seed) {
  std::mt19937_64 gen(seed);
  std::uniform_real_distribution<Real> real(-1, 1);
  Random m;
  m.dense = Eigen::MatrixXd::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      if (i == j || std::abs(real(gen)) < fill) {
        m.row.push_back(i);
        m.value.push_back(real(gen) + (i == j ? (real(gen) > 0 ? 3 : -3) : 0));
        m.dense(i, j) = m.value.back();
      }
    m.begin.push_back(static_cast<int>(m.row.size()));
  }
  return m;
}

class SparseLUEngines : public testing::TestWithParam<SparseLU::Engine> {};

TEST_P(SparseLUEngines, solve_and_sign_of_the_determinant_agree_with_a_dense_factorisation) {
  int negative = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int n = 3 + static_cast<int>(seed % 30);
    const Random m = random_matrix(n, seed % 2 ? 0.1 : 0.9, seed);
    const auto pattern = seed % 3 ? SparseLU::Pattern::symmetric : SparseLU::Pattern::general;
    SparseLU lu(m.begin, m.row, pattern, GetParam());
    lu.values() = m.value;
    ASSERT_TRUE(lu.factorise()) << seed;
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, -1, 2);
    Eigen::VectorXd x(n);
    ASSERT_TRUE(lu.solve(b.data(), x.data()));
    EXPECT_LT((m.dense * x - b).norm(), 1e-11 * (1 + m.dense.norm() * x.norm())) << seed;
    const int sign = m.dense.determinant() > 0 ? 1 : -1;
    EXPECT_EQ(lu.determinant_sign(), sign) << seed;
    negative += sign < 0;
  }
  EXPECT_GT(negative, 10);
  EXPECT_LT(negative, 50);
}

TEST_P(SparseLUEngines, new_values_on_the_same_pattern_are_used) {
  Random m = random_matrix(20, 0.3, 7);
  SparseLU lu(m.begin, m.row, SparseLU::Pattern::symmetric, GetParam());
  lu.values() = m.value;
  ASSERT_TRUE(lu.factorise());
  for (Real& v : lu.values()) v *= 4;
  ASSERT_TRUE(lu.factorise());
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(20);
  Eigen::VectorXd x(20);
  ASSERT_TRUE(lu.solve(b.data(), x.data()));
  EXPECT_LT((4 * m.dense * x - b).norm(), 1e-12);
}

TEST_P(SparseLUEngines, singular_or_not_finite_is_said) {
  SparseLU lu({0, 2, 4}, {0, 1, 0, 1}, SparseLU::Pattern::symmetric, GetParam());
  lu.values() = {1, 2, 2, 4};
  EXPECT_FALSE(lu.factorise());
  lu.values() = {1, 2, 3, std::numeric_limits<Real>::quiet_NaN()};
  EXPECT_FALSE(lu.factorise());
  lu.values() = {1, 2, 3, 4};
  EXPECT_TRUE(lu.factorise());
}

INSTANTIATE_TEST_SUITE_P(SparseLU, SparseLUEngines,
                         testing::Values(SparseLU::Engine::choose, SparseLU::Engine::klu, SparseLU::Engine::umfpack));

}  // namespace
}  // namespace cairn
