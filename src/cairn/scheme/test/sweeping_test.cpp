#include "cairn/scheme/sweeping.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "cairn/scheme/test/bouncing_ball.hpp"

namespace cairn {
namespace {

// Unit disc centred (t, 0), q0 = (0, .6): at rest until .8, then q = c + (cos p, sin p), tan(p/2) growing as e^t.
Vector<2> exact_in_disc(Real t) {
  if (t <= 0.8) return {0, 0.6};
  const Real p0 = std::atan2(0.6, -0.8), p = 2 * std::atan(std::tan(p0 / 2) * std::exp(t - 0.8));
  return {t + std::cos(p), std::sin(p)};
}

TEST(Sweeping, exact_motion_in_the_disc_ends_where_stated) {
  EXPECT_NEAR(exact_in_disc(3)(0), 2.00272458, 1e-8);
  EXPECT_NEAR(exact_in_disc(3)(1), 0.07376814, 1e-8);
}

Real disc_error(Real h) {
  const auto disc = ball<2>([](Real t) { return Vector<2>(t, 0); }, 1);
  Sweeping scheme(disc);
  SweepState<std::remove_const_t<decltype(disc)>> s{0, {0, 0.6}};
  Real worst = 0;
  run(scheme, s, h, 3, [&](const auto& now, const StepReport&) {
    worst = std::max(worst, (now.q - exact_in_disc(now.t)).norm());
    return true;
  });
  return worst;
}

TEST(Sweeping, disc_errs_by_the_stated_multiple_of_the_step_with_order_one) {
  const ErrorRatio ratio = error_ratio(1e-3, 30, disc_error);
  EXPECT_LT(ratio.mean, 2 * 0.11);
  EXPECT_GT(ratio.mean, 0.5 * 0.11);
  const Real slope = error_slope(1e-2, 60, disc_error);
  EXPECT_GT(slope, 0.85);
  EXPECT_LT(slope, 1.15);
}

TEST(Sweeping, half_line_gives_the_running_maximum_exactly) {
  const auto low = [](Real t) { return std::sin(3 * t) + 0.3 * t; };
  const HalfLine set{low};
  Sweeping scheme(set);
  SweepState<std::remove_const_t<decltype(set)>> s{0, Vector<1>(-0.5)};
  Real highest = -0.5;
  run(scheme, s, 0.0137, 10, [&](const auto& now, const StepReport&) {
    highest = std::max(highest, low(now.t));
    EXPECT_NEAR(now.q(0), highest, 1e-13);
    return true;
  });
  EXPECT_GT(highest, 3);
}

// Play of half-width r: along a loop of the input between -A and A the output moves at x -+ r between r - A and A - r.
TEST(Sweeping, interval_gives_the_hysteresis_loop_of_play) {
  const Real A = 2, r = 0.5;
  const auto x = [=](Real t) {  // a triangle of period 4
    const Real p = t - 4 * std::floor(t / 4);
    return A * (p < 1 ? p : p < 3 ? 2 - p : p - 4);
  };
  const Interval set{[=](Real t) { return x(t) - r; }, [=](Real t) { return x(t) + r; }};
  Sweeping scheme(set);
  SweepState<std::remove_const_t<decltype(set)>> s{0, Vector<1>(0)};
  int rising = 0, falling = 0;
  run(scheme, s, 1.0 / 64, 12, [&](const auto& now, const StepReport& report) {
    const Real p = now.t - 4 * std::floor(now.t / 4), at = x(now.t);
    if (now.t <= 1) return true;  // the first branch starts from 0
    const bool up = p <= 1 || p > 3;
    const Real expected = up ? std::max(at - r, r - A) : std::min(at + r, A - r);
    EXPECT_NEAR(now.q(0), expected, 1e-14) << now.t;
    rising += up && report.closed, falling += !up && report.closed;
    return true;
  });
  EXPECT_GT(rising, 100);
  EXPECT_GT(falling, 100);
}

// A square that shrinks about a centre that moves, tilted: the projection on it by the four faces.
TEST(Sweeping, half_planes_project_on_a_moving_polygon) {
  const Real c = std::cos(0.4), d = std::sin(0.4);
  const std::vector<Vector<2>> normals{{c, d}, {-c, -d}, {-2 * d, 2 * c}, {d, -c}};
  const auto set = half_spaces<2>(normals, [&](int i, Real t) {
    const Vector<2> centre(t, 0.5 * t);
    return normals[static_cast<std::size_t>(i)].dot(centre) -
           (1 - 0.2 * t) * normals[static_cast<std::size_t>(i)].norm();
  });
  std::mt19937_64 gen(2);
  std::normal_distribution<Real> normal(0, 3);
  for (int k = 0; k < 300; ++k) {
    const Real t = 0.01 * k;
    const Vector<2> q(normal(gen), normal(gen)), centre(t, 0.5 * t);
    const Matrix<2, 2> R = (Matrix<2, 2>() << c, d, -d, c).finished();
    const Real half = 1 - 0.2 * t;
    const Vector<2> expected = centre + R.transpose() * (R * (q - centre)).cwiseMin(half).cwiseMax(-half);
    Vector<2> p = q;
    ASSERT_TRUE(set.project(t, p));
    EXPECT_LT((p - expected).norm(), 1e-12 * (1 + q.norm())) << k;
  }
}

TEST(Sweeping, empty_set_is_a_fault_and_leaves_the_state) {
  const Interval set{[](Real t) { return t; }, [](Real) { return 0.5; }};
  Sweeping scheme(set);
  SweepState<std::remove_const_t<decltype(set)>> s{0, Vector<1>(0)};
  const MotionReport report = run(scheme, s, 0.1, 1);
  EXPECT_EQ(report.fault, Fault::no_solution);
  EXPECT_NEAR(s.t, 0.5, 1e-12);
  EXPECT_NEAR(s.q(0), 0.5, 1e-12);
}

}  // namespace
}  // namespace cairn
