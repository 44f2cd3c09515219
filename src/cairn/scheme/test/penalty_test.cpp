#include "cairn/scheme/penalty.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "cairn/scheme/test/bouncing_ball.hpp"

namespace cairn {
namespace {

TEST(Penalty, elastic_ball_errs_as_the_root_of_eps) {
  const BouncingBall ball{1};
  const std::pair<Real, Real> stated[] = {{1e-4, 1.23e-1}, {1e-6, 1.26e-2}, {1e-8, 1.26e-3}};
  for (const auto& [eps, error] : stated) {
    Penalty<BouncingBall> scheme(ball, {.eps = eps});
    EXPECT_NEAR(bouncing_ball_error(scheme, 1.234e-3, 1), error, 0.01 * error) << "eps = " << eps;
  }
}

TEST(Penalty, result_does_not_depend_on_the_substeps) {
  const BouncingBall ball{0.5};
  State<BouncingBall> s[2] = {dropped_ball(), dropped_ball()};
  for (int k = 0; k < 2; ++k) {
    Penalty<BouncingBall> scheme(ball, {.eps = 1e-6, .per_contact = k == 0 ? 50.0 : 200.0});
    run(scheme, s[k], 1.234e-2, 2.5);
  }
  EXPECT_NEAR(s[0].q(0), s[1].q(0), 1e-6);
}

struct Wall {  // oblique coordinates
  using Law = Signorini;
  static constexpr int freedoms = 2;
  Real e = 0;

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return (Matrix<2, 2>() << 3, 1, 1, 2).finished(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return Vector<2>::Zero(); }
  Real gap(int, Real, const Vector<2>& q) const { return q(0) + 2 * q(1); }
  Kinematics<1, 2> kinematics(int, Real, const Vector<2>&) const { return {Matrix<1, 2>(1, 2), Vector<1>(0)}; }
  Law law(int, Real, const Vector<2>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

// Without other forces the impact of BC18 2(i) returns e times the speed, exactly, at a constraint of any inertia.
TEST(Penalty, free_impact_returns_e_times_the_speed) {
  for (const Real e : {0.05, 0.5, 1.0}) {
    const Wall wall{e};
    Penalty<Wall> scheme(wall, {.eps = 1e-6});
    State<Wall> s{0, Vector<2>(0.05, 0), Vector<2>(-1, 0.3), {}};
    const Real before = s.u(0) + 2 * s.u(1);
    const MotionReport report = run(scheme, s, 1e-2, 0.5);
    EXPECT_NEAR(s.u(0) + 2 * s.u(1), -e * before, 1e-7) << "e = " << e;
    EXPECT_NEAR(report.energy.defect(), 0, 1e-7) << "e = " << e;
  }
}

TEST(Penalty, soft_ball_comes_to_rest_at_the_depth_of_its_weight) {
  const BouncingBall ball{0};
  Penalty<BouncingBall> scheme(ball, {.eps = 1e-6});
  State<BouncingBall> s = dropped_ball();
  run(scheme, s, 1e-2, 2);
  EXPECT_NEAR(s.q(0), -2e-6, 1e-9);
  EXPECT_NEAR(s.u(0), 0, 1e-9);
}

}  // namespace
}  // namespace cairn
