// Step problems that hold contacts and joints of several kinds.
#include "cairn/law/mixed.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "cairn/law/test/random_law.hpp"
#include "cairn/problem/delassus.hpp"
#include "cairn/problem/generate.hpp"
#include "cairn/solver/small.hpp"
#include "cairn/solver/solve_bodies.hpp"
#include "cairn/solver/solve_local.hpp"
#include "cairn/solver/test/body_answer.hpp"

namespace cairn {
namespace {

using test::Random;
using MixedPlane = BodyProblem<Mixed2, 3>;
using MixedSpace = BodyProblem<Mixed3, 6>;

using test::Answer;
using test::largest;
using test::solve_whole;

// --- all contacts of one kind

template <class L, int F>
BodyProblem<MixedLaw<L::dim>, F> as_mixed(const BodyProblem<L, F>& p) {
  BodyProblem<MixedLaw<L::dim>, F> m;
  m.inverse_inertia = p.inverse_inertia, m.u_free = p.u_free, m.w = p.w;
  for (const auto& c : p.contact) m.contact.push_back({{c.body[0], c.body[1]}, {c.G[0], c.G[1]}});
  for (const L& law : p.law) m.law.push_back(MixedLaw<L::dim>::coulomb(law));
  return m;
}

// The iterates are the same to the last bit where both are compiled with the same flags. That is needed: impulses of
// hyperstatic problems are not determined, and rounding alone moves those of the interior point by 1e-6.
template <class P>
void expect_same_as_mixed(const P& p) {
  for (const Method m : {Method::automatic, Method::anderson, Method::admm, Method::interior_point, Method::newton}) {
    SolverOptions options;
    options.method = m;
    options.max_seconds = 20;
    const Answer a = solve_whole(p, options), b = solve_whole(as_mixed(p), options);
    EXPECT_EQ(a.report.status, b.report.status) << name(m);
    EXPECT_EQ(a.report.iterations, b.report.iterations) << name(m);
    ASSERT_EQ(a.S.size(), b.S.size());
    for (std::size_t i = 0; i < a.S.size(); ++i) EXPECT_NEAR(a.S[i], b.S[i], 1e-10 * largest(a.S)) << name(m);
  }
}

TEST(MixedLaws, OfCoulombAloneGiveTheImpulsesOfCoulomb) {
  PlaneProblem shaken = wall(4, 3, 0.3);
  for (int b = 0; b < shaken.bodies(); ++b) shaken.u_free[PlaneProblem::at(b)] += 0.25 * Fall{}.speed();
  expect_same_as_mixed(shaken);
  expect_same_as_mixed(plank_tower(3, 3, 0.4));
  RandomBodies o;
  o.contacts = 30;
  for (o.seed = 1; o.seed <= 3; ++o.seed) {
    expect_same_as_mixed(random_bodies_2d(o));
    expect_same_as_mixed(random_bodies_3d(o));
  }
}

// --- joints alone

Mat<2, 3> pin_row(Real sign, Real x, Real y) {  // velocity of the point at (x, y) from the centre of a body
  Mat<2, 3> G = Mat<2, 3>::zero();
  G(0, 0) = G(1, 1) = sign;
  G(0, 2) = -sign * y, G(1, 2) = sign * x;
  return G;
}

// Rods one after another along a line, the first pinned to the world, at the first step of a fall.
MixedPlane chain(int rods, Real angle, Real mass = 1.5, Real length = 0.4) {
  MixedPlane p;
  const Real x = length / 2 * std::cos(angle), y = length / 2 * std::sin(angle);
  for (int b = 0; b < rods; ++b) {
    p.inverse_inertia.insert(p.inverse_inertia.end(), {1 / mass, 1 / mass, 12 / (mass * length * length)});
    p.u_free.insert(p.u_free.end(), {0, -Fall{}.speed(), 0});
    p.contact.push_back({{b, b - 1}, {pin_row(1, -x, -y), pin_row(-1, x, y)}});
  }
  p.w.assign(static_cast<std::size_t>(p.rows()), 0);
  p.law.assign(static_cast<std::size_t>(rods), Mixed2::bilateral());
  return p;
}

template <class P>
Eigen::MatrixXd dense_delassus(const P& p) {
  constexpr int D = P::dim;
  Eigen::MatrixXd W(p.rows(), p.rows());
  std::vector<Real> S(static_cast<std::size_t>(p.rows()), 0), U(S.size()), q(S.size());
  p.velocities(S.data(), q.data());
  for (int j = 0; j < p.contacts() * D; ++j) {
    S[j] = 1;
    p.velocities(S.data(), U.data());
    for (int i = 0; i < p.rows(); ++i) W(i, j) = U[i] - q[i];
    S[j] = 0;
  }
  return W;
}

template <class P>
Eigen::VectorXd free_velocities(const P& p) {
  std::vector<Real> S(static_cast<std::size_t>(p.rows()), 0), q(S.size());
  p.velocities(S.data(), q.data());
  return Eigen::Map<const Eigen::VectorXd>(q.data(), p.rows());
}

TEST(MixedLaws, AChainOfPinnedRodsAgreesWithADenseSolve) {
  for (const int rods : {1, 2, 5, 40})
    for (const Method m : {Method::automatic, Method::newton, Method::admm}) {
      const MixedPlane p = chain(rods, 0.3);
      SolverOptions options;
      options.method = m;
      options.tolerance = 1e-13;
      const Answer a = solve_whole(p, options);
      const Eigen::VectorXd exact = dense_delassus(p).ldlt().solve(-free_velocities(p));
      for (int i = 0; i < p.rows(); ++i) EXPECT_NEAR(a.S[i], exact[i], 1e-10 * largest(a.S)) << rods << " " << name(m);
      for (int c = 0; c < p.contacts(); ++c)
        EXPECT_LE(norm(p.velocity(c, a.u.data())), 1e-10 * Fall{}.speed()) << rods << " " << name(m);
    }
}

// One rod that hangs level from a pin: it starts to turn with 3 g h / (2 l).
TEST(MixedLaws, APinnedRodTurnsAsItShould) {
  SolverOptions options;
  options.tolerance = 1e-14;
  const Answer a = solve_whole(chain(1, 0, 1.5, 0.4), options);
  EXPECT_NEAR(a.u[2], -1.5 * Fall{}.speed() / 0.4, 1e-14);
  EXPECT_NEAR(a.S[1], 1.5 * Fall{}.speed() / 4, 1e-14);  // a quarter of the weight
}

// The last rod pinned to the world at two points more: impulses along it are not determined, the rod is at rest.
TEST(MixedLaws, RedundantJointsHold) {
  for (const Method m : {Method::automatic, Method::anderson, Method::newton, Method::admm}) {
    MixedPlane p = chain(3, 0.3);
    p.contact.push_back({{2, -1}, {pin_row(1, 0.1, 0.2), Mat<2, 3>::zero()}});
    p.contact.push_back({{2, -1}, {pin_row(1, -0.1, -0.2), Mat<2, 3>::zero()}});
    p.w.resize(static_cast<std::size_t>(p.rows()), 0);
    p.law.resize(p.contact.size(), Mixed2::bilateral());
    SolverOptions options;
    options.method = m;
    const Answer a = solve_whole(p, options);
    EXPECT_EQ(a.report.status, Stop::converged) << name(m);
    for (int c = 0; c < p.contacts(); ++c) EXPECT_LE(norm(p.velocity(c, a.u.data())), 1e-7 * Fall{}.speed());
    for (int k = 6; k < 9; ++k) EXPECT_LE(std::fabs(a.u[k]), 1e-6 * Fall{}.speed());
  }
}

// --- joints and contacts

struct RandomMixed {
  std::uint64_t seed = 1;
  int bodies = 10;
  Real joints = 0.5;  // [-] a body
  Real contacts = 1;  // [-] a body
};

// Rows of local velocity in a frame, at a random point of a body: direction . (v + omega x arm).
Mat<2, 3> random_rows(Random& r, const Mat<2>& frame, Real sign, Mixed2) {
  const Vec<2> arm = r.vector<2>();
  Mat<2, 3> G;
  for (int i = 0; i < 2; ++i) {
    G(i, 0) = sign * frame(i, 0), G(i, 1) = sign * frame(i, 1);
    G(i, 2) = sign * (arm[0] * frame(i, 1) - arm[1] * frame(i, 0));
  }
  return G;
}
Mat<3, 6> random_rows(Random& r, const Mat<3>& frame, Real sign, Mixed3) {
  const Vec<3> arm = r.vector<3>();
  Mat<3, 6> G;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      G(i, k) = sign * frame(i, k);
      G(i, 3 + k) = sign * (arm[l] * frame(i, m) - arm[m] * frame(i, l));  // (arm x direction)_k
    }
  return G;
}

template <int D>
Mat<D> random_frame(Random& r) {  // two reflections
  Mat<D> Q = Mat<D>::identity();
  for (int k = 0; k < 2; ++k) {
    Vec<D> u = r.vector<D>();
    u *= 1 / norm(u);
    Mat<D> reflection = Mat<D>::identity();
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) reflection(i, j) -= 2 * u[i] * u[j];
    Q = Q * reflection;
  }
  return Q;
}

// A velocity v of the bodies is drawn first. Joints and boundaries are driven so that v keeps the joints and that at
// contacts U_N > sup { -U_T.d : d in D1 }, inside the dual cone: a solution then exists (problem/generate_random.cpp).
template <class P>
P random_mixed(const RandomMixed& o) {
  constexpr int D = P::dim, F = P::freedoms;
  using L = typename P::Law;
  Random r(o.seed);
  P p;
  std::vector<Real> v;
  for (int i = 0; i < o.bodies * F; ++i) {
    p.inverse_inertia.push_back(r.power_of_ten(-0.5, 0.5));
    p.u_free.push_back(r.normal());
    v.push_back(r.normal());
  }
  const auto add = [&](const L& law) {
    const int one = r.below(o.bodies), other = (one + r.below(o.bodies)) % o.bodies;
    const Mat<D> frame = random_frame<D>(r);
    typename P::Contact c{{one, other == one ? -1 : other},
                          {random_rows(r, frame, 1, L{}), random_rows(r, frame, -1, L{})}};
    p.law.push_back(law);
    p.contact.push_back(c);
    p.w.resize(static_cast<std::size_t>(p.rows()), 0);
    typename P::Contact& kept = p.contact.back();
    if (law.kind == LawKind::bilateral)
      for (Mat<D, F>& G : kept.G)
        for (int i = 0; i < D; ++i)
          for (int k = 0; k < F && !law.data.joint.constrains(i); ++k) G(i, k) = 0;
    const Vec<D> U = p.velocity(p.contacts() - 1, v.data());
    const std::size_t row = static_cast<std::size_t>(p.rows() - D);
    if (law.kind == LawKind::bilateral)
      (-U).store(&p.w[row]);
    else
      p.w[row] = std::max(Real(0), law.shift(U)[0] + Real(0.01) - U[0]);
  };
  for (int k = 0; k < o.joints * o.bodies; ++k) add(L::bilateral_rows(test::random_law<JointRows<D>>(r).mask));
  for (int k = 0; k < o.contacts * o.bodies; ++k) {
    L law = L::bilateral();
    while (law.kind == LawKind::bilateral) law = test::random_law<L>(r);
    add(law);
  }
  return p;
}

template <class P>
void expect_random_problems_are_solved(int problems) {
  int joints = 0, contacts = 0;
  for (int k = 0; k < problems; ++k) {
    RandomMixed o;
    o.seed = static_cast<std::uint64_t>(k) + 1;
    o.bodies = 2 + (k * 7919) % 20;
    o.joints = k % 3 == 0 ? 0.9 : 0.4;
    o.contacts = k % 2 == 0 ? 1 : 2.5;
    const P p = random_mixed<P>(o);
    SolverOptions options;
    options.max_seconds = 10;
    const Answer a = solve_whole(p, options);
    EXPECT_EQ(a.report.status, Stop::converged) << "problem " << k << " " << a.report.error;
    EXPECT_LE(a.report.error, 1e-8) << "problem " << k;
    // The same by the laws, row by row, apart from the monitor.
    const Real size = free_velocities(p).norm();
    for (int c = 0; c < p.contacts(); ++c) {
      const Vec<P::dim> U = p.velocity(c, a.u.data());
      if (p.law[c].kind == LawKind::bilateral) {
        ++joints;
        for (int i = 0; i < P::dim; ++i)
          if (p.law[c].data.joint.constrains(i))
            EXPECT_LE(std::fabs(U[i]), 2e-8 * size) << "problem " << k;
          else
            EXPECT_EQ(a.S[c * P::dim + i], 0) << "problem " << k;
      } else {
        ++contacts;
        EXPECT_GE(U[0], -1e-6 * size) << "problem " << k;
        EXPECT_GE(a.S[c * P::dim], -1e-6 * largest(a.S)) << "problem " << k;
      }
    }
  }
  EXPECT_GT(joints, problems);
  EXPECT_GT(contacts, problems);
}

template <class P>
void expect_methods_to_agree() {
  RandomMixed o;
  o.seed = 3;
  const P p = random_mixed<P>(o);
  const Answer reference = solve_whole(p);
  test::expect_every_method_answers(p, [&](const Answer& a, auto method) {
    for (std::size_t i = 0; i < a.u.size(); ++i) EXPECT_NEAR(a.u[i], reference.u[i], 1e-6) << method;
  });
}

TEST(MixedLaws, EveryMethodAnswers) {
  expect_methods_to_agree<MixedPlane>();
  expect_methods_to_agree<MixedSpace>();
}

// A few bodies with a full matrix, as the small systems solve them.
TEST(MixedLaws, SmallSolverAgrees) {
  RandomMixed o;
  o.bodies = 3;
  for (o.seed = 1; o.seed <= 20; ++o.seed) {
    const MixedPlane p = random_mixed<MixedPlane>(o);
    const Eigen::MatrixXd W = dense_delassus(p);
    const Eigen::VectorXd q = free_velocities(p);
    SmallSolver<Mixed2> small;
    small.resize(p.contacts());
    for (int a = 0; a < p.contacts(); ++a) {
      small.law(a) = p.law[a];
      small.q(a) = Vec<2>::load(&q[2 * a]);
      small.S(a) = Vec<2>::zero();
      for (int b = 0; b < p.contacts(); ++b)
        for (int k = 0; k < 4; ++k) small.W(a, b)(k % 2, k / 2) = W(2 * a + k % 2, 2 * b + k / 2);
    }
    EXPECT_TRUE(small.solve().converged) << o.seed;
    const Answer answer = solve_whole(p);
    for (int a = 0; a < p.contacts(); ++a)
      EXPECT_LE(norm(small.velocity(a) - p.velocity(a, answer.u.data())), 1e-6) << o.seed;
  }
}

TEST(MixedLaws, RandomProblemsInThePlane) { expect_random_problems_are_solved<MixedPlane>(60); }
TEST(MixedLaws, RandomProblemsInSpace) { expect_random_problems_are_solved<MixedSpace>(60); }

}  // namespace
}  // namespace cairn
