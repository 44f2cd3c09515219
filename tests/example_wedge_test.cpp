#include <cmath>
#include <numbers>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("wedge", settings); }

constexpr double degree = std::numbers::pi / 180;

bool continuous(const Output& out) { return std::get<bool>(*out.find("continuous")); }

void expect_velocity(const Output& out, double vx, double vy) {
  EXPECT_NEAR(number_of(out, "vx"), vx, 1e-12);
  EXPECT_NEAR(number_of(out, "vy"), vy, 1e-12);
}

TEST(Wedge, elastic_particle_leaves_as_stated) {
  const double r = std::sqrt(0.5), s = std::sqrt(0.75);
  for (const double offset : {0.1, -0.1, 2.0, 1e-3, -1e-8}) {
    const double side = offset > 0 ? -1 : 1;
    expect_velocity(run_with({{"angle", 135}, {"offset", offset}}), side * r, r);
    expect_velocity(run_with({{"angle", 120}, {"offset", offset}}), side * s, 0.5);
    for (const double angle : {90.0, 60.0, 45.0})
      expect_velocity(run_with({{"angle", angle}, {"offset", offset}}), 0, 1);
  }
  for (const double angle : {135.0, 120.0, 90.0, 60.0, 45.0})
    expect_velocity(run_with({{"angle", angle}, {"offset", 0}}), 0, 1);
}

TEST(Wedge, verdicts_and_cosines) {
  for (const double angle : {135.0, 120.0, 100.0, 90.0, 70.0, 60.0, 45.0, 36.0}) {
    const Output out = run_with({{"angle", angle}});
    const bool divides = std::abs(180 / angle - std::round(180 / angle)) < 1e-12;  // unfolding the wedge
    EXPECT_EQ(continuous(out), divides) << angle;
    EXPECT_NEAR(number_of(out, "cosine"), -std::cos(angle * degree), 1e-14);
  }
}

// Unfolded, the path is a straight line that crosses images of the walls: 180/angle of them, or one less.
TEST(Wedge, impacts_are_counted) {
  EXPECT_EQ(number_of(run_with({{"angle", 135}}), "impacts"), 1);
  EXPECT_EQ(number_of(run_with({{"angle", 90}}), "impacts"), 2);
  EXPECT_EQ(number_of(run_with({{"angle", 60}}), "impacts"), 3);
  EXPECT_EQ(number_of(run_with({{"angle", 45}}), "impacts"), 4);
  EXPECT_EQ(number_of(run_with({{"angle", 45}, {"offset", 0}}), "impacts"), 1);
}

// Soft: slides down the wall with speed cos(angle/2), then is projected on the other wall, or stops in a sharp corner.
TEST(Wedge, soft_particle_stops_in_a_sharp_corner_and_turns_in_a_blunt_one) {
  for (const double angle : {60.0, 90.0}) {
    const Output out = run_with({{"angle", angle}, {"e", 0}});
    expect_velocity(out, 0, 0);
    EXPECT_TRUE(continuous(out));
  }
  const double half = 60 * degree, speed = std::cos(half) * std::cos(2 * (90 * degree - half));
  const Output out = run_with({{"angle", 120}, {"e", 0}});
  expect_velocity(out, -speed * std::sin(half), speed * std::cos(half));
  EXPECT_FALSE(continuous(out));
}

// One impact with restitution e on the right wall of a blunt wedge, by hand.
TEST(Wedge, partial_restitution_in_a_blunt_wedge) {
  const double half = 75 * degree, e = 0.6;
  const double nx = -std::cos(half), ny = std::sin(half), vn = -ny;
  expect_velocity(run_with({{"angle", 150}, {"e", e}}), -(1 + e) * vn * nx, -1 - (1 + e) * vn * ny);
  expect_velocity(run_with({{"angle", 150}, {"e", e}, {"offset", 0}}), 0, e);
}

TEST(Wedge, right_angle_is_continuous_for_every_restitution) {
  for (const double e : {0.0, 0.3, 0.7, 1.0}) {
    const Output out = run_with({{"angle", 90}, {"e", e}});
    EXPECT_TRUE(continuous(out));
    expect_velocity(out, 0, e);
  }
}

TEST(Wedge, bad_values_are_refused) {
  Parameters p(find("wedge")->parameters);
  EXPECT_FALSE(p.set("angle", 180.0));
  EXPECT_FALSE(p.set("h", 0.0));
  EXPECT_FALSE(p.set("e", -0.1));
}

}  // namespace
}  // namespace cairn::examples
