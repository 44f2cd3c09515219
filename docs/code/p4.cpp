// Problem P4: one constraint with generalised friction. Kane's double pendulum strikes under a friction set that its
// Coulomb cone makes, and a particle slides under a set given by hand.
#include <cmath>
#include <cstdio>

#include "cairn/law/coulomb2.hpp"
#include "cairn/law/signorini.hpp"
#include "cairn/scheme/generalised.hpp"
#include "cairn/scheme/run.hpp"

using namespace cairn;

struct Pendulum {  // two rods of mass and length 1, angles from the downward vertical; Coulomb's law at the end
  using Law = Coulomb2;
  static constexpr int freedoms = 2;
  Real mu = 0.5, e = 0.5;

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>& q) const {
    const Real c = std::cos(q(0) - q(1)) / 2;
    return (Matrix<2, 2>() << 4.0 / 3, c, c, 1.0 / 3).finished();
  }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return Vector<2>::Zero(); }
  Real gap(int, Real, const Vector<2>&) const { return 0; }
  Kinematics<2, 2> kinematics(int, Real, const Vector<2>& q) const {  // rows: d(phi), then the tangential one
    return {(Matrix<2, 2>() << std::sin(q(0)), std::sin(q(1)), std::cos(q(0)), std::cos(q(1))).finished(), {0, 0}};
  }
  Law law(int, Real, const Vector<2>&) const { return Coulomb2::with(mu); }
  Restitution restitution(int) const { return {e, e}; }
};

struct Blade {  // a particle of mass 1 on a plane, held across y by a set without bound, braked along x by an interval
  using Law = Signorini;
  static constexpr int freedoms = 3;
  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return {0, 3, -10}; }
  Real gap(int, Real, const Vector<3>& q) const { return q(2); }
  Kinematics<1, 3> kinematics(int, Real, const Vector<3>&) const { return {{0, 0, 1}, Vector<1>(0)}; }
  Law law(int, Real, const Vector<3>&) const { return {}; }
  TangentialSet<3> friction(int, Real, const Vector<3>&) const {
    const TangentialSet<3> along{Matrix<1, 3>(1, 0, 0), interval(-0.1, 0.1), {}};
    const TangentialSet<3> across{Matrix<1, 3>(0, 1, 0), whole_space(1), {}};
    return along + across;
  }
};

int main() {
  const Vector<2> q = Vector<2>(20, 30) * std::acos(-1) / 180, u(-0.1, -0.2);
  for (const Real mu : {0.3, 0.5, 0.8}) {
    Pendulum pendulum;
    pendulum.mu = mu;
    const WithFrictionSets<Pendulum> sets(pendulum);  // C* from the cone
    const auto o = generalised_impact(sets, 0, q, u, {0});
    std::printf("mu %.1f: q'+ = (%.6f, %.6f), energy after/before %.4f, set %s\n", mu, o.u_plus(0), o.u_plus(1),
                o.energy_after / o.energy_before, sets.friction(0, 0, q).set.bounded() ? "bounded" : "unbounded");
  }
  const Blade blade;
  Generalised<Blade> scheme(blade);
  State<Blade> s{0, {0, 0, 0}, {2, 0, 0}, {}};
  const MotionReport report = run(scheme, s, 1e-3, 1.0);
  std::printf("blade: x' = %.4f, y' = %.4f m/s, energy that the law gave: %g J\n", s.u(0), s.u(1), report.law_gain_max);
}
