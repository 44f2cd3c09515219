// Motion of boundaries: places, and mean velocities over a step.
#include "cairn/model/drive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "cairn/model/build.hpp"
#include "cairn/model/drive_table.hpp"

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi;

template <int D>
struct Driven {
  Model<D> model;
  ModelState<D> state;
  int body;

  Driven(const Pose<D>& placed, Drive<D> drive) {
    body = *add_boundary<D>(model, state, {{Shape<D>{Ball<D>{1}}, {}, 0}}, placed, 0, std::move(drive));
  }
  Pose<D> pose(Real t) const { return boundary_pose(model, body, t); }
  Vec<freedoms<D>> velocity(Real t, Real h) const { return boundary_velocity(model, body, t, h); }
};

template <int N>
Real distance(const Vec<N>& a, const Vec<N>& b) {
  return norm(a - b);
}
template <int D>
Real distance(const Pose<D>& a, const Pose<D>& b) {  // largest of the places of the origin and of unit points
  Real most = norm(a.x - b.x);
  for (int i = 0; i < D; ++i) {
    Vec<D> e{};
    e[i] = 1;
    most = std::max(most, norm(a.to_world(e) - b.to_world(e)));
  }
  return most;
}

const Pose<3> tilted{{1, 2, 3}, Rotation<3>::by({0.3, -0.7, 0.4})};
const std::vector<Real> times{0, 0.5, 0.8, 1.7, 2}, places{0, 1, -1, 0.5, 0.25};

Drive<3> some_table() { return *table<3>({1, -2, 0.5}, times, places); }
Drive<3> some_accelerogram() { return *accelerogram<3>({0, 0.6, 0.8}, 0.25, {0, 3, -2, 5, 1, -4, 0.5}); }

TEST(BoundaryVelocity, leads_from_place_to_place) {
  const Drive<3> drives[] = {harmonic<3>({1, 0, 2}, {{0.1, 3, 0.2}, {0.02, 11, 1}}),
                             constant_velocity<3>({1, 2, 3}, {4, 5, 6}), some_table(), some_accelerogram()};
  for (const Drive<3>& drive : drives) {
    const Driven<3> b(tilted, drive);
    Vec<3> x = b.pose(-0.5).x;
    const int n = 37;
    const Real h = 3.0 / n;  // steps across knots, and from before the first time to after the last one
    for (int k = 0; k < n; ++k) x += h * Vec<3>::load(b.velocity(-0.5 + k * h, h).v);
    EXPECT_LT(distance(x, b.pose(2.5).x), 1e-13);
    EXPECT_GT(distance(b.pose(0.7).x, b.pose(0.2).x), 1e-3);
  }
}

TEST(BoundaryVelocity, is_the_mean_of_the_exact_one) {
  // Place t^3 - t on [0, 2]: clamped ends with its own slopes give it back, mean velocity 3 t^2 + 3 t h + h^2 - 1.
  std::vector<Real> x;
  for (const Real t : times) x.push_back(t * t * t - t);
  const Driven<2> b({}, *table<2>({0, 1}, times, x, {-1, 11}));
  for (const Real t : {0.0, 0.3, 0.75, 1.2})
    for (const Real h : {0.01, 0.2, 0.8}) {
      const Vec<3> u = b.velocity(t, h);
      EXPECT_NEAR(u[1], 3 * t * t + 3 * t * h + h * h - 1, 1e-12);
      EXPECT_EQ(u[0], 0);
      EXPECT_EQ(u[2], 0);
    }
}

TEST(BoundaryVelocity, of_a_fixed_boundary_is_zero) {
  Driven<3> b(tilted, {});
  EXPECT_EQ(b.model.bodies[0].drive, -1);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(b.velocity(1, 0.1)[i], 0);
  EXPECT_EQ(distance(b.pose(5), tilted), 0);
  b.state.t = 5;
  move_boundary(b.model, b.state, b.body);
  EXPECT_EQ(distance(b.state.pose(0), tilted), 0);
}

TEST(MoveBoundary, puts_the_state_where_the_drive_is_at_its_time) {
  Driven<3> b(tilted, constant_velocity<3>({1, 2, 3}, {4, 5, 6}));
  b.state.t = 0.3;
  move_boundary(b.model, b.state, b.body);
  EXPECT_EQ(distance(b.state.pose(0), b.pose(0.3)), 0);
  EXPECT_LT(distance(b.state.x[0], Vec<3>{1.3, 2.6, 3.9}), 1e-15);
}

TEST(Turning, after_full_turns_a_boundary_is_where_it_was) {
  const Vec<3> axis = normalised(Vec<3>{1, 2, -2});
  const Driven<3> b(tilted, constant_velocity<3>({}, (2 * pi / 5) * axis));  // a turn in 5 s
  EXPECT_LT(distance(b.pose(5), tilted), 5e-15);                             // places of size 4: a few roundings
  EXPECT_LT(distance(b.pose(15), tilted), 1e-14);
  EXPECT_GT(distance(b.pose(2.5), tilted), 1);
  // The axis is the boundary's own: its points stay, in the world too.
  for (const Real t : {0.7, 2.5, 4.0}) EXPECT_LT(distance(b.pose(t).to_world(axis), tilted.to_world(axis)), 1e-14);
}

TEST(Turning, a_quarter_turn_about_an_own_axis) {
  const Driven<3> b(tilted, constant_velocity<3>({}, {0, 0, pi / 2}));  // from own axis 0 to own axis 1 in 1 s
  EXPECT_LT(distance(b.pose(1).to_world({1, 0, 0}), tilted.to_world({0, 1, 0})), 1e-14);
  EXPECT_LT(distance(b.pose(1).to_world({0, 1, 0}), tilted.to_world({-1, 0, 0})), 1e-14);
}

TEST(Turning, the_spin_is_in_own_axes) {
  const Vec<3> w{0.4, -1.1, 0.7};
  const Driven<3> b(tilted, constant_velocity<3>({1, 0, 0}, w));
  for (const Real t : {0.0, 1.0, 4.6, 30.0})
    for (const Real h : {1e-3, 0.5, 3.0}) {  // up to more than half a turn
      const Vec<6> u = b.velocity(t, h);
      const Real rounding = std::numeric_limits<Real>::epsilon() * (1 + t + h) / h;  // of a difference over h
      EXPECT_LE(distance(Vec<3>::load(u.v), Vec<3>{1, 0, 0}), rounding);
      EXPECT_LE(distance(Vec<3>::load(u.v + 3), w), 2 * rounding) << t << " " << h;
    }
}

// Also where the axis itself moves.
TEST(Turning, the_spin_over_a_step_leads_from_pose_to_pose) {
  const Driven<3> b(tilted, [](Real t) {
    return Excursion<3>{{t * t, 0, std::sin(t)}, {std::sin(2 * t), t, 1 - std::cos(t)}};
  });
  for (const Real t : {0.0, 0.4, 1.3})
    for (const Real h : {1e-2, 0.3}) {
      const Vec<6> u = b.velocity(t, h);
      Pose<3> reached = b.pose(t);
      reached.x += h * Vec<3>::load(u.v);
      reached.R = reached.R * Rotation<3>::by(h * Vec<3>::load(u.v + 3));
      EXPECT_LT(distance(reached, b.pose(t + h)), 1e-14);
    }
}

TEST(Turning, in_the_plane_turns_are_counted) {
  const Pose<2> placed{{1, 2}, Rotation<2>::by(0.5)};
  const Driven<2> b(placed, constant_velocity<2>({0, 1}, {2 * pi}));
  EXPECT_LT(distance(b.pose(1), Pose<2>{{1, 3}, placed.R}), 1e-14);
  EXPECT_LT(distance(b.pose(0.25).to_world({1, 0}), placed.to_world({0, 1}) + Vec<2>{0, 0.25}), 1e-14);
  EXPECT_NEAR(b.velocity(0.2, 3)[2], 2 * pi, 1e-14);  // three turns in the step
}

TEST(Harmonic, sums_its_terms) {
  const Driven<2> b({}, harmonic<2>({2, 0}, {{0.1, 2, 0}, {0.5, 1, pi / 2}}));
  EXPECT_NEAR(b.pose(0.125).x[0], 2 * (0.1 + 0.5 * std::sqrt(0.5)), 1e-15);
  EXPECT_NEAR(b.pose(0).x[0], 1, 1e-15);
  EXPECT_EQ(b.pose(0.3).x[1], 0);
}

}  // namespace
}  // namespace cairn
