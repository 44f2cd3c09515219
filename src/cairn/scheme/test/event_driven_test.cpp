#include "cairn/scheme/event_driven.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cairn/scheme/test/bouncing_ball.hpp"

namespace cairn {
namespace {

template <System S>
std::vector<Event<S>> of_kind(const EventDriven<S>& scheme, EventKind kind) {
  std::vector<Event<S>> found;
  for (const Event<S>& e : scheme.events())
    if (e.kind == kind) found.push_back(e);
  return found;
}

TEST(EventDriven, bouncing_ball_has_the_exact_impacts_and_rests_at_the_limit) {
  for (const Real e : {0.3, 0.5, 0.8}) {
    const BouncingBall ball{e};
    EventDriven<BouncingBall> scheme(ball);
    State<BouncingBall> s = dropped_ball();
    const Real end = (1 + e) / (1 - e);
    std::vector<Real> times;
    for (int k = 0; k < 97; ++k) times.push_back((end + 1) * k / 97.0);
    std::vector<State<BouncingBall>> samples;
    const StepReport report = scheme.advance(s, end + 1, times, &samples);
    ASSERT_EQ(report.fault, Fault::none);
    const auto impacts = of_kind(scheme, EventKind::impact);
    ASSERT_GT(impacts.size(), 5u);
    Real t = 1, speed = 2;
    for (const Event<BouncingBall>& impact : impacts) {
      EXPECT_NEAR(impact.t, t, 1e-9);
      EXPECT_NEAR(impact.u_before(0), -speed, 1e-9);
      EXPECT_NEAR(impact.u_after(0), e * speed, 1e-9);
      speed *= e, t += speed;
    }
    const auto rests = of_kind(scheme, EventKind::rest);
    ASSERT_EQ(rests.size(), 1u);
    EXPECT_EQ(scheme.accumulations(), 1);
    EXPECT_NEAR(rests[0].t, end, 1e-8);
    EXPECT_NEAR(s.q(0), 0, 1e-9);
    EXPECT_EQ(report.closed, 1);
    EXPECT_NEAR(scheme.mode().closed[0].R(0), 2, 1e-9);
    EXPECT_NEAR(report.energy.defect(), 0, 1e-8);
    EXPECT_NEAR(report.energy.dissipation, 2, 1e-8);
    ASSERT_EQ(samples.size(), times.size());
    for (const State<BouncingBall>& sample : samples) EXPECT_NEAR(sample.q(0), exact_bounce(sample.t, e), 1e-9);
  }
}

TEST(EventDriven, soft_and_elastic_balls) {
  for (const Real e : {0.0, 1.0}) {
    const BouncingBall ball{e};
    EventDriven<BouncingBall> scheme(ball);
    EXPECT_LT(bouncing_ball_error(scheme, 0.0137, e), 1e-9);  // restarted at each step
    EXPECT_EQ(scheme.events().size(), e > 0 ? 2u : 1u);
  }
}

TEST(EventDriven, state_that_starts_inside_and_departs_is_let_go) {
  const BouncingBall ball{0.5};
  EventDriven<BouncingBall> scheme(ball);
  State<BouncingBall> s{0, Vector<1>(-1e-3), Vector<1>(1), {}};
  ASSERT_EQ(scheme.step(s, 0.5).fault, Fault::none);
  EXPECT_TRUE(scheme.events().empty());
  EXPECT_NEAR(s.q(0), -1e-3 + 0.5 - 0.25, 1e-10);
}

TEST(EventDriven, faults_are_reported) {
  struct Broken : BouncingBall {
    Real mass = 1, breaks = 0.5;
    Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(mass); }
    Vector<1> force(Real t, const Vector<1>&, const Vector<1>&) const { return Vector<1>(t > breaks ? NAN : -1); }
  } broken;
  State<Broken> s{0, Vector<1>(1), Vector<1>(0), {}};
  EXPECT_EQ(EventDriven<Broken>(broken).step(s, 1).fault, Fault::not_finite);
  broken.mass = 0, broken.breaks = 2;
  s = {0, Vector<1>(1), Vector<1>(0), {}};
  EXPECT_EQ(EventDriven<Broken>(broken).step(s, 1).fault, Fault::singular_inertia);
}

TEST(EventDriven, takes_another_impact_map) {
  const BouncingBall ball{0};
  EventDriven<BouncingBall> scheme(ball);
  scheme.set_impact([](Real, const Vector<1>&, const Vector<1>& u, const std::vector<int>& touching, Vector<1>& after) {
    EXPECT_EQ(touching, std::vector<int>{0});
    after = -0.25 * u;
    return true;
  });
  State<BouncingBall> s = dropped_ball();
  scheme.step(s, 1.25);
  EXPECT_NEAR(s.q(0), exact_bounce(1.25, 0.25), 1e-9);
}

struct Incline {  // x downhill, y normal
  using Law = Coulomb2;
  static constexpr int freedoms = 2;
  Real theta, mu;

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return 3 * Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const {
    return 3 * 9.81 * Vector<2>(std::sin(theta), -std::cos(theta));
  }
  Real gap(int, Real, const Vector<2>& q) const { return q(1); }
  Kinematics<2, 2> kinematics(int, Real, const Vector<2>&) const {
    return {(Matrix<2, 2>() << 0, 1, 1, 0).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<2>&) const { return Coulomb2::with(mu); }
};

// Thrown uphill, a block stops after v / (g (sin + mu cos)); then it sticks, or slides back at g (sin - mu cos).
TEST(EventDriven, block_thrown_up_an_incline_stops_and_sticks_or_slides_back) {
  const Real degree = std::numbers::pi / 180, v = 2, g = 9.81;
  for (const Real theta : {26 * degree, 30 * degree}) {
    const Incline incline{theta, 0.5};
    EventDriven<Incline> scheme(incline);
    State<Incline> s{0, Vector<2>::Zero(), Vector<2>(-v, 0), {Status::take_off}};
    const StepReport report = scheme.step(s, 1);
    const Real up = g * (std::sin(theta) + 0.5 * std::cos(theta)), stop = v / up;
    const Real down = std::max(Real(0), g * (std::sin(theta) - 0.5 * std::cos(theta)));
    ASSERT_EQ(scheme.events().size(), 1u);
    EXPECT_EQ(scheme.events()[0].kind, EventKind::stop);
    EXPECT_NEAR(scheme.events()[0].t, stop, 1e-9);
    EXPECT_NEAR(s.u(0), down * (1 - stop), 1e-9);
    EXPECT_NEAR(s.q(0), -v * stop / 2 + down * (1 - stop) * (1 - stop) / 2, 1e-9);
    EXPECT_NEAR(s.q(1), 0, 1e-12);
    EXPECT_EQ(s.status[0], down > 0 ? Status::slide : Status::stick);
    EXPECT_NEAR(report.energy.defect(), 0, 1e-8);
  }
  EXPECT_NEAR(g * (std::sin(30 * degree) - 0.5 * std::cos(30 * degree)), 0.6571453944, 1e-10);
}

struct RollingBall {  // x, y, angle; I = kappa m R^2
  using Law = Coulomb2;
  static constexpr int freedoms = 3;
  Real kappa, mu, m = 2, R = 0.3, g = 9.81;

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Vector<3>(m, m, kappa * m * R * R).asDiagonal(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return Vector<3>(0, -m * g, 0); }
  Real gap(int, Real, const Vector<3>& q) const { return q(1) - R; }
  Kinematics<2, 3> kinematics(int, Real, const Vector<3>&) const {
    return {(Matrix<2, 3>() << 0, 1, 0, 1, 0, -R).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return Coulomb2::with(mu); }
};

TEST(EventDriven, sliding_ball_rolls_from_the_exact_instant) {
  for (const Real v0 : {3.0, -1.0}) {
    const RollingBall ball{0.4, 0.2};
    const Real w0 = 2, slip = v0 - ball.R * w0;
    EventDriven<RollingBall> scheme(ball);
    State<RollingBall> s{0, Vector<3>(0, ball.R, 0), Vector<3>(v0, 0, w0), {}};
    const StepReport report = scheme.step(s, 2);
    ASSERT_EQ(scheme.events().size(), 1u);
    EXPECT_EQ(scheme.events()[0].kind, EventKind::stop);
    const Real t = std::abs(slip) * ball.kappa / ((1 + ball.kappa) * ball.mu * ball.g);
    const Real v = (v0 + ball.kappa * ball.R * w0) / (1 + ball.kappa);
    EXPECT_NEAR(scheme.events()[0].t, t, 1e-9);
    EXPECT_NEAR(s.u(0), v, 1e-9);
    EXPECT_NEAR(s.u(2), v / ball.R, 1e-9);
    EXPECT_NEAR(s.q(0), (v0 + v) / 2 * t + v * (2 - t), 1e-9);
    EXPECT_NEAR(report.energy.defect(), 0, 1e-8);
  }
}

struct StoppedPendulum {  // angle q >= 0, the stop at the lowest point
  using Law = Signorini;
  static constexpr int freedoms = 1;
  Real e, g = 9.81, length = 0.7;

  int contacts() const { return 1; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(length * length); }
  Vector<1> force(Real, const Vector<1>& q, const Vector<1>&) const { return Vector<1>(-g * length * std::sin(q(0))); }
  Real gap(int, Real, const Vector<1>& q) const { return length * q(0); }
  Kinematics<1, 1> kinematics(int, Real, const Vector<1>&) const { return {Matrix<1, 1>(length), Vector<1>(0)}; }
  Law law(int, Real, const Vector<1>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }

  Real half_period(Real top) const { return 2 * std::sqrt(length / g) * std::comp_ellint_1(std::sin(top / 2)); }
};

TEST(EventDriven, pendulum_with_a_stop_hits_it_at_the_exact_instants) {
  const StoppedPendulum pendulum{0.7};
  EventDriven<StoppedPendulum> scheme(pendulum);
  State<StoppedPendulum> s{0, Vector<1>(2), Vector<1>(0), {}};
  ASSERT_EQ(scheme.step(s, 5).fault, Fault::none);
  Real top = 2, t = pendulum.half_period(top) / 2;
  const auto impacts = of_kind(scheme, EventKind::impact);
  ASSERT_GT(impacts.size(), 5u);
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(impacts[static_cast<std::size_t>(k)].t, t, 1e-9) << k;
    top = 2 * std::asin(0.7 * std::sin(top / 2));  // speed at the bottom goes as sin(top / 2)
    t += pendulum.half_period(top);
  }
}

struct Dome {  // a particle outside the unit disc, without friction
  using Law = Signorini;
  static constexpr int freedoms = 2;
  Real g = 9.81;

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return Vector<2>(0, -g); }
  Real gap(int, Real, const Vector<2>& q) const { return q.norm() - 1; }
  Kinematics<1, 2> kinematics(int, Real, const Vector<2>& q) const { return {q.transpose() / q.norm(), Vector<1>(0)}; }
  Law law(int, Real, const Vector<2>&) const { return {}; }
};

TEST(EventDriven, particle_leaves_the_dome_where_its_weight_no_longer_holds_it) {
  const Dome dome;
  EventDriven<Dome> scheme(dome);
  State<Dome> s{0, Vector<2>(0, 1), Vector<2>(1, 0), {}};
  const StepReport report = scheme.step(s, 0.6);
  const auto releases = of_kind(scheme, EventKind::release);
  ASSERT_EQ(scheme.events().size(), 1u);
  ASSERT_EQ(releases.size(), 1u);
  const Real cosine = (2 + 1 / dome.g) / 3;  // v^2 = v0^2 + 2 g (1 - cos) = g cos
  EXPECT_NEAR(releases[0].u_before.squaredNorm(), dome.g * cosine, 1e-8);
  EXPECT_NEAR(report.energy.change, dome.g * (1 - s.q(1)), 1e-8);
  EXPECT_GT(s.q.norm(), 1);
}

struct DraggedMass {  // on a belt at speed V, held by a spring
  using Law = Coulomb2;
  static constexpr int freedoms = 2;
  Real K = 100, mu = 0.4, V = 0.1, g = 9.81;

  int contacts() const { return 1; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>& q, const Vector<2>&) const { return Vector<2>(-K * q(0), -g); }
  Real gap(int, Real, const Vector<2>& q) const { return q(1); }
  Kinematics<2, 2> kinematics(int, Real, const Vector<2>&) const {
    return {(Matrix<2, 2>() << 0, 1, 1, 0).finished(), Vector<2>(0, -V)};
  }
  Law law(int, Real, const Vector<2>&) const { return Coulomb2::with(mu); }
};

TEST(EventDriven, dragged_mass_sticks_until_the_spring_exceeds_friction) {
  const DraggedMass mass;
  EventDriven<DraggedMass> scheme(mass);
  State<DraggedMass> s{0, Vector<2>::Zero(), Vector<2>(mass.V, 0), {}};
  const Real x = mass.mu * mass.g / mass.K, slip = x / mass.V, later = 0.4, w = std::sqrt(mass.K);
  const StepReport report = scheme.step(s, slip + later);
  ASSERT_EQ(scheme.events().size(), 1u);
  EXPECT_EQ(scheme.events()[0].kind, EventKind::slip);
  EXPECT_NEAR(scheme.events()[0].t, slip, 1e-9);
  EXPECT_NEAR(s.q(0), x + mass.V / w * std::sin(w * later), 1e-9);
  EXPECT_NEAR(s.u(0), mass.V * std::cos(w * later), 1e-9);
  EXPECT_NEAR(report.energy.defect(), 0, 1e-9);
}

struct SlopeParticle {  // x across, y downhill, z normal; mu = k tan theta
  using Law = Coulomb3;
  static constexpr int freedoms = 3;
  Real k, theta = 0.3, g = 9.81;

  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const {
    return g * Vector<3>(0, std::sin(theta), -std::cos(theta));
  }
  Real gap(int, Real, const Vector<3>& q) const { return q(2); }
  Kinematics<3, 3> kinematics(int, Real, const Vector<3>&) const {
    return {(Matrix<3, 3>() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(), Vector<3>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return {k * std::tan(theta)}; }
};

TEST(EventDriven, particle_on_a_slope_stops_at_the_exact_place) {
  for (const Real k : {1.3, 2.0}) {
    const SlopeParticle slope{k};
    const Real a = slope.g * std::sin(slope.theta), stop = k / (a * (k * k - 1));
    EventDriven<SlopeParticle> scheme(slope);
    State<SlopeParticle> s{0, Vector<3>::Zero(), Vector<3>(1, 0, 0), {}};
    ASSERT_EQ(scheme.step(s, 1.5 * stop).fault, Fault::none);
    ASSERT_EQ(scheme.events().size(), 1u);
    EXPECT_EQ(scheme.events()[0].kind, EventKind::stop);
    EXPECT_NEAR(scheme.events()[0].t, stop, 1e-8) << "k = " << k;
    EXPECT_NEAR(s.q(0), 4 * k / (2 * a * (4 * k * k - 1)), 1e-9) << "k = " << k;
    EXPECT_NEAR(s.q(1), 1 / (4 * a * (k * k - 1)), 1e-9) << "k = " << k;
    EXPECT_LT(s.u.norm(), 1e-12);
  }
}

struct RockingBlock {  // half-width b, half-height c; corners over the floor
  using Law = Coulomb2;
  static constexpr int freedoms = 3;
  Real b = 0.1, c = 0.5, mu = 1, g = 9.81;

  Vector<2> corner(int a, const Vector<3>& q) const {  // from the centre of mass
    const Real x = a == 0 ? -b : b, C = std::cos(q(2)), D = std::sin(q(2));
    return {C * x + D * c, D * x - C * c};
  }
  int contacts() const { return 2; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Vector<3>(1, 1, (b * b + c * c) / 3).asDiagonal(); }
  Vector<3> force(Real, const Vector<3>&, const Vector<3>&) const { return Vector<3>(0, -g, 0); }
  Real gap(int a, Real, const Vector<3>& q) const { return q(1) + corner(a, q)(1); }
  Kinematics<2, 3> kinematics(int a, Real, const Vector<3>& q) const {
    const Vector<2> r = corner(a, q);
    return {(Matrix<2, 3>() << 0, 1, r(0), 1, 0, -r(1)).finished(), Vector<2>::Zero()};
  }
  Law law(int, Real, const Vector<3>&) const { return Coulomb2::with(mu); }
};

TEST(EventDriven, rocking_block_hits_the_floor_at_the_stated_instants) {
  const RockingBlock block;
  const Real alpha = std::atan2(block.b, block.c), turned = -alpha / 2;  // on its right corner
  Vector<3> q(0, 0, turned);
  q(1) = -block.corner(1, q)(1);
  EventDriven<RockingBlock> scheme(block);
  State<RockingBlock> s{0, q, Vector<3>::Zero(), {}};
  const StepReport report = scheme.step(s, 2.1);
  ASSERT_EQ(report.fault, Fault::none);
  const auto impacts = of_kind(scheme, EventKind::impact);
  const Real stated[] = {0.347094, 0.950921, 1.487940, 1.972072};
  ASSERT_EQ(impacts.size(), 4u);
  for (int k = 0; k < 4; ++k) {
    const Event<RockingBlock>& impact = impacts[static_cast<std::size_t>(k)];
    EXPECT_NEAR(impact.t, stated[k], 1e-6) << k;
    EXPECT_EQ(impact.contact, k % 2);
    EXPECT_NEAR(impact.u_after(2) / impact.u_before(2), 1 - 1.5 * std::sin(alpha) * std::sin(alpha), 1e-9) << k;
  }
  EXPECT_NEAR(report.energy.defect(), 0, 1e-8);
  EXPECT_LT(report.violation, 1e-9);
}

TEST(EventDriven, block_at_rest_on_two_corners_shares_its_weight_and_stays) {
  const RockingBlock block;
  EventDriven<RockingBlock> scheme(block);
  State<RockingBlock> s{0, Vector<3>(0, block.c, 0), Vector<3>::Zero(), {}};
  const StepReport report = scheme.step(s, 1);
  EXPECT_EQ(report.closed, 2);
  EXPECT_TRUE(scheme.events().empty());
  EXPECT_LT(s.u.norm(), 1e-10);
  for (const auto& k : scheme.mode().closed) EXPECT_NEAR(k.R(0), block.g / 2, 1e-8);
}

struct Wedge {  // a particle over two planes at right angles, BC18 fig. 1 without surprise
  using Law = Signorini;
  static constexpr int freedoms = 2;
  Real e;

  int contacts() const { return 2; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return Matrix<2, 2>::Identity(); }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return Vector<2>(0, -2); }
  Real gap(int a, Real, const Vector<2>& q) const { return ((a == 0 ? q(0) : -q(0)) + q(1)) / std::numbers::sqrt2; }
  Kinematics<1, 2> kinematics(int a, Real, const Vector<2>&) const {
    return {Matrix<1, 2>(a == 0 ? 1 : -1, 1) / std::numbers::sqrt2, Vector<1>(0)};
  }
  Law law(int, Real, const Vector<2>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

TEST(EventDriven, particle_dropped_into_a_corner_meets_both_sides_at_once) {
  const Wedge wedge{0.5};
  EventDriven<Wedge> scheme(wedge);
  State<Wedge> s{0, Vector<2>(0, 1), Vector<2>::Zero(), {}};
  ASSERT_EQ(scheme.step(s, 4).fault, Fault::none);
  EXPECT_NEAR(scheme.events()[0].t, 1, 1e-9);
  EXPECT_NEAR(scheme.events()[0].u_after(1), 1, 1e-9);
  const auto rests = of_kind(scheme, EventKind::rest);
  ASSERT_EQ(rests.size(), 2u);
  for (const auto& rest : rests) EXPECT_NEAR(rest.t, 3, 1e-8);
  EXPECT_EQ(scheme.mode().closed.size(), 2u);
  EXPECT_LT(s.q.norm(), 1e-9);
}

}  // namespace
}  // namespace cairn
