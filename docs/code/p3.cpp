// Problem P3: several frictionless constraints and Moreau's impact law. Five balls in a row, one of them thrown.
#include <cstdio>

#include "cairn/law/signorini.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"

using namespace cairn;

struct Row {
  using Law = Signorini;
  static constexpr int freedoms = 5;
  Real diameter = 1, e = 1;

  int contacts() const { return freedoms - 1; }
  Matrix<5, 5> inertia(Real, const Vector<5>&) const { return Matrix<5, 5>::Identity(); }
  Vector<5> force(Real, const Vector<5>&, const Vector<5>&) const { return Vector<5>::Zero(); }
  Real gap(int a, Real, const Vector<5>& q) const { return q(a + 1) - q(a) - diameter; }
  Kinematics<1, 5> kinematics(int a, Real, const Vector<5>&) const {
    Kinematics<1, 5> k{Matrix<1, 5>::Zero(), Vector<1>(0)};
    k.G(a) = -1, k.G(a + 1) = 1;
    return k;
  }
  Law law(int, Real, const Vector<5>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

int main() {
  const Row row;
  Moreau<Row> scheme(row);
  State<Row> s{0, {-0.5, 1, 2, 3, 4}, {1, 0, 0, 0, 0}, {}};  // the first comes from the left, the others touch
  run(scheme, s, 1e-3, 2.0);
  for (int i = 0; i < 5; ++i) std::printf("ball %d: %+.3f m/s\n", i, s.u(i));
}
