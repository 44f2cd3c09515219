#include "cairn/scheme/paoli.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "cairn/scheme/test/bouncing_ball.hpp"

namespace cairn {
namespace {

Real sup_error(Real h, Real e, PaoliOptions::ActiveAt at) {
  const BouncingBall ball{e};
  Paoli<BouncingBall> scheme(ball, {at});
  return bouncing_ball_error(scheme, h, e);
}

// The stated figures are the largest ones, for the form of BC18 2(ii).
TEST(Paoli, bouncing_ball_errs_by_up_to_the_stated_multiple_of_the_step) {
  const std::pair<Real, Real> stated[] = {{0, 4}, {0.5, 6.3}, {0.9, 12.6}, {1, 16.7}};
  for (const auto& [e, factor] : stated) {
    const auto error = [e = e](Real h) { return sup_error(h, e, PaoliOptions::ActiveAt::start); };
    const ErrorRatio ratio = error_ratio(2e-3, 40, error);
    EXPECT_LT(ratio.largest, 1.05 * factor) << "e = " << e;
    EXPECT_GT(ratio.largest, 0.85 * factor) << "e = " << e;
  }
}

TEST(Paoli, active_set_at_the_end_errs_less) {
  for (const Real e : {0.0, 0.5, 0.9, 1.0}) {
    const auto at = [e](PaoliOptions::ActiveAt where) {
      return error_ratio(2e-3, 40, [=](Real h) { return sup_error(h, e, where); }).mean;
    };
    EXPECT_LT(at(PaoliOptions::ActiveAt::end), 0.6 * at(PaoliOptions::ActiveAt::start)) << "e = " << e;
  }
}

TEST(Paoli, is_of_order_one_on_positions) {
  for (const auto at : {PaoliOptions::ActiveAt::end, PaoliOptions::ActiveAt::start})
    for (const Real e : {0.0, 0.5, 1.0}) {
      const Real slope = error_slope(2e-2, 60, [=](Real h) { return sup_error(h, e, at); });
      EXPECT_GT(slope, 0.85) << "e = " << e;
      EXPECT_LT(slope, 1.15) << "e = " << e;
    }
}

struct SkewCorner {  // a particle of R^2 over two straight obstacles through 0, with an inertia that is not isotropic
  using Law = Signorini;
  static constexpr int freedoms = 2;
  Matrix<2, 2> A;
  Matrix<2, 2> normals;  // one a row
  Vector<2> speed;       // at which the obstacles move along their normals
  Real e;

  int contacts() const { return 2; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return A; }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return Vector<2>::Zero(); }
  Real gap(int a, Real t, const Vector<2>& q) const { return normals.row(a).dot(q) - speed(a) * t; }
  Kinematics<1, 2> kinematics(int a, Real, const Vector<2>&) const { return {normals.row(a), Vector<1>(-speed(a))}; }
  Law law(int, Real, const Vector<2>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

// Proj_A(v; V), V = { G v >= 0 }, by trying the four faces.
Vector<2> project(const Matrix<2, 2>& A, const Matrix<2, 2>& G, const Vector<2>& v) {
  Vector<2> best = Vector<2>::Zero();
  Real nearest = v.dot(A * v);
  const auto offer = [&](const Vector<2>& x) {
    if ((G * x).minCoeff() < -1e-12) return;
    const Real distance = (x - v).dot(A * (x - v));
    if (distance < nearest) nearest = distance, best = x;
  };
  offer(v);
  for (int a = 0; a < 2; ++a) {
    const Vector<2> n = G.row(a), y = A.inverse() * n;
    offer(v - y * (n.dot(v) / n.dot(y)));
  }
  return best;
}

TEST(Paoli, step_is_the_projection_of_its_formula) {
  std::mt19937_64 gen(3);
  std::normal_distribution<Real> normal;
  for (int k = 0; k < 200; ++k) {
    SkewCorner corner{Matrix<2, 2>::Identity(), {}, Vector<2>::Zero(), 0.1 * (k % 11)};
    for (int i = 0; i < 4; ++i) corner.normals(i / 2, i % 2) = normal(gen);
    const Matrix<2, 2> B = corner.normals + 2 * Matrix<2, 2>::Identity();
    corner.A = B * B.transpose() + 0.1 * Matrix<2, 2>::Identity();
    const Vector<2> V(normal(gen), normal(gen));
    State<SkewCorner> s{0, -1e-3 * corner.normals.inverse() * Vector<2>::Ones(), V, {}};  // both violated
    Paoli<SkewCorner> scheme(corner);
    const StepReport report = scheme.step(s, 1e-6);
    const Vector<2> expected = -corner.e * V + project(corner.A, corner.normals, (1 + corner.e) * V);
    EXPECT_LT((s.u - expected).norm(), 1e-10 * V.norm()) << k;
    EXPECT_LT(std::abs(report.energy.defect()), 1e-10) << k;
    EXPECT_GE(report.energy.dissipation, -1e-10) << k;
  }
}

TEST(Paoli, moving_obstacle_returns_the_relative_velocity) {
  SkewCorner racket{Matrix<2, 2>::Identity(), Matrix<2, 2>::Identity(), Vector<2>(3, 0), 0.5};
  State<SkewCorner> s{0, Vector<2>(0, 1), Vector<2>(-1, 0), {}};
  Paoli<SkewCorner> scheme(racket);
  const StepReport report = scheme.step(s, 1e-3);
  EXPECT_NEAR(s.u(0), 3 + 0.5 * 4, 1e-14);
  EXPECT_NEAR(report.energy.boundary, 3 * 6, 1e-13);  // impulse 6 at speed 3
  EXPECT_NEAR(report.energy.defect(), 0, 1e-13);
}

}  // namespace
}  // namespace cairn
