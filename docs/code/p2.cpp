// Problem P2: a particle in space that slides on a rough slope with Coulomb friction.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "cairn/law/coulomb3.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"

using namespace cairn;

struct SlopeParticle {
  using Law = Coulomb3;               // normal impulse first, then two tangential ones
  static constexpr int freedoms = 3;  // x across, y down the slope, z along its normal
  Real slope = 20 * std::numbers::pi / 180, mu = 0.6;

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const {
    return 9.81 * Vector<3>(0, std::sin(slope), -std::cos(slope));
  }
  Real gap(int, Real, const Vector<3>& q) const { return q(2); }
  Kinematics<3, 3> kinematics(int, Real, const Vector<3>&) const {
    Matrix<3, 3> G;
    G << 0, 0, 1,  // normal
        1, 0, 0,   // across
        0, 1, 0;   // down
    return {G, Vector<3>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return {mu}; }
};

int main() {
  const SlopeParticle particle;
  Moreau<SlopeParticle> scheme(particle);
  State<SlopeParticle> s{0, Vector<3>::Zero(), {1, 0, 0}, {}};  // launched across at 1 m/s
  Real stopped = 0;
  run(scheme, s, 1e-4, 2.0, [&](const State<SlopeParticle>& now, const StepReport&) {
    if (now.u.norm() > 0) stopped = now.t;
    return true;
  });
  std::printf("stops at t = %.4f s, x = %.5f m, y = %.5f m\n", stopped, s.q(0), s.q(1));
}
