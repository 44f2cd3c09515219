#include "cairn/lagrange/inclusion.hpp"

#include <gtest/gtest.h>

#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn {
namespace {

// exp(-1/(1-s^2)) on (-1, 1), integral 1, with its first and second integrals from -1.
struct Bump {
  static Real raw(Real s) { return std::abs(s) < 1 ? std::exp(-1 / (1 - s * s)) : 0; }
  static Real integral(Real s, Real arm) {  // of raw(x) (arm - x), or of raw(x) where arm is below -1
    Real sum = 0;
    const int parts = 48;
    for (int p = 0; p < parts; ++p)
      for (std::size_t i = 0; i < 8; ++i) {
        const Real width = (s + 1) / parts, x = -1 + (p + inclusion_detail::point[i]) * width;
        sum += width * inclusion_detail::weight[i] * raw(x) * (arm > -1 ? arm - x : 1);
      }
    return sum;
  }
  static Real total() {
    static const Real value = integral(1, -2);
    return value;
  }
  static Real value(Real s) { return raw(s) / total(); }
  static Real first(Real s) { return s <= -1 ? 0 : s >= 1 ? 1 : integral(s, -2) / total(); }
  static Real second(Real s) { return s <= -1 ? 0 : s >= 1 ? s : integral(s, s) / total(); }
};

// Unit mass above q = 0 pushed by smooth pulses that become ever smaller and closer toward t = 0 (BC18 2): rest and a
// bouncing motion both solve it. Pulse n acts on [2^-n, 2^(1-n)]; below 2^-count everything is under 2^-count^2.
struct Pulses {
  using Law = Signorini;
  static constexpr int freedoms = 1, count = 12;
  Real e = 1, sign = 1;
  Real stated = e;  // what the law says

  static Real t(int n) { return std::ldexp(Real(1), -n); }
  static Real v(int n) { return std::ldexp(Real(1), -n * n); }
  Real impulse(int n) const { return -(e * v(n) + v(n - 1)); }
  Real before(int n) const { return t(n) * v(n - 1) / (e * v(n) + v(n - 1)); }  // from t_n to the centre
  Real after(int n) const { return t(n) * e * v(n) / (e * v(n) + v(n - 1)); }   // from the centre to t_(n-1)
  Real half(int n) const { return std::min(before(n), after(n)) / 2; }
  Real s(int n, Real time) const {  // measured from the nearer end, or rounding blurs the pulse
    return (after(n) - (t(n - 1) - time)) / half(n);
  }
  static int part(Real time) {  // n with t_n <= time < t_(n-1)
    int n = 1;
    while (n <= count && time < t(n)) ++n;
    return n;
  }

  int contacts() const { return 1; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(1); }
  Vector<1> force(Real time, const Vector<1>&, const Vector<1>&) const {
    const int n = part(time);
    if (n > count) return Vector<1>(0);
    return Vector<1>(sign * impulse(n) / half(n) * Bump::value(s(n, time)));
  }
  Real gap(int, Real, const Vector<1>& q) const { return q(0); }
  Kinematics<1, 1> kinematics(int, Real, const Vector<1>&) const { return {Matrix<1, 1>(1), Vector<1>(0)}; }
  Law law(int, Real, const Vector<1>&) const { return {}; }
  Restitution restitution(int) const { return {stated, stated}; }

  std::vector<Real> breaks() const {
    std::vector<Real> at;
    for (int n = count; n >= 1; --n)
      for (const Real side : {Real(-1), Real(1)}) at.push_back(t(n - 1) - after(n) + side * half(n));
    return at;
  }
};

ClosedMotion<Pulses> rest(const Pulses& p) {
  const auto zero = [](Real) { return Vector<1>(0); };
  return {0, 1, zero, zero, zero, {}, p.breaks()};
}

ClosedMotion<Pulses> bouncing(const Pulses& p) {
  ClosedMotion<Pulses> m{0, 1, {}, {}, {}, {}, p.breaks()};
  for (int n = p.count; n >= 1; --n) m.impacts.push_back(p.t(n));
  m.q = [p](Real time) {
    const int n = p.part(time);
    if (n > p.count || time >= 1) return Vector<1>(0);
    return Vector<1>(p.e * p.v(n) * (time - p.t(n)) + p.impulse(n) * p.half(n) * Bump::second(p.s(n, time)));
  };
  m.u_plus = [p](Real time) {
    const int n = p.part(time);
    return n > p.count ? Vector<1>(0) : Vector<1>(p.e * p.v(n) + p.impulse(n) * Bump::first(p.s(n, time)));
  };
  m.u_minus = [p, right = m.u_plus](Real time) {
    for (int n = 0; n <= p.count; ++n)
      if (time == p.t(n)) return Vector<1>(-p.v(n));
    return right(time);
  };
  return m;
}

const InclusionOptions exact{32, 0, 1e-12};  // positions are exactly 0 at impacts

TEST(Inclusion, rest_and_bouncing_both_solve_the_problem_without_uniqueness) {
  for (const Real e : {0.5, 1.0}) {
    const Pulses pulses{e};
    InclusionChecker<Pulses> checker(pulses, exact);
    EXPECT_EQ(checker.check(rest(pulses)).worst(), 0);
    const auto motion = bouncing(pulses);
    EXPECT_GT(motion.q(0.75)(0), 0.01);  // they do differ
    const InclusionReport report = checker.check(motion);
    EXPECT_LT(report.worst(), 1e-10) << report.penetration.value << " " << report.kinematic.value << " "
                                     << report.balance.value << " " << report.law.value << " " << report.approach.value;
  }
}

TEST(Inclusion, bounce_with_another_coefficient_fails_the_law_alone) {
  const Pulses low{0.5, 1, 0.2}, high{0.5, 1, 0.8};
  const InclusionReport above = InclusionChecker<Pulses>(low, exact).check(bouncing(low));
  EXPECT_NEAR(above.law.value, 0.75, 1e-10);  // the whole jump at t = 1/2, from -1/2 to 1/4
  EXPECT_EQ(above.law.t, 0.5);
  EXPECT_LT(above.balance.value, 1e-10);  // the obstacle may give that impulse, the law does not
  const InclusionReport below = InclusionChecker<Pulses>(high, exact).check(bouncing(high));
  EXPECT_NEAR(below.approach.value, (0.8 * 0.5 - 0.25) / 1.8, 1e-10);
  EXPECT_LT(below.balance.value, 1e-10);
  // The motion of another coefficient under these forces misses the balance in flight.
  EXPECT_GT(InclusionChecker<Pulses>(high, exact).check(bouncing(Pulses{0.8})).balance.value, 0.01);
}

TEST(Inclusion, obstacle_that_pulls_or_is_crossed_is_seen) {
  const Pulses lifts{0.5, -1};  // the same pulses upward: rest would need an obstacle that holds the particle back
  const InclusionReport pulled = InclusionChecker<Pulses>(lifts).check(rest(lifts));
  EXPECT_GT(pulled.balance.value, 0.01);
  EXPECT_EQ(pulled.penetration.value, 0);
  const Pulses pulses{0.5};
  auto motion = bouncing(pulses);
  motion.q = [f = motion.q](Real t) { return Vector<1>(f(t) - Vector<1>(1e-3)); };
  const InclusionReport sunk = InclusionChecker<Pulses>(pulses).check(motion);
  EXPECT_NEAR(sunk.penetration.value, 1e-3, 1e-12);
  EXPECT_EQ(sunk.penetration.contact, 0);
}

TEST(Inclusion, velocity_that_is_not_the_rate_of_the_position_is_seen) {
  const Pulses pulses{1};
  auto motion = rest(pulses);
  motion.q = [](Real t) { return Vector<1>(t); };
  EXPECT_GT(InclusionChecker<Pulses>(pulses).check(motion).kinematic.value, 1e-3);
}

// A particle on a rough plane, thrown along it: it slows by mu g, stops at v/(mu g) and stays.
template <class L, int N>
struct Thrown {
  using Law = L;
  static constexpr int freedoms = N;
  Real mu = 0.5, g = 10, v = 3;

  int contacts() const { return 1; }
  Matrix<N, N> inertia(Real, const Vector<N>&) const { return 2 * Matrix<N, N>::Identity(); }
  Vector<N> force(Real, const Vector<N>&, const Vector<N>&) const { return -2 * g * Vector<N>::Unit(0); }
  Real gap(int, Real, const Vector<N>& q) const { return q(0); }
  Kinematics<N, N> kinematics(int, Real, const Vector<N>&) const {
    return {Matrix<N, N>::Identity(), Vector<N>::Zero()};
  }
  Law law(int, Real, const Vector<N>&) const { return law_of(static_cast<L*>(nullptr)); }
  Law law_of(Coulomb2*) const { return Coulomb2::with(mu); }
  Law law_of(Coulomb3*) const { return {mu}; }
};

template <class L, int N>
ClosedMotion<Thrown<L, N>> slowed(const Thrown<L, N>& thrown, Real rate) {
  ClosedMotion<Thrown<L, N>> m{0, 1, {}, {}, {}, {}, {thrown.v / rate}};
  const Vector<N> along = Vector<N>::Unit(N - 1);
  m.q = [=, v = thrown.v](Real t) {
    const Real s = std::min(t, v / rate);
    return Vector<N>((v * s - rate * s * s / 2) * along);
  };
  m.u_plus = m.u_minus = [=, v = thrown.v](Real t) { return Vector<N>(std::max(v - rate * t, Real(0)) * along); };
  return m;
}

template <class L, int N>
void expect_friction_recognised() {
  const Thrown<L, N> thrown;
  InclusionChecker<Thrown<L, N>> checker(thrown);
  EXPECT_LT(checker.check(slowed(thrown, 5)).worst(), 1e-12);
  const InclusionReport slow =
      checker.check(slowed(thrown, 4));  // less friction than sliding gives: in the cone though
  EXPECT_LT(slow.balance.value, 1e-12);
  EXPECT_GT(slow.law.value, 1e-3);
  EXPECT_GT(checker.check(slowed(thrown, 6)).balance.value, 1e-3);  // more than the cone holds
}
TEST(Inclusion, friction_of_a_sliding_then_resting_particle_in_the_plane) { expect_friction_recognised<Coulomb2, 2>(); }
TEST(Inclusion, friction_of_a_sliding_then_resting_particle_in_space) { expect_friction_recognised<Coulomb3, 3>(); }

// A bead held on the outside of a unit circle by a central force, at constant speed: the reaction turns with it.
struct Circle {
  using Law = Signorini;
  static constexpr int freedoms = 2;
  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>& q, const Vector<2>&) const { return -3 * q; }
  Real gap(int, Real, const Vector<2>& q) const { return q.norm() - 1; }
  Kinematics<1, 2> kinematics(int, Real, const Vector<2>& q) const { return {q.transpose() / q.norm(), Vector<1>(0)}; }
  Law law(int, Real, const Vector<2>&) const { return {}; }
};

TEST(Inclusion, reaction_that_turns_with_the_contact_is_recognised) {
  const Circle circle;
  ClosedMotion<Circle> m{0, 1, {}, {}, {}, {}, {}};
  m.q = [](Real t) { return Vector<2>(std::cos(t), std::sin(t)); };
  m.u_plus = m.u_minus = [](Real t) { return Vector<2>(-std::sin(t), std::cos(t)); };
  InclusionChecker<Circle> checker(circle, {32});
  EXPECT_LT(checker.check(m).worst(), 1e-12);  // symmetric about the middle of a panel
  m.u_plus = m.u_minus = [](Real t) { return Vector<2>(-1.01 * std::sin(t), 1.01 * std::cos(t)); };
  EXPECT_GT(checker.check(m).worst(), 1e-5);
}

// The nodes of the midpoint step (JM92 7), written out for a falling ball.
TEST(Inclusion, nodes_of_the_midpoint_step_satisfy_the_step_problem) {
  const Thrown<Coulomb2, 2> ball;
  std::vector<State<Thrown<Coulomb2, 2>>> nodes{{0, Vector<2>(0.2, 0), Vector<2>(0, 1), {}}};
  const Real h = 0.01;
  ContactProblem<Thrown<Coulomb2, 2>> problem(ball);
  for (int i = 0; i < 100; ++i) {
    auto s = nodes.back();
    const Vector<2> q_M = s.q + h / 2 * s.u;
    problem.begin(s.t + h / 2, q_M);
    if (q_M(0) <= 0) problem.add(0);
    problem.solve(s.u, s.u + h * problem.accelerate(ball.force(0, q_M, s.u)));
    s.u = problem.velocity(), s.q = q_M + h / 2 * s.u, s.t += h;
    nodes.push_back(s);
  }
  InclusionOptions options;
  options.contact_gap = 0.02;  // of the order of h times the speed
  InclusionChecker<Thrown<Coulomb2, 2>> checker(ball, options);
  const InclusionReport report = checker.check(nodes);
  EXPECT_LT(report.balance.value, 1e-12);
  EXPECT_LT(report.kinematic.value, 1e-14);
  EXPECT_LT(report.penetration.value, 0.02);
  nodes[50].u(1) += 0.1;
  EXPECT_GT(checker.check(nodes).balance.value, 0.01);
}

}  // namespace
}  // namespace cairn
