// A block on ground that shakes faster than friction can follow (the ground of JM92: 2 Hz, 25 cm in all, mu = .3). It
// slides all the time, so its acceleration is +-mu g: the velocity is a triangle with peak mu g T/4, the path has the
// height mu g T^2/16.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cairn/base/test/share.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"

namespace cairn {
namespace {

struct ShakenBlock {  // x, y in the fixed frame
  using Law = Coulomb2;
  static constexpr int freedoms = 2;
  Real mu = 0.3, g = 9.81, amplitude = 0.125, omega = 4 * std::numbers::pi;

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return {0, -g}; }
  Real gap(int, Real, const Vector<2>& q) const { return q(1); }
  Kinematics<2, 2> kinematics(int, Real t, const Vector<2>&) const {
    return {(Matrix<2, 2>() << 0, 1, 1, 0).finished(), Vector<2>(0, -amplitude * omega * std::cos(omega * t))};
  }
  Law law(int, Real, const Vector<2>&) const { return Coulomb2::with(mu); }
};

TEST(ShakenBlock, velocity_is_a_triangle_and_the_path_has_the_stated_height) {
  const Real h = test::sanitized ? 1e-3 : 1e-4, T = 0.5, allowed = 2 * h / 1e-4;  // twice the errors stated for 1e-4
  const ShakenBlock block;
  Moreau<ShakenBlock> scheme(block);
  State<ShakenBlock> s{0, Vector<2>::Zero(), Vector<2>::Zero(), {}};
  run(scheme, s, h, 60 * T);  // until the start is forgotten
  Real fastest = 0, slowest = 0, left = s.q(0), right = s.q(0);
  const MotionReport report = run(scheme, s, h, 61 * T, [&](const State<ShakenBlock>& now, const StepReport&) {
    fastest = std::max(fastest, now.u(0)), slowest = std::min(slowest, now.u(0));
    left = std::min(left, now.q(0)), right = std::max(right, now.q(0));
    return true;
  });
  const Real peak = block.mu * block.g * T / 4, height = block.mu * block.g * T * T / 16;
  EXPECT_NEAR(peak, 0.367875, 1e-9);
  EXPECT_NEAR(height, 0.0459844, 1e-7);
  EXPECT_NEAR((fastest - slowest) / 2, peak, allowed * (0.367875 - 0.36714));
  EXPECT_NEAR(right - left, height, allowed * (0.04617 - 0.0459844));
  EXPECT_LT(std::abs(report.energy.defect()), 1e-12);
  EXPECT_GT(report.energy.boundary, 0);  // the ground works, friction dissipates
  EXPECT_NEAR(report.energy.boundary, report.energy.dissipation, 1e-2 * report.energy.dissipation);
}

}  // namespace
}  // namespace cairn
