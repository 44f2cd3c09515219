// Problem P1: a particle on a line with an obstacle. Build against Cairn; prints the motion and its certificate.
#include <cstdio>

#include "cairn/law/signorini.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"

using namespace cairn;

struct Particle {
  using Law = Signorini;              // frictionless: 0 <= U, S >= 0, U S = 0
  static constexpr int freedoms = 1;  // q
  Real mass = 1, e = 0.5;

  int contacts() const { return 1; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(mass); }                           // A
  Vector<1> force(Real, const Vector<1>&, const Vector<1>&) const { return Vector<1>(-2 * mass); }            // F
  Real gap(int, Real, const Vector<1>& q) const { return q(0); }                                              // q >= 0
  Kinematics<1, 1> kinematics(int, Real, const Vector<1>&) const { return {Matrix<1, 1>(1), Vector<1>(0)}; }  // U = u
  Law law(int, Real, const Vector<1>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

int main() {
  const Particle particle;
  Moreau<Particle> scheme(particle);
  State<Particle> s{0, Vector<1>(1), Vector<1>(0), {}};  // t, q, u
  const MotionReport report = run(scheme, s, 1e-3, 4.0);
  std::printf("t = %g, q = %.6f, u = %.6f\n", s.t, s.q(0), s.u(0));
  std::printf("%ld steps, %ld with contact, violation %.1e m\n", report.steps, report.contact_steps,
              report.violation_max);
  std::printf("energy: change %.6f = work %.6f - dissipation %.6f + defect %.1e J\n", report.energy.change,
              report.energy.applied, report.energy.dissipation, report.energy.defect());
}
