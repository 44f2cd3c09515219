// What surfaces do beside Coulomb's law with one coefficient: each against the motion that it must give.
#include <gtest/gtest.h>

#include <cmath>

#include "cairn/base/test/share.hpp"
#include "cairn/model/build.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn {
namespace {

constexpr Real g = Real(9.81), step_size = Real(0.001);

// A body on a plane through the origin, gravity tilted by `slope` towards direction `down` of the plane.
template <int D>
struct OnPlane {
  Model<D> model;
  ModelState<D> state;
  Real slope;
  int ground;

  OnPlane(const Surface& surface, Real slope_, Vec<D> down) : slope(slope_) {
    model.materials.standard = surface;
    model.gravity = g * std::sin(slope) * down;
    model.gravity[D - 1] = -g * std::cos(slope);
    ground = *add_boundary<D>(model, state, {{HalfSpace<D>{}, {}, 1}}, {});
  }
  void box(const Vec<D>& half) {
    Vec<D> x{};
    x[D - 1] = half[D - 1];
    if constexpr (D == 2)
      put(Polygon::box(half), x);
    else
      put(Polyhedron::box(half), x);
  }
  void ball(Real radius) {
    Vec<D> x{};
    x[D - 1] = radius;
    put(Ball<D>{radius}, x);
  }
  void put(const Shape<D>& shape, const Vec<D>& x) {
    const Expected<int> b = add_body<D>(model, state, {{shape, {}, 1000}}, {x, {}});
    ASSERT_TRUE(b) << b.error();
  }
  void run(int steps) {
    Collection<D> scheme(model);
    EnergyLedger energy;
    for (int k = 0; k < steps; ++k) {
      const CollectionReport r = scheme.step(state, step_size);
      ASSERT_FALSE(r.missed) << r.error;
      EXPECT_LE(r.velocity_error, 1e-8);
      EXPECT_GE(r.energy.dissipation, -1e-9);
      energy += r.energy;
    }
    EXPECT_NEAR(energy.defect(), 0, 1e-9 * (1 + std::abs(energy.applied)));
  }
  Vec<freedoms<D>>& u() { return state.u.back(); }
  const Vec<D>& x() const { return state.x.back(); }
};

TEST(Surfaces, ABlockThatSlidKeepsSlidingWhereAtRestItStays) {
  Surface s;
  s.mu = Real(0.5), s.mu_dynamic = Real(0.3);
  const Real slope = std::atan(Real(0.4));
  OnPlane<2> still(s, slope, {1, 0}), moving(s, slope, {1, 0});
  still.box({Real(0.2), Real(0.1)}), moving.box({Real(0.2), Real(0.1)});
  moving.u()[0] = 1;
  still.run(300), moving.run(300);
  EXPECT_LE(std::abs(still.x()[0]), 1e-12);
  const Real a = g * (std::sin(slope) - Real(0.3) * std::cos(slope));
  // The first step still has the coefficient of rest, which costs step_size (mu_s - mu_d) g cos.
  EXPECT_NEAR(moving.u()[0], 1 + a * 300 * step_size - step_size * Real(0.2) * g * std::cos(slope), 1e-9);
}

TEST(Surfaces, ABlockThatStopsIsHeldByStaticFriction) {
  Surface s;
  s.mu = Real(0.5), s.mu_dynamic = Real(0.3);
  OnPlane<3> m(s, std::atan(Real(0.25)), {1, 0, 0});
  m.box({Real(0.2), Real(0.2), Real(0.1)});
  m.u()[0] = Real(0.2);
  m.run(600);  // .05 g slows it: at rest after about .42 s
  EXPECT_LE(norm(m.u()), 1e-9);
}

// Slides along x and y, with the grain of the ground along x.
TEST(Surfaces, GrainSlowsABlockByItsOwnCoefficientEachWay) {
  Surface s;
  s.mu = Real(0.2), s.mu_across = Real(0.4);
  for (const int way : {0, 1}) {
    OnPlane<3> m(s, 0, {1, 0, 0});
    m.model.bodies[static_cast<std::size_t>(m.ground)].grain = {1, 0, 0};
    m.box({Real(0.2), Real(0.2), Real(0.1)});
    m.u()[way] = 2;
    m.run(200);
    EXPECT_NEAR(m.u()[way], 2 - (way == 0 ? s.mu : s.mu_across) * g * 200 * step_size, 1e-8);
    EXPECT_LE(std::abs(m.u()[1 - way]), 1e-8);
  }
}

// The grain turns with the body that carries it: the same block, turned by a quarter before.
TEST(Surfaces, GrainTurnsWithTheBodyThatCarriesIt) {
  Surface s;
  s.mu = Real(0.2), s.mu_across = Real(0.4);
  OnPlane<3> m(s, 0, {1, 0, 0});
  m.box({Real(0.3), Real(0.2), Real(0.1)});
  Body<3>& body = m.model.bodies.back();
  const Rotation<3> quarter = Rotation<3>::by({0, 0, std::acos(Real(-1)) / 2});
  m.state.r.back().r = (quarter * m.state.r.back().r).unit();
  body.grain = m.state.pose(1).R.inverse() * Vec<3>{0, 1, 0};
  m.u()[0] = 2;
  m.run(100);
  EXPECT_NEAR(m.u()[0], 2 - s.mu_across * g * 100 * step_size, 1e-8);
}

// In the plane: what slides over the carrier along the grain has mu, against it mu_across.
TEST(Surfaces, InThePlaneTheGrainHasTwoSenses) {
  Surface s;
  s.mu = Real(0.2), s.mu_across = Real(0.4);
  for (const Real sense : {1, -1})
    for (const bool ground_carries : {true, false}) {
      OnPlane<2> m(s, 0, {1, 0});
      m.box({Real(0.2), Real(0.1)});
      if (ground_carries)
        m.model.bodies[static_cast<std::size_t>(m.ground)].grain = {1, 0};
      else
        m.model.bodies.back().grain = {-1, 0};  // over the block the ground slides the other way
      m.u()[0] = 2 * sense;
      m.run(200);
      EXPECT_NEAR(sense * m.u()[0], 2 - (sense > 0 ? s.mu : s.mu_across) * g * 200 * step_size, 1e-8);
    }
}

// A ball on a slope: held where tan < rolling / R, else a (1 + I/(m R^2)) = g (sin - rolling/R cos).
template <int D>
void ball_on_slope() {
  const Real R = Real(0.2);
  Surface s;
  s.mu = Real(0.8), s.rolling = Real(0.02);
  for (const Real tangent : {Real(0.0999), Real(0.2)}) {
    const Real slope = std::atan(tangent);
    Vec<D> down{};
    down[0] = 1;
    OnPlane<D> m(s, slope, down);
    m.ball(R);
    m.run(200);
    const Real share = 1 + (D == 2 ? Real(0.5) : Real(0.4));
    const Real a = g * (std::sin(slope) - s.rolling / R * std::cos(slope)) / share;
    EXPECT_NEAR(m.u()[0], tangent < s.rolling / R ? 0 : a * 200 * step_size, 1e-8);
  }
}
TEST(Surfaces, RollingResistanceHoldsABallOrSlowsIt) { ball_on_slope<2>(), ball_on_slope<3>(); }

TEST(Surfaces, DrillingResistanceStopsASpinningBall) {
  Surface s;
  s.mu = Real(0.5), s.drilling = Real(0.01);
  OnPlane<3> m(s, 0, {1, 0, 0});
  m.ball(Real(0.2));
  const Body<3>& body = m.model.bodies.back();
  const Real I = body.inertia[0], rate = s.drilling * body.mass * g / I;
  const Vec<3> own = m.state.pose(1).R.inverse() * Vec<3>{0, 0, 3};
  for (int k = 0; k < 3; ++k) m.u()[3 + k] = own[k];
  m.run(200);
  EXPECT_NEAR(norm(Vec<3>::load(m.u().v + 3)), 3 - rate * 200 * step_size, 1e-8);
  m.run(static_cast<int>(3 / rate / step_size));
  EXPECT_LE(norm(m.u()), 1e-8);
}

}  // namespace
}  // namespace cairn
