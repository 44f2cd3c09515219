// A step that tells how many solutions it had.
#include <gtest/gtest.h>

#include <cmath>

#include "cairn/law/coulomb2.hpp"
#include "cairn/law/static_dynamic.hpp"
#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"

namespace cairn {
namespace {

// A uniform rod of mass 1 and length 2 in a vertical plane, its lower end above level ground; theta from the
// horizontal.
template <class L>
struct Rod {
  using Law = L;
  static constexpr int freedoms = 3;
  L contact_law;

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Vector<3>(1, 1, Real(1) / 3).asDiagonal(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return {0, -9.81, 0}; }
  Real gap(int, Real, const Vector<3>& q) const { return q(1) - std::sin(q(2)); }
  Kinematics<2, 3> kinematics(int, Real, const Vector<3>& q) const {
    const Real c = std::cos(q(2)), s = std::sin(q(2));
    return {(Matrix<2, 3>() << 0, 1, -c, 1, 0, s).finished(), Vector<2>::Zero()};
  }
  L law(int, Real, const Vector<3>&) const { return contact_law; }
};

// The end at rest below the rod but for a sliding velocity, against the lean where it is negative.
template <class L>
State<Rod<L>> sliding(Real slip) {
  const Real theta = std::atan(2.0);
  return {0, {0, std::sin(theta), theta}, {slip, 0, 0}, {Status::slide}};
}

template <class L>
StepReport step(const L& law, Real slip, bool ask = true) {
  const Rod<L> rod{law};
  Moreau<Rod<L>> scheme(rod, {.count_solutions = ask});
  State<Rod<L>> s = sliding<L>(slip);
  return scheme.step(s, 1e-3);
}

TEST(CountSolutions, only_where_asked) {
  EXPECT_EQ(step(Coulomb2::with(.5), -1, false).solutions, -1);
  EXPECT_EQ(step(Coulomb2::with(.5), -1).solutions, 1);
}

// The end rises a little, yet is closed at the midpoint.
template <class L>
State<Rod<L>> rising(Status antecedent) {
  State<Rod<L>> s = sliding<L>(-1);
  s.q(1) -= 1e-3, s.u(1) = .1, s.status = {antecedent};
  return s;
}

// Painleve's rod with mu = 2: the step of a sliding end has one solution, a jump to rest; thrown up a little it has
// three.
TEST(CountSolutions, of_painleves_rod) {
  const Rod<Coulomb2> rod{Coulomb2::with(2)};
  Moreau<Rod<Coulomb2>> scheme(rod, {.count_solutions = true});
  State<Rod<Coulomb2>> s = sliding<Coulomb2>(-1);
  EXPECT_EQ(scheme.step(s, 1e-3).solutions, 1);
  EXPECT_EQ(s.status[0], Status::stick);
  s = rising<Coulomb2>(Status::slide);
  const StepReport report = scheme.step(s, 1e-3);
  EXPECT_EQ(report.solutions, 3);
  EXPECT_FALSE(report.many_motions);
}

TEST(CountSolutions, static_and_dynamic_friction_counts_with_the_one_that_applies) {
  const Rod<StaticDynamic2> rod{{Coulomb2::with(2), Coulomb2::with(.5), false}};
  Moreau<Rod<StaticDynamic2>> scheme(rod, {.count_solutions = true});
  State<Rod<StaticDynamic2>> s = rising<StaticDynamic2>(Status::stick);
  EXPECT_EQ(scheme.step(s, 1e-3).solutions, 3);
  s = rising<StaticDynamic2>(Status::slide);
  EXPECT_EQ(scheme.step(s, 1e-3).solutions, 1);
}

TEST(CountSolutions, a_motion_tells_the_largest_count) {
  const Rod<Coulomb2> rod{Coulomb2::with(.3)};
  Moreau<Rod<Coulomb2>> scheme(rod, {.count_solutions = true});
  State<Rod<Coulomb2>> s = sliding<Coulomb2>(-1);
  const MotionReport report = run(scheme, s, 1e-3, .02);
  EXPECT_EQ(report.fault, Fault::none);
  EXPECT_EQ(report.solutions_max, 1);
}

}  // namespace
}  // namespace cairn
