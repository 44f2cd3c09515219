// From files to contacts alone and back: the reduced W and q against dense algebra, and what recover() gives against
// the equations of the file.
#include "cairn/problem/reduce.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "cairn/law/laws.hpp"
#include "cairn/problem/generate.hpp"
#include "cairn/problem/transform.hpp"

namespace cairn {
namespace {

using Dense = Eigen::MatrixXd;
using fclib::Problem;
using fclib::Solution;
using fclib::Sparse;
using fclib::Vector;

Vector some(Eigen::Index n, Real phase = 1) {
  Vector v(n);
  for (Eigen::Index i = 0; i < n; ++i) v[i] = std::sin(phase + 0.7 * static_cast<Real>(i));
  return v;
}

Problem global_problem() { return to_fclib_global(sphere_pyramid(3, 0.3, 1)); }

// Joints between bodies: each column of G couples three velocities.
void add_joints(Problem& p, int joints, bool redundant) {
  const Eigen::Index n = p.M.rows(), columns = redundant ? joints + 1 : joints;
  Dense G = Dense::Zero(n, columns);
  for (int j = 0; j < joints; ++j) G(j, j) = 1, G(6 + j, j) = -1, G(13 + j, j) = 0.5;
  p.b = 0.01 * some(columns);
  if (redundant) {
    G.col(joints) = 2 * G.col(0) - G.col(1);  // says nothing new, and b agrees
    p.b[joints] = 2 * p.b[0] - p.b[1];
  }
  p.G = G.sparseView();
}

// M v = H r + G l + f,  u = H^T v + w,  G^T v + b = 0
void expect_global_equations(const Problem& p, const Solution& s, Real tolerance) {
  Vector load = p.H * s.r + p.f, stop = p.b;
  if (p.equations() > 0) {
    load += p.G * s.l;
    stop += p.G.transpose() * s.v;
  }
  EXPECT_LE((p.M * s.v - load).norm(), tolerance * load.norm());
  EXPECT_LE((s.u - p.H.transpose() * s.v - p.w).norm(), tolerance * s.u.norm());
  EXPECT_LE(stop.norm(), tolerance * (1 + s.v.norm()));
}

// u = W r + V l + q,  V^T r + R l + s = 0
void expect_local_equations(const Problem& p, const Solution& s, Real tolerance) {
  Vector u = p.W * s.r + p.q, stop = p.s;
  if (p.equations() > 0) {
    u += p.V * s.l;
    stop += p.V.transpose() * s.r + p.R * s.l;
  }
  EXPECT_LE((s.u - u).norm(), tolerance * u.norm());
  EXPECT_LE(stop.norm(), tolerance * (1 + s.r.norm()));
}

// W and q of the reduction say the same as the equations that recover() solves.
void expect_linear_map(const Problem& p, const Reduction& reduction, Real tolerance) {
  for (const Real phase : {1.0, 2.0}) {
    const Vector r = some(p.rows(), phase), u = reduction.recover(r).u;
    EXPECT_LE((reduction.W() * r + reduction.q() - u).norm(), tolerance * u.norm());
  }
}

TEST(Reduce, GlobalAndLocalFormsAgree) {
  const SpaceProblem bodies = sphere_pyramid(3, 0.3, 1);
  const Problem local = to_fclib_local(bodies), global = to_fclib_global(bodies);
  const Reduction a(local), b(global);
  ASSERT_TRUE(a.good() && b.good());
  EXPECT_LE((a.W() - b.W()).norm(), 1e-13 * a.W().norm());
  EXPECT_LE((a.q() - b.q()).norm(), 1e-13 * a.q().norm());
  const Vector r = some(local.rows());
  expect_local_equations(local, a.recover(r), 1e-13);
  expect_global_equations(global, b.recover(r), 1e-13);
  expect_linear_map(global, b, 1e-13);
}

TEST(Reduce, InertiaThatIsNotDiagonal) {
  Problem p = global_problem();
  Dense M(p.M);
  for (Eigen::Index i = 0; i + 1 < M.rows(); ++i)
    M(i, i + 1) = M(i + 1, i) = 0.1 * std::sqrt(M(i, i) * M(i + 1, i + 1));
  p.M = M.sparseView();
  const Reduction reduction(p);
  ASSERT_TRUE(reduction.good());
  const Dense H(p.H), W = H.transpose() * M.llt().solve(H);
  EXPECT_LE((Dense(reduction.W()) - W).norm(), 1e-12 * W.norm());
  expect_global_equations(p, reduction.recover(some(p.rows())), 1e-12);
  expect_linear_map(p, reduction, 1e-12);
}

TEST(Reduce, JointsAreEliminated) {
  Problem p = global_problem();
  add_joints(p, 5, false);
  ASSERT_EQ(fclib::validate(p), "");
  const Reduction reduction(p);
  ASSERT_TRUE(reduction.good());
  const Dense H(p.H), G(p.G), N = Dense(p.M).llt().solve(Dense::Identity(p.M.rows(), p.M.rows()));
  const Dense projected = N - N * G * (G.transpose() * N * G).llt().solve(G.transpose() * N);
  const Dense W = H.transpose() * projected * H;
  EXPECT_LE((Dense(reduction.W()) - W).norm(), 1e-11 * W.norm());
  expect_global_equations(p, reduction.recover(some(p.rows())), 1e-11);
  expect_linear_map(p, reduction, 1e-11);
}

TEST(Reduce, RedundantJointsThatAgreeChangeNothing) {
  Problem p = global_problem(), q = p;
  add_joints(p, 5, false);
  add_joints(q, 5, true);
  ASSERT_EQ(fclib::validate(q), "");
  const Reduction a(p), b(q);
  ASSERT_TRUE(b.good());
  EXPECT_LE((Dense(a.W()) - Dense(b.W())).norm(), 1e-9 * a.W().norm());
  EXPECT_LE((a.q() - b.q()).norm(), 1e-9 * a.q().norm());
  expect_global_equations(q, b.recover(some(q.rows())), 1e-9);
  expect_linear_map(q, b, 1e-9);
}

// A local form with equality rows, as elimination of the velocities gives it: W, V and R are parts of one matrix.
Problem local_with_equations(bool redundant) {
  Problem p = global_problem();
  add_joints(p, 5, redundant);
  const Dense H(p.H), G(p.G), N = Dense(p.M).llt().solve(Dense::Identity(p.M.rows(), p.M.rows()));
  Problem l;
  l.W = Dense(H.transpose() * N * H).sparseView();
  l.V = Dense(H.transpose() * N * G).sparseView();
  l.R = Dense(G.transpose() * N * G).sparseView();
  l.q = H.transpose() * N * p.f + p.w;
  l.s = G.transpose() * N * p.f + p.b;
  l.mu = p.mu;
  return l;
}

TEST(Reduce, EqualityRowsOfLocalForms) {
  Problem global = global_problem();
  add_joints(global, 5, false);
  for (const bool redundant : {false, true}) {
    const Problem p = local_with_equations(redundant);
    ASSERT_EQ(fclib::validate(p), "");
    const Reduction a(p), b(global);
    ASSERT_TRUE(a.good());
    EXPECT_LE((Dense(a.W()) - Dense(b.W())).norm(), 1e-11 * b.W().norm());
    EXPECT_LE((a.q() - b.q()).norm(), 1e-11 * b.q().norm());
    expect_local_equations(p, a.recover(some(p.rows())), 1e-10);
    expect_linear_map(p, a, 1e-11);
  }
}

TEST(Reduce, ABodyWithoutMassIsRefused) {
  Problem p = global_problem();
  p.M.coeffRef(3, 3) = 0;
  EXPECT_FALSE(Reduction(p).good());
}

TEST(Reduce, BlocksSayWhatTheMatrixSays) {
  const SpaceProblem bodies = sphere_pyramid(3, 0.3, 1);
  const Problem p = to_fclib_local(bodies);
  const LocalProblem<Coulomb3> local = to_local(p.W, p.q, bodies.law);
  const Vector r = some(p.rows());
  Vector u(p.rows());
  local.velocities(r.data(), u.data());
  EXPECT_LE((u - p.W * r - p.q).norm(), 1e-13 * u.norm());
  for (int a = 0; a < local.contacts(); ++a) {
    const Mat<3> H = local.diagonal_block(a);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_EQ(H(i, j), p.W.coeff(3 * a + i, 3 * a + j));
  }
}

// A block that vanishes one way only must be there both ways: solvers rely on a symmetric pattern.
TEST(Reduce, PatternIsSymmetricForUnsymmetricMatrices) {
  Dense W = Dense::Identity(6, 6);
  W(0, 4) = 0.5;
  const LocalProblem<Coulomb2> p =
      to_local(Sparse(W.sparseView()), some(6), std::vector<Coulomb2>(3, Coulomb2::with(0.3)));
  EXPECT_EQ(p.begin, (std::vector<int>{0, 1, 1, 2}));
  EXPECT_EQ(p.column, (std::vector<int>{2, 0}));
  const Vector r = some(6, 2), q = some(6);
  Vector u(6);
  p.velocities(r.data(), u.data());
  EXPECT_LE((u - W * r - q).norm(), 1e-15 * u.norm());
}

}  // namespace
}  // namespace cairn
