// The generators: counts known by hand, W symmetric positive semi-definite, conversions that say the same thing.
#include "cairn/problem/generate.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "cairn/problem/transform.hpp"

namespace cairn {
namespace {

using fclib::Problem;
using fclib::Vector;

template <class P>
Vector some_impulses(const P& p) {
  Vector r(p.contacts() * P::dim);
  for (int i = 0; i < r.size(); ++i) r[i] = std::sin(1.0 + 0.7 * i);
  return r;
}

// u = G (u_free + A^-1 G^T r) + w straight from the bodies.
template <class P>
Vector velocities(const P& p, const Vector& r) {
  std::vector<Real> v = p.u_free;
  for (int a = 0; a < p.contacts(); ++a)
    for (int s = 0; s < 2; ++s) {
      const int b = p.contact[a].body[s];
      if (b < 0) continue;
      const auto f = transpose(p.contact[a].G[s]) * Vec<P::dim>::load(r.data() + a * P::dim);
      for (int j = 0; j < P::freedoms; ++j) v[b * P::freedoms + j] += p.inverse_inertia[b * P::freedoms + j] * f[j];
    }
  Vector u = Eigen::Map<const Vector>(p.w.data(), r.size());
  for (int a = 0; a < p.contacts(); ++a)
    for (int s = 0; s < 2; ++s) {
      const int b = p.contact[a].body[s];
      if (b < 0) continue;
      const auto part = p.contact[a].G[s] * Vec<P::freedoms>::load(&v[static_cast<size_t>(b) * P::freedoms]);
      for (int i = 0; i < P::dim; ++i) u[a * P::dim + i] += part[i];
    }
  return u;
}

Vector velocities_of(const Problem& g, const Vector& r) {
  if (g.kind == fclib::Kind::local) return g.W * r + g.q;
  const Vector v = Vector(g.H * r + g.f).cwiseQuotient(Vector(g.M.diagonal()));
  return g.H.transpose() * v + g.w;
}

template <class P>
void expect_good(const P& p) {
  ASSERT_EQ(p.law.size(), p.contact.size());
  ASSERT_EQ(p.w.size(), p.contact.size() * P::dim);
  ASSERT_EQ(p.u_free.size(), p.inverse_inertia.size());
  const Problem local = to_fclib_local(p), global = to_fclib_global(p);
  EXPECT_EQ(fclib::validate(local), "");
  EXPECT_EQ(fclib::validate(global), "");
  const Vector r = some_impulses(p), u = velocities(p, r);
  EXPECT_LE((velocities_of(local, r) - u).norm(), 1e-12 * (u.norm() + (local.W * r).norm()));
  EXPECT_LE((velocities_of(global, r) - u).norm(), 1e-12 * (u.norm() + (local.W * r).norm()));
  const Eigen::MatrixXd W(local.W);
  EXPECT_EQ((W - W.transpose()).cwiseAbs().maxCoeff(), 0);
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(W, Eigen::EigenvaluesOnly).eigenvalues();
  EXPECT_GE(eigenvalues[0], -1e-12 * eigenvalues[eigenvalues.size() - 1]);
}

TEST(Generate, WallHasTheBlocksAndContactsOfTheExample) {
  const PlaneProblem p = wall(16, 11, 0.3);
  EXPECT_EQ(p.bodies(), 8 * 11 + 8 * 12);
  EXPECT_EQ(p.contacts(), 2 * 11 + 15 * 2 * 22 + 2 * (8 * 10 + 8 * 11));  // ground, beds, heads
  expect_good(wall(4, 3, 0.3));
}

TEST(Generate, ArchAndTowers) {
  EXPECT_EQ(arch(17, 0.15, 0.5).contacts(), 2 * 18);
  EXPECT_EQ(stack(5, 0.5).contacts(), 20);
  EXPECT_EQ(plank_tower(4, 3, 0.5).contacts(), 3 * 4 + 3 * 9 * 4);
  expect_good(arch(17, 0.15, 0.5));
  expect_good(stack(5, 0.5));
  expect_good(plank_tower(4, 3, 0.5));
}

TEST(Generate, NoGravityNoFreeVelocity) {
  const Problem p = to_fclib_local(arch(9, 0.2, 0.5, {0, 1e-3}));
  EXPECT_EQ(p.q.norm(), 0);
}

TEST(Generate, Grains) {
  EXPECT_EQ(sphere_pyramid(3, 0.3, 1).contacts(), 9 + 12 + 4 * 4 + 4 + 4);
  expect_good(sphere_pyramid(3, 0.3, 1));
  expect_good(disc_packing(60, 0.3, 7));
  expect_good(sphere_packing(60, 0.3, 7));
}

// A settled packing carries its grains: at least as many contacts as a frictional one needs, and no normal toward a
// void.
TEST(Generate, PackingsAreDense) {
  const PlaneProblem discs = disc_packing(200, 0.3, 3);
  EXPECT_GT(discs.contacts(), 300);
  const SpaceProblem spheres = sphere_packing(200, 0.3, 3);
  EXPECT_GT(spheres.contacts(), 400);
}

// Existence needs a velocity strictly inside the dual cone; the margin is found here by a different route than the
// generator's: maximise it by a few steps of the perceptron on the violated contacts.
TEST(Generate, RandomBodiesCanSeparate) {
  RandomBodies o;
  o.contacts = 40, o.seed = 5, o.mass_ratio = 1e3, o.redundancy = 2;
  const Problem p = to_fclib_global(random_bodies_3d(o));
  Vector v = Vector::Zero(p.f.size());
  bool separated = false;
  for (int round = 0; round < 200000 && !separated; ++round) {
    separated = true;
    for (int a = 0; a < p.contacts(); ++a) {
      const Vector U = p.H.middleCols(3 * a, 3).transpose() * v;
      const Real slip = std::hypot(U[1], U[2]);
      if (U[0] - p.mu[a] * slip > 0) continue;
      separated = false;
      Vector d(3);
      d << 1, slip > 0 ? -p.mu[a] * U[1] / slip : 0, slip > 0 ? -p.mu[a] * U[2] / slip : 0;
      v += p.H.middleCols(3 * a, 3) * d;
    }
  }
  EXPECT_TRUE(separated);
}

TEST(Generate, RandomBodiesMeetTheirOptions) {
  RandomBodies o;
  o.contacts = 30, o.mass_ratio = 1e3;
  for (const Real redundancy : {0.5, 3.0}) {
    o.redundancy = redundancy;
    const SpaceProblem p = random_bodies_3d(o);
    EXPECT_EQ(p.contacts(), 30);
    expect_good(p);
    expect_good(random_bodies_2d(o));
    const Eigen::MatrixXd W(to_fclib_local(p).W);
    const bool full = Eigen::FullPivLU<Eigen::MatrixXd>(W).rank() == W.rows();
    EXPECT_TRUE(redundancy < 1 || !full);
  }
}

TEST(Generate, SameSeedSameProblem) {
  RandomBodies o;
  EXPECT_EQ(random_bodies_3d(o).u_free, random_bodies_3d(o).u_free);
  EXPECT_EQ(disc_packing(50, 0.3, 1).w, disc_packing(50, 0.3, 1).w);
  o.seed = 2;
  EXPECT_NE(random_bodies_3d(o).u_free, random_bodies_3d({}).u_free);
}

TEST(Transform, PermutationMovesContactsTogether) {
  const SpaceProblem p = sphere_pyramid(3, 0.3, 1);
  const int n = p.contacts();
  const std::vector<int> order = random_order(n, 4);
  Vector r = some_impulses(p), moved(r.size());
  for (int k = 0; k < n; ++k) moved.segment(3 * k, 3) = r.segment(3 * order[k], 3);
  for (const Problem& g : {to_fclib_local(p), to_fclib_global(p)}) {
    const Vector u = velocities_of(g, r), v = velocities_of(permute_contacts(g, order), moved);
    for (int k = 0; k < n; ++k)
      EXPECT_LE((v.segment(3 * k, 3) - u.segment(3 * order[k], 3)).norm(), 1e-12 * (1 + u.norm()));
  }
}

TEST(Transform, UnitsChangeNumbersAlone) {
  const SpaceProblem p = sphere_pyramid(3, 0.3, 1);
  const Real length = 1e3, mass = 1e-3, time = 60;
  const Vector r = some_impulses(p);
  for (const Problem& g : {to_fclib_local(p), to_fclib_global(p)}) {
    const Vector u = length / time * velocities_of(g, r);
    const Vector v = velocities_of(rescale(g, length, mass, time), Vector(mass * length / time * r));
    EXPECT_LE((u - v).norm(), 1e-12 * u.norm());
  }
}

TEST(Transform, RollingTorquesScaleWithLength) {
  Problem p;
  p.kind = fclib::Kind::local;
  p.spacedim = 5;
  p.W = Eigen::MatrixXd(Eigen::MatrixXd::Identity(5, 5) + 0.1 * Eigen::MatrixXd::Ones(5, 5)).sparseView();
  p.q = Vector::Ones(5);
  p.mu = Vector::Constant(1, 0.3), p.mu_r = Vector::Constant(1, 0.01);
  const Problem s = rescale(p, 10, 2, 1);
  const Vector r = Vector::LinSpaced(5, 1, 2), u = p.W * r + p.q;
  Vector scaled = 20 * r;
  scaled.tail(2) *= 10;
  const Vector v = s.W * scaled + s.q;
  EXPECT_LE((v.head(3) - 10 * u.head(3)).norm(), 1e-12 * v.norm());
  EXPECT_LE((v.tail(2) - u.tail(2)).norm(), 1e-12 * v.norm());
  EXPECT_DOUBLE_EQ(s.mu_r[0], 0.1);
}

}  // namespace
}  // namespace cairn
