// Joints of collections: what they hold, and what acts in them.
#include <gtest/gtest.h>

#include <cmath>

#include "cairn/base/test/share.hpp"
#include "cairn/model/add_joint.hpp"
#include "cairn/model/build.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn {
namespace {

constexpr Real g = Real(9.81);

template <class T>
T& at(std::vector<T>& v, int i) {
  return v[static_cast<std::size_t>(i)];
}

template <int D>
struct Mechanism {
  Model<D> model;
  ModelState<D> state;
  CollectionReport worst;
  Real joint_error = 0;

  Mechanism() { model.gravity[D - 1] = -g; }

  // A rod of length 1 m and half thickness .05 m along x, its left end at `from`.
  int rod(const Vec<D>& from) {
    Vec<D> x = from;
    x[0] += Real(0.5);
    const Expected<int> b = add_body<D>(model, state, {{Capsule<D>{Real(0.45), Real(0.05)}, {}, 1000}}, {x, {}});
    EXPECT_TRUE(b) << b.error();
    return *b;
  }
  int join(JointKind kind, int first, int second, const Pose<D>& where, const JointOptions& options = {}) {
    const Expected<int> j = add_joint<D>(model, state, kind, first, second, where, options);
    EXPECT_TRUE(j) << j.error();
    return *j;
  }
  template <class Each>
  void run(Real duration, Real h, Each each) {
    if (test::sanitized) duration = std::min(duration, 60 * h);
    Collection<D> scheme(model);
    for (long k = 0, n = std::lround(duration / h); k < n; ++k) {
      const CollectionReport r = scheme.step(state, h);
      ASSERT_FALSE(r.missed) << "step " << k << ", error " << r.error;
      joint_error = std::max(joint_error, r.joint_error);
      each(scheme, r);
    }
  }
  void run(Real duration, Real h) {
    run(duration, h, [](const Collection<D>&, const CollectionReport&) {});
  }
  std::vector<Pose<D>> poses() const {
    std::vector<Pose<D>> p;
    for (std::size_t b = 0; b < state.x.size(); ++b) p.push_back(state.pose(static_cast<int>(b)));
    return p;
  }
  Real energy() const {
    Real e = 0;
    for (std::size_t b = 0; b < state.x.size(); ++b) {
      const Body<D>& body = model.bodies[b];
      if (!body.free()) continue;
      for (int k = 0; k < freedoms<D>; ++k) e += body.A(k) * state.u[b][k] * state.u[b][k] / 2;
      e -= body.mass * dot(model.gravity, state.x[b]);
    }
    return e;
  }
};

// A rod that swings from the horizontal.
TEST(Joints, APendulumKeepsItsLengthAndNearlyItsEnergyForAnHour) {
  const auto swing = [](Real h, Real duration) {
    Mechanism<2> m;
    const int rod = m.rod({0, 0});
    m.join(JointKind::pin, rod, -1, {{0, 0}, {}});
    const Real start = m.energy();
    m.run(duration, h);
    EXPECT_LE(m.joint_error, 1e-12);
    EXPECT_LE(norm(m.state.pose(rod).to_world({Real(-0.5), 0})), 1e-12);
    return (start - m.energy()) / (m.model.bodies[0].mass * g * Real(0.5));
  };
  swing(Real(0.01), test::optimised ? 3600 : 20);
  if (test::sanitized) return;
  // What is lost is of third order in h, a second.
  const Real coarse = swing(Real(0.01), 20), fine = swing(Real(0.005), 20);
  EXPECT_GT(coarse / fine, 6);
  EXPECT_LT(std::abs(fine), 1e-3);
}

// The period from the horizontal: 4 K(1/2) sqrt(I / (m g l)), K(k = sin 45 deg) = 1.8540746773.
TEST(Joints, APendulumSwingsInTimeToSecondOrder) {
  const auto period_error = [](Real h) {
    Mechanism<2> m;
    const int rod = m.rod({0, 0});
    m.join(JointKind::pin, rod, -1, {{0, 0}, {}});
    const Body<2>& body = m.model.bodies[0];
    const Real I = body.inertia[0] + body.mass / 4,
               exact = 4 * Real(1.854074677301372) * std::sqrt(I / (body.mass * g / 2));
    Real last = 0, found = 0;
    m.run(Real(0.75) * exact, h, [&](const Collection<2>&, const CollectionReport&) {
      const Real u = m.state.u[0][2];  // turns downwards first: below zero until half a period
      if (found == 0 && last < 0 && u >= 0) found = 2 * (m.state.t - h * u / (u - last));
      last = u;
    });
    return found / exact - 1;
  };
  if (test::sanitized) return;
  const Real coarse = period_error(Real(0.02)), fine = period_error(Real(0.01));
  EXPECT_LT(std::abs(fine), 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 1.5);
}

// Both strike the ground with one end; when a step notices it differs by up to h, a matter of chance. What they slide
// until they rest, at about 1 m/s, differs by a part of that.
TEST(Joints, TwoWeldedRodsMoveAsOneBody) {
  const auto difference = [](Real h) {
    Mechanism<2> two, one;
    for (Mechanism<2>* m : {&two, &one}) add_boundary<2>(m->model, m->state, {{HalfSpace<2>{}, {}, 1}}, {{0, -2}, {}});
    const int a = two.rod({-1, 0}), b = two.rod({0, 0});
    two.join(JointKind::weld, a, b, {{0, 0}, {}});
    const Shape<2> rod = Capsule<2>{Real(0.45), Real(0.05)};
    const Expected<int> whole =
        add_body<2>(one.model, one.state, {{rod, {{Real(-0.5), 0}, {}}, 1000}, {rod, {{Real(0.5), 0}, {}}, 1000}}, {});
    EXPECT_TRUE(whole) << whole.error();
    for (const int x : {a, b}) at(two.state.u, x) = {0, at(two.state.x, x)[0], 1};
    at(one.state.u, *whole) = {0, 0, 1};
    two.run(1, h), one.run(1, h);
    EXPECT_LE(two.joint_error, 1e-12);
    const Vec<2> middle = Real(0.5) * (at(two.state.x, a) + at(two.state.x, b));
    return norm(middle - at(one.state.x, *whole)) + std::abs(at(two.state.r, a).angle - at(one.state.r, *whole).angle);
  };
  for (const Real h : {Real(0.002), Real(0.001), Real(0.0005), Real(0.00025)}) {
    const Real differs = difference(h);
    EXPECT_TRUE(test::sanitized || differs < Real(0.3) * h) << h << " " << differs;  // [m, rad]
  }
}

// A crank that turns as told, a rod, and a slider: the slider is where geometry says at all times.
TEST(Joints, AMotorDrivesASliderCrankExactly) {
  const auto unexplained = [](Real h) {  // energy that the motor's work does not account for, over that work
    Mechanism<2> m;
    const int crank = m.rod({0, 0}), rod = m.rod({1, 0}), block = m.rod({2, 0});
    JointOptions motor;
    motor.motor = [](Real t) { return 2 * t + Real(0.3) * std::sin(5 * t); };
    const int turn = m.join(JointKind::pin, crank, -1, {{0, 0}, {}}, motor);
    m.join(JointKind::pin, rod, crank, {{1, 0}, {}});
    m.join(JointKind::pin, block, rod, {{2, 0}, {}});
    m.join(JointKind::slider, block, -1, {{2, 0}, {}});
    Real work = 0, start = 0;
    const Joints<2> joints(m.model);
    m.run(Real(0.6), h, [&](const Collection<2>&, const CollectionReport& r) {
      if (start == 0)
        start = m.energy();  // after the percussion that sets it in motion
      else
        work += r.energy.boundary - r.energy.dissipation;
      const Real c = motor.motor(m.state.t);
      EXPECT_NEAR(joints.coordinate(turn, m.poses()), c, 1e-12);
      EXPECT_NEAR(at(m.state.x, block)[0], std::cos(c) + std::abs(std::cos(c)) + Real(0.5), 1e-10);
      EXPECT_LE(std::abs(at(m.state.x, block)[1]), 1e-12);
    });
    return std::abs((m.energy() - start) / work - 1);
  };
  const Real coarse = unexplained(Real(0.002)), fine = unexplained(Real(0.0005));
  if (test::sanitized) return;
  EXPECT_LT(fine, 1e-6);
  EXPECT_GT(coarse / fine, 12);  // second order
}

// Flywheel: w = w0 - M t / I until it stops, and then it stays.
template <int D>
void flywheel() {
  Mechanism<D> m;
  const int wheel = m.rod({});
  Vec<D> centre{};
  centre[0] = Real(0.5);
  JointOptions o;
  o.friction = 20;  // [N m]
  Vec<D> axis{};
  axis[D - 1] = 1;  // in the plane the hinge has none
  m.model.gravity = {};
  m.join(JointKind::hinge, wheel, -1, D == 2 ? Pose<D>{centre, {}} : along(centre, axis), o);
  const std::size_t b = static_cast<std::size_t>(wheel);
  int k = D;  // the freedom about the hinge
  if constexpr (D == 3) {
    const Vec<3> own = m.state.pose(wheel).R.inverse() * axis;
    for (int i = 0; i < 3; ++i)
      if (std::abs(own[i]) > Real(0.5)) k = 3 + i;
  }
  const Real I = m.model.bodies[b].A(k), h = Real(0.001), stop = I * 3 / o.friction;
  m.state.u[b][k] = 3;
  m.run(Real(1.5) * stop, h, [&](const Collection<D>&, const CollectionReport&) {
    EXPECT_NEAR(m.state.u[b][k], std::max(Real(0), 3 - o.friction * m.state.t / I), 1e-9);
  });
  EXPECT_LE(m.joint_error, 1e-12);
}
TEST(Joints, FrictionStopsAFlywheelLinearly) { flywheel<2>(), flywheel<3>(); }

TEST(Joints, FrictionHoldsARodUpToItsMoment) {
  for (const Real part : {Real(0.999), Real(1.001)}) {
    Mechanism<2> m;
    const int rod = m.rod({0, 0});
    JointOptions o;
    o.friction = m.model.bodies[0].mass * g * Real(0.5) / part;
    m.join(JointKind::pin, rod, -1, {{0, 0}, {}}, o);
    m.run(Real(0.05), Real(0.001));
    if (part < 1)
      EXPECT_LE(std::abs(m.state.r[0].angle), 1e-12);
    else
      EXPECT_LT(m.state.r[0].angle, -1e-6);
  }
}

// A door without gravity swings to its stop: w' = -e w.
TEST(Joints, ALimitReturnsItsShareOfTheSpeedAndHolds) {
  for (const Real e : {Real(0), Real(0.6)}) {
    Mechanism<3> m;
    m.model.gravity = {};
    const int door = m.rod({0, 0, 0});
    JointOptions o;
    o.lower = Real(-0.2), o.upper = Real(0.1), o.restitution = e;
    const int hinge = m.join(JointKind::hinge, door, -1, along(Vec<3>{0, 0, 0}, Vec<3>{0, 0, 1}), o);
    int k = 3;
    const Vec<3> own = m.state.pose(door).R.inverse() * Vec<3>{0, 0, 1};
    for (int i = 0; i < 3; ++i)
      if (std::abs(own[i]) > Real(0.5)) k = 3 + i;
    const Real sign = own[k - 3] > 0 ? 1 : -1;
    m.state.u[0][k] = sign;
    m.state.u[0][1] = Real(0.5);  // the centre's speed that goes with it
    const Joints<3> joints(m.model);
    Real most = 0;
    m.run(Real(0.15), Real(0.001), [&](const Collection<3>&, const CollectionReport&) {
      most = std::max(most, joints.coordinate(hinge, m.poses()));
    });
    if (test::sanitized) return;
    EXPECT_LE(most, Real(0.1) + Real(0.0011));  // with restitution it strikes once the limit is passed
    EXPECT_NEAR(sign * m.state.u[0][k], -e, 1e-6 + (e > 0 ? 1e-3 : 0));
    if (e == 0) {
      EXPECT_NEAR(joints.coordinate(hinge, m.poses()), 0.1, 1e-9);
    }
  }
}

// Four bars in a plane of space, a parallelogram: hinges hold out of the plane what other hinges hold already.
TEST(Joints, AClosedLoopOfHingesInSpaceMovesAsAPlaneOne) {
  Mechanism<3> m;
  const auto y = [](const Vec<3>& p) { return along(p, Vec<3>{0, 1, 0}); };
  // A square that lies flat along x at first would be singular: it hangs folded out at right angles.
  const Expected<int> left = add_body<3>(m.model, m.state, {{Capsule<3>{Real(0.45), Real(0.05)}, {}, 1000}},
                                         along({0, 0, Real(-0.5)}, {0, 0, -1}));
  const Expected<int> right = add_body<3>(m.model, m.state, {{Capsule<3>{Real(0.45), Real(0.05)}, {}, 1000}},
                                          along({1, 0, Real(-0.5)}, {0, 0, -1}));
  ASSERT_TRUE(left && right);
  const int bar = m.rod({0, 0, -1});
  m.join(JointKind::hinge, *left, -1, y({0, 0, 0}));
  m.join(JointKind::hinge, *right, -1, y({1, 0, 0}));
  m.join(JointKind::hinge, bar, *left, y({0, 0, -1}));
  m.join(JointKind::hinge, bar, *right, y({1, 0, -1}));
  m.state.u[std::size_t(bar)][0] = 2;  // a percussion of the joints sets the rest in motion
  m.run(2, Real(0.001), [&](const Collection<3>&, const CollectionReport&) {
    for (std::size_t b = 0; b < 3; ++b) EXPECT_LE(std::abs(m.state.x[b][1]), 1e-10);
    // The bar stays level.
    EXPECT_NEAR((m.state.pose(bar).R * Vec<3>{1, 0, 0})[2], 0, 1e-9);
  });
  EXPECT_LE(m.joint_error, 1e-12);
}

// Each kind, by what its bodies may do: a rod on a support that is shaken, for many turns.
TEST(Joints, EveryKindHoldsItsRowsOnAShakenSupport) {
  for (const JointKind kind :
       {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::universal, JointKind::fixed}) {
    Mechanism<3> m;
    const int support = *add_boundary<3>(m.model, m.state, {}, {}, 0, [](Real t) {
      return Excursion<3>{{Real(0.1) * std::sin(7 * t), Real(0.1) * std::sin(11 * t), Real(0.05) * std::sin(5 * t)},
                          {Real(0.3) * std::sin(3 * t), Real(0.2) * std::sin(4 * t), t}};
    });
    const int rod = m.rod({0, 0, 0});
    JointOptions o;
    if (kind == JointKind::slider) o.lower = Real(-0.3), o.upper = Real(0.3);
    const int j = m.join(kind, rod, support, {{0, 0, 0}, {}}, o);
    const Joint<3>& joint = m.model.joints[static_cast<std::size_t>(j)];
    m.run(1, Real(0.001), [&](const Collection<3>&, const CollectionReport&) {
      const Pose<3> a = m.state.pose(rod) * joint.frame[0], b = m.state.pose(support) * joint.frame[1];
      const Vec<3> d = b.R.inverse() * (a.x - b.x);
      const Rotation<3> r = b.R.inverse() * a.R;
      const Vec<3> x = r * Vec<3>{1, 0, 0};
      if (kind == JointKind::slider)
        EXPECT_LE(std::abs(d[0]), Real(0.301));
      else
        EXPECT_LE(std::abs(d[0]), 1e-12);
      EXPECT_LE(std::abs(d[1]) + std::abs(d[2]), 1e-12);
      if (kind == JointKind::hinge) {
        EXPECT_LE(std::abs(x[1]) + std::abs(x[2]), 1e-12);
      }
      if (kind == JointKind::universal) {
        EXPECT_LE(std::abs(x[1]), 1e-12);
      }
      if (kind == JointKind::slider || kind == JointKind::fixed) {
        EXPECT_LE(std::abs(r.x) + std::abs(r.y) + std::abs(r.z), 1e-12);
      }
    });
  }
}

// A chain laid over the ground's edge comes to rest, links in contact with the ground.
TEST(Joints, AChainFallsOnTheGroundAndRests) {
  Mechanism<2> m;
  add_boundary<2>(m.model, m.state, {{HalfSpace<2>{}, {}, 1}}, {{0, Real(-0.3)}, {}});
  int last = -1;
  for (int i = 0; i < 5; ++i) {
    const int rod = m.rod({static_cast<Real>(i), 0});
    if (i > 0) m.join(JointKind::pin, rod, last, {{static_cast<Real>(i), 0}, {}});
    last = rod;
  }
  m.model.materials.standard.mu = Real(0.5);
  m.run(3, Real(0.002));
  EXPECT_LE(m.joint_error, 1e-12);
  if (test::sanitized) return;
  for (std::size_t b = 1; b < m.state.x.size(); ++b) {
    EXPECT_NEAR(m.state.x[b][1], -0.25, 1e-4);
    EXPECT_LE(norm(m.state.u[b]), 1e-8);
  }
}

TEST(Joints, BadOnesAreRefusedWithAReason) {
  Mechanism<2> m;
  const int rod = m.rod({0, 0});
  const int wall = *add_boundary<2>(m.model, m.state, {}, {});
  const auto refusal = [&](JointKind kind, int a, int b, const JointOptions& o = {}) {
    const Expected<int> j = add_joint<2>(m.model, m.state, kind, a, b, {}, o);
    return j ? std::string("accepted") : j.error();
  };
  JointOptions limits, motor, friction;
  limits.lower = 1, limits.upper = 0;
  motor.motor = [](Real t) { return t; };
  friction.friction = -1;
  EXPECT_EQ(refusal(JointKind::pin, rod, 7), "hinge joint 0: there is no body 7: expected 0 to 1, or -1 for the world");
  EXPECT_EQ(refusal(JointKind::pin, rod, rod), "hinge joint 0: it joins body 0 with itself");
  EXPECT_EQ(refusal(JointKind::pin, wall, -1), "hinge joint 0: neither body 1 nor body -1 can move");
  EXPECT_EQ(refusal(JointKind::pin, rod, -1, limits), "hinge joint 0: limits 1 and 0: expected lower <= upper");
  EXPECT_EQ(refusal(JointKind::pin, rod, -1, friction),
            "hinge joint 0: friction -1: expected a torque or force of at least 0");
  EXPECT_EQ(refusal(JointKind::weld, rod, -1, motor),
            "fixed joint 0: a fixed joint has no coordinate for a motor, limits or friction: use a hinge or a slider");
  motor.upper = 1;
  EXPECT_EQ(refusal(JointKind::pin, rod, -1, motor),
            "hinge joint 0: a motor leaves nothing to limits or friction: expected one or the other");
  EXPECT_EQ(refusal(JointKind::ball, rod, -1),
            "ball joint 0: it exists in space only: expected hinge (pin), slider or fixed (weld) in the plane");
  EXPECT_TRUE(m.model.joints.empty());
}

}  // namespace
}  // namespace cairn
