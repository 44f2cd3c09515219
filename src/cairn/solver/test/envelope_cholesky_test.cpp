#include "cairn/solver/envelope_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <set>

namespace cairn {
namespace {

struct Sparse {
  std::vector<EnvelopeCholesky::Pair> pairs;
  Eigen::MatrixXd A;
};

// Numbers coupled with some near ones, in a shuffled order, heavy on the diagonal.
Sparse random_matrix(int n, int reach, std::mt19937& random) {
  std::vector<int> name(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) name[static_cast<std::size_t>(i)] = i;
  std::ranges::shuffle(name, random);
  std::uniform_real_distribution<Real> any(-1, 1);
  Sparse s{{}, Eigen::MatrixXd::Identity(n, n) * (2.0 * reach + 1)};
  for (int i = 0; i < n; ++i)
    for (int k = std::max(0, i - reach); k < i; ++k) {
      if (any(random) > 0.3) continue;
      const int r = name[static_cast<std::size_t>(i)], c = name[static_cast<std::size_t>(k)];
      s.pairs.push_back({r, c}), s.pairs.push_back({c, r});
      s.A(r, c) = s.A(c, r) = any(random);
    }
  return s;
}

void fill(EnvelopeCholesky& factor, const Sparse& s) {
  factor.clear();
  const auto set = [&](int r, int c) { factor.values()[factor.slot(r, c)] = s.A(r, c); };
  for (int i = 0; i < factor.size(); ++i) set(i, i);
  for (const auto& [r, c] : s.pairs) set(r, c);
}

TEST(EnvelopeCholesky, SolvesWhateverTheSizeAndOrder) {
  std::mt19937 random(3);
  for (const int n : {1, 2, 3, 4, 5, 8, 13, 50, 131}) {
    const Sparse s = random_matrix(n, 7, random);
    EnvelopeCholesky factor(n, s.pairs);
    for (int again = 0; again < 2; ++again) {  // the factors take the place of the values
      fill(factor, s);
      ASSERT_TRUE(factor.factorise(1e-15));
      const Eigen::VectorXd x = Eigen::VectorXd::Random(n), b = s.A * x;
      Eigen::VectorXd found = b;
      factor.solve(found.data(), found.data());
      EXPECT_LT((found - x).norm(), 1e-13 * n) << n;
    }
  }
}

TEST(EnvelopeCholesky, KeepsTheEnvelopeOfAChainNarrow) {
  const int n = 101;
  std::vector<EnvelopeCholesky::Pair> chain;
  for (int i = 0; i + 1 < n; ++i) chain.push_back({i * 37 % n, (i + 1) * 37 % n});
  const std::vector<int> place = narrow_order(n, chain);
  EXPECT_EQ(std::set<int>(place.begin(), place.end()).size(), static_cast<std::size_t>(n));
  for (const auto& [r, c] : chain)
    EXPECT_EQ(std::abs(place[static_cast<std::size_t>(r)] - place[static_cast<std::size_t>(c)]), 1);
}

// [1 1; 1 1] twice on the diagonal: two of four numbers follow from the others.
TEST(EnvelopeCholesky, LeavesNumbersZeroThatFollowFromOthers) {
  EnvelopeCholesky factor(4, {{0, 1}, {2, 3}});
  factor.clear();
  for (int i = 0; i < 4; ++i) factor.values()[factor.slot(i, i)] = 1;
  factor.values()[factor.slot(0, 1)] = factor.values()[factor.slot(3, 2)] = 1;
  ASSERT_TRUE(factor.factorise(1e-15));
  const Real b[4] = {2, 2, -3, -3};
  Real x[4];
  factor.solve(b, x);
  EXPECT_NEAR(x[0] + x[1], 2, 1e-15);
  EXPECT_NEAR(x[2] + x[3], -3, 1e-15);
  EXPECT_EQ(x[0] * x[1], 0);
  EXPECT_EQ(x[2] * x[3], 0);
}

TEST(EnvelopeCholesky, RefusesWhatIsNotFinite) {
  EnvelopeCholesky factor(2, {{0, 1}});
  factor.clear();
  factor.values()[factor.slot(0, 0)] = NAN;
  EXPECT_FALSE(factor.factorise(1e-15));
}

}  // namespace
}  // namespace cairn
