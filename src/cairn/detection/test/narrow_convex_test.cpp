// Pairs known by their support functions alone. The gap is proved by what it says: sound from below by the support
// along the normal, from above by a point of each solid (apart) or by supports along many directions (overlapping).
#include <gtest/gtest.h>

#include "pair_checks.hpp"

namespace cairn {
namespace {

using test::Dice;
using test::Pair;

template <int D>
Vec<D> support(const Shape<D>& shape, const Pose<D>& pose, const Vec<D>& d) {
  return std::visit(
      [&](const auto& s) -> Vec<D> {
        if constexpr (requires { s.support(d); })
          return pose.to_world(s.support(pose.R.inverse() * d)) + s.radius * normalised(d);
        else
          return {};
      },
      shape);
}

template <int D>
Real separation(const Pair<D>& p, const Vec<D>& n) {  // n unit, from b to a
  return dot(support<D>(p.a, p.pa, -n), n) - dot(support<D>(p.b, p.pb, n), n);
}

template <int D>
Vec<D> random_vector(Dice& dice, Real low, Real high) {
  Vec<D> v;
  for (int i = 0; i < D; ++i) v[i] = dice.real(low, high);
  return v;
}

template <int D>
Shape<D> random_partner(Dice& dice, Real size) {
  switch (dice.integer(0, 3)) {
    case 0: return Ball<D>{size * dice.real(0.01, 1)};
    case 1: return Capsule<D>{size * dice.real(0.01, 1), size * dice.real(0.01, 0.5)};
    case 2:
      if constexpr (D == 2)
        return test::random_polygon(dice, size);
      else
        return Polyhedron::box(size * random_vector<3>(dice, 0.1, 0.6), dice.flip() ? 0 : size * dice.real(0, 0.2));
    default: return Ellipsoid<D>{size * random_vector<D>(dice, 0.1, 1)};
  }
}

template <int D>
Pair<D> random_pair(Dice& dice) {
  const Real size = dice.log_uniform(1e-6, 1e6);
  Pair<D> p{Ellipsoid<D>{size * random_vector<D>(dice, 0.1, 1)}, random_partner<D>(dice, size), {}, {}, size};
  if (dice.flip()) std::swap(p.a, p.b);
  p.pa = dice.pose<D>(3 * size);
  p.pb = dice.pose<D>(0.1 * size);
  if (dice.integer(0, 3) == 0) p.pa.R = p.pb.R;
  return p;
}

// How far a point is outside, as seen along a few directions and the given one.
template <int D>
Real outside(const Shape<D>& shape, const Pose<D>& pose, const Vec<D>& x, const Vec<D>& n, Dice& dice) {
  Real most = dot(x - support<D>(shape, pose, n), n);
  for (int i = 0; i < 20; ++i) {
    const Vec<D> d = normalised(n + dice.log_uniform(1e-6, 1) * dice.direction<D>());
    most = std::max(most, dot(x - support<D>(shape, pose, d), d));
  }
  return most;
}

template <int D>
void check_gaps(int count, Real accuracy) {
  Dice dice(1);
  int apart = 0, overlapping = 0;
  for (int i = 0; i < count / test::share; ++i) {
    const Pair<D> p = random_pair<D>(dice);
    const Manifold<D> m = p.collide(test::all);
    ASSERT_EQ(m.size, 1) << i;
    const Real gap = m.points[0].gap;
    ASSERT_NEAR(norm(m.normal), 1, 1e-14);
    ASSERT_NEAR(separation(p, m.normal), gap, accuracy * p.size) << i;
    if (gap > 0) {
      ++apart;
      const Vec<D> half = (gap / 2) * m.normal, &x = m.points[0].point;
      ASSERT_LE(outside<D>(p.a, p.pa, x + half, -m.normal, dice), accuracy * p.size) << i;
      ASSERT_LE(outside<D>(p.b, p.pb, x - half, m.normal, dice), accuracy * p.size) << i;
    } else {
      ++overlapping;
      for (int k = 0; k < 100; ++k) {
        const Vec<D> n =
            k < 50 ? dice.direction<D>() : normalised(m.normal + dice.log_uniform(1e-5, 1) * dice.direction<D>());
        ASSERT_LE(separation(p, n), gap + accuracy * p.size) << i;
      }
    }
  }
  EXPECT_GT(apart, count / 5 / test::share);
  EXPECT_GT(overlapping, count / 5 / test::share);
}

TEST(NarrowConvex, GapIsTheSignedDistanceInThePlane) { check_gaps<2>(100000, 1e-9); }
TEST(NarrowConvex, GapIsTheSignedDistanceInSpace) { check_gaps<3>(50000, 1e-9); }

template <int D>
void check_swap() {
  Dice dice(2);
  for (int i = 0; i < 5000 / test::share; ++i) {
    const Pair<D> p = random_pair<D>(dice);
    const Manifold<D> m = p.collide(test::all), s = collide<D>(p.b, p.pb, p.a, p.pa, test::all * p.size);
    ASSERT_NEAR(m.points[0].gap, s.points[0].gap, 1e-10 * p.size) << i;
    if (norm(m.normal + s.normal) > 1e-3) continue;  // two ways out of a deep overlap
    ASSERT_LE(norm(m.normal + s.normal), 1e-4) << i;
    ASSERT_LE(norm(m.points[0].point - s.points[0].point), 1e-4 * p.size) << i;
  }
}
TEST(NarrowConvex, SwappedShapesGiveTheOppositeNormal) {
  check_swap<2>();
  check_swap<3>();
}

TEST(NarrowConvex, RoundEllipsoidsAreBalls) {
  Dice dice(3);
  for (int i = 0; i < 5000 / test::share; ++i) {
    const Real r = dice.real(0.1, 1), s = dice.real(0.1, 1);
    const Pose<3> pa = dice.pose<3>(2), pb = dice.pose<3>(0.1);
    const Manifold<3> m = collide<3>(Ellipsoid<3>{{r, r, r}}, pa, Ellipsoid<3>{{s, s, s}}, pb, 10);
    const Manifold<3> balls = collide<3>(Ball<3>{r}, pa, Ball<3>{s}, pb, 10);
    ASSERT_NEAR(m.points[0].gap, balls.points[0].gap, 1e-10) << i;
    ASSERT_LE(norm(m.normal - balls.normal), 1e-4) << i;
  }
}

// The direction must not be lost where the distance vanishes.
TEST(NarrowConvex, TouchingEllipsoidsKnowTheirNormal) {
  for (const Real gap : {1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-3}) {
    const Ellipsoid<3> egg{{0.5, 0.4, 0.3}};
    const Manifold<3> m = collide<3>(egg, {{0, 0, 0.6 + gap}, {}}, egg, {}, 0.1);
    ASSERT_EQ(m.size, 1) << gap;
    EXPECT_NEAR(m.points[0].gap, gap, 1e-10);
    EXPECT_LE(norm(m.normal - Vec<3>{0, 0, 1}), 1e-5) << gap;
    EXPECT_LE(norm(m.points[0].point - Vec<3>{0, 0, 0.3 + gap / 2}), 1e-5) << gap;
  }
}

}  // namespace
}  // namespace cairn
