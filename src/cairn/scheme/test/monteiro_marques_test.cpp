#include "cairn/scheme/monteiro_marques.hpp"

#include <gtest/gtest.h>

#include "cairn/law/coulomb3.hpp"
#include "cairn/scheme/test/bouncing_ball.hpp"

namespace cairn {
namespace {

// A particle on a slope: x across, y downhill, z normal; mu = k tan theta.
struct HeavySlopeParticle {
  using Law = Coulomb3;
  static constexpr int freedoms = 3;
  Real k, theta = 0.3, g = 9.81;

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return 2.5 * Matrix<3, 3>::Identity(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const {
    return 2.5 * g * Vector<3>(0, std::sin(theta), -std::cos(theta));
  }
  Real gap(int, Real, const Vector<3>& q) const { return q(2); }
  Kinematics<3, 3> kinematics(int, Real, const Vector<3>&) const {
    return {(Matrix<3, 3>() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(), Vector<3>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return {k * std::tan(theta)}; }
};

Real stop_error(Real h, Real k) {  // of the place of rest, over the exact distance
  const HeavySlopeParticle slope{k};
  const Real v0 = 1, a = slope.g * std::sin(slope.theta);
  const Vector<3> exact(v0 * v0 / (2 * a) * 4 * k / (4 * k * k - 1), v0 * v0 / (4 * a * (k * k - 1)), 0);
  MonteiroMarques<HeavySlopeParticle> scheme(slope);
  State<HeavySlopeParticle> s{0, Vector<3>::Zero(), Vector<3>(v0, 0, 0), {}};
  run(scheme, s, h, 1.2 * k * v0 / (a * (k * k - 1)));
  EXPECT_LT(s.u.norm(), 1e-14);
  return (s.q - exact).norm();
}

TEST(MonteiroMarques, particle_on_a_slope_stops_where_it_should_with_order_one) {
  for (const Real k : {1.3, 2.0}) {
    EXPECT_LT(error_ratio(1e-3, 20, [=](Real h) { return stop_error(h, k); }).largest, 0.8) << "k = " << k;
    const Real slope = error_slope(1e-2, 40, [=](Real h) { return stop_error(h, k); });
    EXPECT_GT(slope, 0.85) << "k = " << k;
    EXPECT_LT(slope, 1.15) << "k = " << k;
  }
}

// k = 1: v (1 + cos phi) is a constant of the motion, which tends to half the speed straight downhill.
TEST(MonteiroMarques, particle_on_the_limit_slope_keeps_its_constant) {
  const HeavySlopeParticle slope{1};
  MonteiroMarques<HeavySlopeParticle> scheme(slope);
  State<HeavySlopeParticle> s{0, Vector<3>::Zero(), Vector<3>(1, 0, 0), {}};
  run(scheme, s, 1e-4, 1, [&](const State<HeavySlopeParticle>& now, const StepReport&) {
    EXPECT_NEAR(now.u.norm() + now.u(1), 1, 1e-3);
    return !testing::Test::HasFailure();
  });
  EXPECT_NEAR(s.u.norm(), 0.5, 0.05);
}

// Proj(0; [V' + C] n T) is the point nearest to 0 of a disc of centre V'_T and radius -mu V'_N.
TEST(MonteiroMarques, step_of_a_particle_is_the_projection_of_its_formula) {
  std::mt19937_64 gen(5);
  std::normal_distribution<Real> normal;
  for (int n = 0; n < 500; ++n) {
    const HeavySlopeParticle slope{1 + 0.01 * n};
    const Vector<3> V(normal(gen), normal(gen), normal(gen));
    MonteiroMarques<HeavySlopeParticle> scheme(slope);
    State<HeavySlopeParticle> s{0, Vector<3>(0, 0, -1e3), V, {}};
    scheme.step(s, 1e-13);
    const Real radius = -slope.law(0, 0, s.q).mu * V(2), speed = V.head<2>().norm();
    Vector<3> expected = V;
    if (V(2) < 0) expected << V.head<2>() * std::max(Real(0), 1 - radius / speed), 0;
    EXPECT_LT((s.u - expected).norm(), 1e-11) << n;
  }
}

TEST(MonteiroMarques, impacts_are_soft_and_order_one) {
  const auto error = [](Real h) {
    const BouncingBall ball{0.7};  // its restitution is not read
    MonteiroMarques<BouncingBall> scheme(ball);
    return bouncing_ball_error(scheme, h, 0);
  };
  EXPECT_LT(error_ratio(1e-3, 40, error).largest, 2.1);
}

}  // namespace
}  // namespace cairn
