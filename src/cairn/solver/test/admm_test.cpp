// ADMM for every law, from its projection and shift alone.
#include "cairn/solver/admm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "cairn/law/test/random_law.hpp"
#include "cairn/problem/delassus.hpp"
#include "cairn/problem/generate.hpp"

namespace cairn {
namespace {

// W = M M^T + 0.1, all blocks present: positive definite, so that a solution exists. `twist`: size of an antisymmetric
// part.
template <class L>
LocalProblem<L> random_local(test::Random& r, int contacts, Real twist = 0) {
  constexpr int D = L::dim;
  const int n = contacts * D;
  Eigen::MatrixXd M(n, n), T(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = r.normal(), T(i, j) = r.normal();
  const Eigen::MatrixXd W = M * M.transpose() / n + 0.1 * Eigen::MatrixXd::Identity(n, n) + twist * (T - T.transpose());
  LocalProblem<L> p;
  p.symmetric = twist == 0;
  p.begin.push_back(0);
  const auto append = [&](std::vector<Real>& to, int a, int b) {
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) to.push_back(W(a * D + i, b * D + j));
  };
  for (int a = 0; a < contacts; ++a) {
    for (int b = 0; b < contacts; ++b)
      if (b != a) p.column.push_back(b), append(p.block, a, b);
    append(p.diagonal, a, a);
    p.begin.push_back(static_cast<int>(p.column.size()));
    p.law.push_back(test::random_law<L>(r));
    for (int i = 0; i < D; ++i) p.q.push_back(i == 0 ? -std::fabs(r.normal()) : r.normal());
  }
  return p;
}

template <class L>
Report solve_by_admm(LocalProblem<L> p, std::vector<Real> S = {}) {
  Report report;
  SolverOptions options;
  const Units units = make_dimensionless(p);
  Monitor<LocalProblem<L>> monitor(p, units, options, report);
  S.resize(p.rows(), 0);
  for (int i = 0; i < p.rows(); ++i) S[i] /= impulse_unit<L>(units, i / L::dim, i % L::dim);
  run_admm(p, monitor, S);
  report.error = monitor.best_errors().worst();
  return report;
}

template <class L>
class AdmmForEveryLaw : public ::testing::Test {};
TYPED_TEST_SUITE(AdmmForEveryLaw, test::AsTypes<AllLaws>::type);

TYPED_TEST(AdmmForEveryLaw, SolvesRandomProblems) {
  test::Random r(7);
  for (int k = 0; k < 20; ++k) {
    const Report report = solve_by_admm(random_local<TypeParam>(r, 8));
    EXPECT_LE(report.error, 1e-8) << "problem " << k << ", " << report.iterations << " iterations";
  }
}

TYPED_TEST(AdmmForEveryLaw, LagsTheAntisymmetricPart) {
  test::Random r(11);
  for (int k = 0; k < 10; ++k) {
    const Report report = solve_by_admm(random_local<TypeParam>(r, 6, 1e-3));
    EXPECT_LE(report.error, 1e-8) << "problem " << k << ", " << report.iterations << " iterations";
  }
}

TEST(Admm, SolvesOneContactThatSticks) {
  LocalProblem<Coulomb2> p;
  p.begin = {0, 0};
  p.diagonal = {1, 0, 0, 1};
  p.q = {-1, 0.1};
  p.law = {Coulomb2::with(0.3)};
  EXPECT_LE(solve_by_admm(p).error, 1e-8);
}

TEST(Admm, StopsAtOnceFromASolution) {
  LocalProblem<Coulomb2> p;
  p.begin = {0, 0};
  p.diagonal = {1, 0, 0, 1};
  p.q = {-1, 2};
  p.law = {Coulomb2::with(0.5)};
  EXPECT_EQ(solve_by_admm(p, {1, -0.5}).iterations, 1);
}

// (W + rho)^-1 by the bodies against the same by W.
TEST(Resolvents, OfBodiesAndOfContactsAgree) {
  RandomBodies o;
  o.contacts = 40;
  PlaneProblem p = random_bodies_2d(o);
  p.inverse_inertia[4] = 0;  // a freedom that nothing moves
  const LocalProblem<Coulomb2> local = to_local(p);
  BodyResolvent<Coulomb2, 3> primal(p);
  LocalResolvent<Coulomb2> dual(local);
  test::Random r(3);
  std::vector<Real> b(p.rows()), x(b.size()), y(b.size());
  for (Real& e : b) e = r.normal();
  for (const Real rho : {1.0, 1e-3}) {
    ASSERT_TRUE(primal.factorise(rho) && dual.factorise(rho));
    primal.solve(b.data(), x.data());
    dual.solve(b.data(), y.data());
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-10 / rho);
  }
}

}  // namespace
}  // namespace cairn
