// Small problems with answers known by hand: slip, stick, three solutions, none.
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/law/laws.hpp"
#include "cairn/solver/solve.hpp"
#include "cairn/solver/solve_local.hpp"
#include "cairn/solver/test/local_problems.hpp"

namespace cairn {
namespace {

using fclib::Vector;
using test::local;

fclib::Problem file(int spacedim, const Eigen::MatrixXd& W, const Vector& q, const Vector& mu) {
  fclib::Problem p;
  p.spacedim = spacedim;
  p.W = W.sparseView();
  p.q = q;
  p.mu = mu;
  return p;
}

Vector vector(std::initializer_list<Real> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

// W = diag(1, 3.5, 3.5), q = (-1, 1, 2)
void expect_one_contact(Real mu, const Vector& expected) {
  const fclib::Problem p =
      file(3, vector({1, 3.5, 3.5}).asDiagonal().toDenseMatrix(), vector({-1, 1, 2}), vector({mu}));
  const Solved s = solve(p);
  EXPECT_EQ(s.report.status, Stop::converged) << s.report.reason;
  EXPECT_LE(s.report.error, 1e-8);
  EXPECT_LE((s.solution.r - expected).norm(), 1e-7);
  EXPECT_LE((s.solution.u - (p.W * s.solution.r + p.q)).norm(), 1e-14);
  const auto q = local<Coulomb3>({1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, {-1, 1, 2}, {{mu}});
  std::vector<Real> S;
  EXPECT_EQ(solve_local(q, {}, S).status, Stop::converged);
  EXPECT_LE((Eigen::Map<const Vector>(S.data(), 3) - expected).norm(), 1e-7);
}

TEST(SolverCases, OneContactSlips) {
  const Real t = 0.2 / std::sqrt(5.0);
  expect_one_contact(0.2, vector({1, -t, -2 * t}));
}

TEST(SolverCases, OneContactSticks) { expect_one_contact(0.7, vector({1, -2.0 / 7, -4.0 / 7})); }

TEST(SolverCases, ThreeSolutionsAreAllSolutions) {
  const auto p = local<Coulomb2>({1.6, 1.2, 1.2, 3.4}, {0.1, 1}, {Coulomb2::with(2)});
  const Real n = 0.215, t = -0.37;  // stick: W^-1 (-q)
  EXPECT_NEAR(1.6 * n + 1.2 * t, -0.1, 1e-14);
  EXPECT_NEAR(1.2 * n + 3.4 * t, -1, 1e-14);
  for (const std::vector<Real>& S : {std::vector<Real>{0, 0}, {0.125, -0.25}, {n, t}})
    EXPECT_LE(test::natural_residual(p, S), 1e-14);
}

TEST(SolverCases, OneOfThreeSolutionsIsFoundByEveryMethod) {
  const auto p = local<Coulomb2>({1.6, 1.2, 1.2, 3.4}, {0.1, 1}, {Coulomb2::with(2)});
  for (const Method method : {Method::automatic, Method::gauss_seidel, Method::anderson}) {
    SolverOptions options;
    options.method = method;
    std::vector<Real> S;
    EXPECT_EQ(solve_local(p, options, S).status, Stop::converged) << name(method);
    EXPECT_LE(test::natural_residual(p, S), 1e-8);
    const Real distance = std::min(
        {std::hypot(S[0], S[1]), std::hypot(S[0] - 0.125, S[1] + 0.25), std::hypot(S[0] - 0.215, S[1] + 0.37)});
    EXPECT_LE(distance, 1e-7);
  }
}

// Normal rows W = [1 -1; -1 1], q = (-1, -1): no impulses stop both approaches.
TEST(SolverCases, NoSolutionIsSaidWithACertificateAndSoon) {
  for (const Real mu : {0.0, 0.5}) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(4, 4);
    W(0, 2) = W(2, 0) = -1;
    const fclib::Problem p = file(2, W, vector({-1, 0, -1, 0}), vector({mu, mu}));
    const Solved s = solve(p);
    EXPECT_EQ(s.report.status, Stop::infeasible) << s.report.reason;
    EXPECT_LT(s.report.seconds, 5);
    ASSERT_EQ(s.report.certificate.size(), 4u);
    const Vector x = Eigen::Map<const Vector>(s.report.certificate.data(), 4);
    EXPECT_LE((x / x.maxCoeff() - vector({1, 0, 1, 0})).norm(), 1e-9);
    EXPECT_LT(p.q.dot(x), 0);
    EXPECT_FALSE(s.report.reason.empty());
  }
}

// Went wrong: beside impulses of 1e16 an approach of 1 vanished in rounding, and the error was 0.
TEST(SolverCases, HugeImpulsesDoNotHideAnApproach) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(4, 4);
  W(0, 2) = W(2, 0) = -1;
  const fclib::Problem p = file(2, W, vector({-1, 0, -1, 0}), vector({0.5, 0.5}));
  for (const Real size : {1e3, 1e10, 3e16, 1e20})
    EXPECT_GT(error_of(p, vector({size, 0, size, 0})), 0.1) << "impulses of " << size;
}

TEST(SolverCases, TheCertificateIsInTheUnitsOfTheFile) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(4, 4);  // x = (10, 1) up to a factor
  W.diagonal() << 1, 1, 100, 1;
  W(0, 2) = W(2, 0) = -10;
  const Solved s = solve(rescale(file(2, W, vector({-1, 0, -1, 0}), vector({0.3, 0.3})), 1e3, 1e-3, 60));
  EXPECT_EQ(s.report.status, Stop::infeasible) << s.report.reason;
  ASSERT_EQ(s.report.certificate.size(), 4u);
  EXPECT_NEAR(s.report.certificate[2] / s.report.certificate[0], 0.1, 1e-9);
}

}  // namespace
}  // namespace cairn
