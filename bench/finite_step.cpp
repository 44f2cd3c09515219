// One step of a small system with one frictional contact: time and allocations a step.
//
//   finite_step [--steps 1000000] [--repeat 5]
//
// The systems: a rigid body in the plane (3 freedoms) that slides and tips on its round end; a particle in space (3
// freedoms, friction in a plane). One thread, CPU time, median of the repeats.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <string>

#include "cairn/base/test/allocations.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "support/isolate.hpp"

namespace {

using namespace cairn;

struct TippedBody {  // q = (x, y, psi): centre of mass and angle; a tip of radius r at distance d from the centre
  using Law = Coulomb2;
  static constexpr int freedoms = 3;
  Real mu = 0.5, r = 0.1, d = 1, k2 = 0.02;

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Vector<3>(1, 1, k2).asDiagonal(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return {0, -9.81, 0}; }
  Real gap(int, Real, const Vector<3>& q) const { return q(1) - d * std::cos(q(2)) - r; }
  Kinematics<2, 3> kinematics(int, Real, const Vector<3>& q) const {
    const Real s = std::sin(q(2)), c = std::cos(q(2));
    return {(Matrix<2, 3>() << 0, 1, d * s, 1, 0, d * c + r).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return Coulomb2::with(mu); }
};

struct Particle {  // on a tilted plane z >= 0
  using Law = Coulomb3;
  static constexpr int freedoms = 3;
  Real mu = 0.4;

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return {5, 0.3, -8}; }
  Real gap(int, Real, const Vector<3>& q) const { return q(2); }
  Kinematics<3, 3> kinematics(int, Real, const Vector<3>&) const {
    return {(Matrix<3, 3>() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(), Vector<3>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return {mu}; }
};

template <System S>
void measure(const char* name, const S& system, const State<S>& start, long steps, int repeat) {
  std::vector<double> times;
  long contact_steps = 0, allocated = 0;
  for (int k = 0; k < repeat; ++k) {
    Moreau<S> scheme(system);
    State<S> s = start;
    scheme.step(s, 1e-9);  // what is allocated once
    const long before = cairn::test::allocations;
    const double begin = bench::cpu_seconds();
    const MotionReport report = run(scheme, s, 1e-7, s.t + 1e-7 * static_cast<Real>(steps));
    const double seconds = bench::cpu_seconds() - begin;
    allocated = cairn::test::allocations - before, contact_steps = report.contact_steps;
    times.push_back(seconds / static_cast<double>(steps));
  }
  fmt::print("{:<44}{:>10.0f}{:>16.3f}{:>14}\n", name, 1e9 * bench::median(times),
             static_cast<double>(contact_steps) / static_cast<double>(steps), allocated);
}

}  // namespace

int main(int argc, char** argv) {
  long steps = 1000000;
  int repeat = 5;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string a = argv[i];
    if (a == "--steps") steps = std::atol(argv[i + 1]);
    if (a == "--repeat") repeat = std::atoi(argv[i + 1]);
  }
  if (steps < 1 || repeat < 1) return fmt::print(stderr, "usage: finite_step [--steps N] [--repeat N]\n"), 2;
  fmt::print("{:<44}{:>10}{:>16}{:>14}\n", "system", "ns a step", "in contact", "allocations");
  const TippedBody body;
  measure("body on a round tip, 3 freedoms, Coulomb 2D", body, {0, {0, body.d + body.r, 0}, {1, 0, 0}, {}}, steps,
          repeat);
  measure("particle on a plane, 3 freedoms, Coulomb 3D", Particle{}, {0, {0, 0, 0}, {1, 0.5, 0}, {}}, steps, repeat);
}
