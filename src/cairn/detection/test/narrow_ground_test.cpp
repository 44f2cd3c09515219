// Shapes on a half-plane and a half-space.
#include <gtest/gtest.h>

#include "random_pairs.hpp"

namespace cairn {
namespace {

using test::Dice;
using test::least_gap;

Shape<2> random_shape(Dice& dice, Real size, Shape<2>*) {
  switch (dice.integer(0, 3)) {
    case 0: return Ball<2>{size * dice.real(0.01, 1)};
    case 1: return Capsule<2>{size * dice.real(0, 1), size * dice.real(0.01, 0.5)};
    case 2: return Ellipsoid<2>{{size * dice.real(0.1, 1), size * dice.real(0.1, 1)}};
    default: return test::random_polygon(dice, size);
  }
}
// A prism on a polygon with twelve corners: more than a manifold holds.
Polyhedron drum(Real radius, Real half_height) {
  static const Polyhedron unit = [] {
    std::vector<Vec<3>> rim;
    for (int i = 0; i < 12; ++i)
      for (const int z : {-1, 1})
        rim.push_back({std::cos(i * std::numbers::pi / 6), std::sin(i * std::numbers::pi / 6), Real(z)});
    return *Polyhedron::make(rim);
  }();
  Polyhedron p = unit;
  for (Vec<3>& v : p.vertices) v = {radius * v[0], radius * v[1], half_height * v[2]};
  for (Polyhedron::Face& f : p.faces) f.offset *= std::fabs(f.normal[2]) > 0.5 ? half_height : radius;
  return p;
}

Shape<3> random_shape(Dice& dice, Real size, Shape<3>*) {
  const auto part = [&] { return size * dice.real(0.1, 0.6); };
  switch (dice.integer(0, 4)) {
    case 0: return Ball<3>{part()};
    case 1: return Capsule<3>{part(), part()};
    case 2: return Ellipsoid<3>{{part(), part(), part()}};
    case 3: return drum(part(), part());
    default: return Polyhedron::box({part(), part(), part()}, dice.flip() ? 0 : part());
  }
}

// By the bounds of the shape in axes where the ground is level.
template <int D>
Real height(const Shape<D>& shape, const Pose<D>& pose, const Pose<D>& ground) {
  return bounds<D>(shape, ground.inverse() * pose).low[D - 1];
}

template <int D>
void check_gaps() {
  Dice dice(1);
  for (int i = 0; i < 100000 / test::share; ++i) {
    const Real size = dice.log_uniform(1e-6, 1e6);
    const Shape<D> shape = random_shape(dice, size, static_cast<Shape<D>*>(nullptr)), ground = HalfSpace<D>{};
    const Pose<D> pose = dice.pose<D>(2 * size), pg = dice.pose<D>(size);
    const Manifold<D> m = collide<D>(shape, pose, ground, pg, 10 * size),
                      s = collide<D>(ground, pg, shape, pose, 10 * size);
    ASSERT_GE(m.size, 1);
    ASSERT_NEAR(least_gap(m), height<D>(shape, pose, pg), 1e-12 * size) << i;
    ASSERT_LE(norm(m.normal - pg.R * HalfSpace<D>::normal()), 1e-15);
    ASSERT_EQ(norm(m.normal + s.normal), 0);
    ASSERT_EQ(m.size, s.size);
    for (int k = 0; k < m.size; ++k) {
      ASSERT_EQ(m.points[k].gap, s.points[k].gap);
      ASSERT_NEAR(pg.to_local(m.points[k].point)[D - 1], m.points[k].gap / 2, 1e-12 * size);  // halfway
    }
  }
}

TEST(NarrowGround, LeastGapIsTheHeightInThePlane) { check_gaps<2>(); }
TEST(NarrowGround, LeastGapIsTheHeightInSpace) { check_gaps<3>(); }

TEST(NarrowGround, BlocksStandOnTheirCornersUnderNoise) {
  Dice dice(2);
  for (const Real noise : {0.0, 1e-15, 1e-12, 1e-9, 1e-6})
    for (int i = 0; i < 1000; ++i) {
      const Pose<2> flat{{noise * dice.real(-1, 1), 0.2 + noise * dice.real(-1, 1)},
                         Rotation<2>::by(noise * dice.real(-1, 1))};
      const Manifold<2> m = collide<2>(test::brick(0.3, 0.2), flat, HalfSpace<2>{}, {}, 1e-3);
      ASSERT_EQ(m.size, 2);
      ASSERT_EQ(m.points[0].feature, 0U);
      ASSERT_EQ(m.points[1].feature, 1U);
      const Pose<3> solid{{0, 0, 0.2}, Rotation<3>::by((noise * dice.real(-1, 1)) * dice.direction<3>())};
      const Manifold<3> four = collide<3>(Polyhedron::box({0.3, 0.3, 0.2}), solid, HalfSpace<3>{}, {}, 1e-3);
      ASSERT_EQ(four.size, 4);
      for (int k = 0; k < 4; ++k) ASSERT_LT(four.points[k].feature, 4U);
    }
}

TEST(NarrowGround, HalfSpacesDoNotTouch) { EXPECT_EQ((collide<3>(HalfSpace<3>{}, {}, HalfSpace<3>{}, {}, 1).size), 0); }

}  // namespace
}  // namespace cairn
