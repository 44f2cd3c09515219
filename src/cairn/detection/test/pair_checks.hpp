// What must hold of the manifold of any two convex shapes; `signed_distance` is a reference by brute force.
#pragma once

#include <gtest/gtest.h>

#include "random_pairs.hpp"

namespace cairn::test {

Real signed_distance(const Shape<2>& a, const Pose<2>& pa, const Shape<2>& b, const Pose<2>& pb);
Real signed_distance(const Shape<3>& a, const Pose<3>& pa, const Shape<3>& b, const Pose<3>& pb);

template <int D>
struct Pair {
  Shape<D> a, b;
  Pose<D> pa, pb;
  Real size;  // [m]

  Manifold<D> collide(Real alert) const { return cairn::collide<D>(a, pa, b, pb, alert * size); }
  Real distance() const { return signed_distance(a, pa, b, pb); }
};

constexpr Real all = 100;  // times the size: an alert distance that nothing exceeds

template <int D, class Make>
void least_gap_is_the_signed_distance(const Make& make, int count, Real accuracy) {
  Dice dice(1);
  for (int i = 0; i < count / share; ++i) {
    const Pair<D> p = make(dice);
    const Manifold<D> m = p.collide(all);
    ASSERT_GE(m.size, 1) << i;
    ASSERT_NEAR(least_gap(m), p.distance(), accuracy * p.size) << i;
    ASSERT_NEAR(norm(m.normal), 1, 1e-14) << i;
  }
}

template <int D, class Make>
void shift_along_the_normal_by_the_gap_makes_touch(const Make& make, int count, Real accuracy) {
  Dice dice(2);
  for (int i = 0; i < count / share; ++i) {
    Pair<D> p = make(dice);
    const Manifold<D> m = p.collide(all);
    p.pa.x -= least_gap(m) * m.normal;
    ASSERT_NEAR(p.distance(), 0, accuracy * p.size) << i;
  }
}

template <int D, class Make>
void point_is_halfway_between_the_surfaces(const Make& make, int count, Real accuracy) {
  Dice dice(3);
  for (int i = 0; i < count / share; ++i) {
    const Pair<D> p = make(dice);
    const Manifold<D> m = p.collide(all);
    const ContactPoint<D>& x = deepest(m);
    if (x.gap < 0) continue;
    const Pose<D> at{x.point, {}};
    ASSERT_NEAR(signed_distance(p.a, p.pa, Ball<D>{0}, at), x.gap / 2, accuracy * p.size) << i;
    ASSERT_NEAR(signed_distance(p.b, p.pb, Ball<D>{0}, at), x.gap / 2, accuracy * p.size) << i;
  }
}

template <int D, class Make>
void nothing_beyond_the_alert_distance_and_something_within(const Make& make, int count) {
  Dice dice(4);
  for (int i = 0; i < count / share; ++i) {
    const Pair<D> p = make(dice);
    const Real alert = dice.real(0, 0.5);
    const Manifold<D> m = p.collide(alert);
    ASSERT_EQ(m.size > 0, p.distance() <= alert * p.size) << i;
    for (int k = 0; k < m.size; ++k) ASSERT_LE(m.points[k].gap, alert * p.size);
    for (int k = 0; k < m.size; ++k)
      for (int l = 0; l < k; ++l) ASSERT_NE(m.points[k].feature, m.points[l].feature) << i;
  }
}

// The point of m nearest to x.
template <int D>
const ContactPoint<D>& nearest_point(const Manifold<D>& m, const Vec<D>& x) {
  return *std::min_element(m.points, m.points + m.size,
                           [&](const auto& p, const auto& q) { return norm2(p.point - x) < norm2(q.point - x); });
}

template <int D, class Make>
void swapped_shapes_give_the_same_points_and_the_opposite_normal(const Make& make, int count, Real accuracy) {
  Dice dice(5);
  for (int i = 0; i < count / share; ++i) {
    const Pair<D> p = make(dice);
    const Manifold<D> m = p.collide(all), s = collide<D>(p.b, p.pb, p.a, p.pa, all * p.size);
    ASSERT_EQ(m.size, s.size) << i;
    ASSERT_LE(norm(m.normal + s.normal), accuracy) << i;
    for (int k = 0; k < m.size; ++k) {
      const ContactPoint<D>&x = m.points[k], &y = nearest_point(s, x.point);
      ASSERT_LE(std::fabs(x.gap - y.gap), accuracy * p.size) << i;
      ASSERT_LE(norm(x.point - y.point), accuracy * p.size) << i;
    }
  }
}

template <int D, class Make>
void rigid_motions_carry_the_manifold_along(const Make& make, int count, Real accuracy) {
  Dice dice(6);
  int moved = 0;
  for (int i = 0; i < count / share; ++i) {
    const Pair<D> p = make(dice);
    Pair<D> q = p;
    const Pose<D> motion = dice.pose<D>(p.size);
    q.pa = motion * p.pa, q.pb = motion * p.pb;
    const Manifold<D> m = p.collide(0.1), s = q.collide(0.1);
    if (m.size == 0 || s.size == 0) continue;
    ASSERT_NEAR(least_gap(m), least_gap(s), accuracy * p.size) << i;
    if (m.size != s.size || norm(motion.R * m.normal - s.normal) > 1e-6) continue;  // a tie between two axes
    ++moved;
    const ContactPoint<D>& x = deepest(m);
    const Vec<D> at = motion.to_world(x.point);
    const ContactPoint<D>& y = nearest_point(s, at);
    ASSERT_NEAR(x.gap, y.gap, 1e-6 * p.size);
    ASSERT_LE(norm(at - y.point), 1e-5 * p.size) << i;
  }
  EXPECT_GT(moved, count / 10 / share);
}

}  // namespace cairn::test
