#include "cairn/solver/small.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"

namespace cairn {
namespace {

// W = B^T B with B of `rank` rows: redundant contacts when the rank is below their number. q = -B^T v + slack makes
// sure that a solution exists without friction.
Eigen::MatrixXd random_factor(int rank, int columns, std::mt19937_64& gen) {
  std::normal_distribution<Real> normal;
  return Eigen::MatrixXd::NullaryExpr(rank, columns, [&] { return normal(gen); });
}

TEST(Nonnegative, random_problems_satisfy_complementarity_to_rounding) {
  std::mt19937_64 gen(5);
  std::normal_distribution<Real> normal;
  for (int k = 0; k < 3000; ++k) {
    const int n = 1 + k % 12, rank = 1 + (k / 12) % 12;
    const Eigen::MatrixXd B = random_factor(rank, n, gen), W = B.transpose() * B;
    const Eigen::VectorXd v = random_factor(rank, 1, gen), q = B.transpose() * v;  // the start of a free motion
    NonnegativeSolver solver;
    solver.resize(n);
    for (int a = 0; a < n; ++a) {
      solver.q(a) = q(a);
      for (int b = 0; b < n; ++b) solver.W(a, b) = W(a, b);
    }
    ASSERT_TRUE(solver.solve()) << "problem " << k;
    Eigen::VectorXd S(n);
    for (int a = 0; a < n; ++a) S(a) = solver.S(a);
    const Eigen::VectorXd U = W * S + q;
    const Real scale = q.norm() + W.norm() * S.norm();
    EXPECT_GE(S.minCoeff(), 0) << k;
    EXPECT_GE(U.minCoeff(), -1e-12 * scale) << k;
    EXPECT_LT(std::abs(S.dot(U)), 1e-12 * scale * (1 + S.norm())) << k;
  }
}

// Two rows in three nearly the same: the solution is hardly determined, complementarity all the same is. W holds the
// square of their distance: below the root of rounding, about 1e-6 here, it no longer tells the rows apart, and they
// count as dependent.
TEST(Nonnegative, nearly_dependent_contacts_are_solved) {
  std::mt19937_64 gen(9);
  for (int k = 0; k < 3000; ++k) {
    const int n = 2 + k % 8, rank = 3 + (k / 8) % 6;
    Eigen::MatrixXd B = random_factor(rank, n, gen);
    const Real near = std::pow(10.0, -1 - k % 7);
    for (int a = 1; a < n; ++a)
      if (a % 3 != 0) B.col(a) = B.col(a - 1) + near * random_factor(rank, 1, gen);
    const Eigen::MatrixXd W = B.transpose() * B;
    const Eigen::VectorXd q = B.transpose() * random_factor(rank, 1, gen);
    NonnegativeSolver solver;
    solver.resize(n);
    for (int a = 0; a < n; ++a) {
      solver.q(a) = q(a);
      for (int b = 0; b < n; ++b) solver.W(a, b) = W(a, b);
    }
    ASSERT_TRUE(solver.solve()) << "problem " << k << ", rows " << near << " apart";
    Eigen::VectorXd S(n);
    for (int a = 0; a < n; ++a) S(a) = solver.S(a);
    const Eigen::VectorXd U = W * S + q;
    const Real scale = q.norm() + W.norm() * S.norm(), bound = near > 5e-6 ? 1e-12 : 1e-9;
    EXPECT_GE(S.minCoeff(), 0) << k;
    EXPECT_GE(U.minCoeff(), -bound * scale) << k;
    EXPECT_LT(std::abs(S.dot(U)), bound * scale * (1 + S.norm())) << k;
  }
}

TEST(Nonnegative, squeezed_contacts_are_refused) {  // two walls that close on a body
  NonnegativeSolver solver;
  solver.resize(2);
  solver.W(0, 0) = solver.W(1, 1) = 1, solver.W(0, 1) = solver.W(1, 0) = -1;
  solver.q(0) = solver.q(1) = -1;
  EXPECT_FALSE(solver.solve());
}

template <class L>
L random_coulomb(std::mt19937_64& gen) {
  std::uniform_real_distribution<Real> mu(0, 1);
  if constexpr (L::dim == 2)
    return Coulomb2::with(mu(gen));
  else
    return {mu(gen)};
}

template <class L>
void check_random_problems(int freedoms, int problems) {
  constexpr int D = L::dim;
  std::mt19937_64 gen(11);
  Real worst = 0;
  for (int k = 0; k < problems; ++k) {
    const int n = 1 + k % 4;
    const Eigen::MatrixXd B = random_factor(freedoms, n * D, gen), W = B.transpose() * B;
    const Eigen::VectorXd q = B.transpose() * random_factor(freedoms, 1, gen);
    SmallSolver<L> solver;
    solver.resize(n);
    for (int a = 0; a < n; ++a) {
      solver.law(a) = random_coulomb<L>(gen);
      solver.q(a) = Vec<D>::load(&q(a * D));
      solver.S(a) = Vec<D>::zero();
      for (int b = 0; b < n; ++b) {
        const Eigen::Matrix<Real, D, D> block = W.block(a * D, b * D, D, D);
        solver.W(a, b) = Mat<D>::load(block.data());
      }
    }
    const SmallReport report = solver.solve();
    EXPECT_TRUE(report.converged) << "problem " << k << " error " << report.error;
    worst = std::max(worst, report.error);
  }
  EXPECT_LT(worst, 1e-10);
}

TEST(Small, random_frictional_problems_reach_rounding) {
  check_random_problems<Coulomb2>(10, 2000);
  check_random_problems<Coulomb3>(14, 1000);
}

}  // namespace
}  // namespace cairn
