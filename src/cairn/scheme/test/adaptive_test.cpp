#include "cairn/scheme/adaptive.hpp"

#include <gtest/gtest.h>

#include "cairn/scheme/paoli.hpp"
#include "cairn/scheme/test/bouncing_ball.hpp"

namespace cairn {
namespace {

TEST(Adaptive, bouncing_ball_takes_far_fewer_steps_at_equal_error) {
  for (const Real e : {0.0, 0.5, 0.8}) {
    const BouncingBall ball{e};
    Adaptive<BouncingBall> adaptive(ball, {.h_min = 2e-5});
    const Real error = bouncing_ball_error(adaptive, 0.0137, e);
    // The mean error of the fixed step is at least .96 h whatever e: one that errs as much takes this many steps.
    Moreau<BouncingBall> fixed(ball);
    const Real ratio = error_ratio(1e-3, 40, [&](Real h) { return bouncing_ball_error(fixed, h, e); }).mean;
    const Real fixed_steps = 4 / (error / ratio);
    EXPECT_LT(error, 2 * ratio * 2e-5) << "e = " << e;
    EXPECT_LT(adaptive.counts().scheme_steps, 0.2 * fixed_steps) << "e = " << e;
    EXPECT_GT(adaptive.counts().floor, 0);
  }
}

struct Pendulum {  // smooth: no contact in reach
  using Law = Signorini;
  static constexpr int freedoms = 1;
  int contacts() const { return 0; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(1); }
  Vector<1> force(Real, const Vector<1>& q, const Vector<1>&) const { return Vector<1>(-std::sin(q(0))); }
  Real gap(int, Real, const Vector<1>&) const { return 1; }
  Kinematics<1, 1> kinematics(int, Real, const Vector<1>&) const { return {Matrix<1, 1>(1), Vector<1>(0)}; }
  Law law(int, Real, const Vector<1>&) const { return {}; }
};

TEST(Adaptive, smooth_steps_follow_the_tolerance) {
  const Pendulum pendulum;
  const auto far = [&](Real tolerance, long* steps) {
    Adaptive<Pendulum> scheme(pendulum, {.tolerance = tolerance, .h_min = 1e-8, .h_max = 1});
    State<Pendulum> s{0, Vector<1>(2), Vector<1>(0), {}};
    EXPECT_EQ(run(scheme, s, 5, 10).fault, Fault::none);
    EXPECT_EQ(scheme.counts().floor, 0);
    *steps = scheme.counts().accepted;
    return s.q(0);
  };
  long steps[3];
  const Real reference = far(1e-10, &steps[2]), coarse = far(1e-4, &steps[0]), fine = far(1e-7, &steps[1]);
  EXPECT_LT(std::abs(fine - reference), 1e-4);
  EXPECT_LT(std::abs(fine - reference), 0.1 * std::abs(coarse - reference));
  EXPECT_LT(steps[0], 200);
  EXPECT_NEAR(Real(steps[1]) / Real(steps[0]), 10, 3);  // tolerance^(1/3)
}

TEST(Adaptive, ends_where_it_is_told_and_adds_up_the_energy) {
  const BouncingBall ball{0.5};
  Adaptive<BouncingBall, Paoli<BouncingBall>> scheme(ball, {.tolerance = 1e-7, .h_min = 1e-4, .order = 1});
  State<BouncingBall> s = dropped_ball();
  const MotionReport report = run(scheme, s, 0.3, 1.7);
  EXPECT_EQ(s.t, 1.7);
  EXPECT_EQ(report.steps, 6);
  EXPECT_NEAR(s.q(0), exact_bounce(1.7, 0.5), 7e-4);
  EXPECT_NEAR(report.energy.defect(), 0, 1e-12);
  EXPECT_NEAR(report.energy.dissipation, 0.5 * 4 * (1 - 0.25), 1e-2);
}

TEST(Adaptive, fault_at_the_floor_is_reported) {
  struct Broken : BouncingBall {
    Vector<1> force(Real t, const Vector<1>&, const Vector<1>&) const { return Vector<1>(t > 0.5 ? std::nan("") : -1); }
  } broken;
  Adaptive<Broken> scheme(broken);
  State<Broken> s{0, Vector<1>(1), Vector<1>(0), {}};
  EXPECT_EQ(run(scheme, s, 0.1, 1).fault, Fault::not_finite);
  EXPECT_NEAR(s.t, 0.5, 2e-5);
}

}  // namespace
}  // namespace cairn
