#include "cairn/scheme/moreau.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "cairn/law/coulomb2.hpp"
#include "cairn/scheme/test/bouncing_ball.hpp"

namespace cairn {
namespace {

TEST(Moreau, bouncing_ball_errs_by_the_stated_multiple_of_the_step) {
  const std::pair<Real, Real> stated[] = {{0, 0.96}, {0.5, 1.53}, {0.9, 3.40}, {1, 4.24}};
  for (const auto& [e, factor] : stated) {
    const BouncingBall ball{e};
    Moreau<BouncingBall> scheme(ball);
    const Real restitution = e;
    const Real mean = error_ratio(1e-3, 40, [&](Real h) { return bouncing_ball_error(scheme, h, restitution); }).mean;
    EXPECT_LT(mean, 1.3 * factor) << "e = " << e;
    EXPECT_GT(mean, 0.5 * factor) << "e = " << e;
  }
}

TEST(Moreau, elastic_ball_keeps_its_energy) {
  const BouncingBall ball{1, 2};
  Moreau<BouncingBall> scheme(ball);
  State<BouncingBall> s{0, Vector<1>(1), Vector<1>(0), {}};
  const MotionReport report = run(scheme, s, 1.2345e-3, 4);
  EXPECT_LT(std::abs(s.u(0) * s.u(0) / 2 + 2 * s.q(0) - 2), 1e-13 * 4);
  EXPECT_LT(std::abs(report.energy.defect()), 1e-12);
}

TEST(Moreau, rest_stays_at_rest_exactly_for_every_restitution) {
  for (const Real e : {0.0, 0.3, 1.0}) {
    const BouncingBall ball{e, 9.81};
    Moreau<BouncingBall> scheme(ball);
    State<BouncingBall> s{0, Vector<1>(0), Vector<1>(0), {}};
    run(scheme, s, 1e-2, 1);
    EXPECT_EQ(s.q(0), 0);
    EXPECT_EQ(s.u(0), 0);
  }
}

struct BlockOnIncline {  // x along the slope downward, y normal; a block that may slide (cases: one body with friction)
  using Law = Coulomb2;
  static constexpr int freedoms = 2;
  Real theta, mu;

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const {
    return 9.81 * Vector<2>(std::sin(theta), -std::cos(theta));
  }
  Real gap(int, Real, const Vector<2>& q) const { return q(1); }
  Kinematics<2, 2> kinematics(int, Real, const Vector<2>&) const {
    return {(Matrix<2, 2>() << 0, 1, 1, 0).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<2>&) const { return Coulomb2::with(mu); }
};

TEST(Moreau, block_on_an_incline_slides_at_the_exact_rate_or_sticks_exactly) {
  const Real degree = std::numbers::pi / 180;
  const BlockOnIncline slides{30 * degree, 0.5};
  Moreau<BlockOnIncline> scheme(slides);
  State<BlockOnIncline> s{0, Vector<2>::Zero(), Vector<2>::Zero(), {}};
  const MotionReport report = run(scheme, s, 1e-3, 1);
  EXPECT_NEAR(s.u(0), 0.6571453944, 1e-10);
  EXPECT_LT(std::abs(report.energy.defect()), 1e-13);
  EXPECT_GT(report.energy.dissipation, 0);

  const BlockOnIncline sticks{26 * degree, 0.5};
  Moreau<BlockOnIncline> other(sticks);
  s = {0, Vector<2>::Zero(), Vector<2>::Zero(), {}};
  run(other, s, 1e-3, 1);
  EXPECT_LT(s.u.norm(), 1e-14);
}

TEST(Moreau, elastic_ball_at_rest_with_noise_on_its_velocity_does_not_diverge) {  // M88 Remark 11.2
  const BouncingBall ball{1, 9.81};
  Moreau<BouncingBall> scheme(ball);
  State<BouncingBall> s{0, Vector<1>(0), Vector<1>(0), {}};
  std::mt19937_64 gen(3);
  std::uniform_real_distribution<Real> noise(-1e-6, 1e-6);
  Real energy = 0, highest = 0;
  for (int k = 0; k < 20000; ++k) {
    const Real before = s.u(0) * s.u(0) / 2;
    s.u(0) += noise(gen);
    energy += std::abs(s.u(0) * s.u(0) / 2 - before);  // what the noise may have given so far
    scheme.step(s, 1e-3);
    highest = std::max(highest, s.u(0) * s.u(0) / 2 + 9.81 * std::max(s.q(0), Real(0)));
  }
  EXPECT_LE(highest, energy * (1 + 1e-9) + 9.81 * 9.81 * 1e-6 / 2);  // and one step of gravity
}

struct DrivenCorner {  // a particle of unequal masses between two walls at 60 degrees, driven into them
  using Law = Signorini;
  static constexpr int freedoms = 2;
  Vector<2> normal(int a) const { return a == 0 ? Vector<2>(0, 1) : Vector<2>(std::sin(1.0), -std::cos(1.0)); }

  int contacts() const { return 2; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Vector<2>(1, 3).asDiagonal(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return {-1, -2}; }
  Real gap(int a, Real, const Vector<2>& q) const { return normal(a).dot(q); }
  Kinematics<1, 2> kinematics(int a, Real, const Vector<2>&) const { return {normal(a).transpose(), Vector<1>(0)}; }
  Law law(int, Real, const Vector<2>&) const { return {}; }
};

TEST(Moreau, correction_moves_to_the_nearest_feasible_point_of_the_kinetic_metric) {
  const DrivenCorner corner;
  Correction<DrivenCorner> correction(corner);
  std::mt19937_64 gen(8);
  std::normal_distribution<Real> normal;
  for (int k = 0; k < 200; ++k) {
    State<DrivenCorner> s{0, {normal(gen), normal(gen)}, {1, 2}, {}};
    const Vector<2> before = s.q;
    correction.apply(s);
    for (int a = 0; a < 2; ++a) EXPECT_GE(corner.gap(a, 0, s.q), -1e-14);
    EXPECT_EQ(s.u, Vector<2>(1, 2));
    const Vector<2> pull = corner.inertia(0, s.q) * (s.q - before);  // A d = sum of x_a grad g_a, x >= 0 complementary
    const Matrix<2, 2> N = (Matrix<2, 2>() << corner.normal(0), corner.normal(1)).finished();
    const Vector<2> x = N.inverse() * pull;
    for (int a = 0; a < 2; ++a) {
      EXPECT_GE(x(a), -1e-13);
      EXPECT_LT(std::abs(x(a) * corner.gap(a, 0, s.q)), 1e-13);
    }
  }
}

TEST(Moreau, correction_keeps_a_violation_from_standing) {
  const DrivenCorner corner;
  for (const bool correct : {false, true}) {
    MoreauOptions options;
    options.correct = correct;
    Moreau<DrivenCorner> scheme(corner, options);
    State<DrivenCorner> s{0, {2, 0.5}, {-3, -1}, {}};
    const MotionReport report = run(scheme, s, 3e-2, 3);
    const Real left = -std::min(corner.gap(0, 0, s.q), corner.gap(1, 0, s.q));
    if (correct)
      EXPECT_LT(report.violation_max, 1e-14);
    else
      EXPECT_GT(left, 1e-4);
  }
}

struct DrivenFloor : BouncingBall {  // a floor that moves: gap q - A sin(w t)
  Real A = 0.1, w = 3;
  Real gap(int, Real t, const Vector<1>& q) const { return q(0) - A * std::sin(w * t); }
  Kinematics<1, 1> kinematics(int, Real t, const Vector<1>&) const {
    return {Matrix<1, 1>(1), Vector<1>(-A * w * std::cos(w * t))};
  }
};

TEST(Moreau, moving_floor_carries_the_body_and_its_work_is_in_the_ledger) {
  DrivenFloor floor;
  floor.g = 9.81;
  for (const MoreauOptions::ActiveAt at : {MoreauOptions::ActiveAt::midpoint, MoreauOptions::ActiveAt::end}) {
    MoreauOptions options;
    options.active_at = at;
    Moreau<DrivenFloor> scheme(floor, options);
    State<DrivenFloor> s{0, Vector<1>(0), Vector<1>(floor.A * floor.w), {}};
    const MotionReport report = run(scheme, s, 1e-3, 1.3);
    EXPECT_NEAR(s.q(0), floor.A * std::sin(floor.w * s.t), 2e-3 * floor.A * floor.w);  // order 1 in h
    EXPECT_NEAR(s.u(0), floor.A * floor.w * std::cos(floor.w * s.t), 2e-3 * floor.A * floor.w * floor.w);
    EXPECT_LT(std::abs(report.energy.defect()), 1e-13);
    EXPECT_NEAR(report.energy.change, report.energy.applied + report.energy.boundary - report.energy.dissipation,
                1e-13);
    EXPECT_GT(std::abs(report.energy.boundary), 0.1);
  }
}

TEST(Moreau, faults_are_reported_and_leave_the_state) {
  struct Broken : BouncingBall {
    Real mass = 1, force_value = 0;
    Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(mass); }
    Vector<1> force(Real, const Vector<1>&, const Vector<1>&) const { return Vector<1>(force_value); }
  } system;
  State<Broken> s{0, Vector<1>(1), Vector<1>(0), {}};
  system.mass = 0;
  EXPECT_EQ(Moreau<Broken>(system).step(s, 0.1).fault, Fault::singular_inertia);
  system.mass = 1, system.force_value = std::nan("");
  EXPECT_EQ(Moreau<Broken>(system).step(s, 0.1).fault, Fault::not_finite);
  EXPECT_EQ(s.t, 0);
  EXPECT_EQ(s.q(0), 1);
}

}  // namespace
}  // namespace cairn
