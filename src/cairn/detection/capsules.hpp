// Capsule on capsule in space.
#pragma once

#include "cairn/detection/manifold.hpp"
#include "cairn/detection/place.hpp"
#include "cairn/detection/segments.hpp"
#include "cairn/detection/tolerance.hpp"
#include "cairn/shape/capsule.hpp"

namespace cairn {

namespace capsule_parts {

constexpr Real along = 0.1;   // sine of the angle below which two capsules lie along each other
constexpr Real toward = 0.9;  // cosine of the angle between the normal and where the other axis is seen from an end

struct Axis {
  Vec<3> centre, direction;
  Real half_length, radius;

  Axis(const Capsule<3>& shape, const Pose<3>& pose)
      : centre(pose.x), direction(pose.R * Vec<3>{1, 0, 0}), half_length(shape.half_length), radius(shape.radius) {}
  Vec<3> end(Real side) const { return centre + (side * half_length) * direction; }
  Vec<3> at(Real s, const Vec<3>& w) const { return centre + ((s - dot(centre, w)) / dot(direction, w)) * direction; }
};

inline Vec<3> any_perpendicular(const Vec<3>& u) {
  const int i = std::fabs(u[0]) < 0.5 ? 0 : std::fabs(u[1]) < 0.5 ? 1 : 2;
  Vec<3> e{};
  e[i] = 1;
  return normalised(cross(u, e));
}

// From b to a where the axes meet.
inline Vec<3> crossing_normal(const Axis& a, const Axis& b) {
  const Vec<3> n = cross(a.direction, b.direction);
  const Vec<3> unit = norm(n) > 1e-6 ? normalised(n) : any_perpendicular(a.direction);
  return dot(a.centre - b.centre, unit) < 0 ? -unit : unit;
}

inline void add(const Vec<3>& x, const Vec<3>& y, Real distance, const Axis& a, const Axis& b, std::uint32_t feature,
                Real alert, Manifold<3>& m) {
  const Real gap = distance - (a.radius + b.radius);
  if (gap <= alert) m.add({Real(0.5) * (x + y) + (Real(0.5) * (b.radius - a.radius)) * m.normal, gap, feature});
}

// The ends of the part that two capsules have in common along their mean direction.
inline void add_ends(const Axis& a, const Axis& b, Real slack, Real alert, Manifold<3>& m) {
  const Real sign = dot(a.direction, b.direction) < 0 ? -1 : 1;
  const Vec<3> w = normalised(a.direction + sign * b.direction);
  const Real ca = dot(a.centre, w), cb = dot(b.centre, w);
  const Real ha = a.half_length * dot(a.direction, w), hb = b.half_length * sign * dot(b.direction, w);
  const Real low = std::max(ca - ha, cb - hb), high = std::min(ca + ha, cb + hb);
  if (!(high - low > slack)) return;
  for (int i = 0; i < 2; ++i) {
    const Real s = i == 0 ? low : high;
    const Vec<3> x = a.at(s, w), y = b.at(s, w);
    const Real d = norm(x - y);
    if (dot(x - y, m.normal) >= toward * d) add(x, y, d, a, b, static_cast<std::uint32_t>(i), alert, m);
  }
}

}  // namespace capsule_parts

// Capsules that lie along each other touch at the two ends of their common part.
inline Manifold<3> collide_capsules(const Capsule<3>& first, const Pose<3>& pa, const Capsule<3>& second,
                                    const Pose<3>& pb, Real alert) {
  using namespace capsule_parts;
  const Vec<3> origin = middle(pa, pb);
  const Axis a(first, about(pa, origin)), b(second, about(pb, origin));
  const auto [x, y] = nearest_on_segments(a.end(-1), a.end(1), b.end(-1), b.end(1));
  const Real distance = norm(x - y), size = a.half_length + b.half_length + a.radius + b.radius;
  Manifold<3> m;
  if (distance - (a.radius + b.radius) > alert) return m;
  const bool apart = distance > tolerance::distance * size;
  m.normal = apart ? (1 / distance) * (x - y) : crossing_normal(a, b);
  if (apart && norm(cross(a.direction, b.direction)) < along) add_ends(a, b, tolerance::merge * size, alert, m);
  const Real exact = distance - (a.radius + b.radius) + tolerance::tie * size;
  if (std::none_of(m.points, m.points + m.size, [&](const ContactPoint<3>& p) { return p.gap <= exact; }))
    add(x, y, distance, a, b, 2, alert, m);
  move_back(m, origin);
  return m;
}

}  // namespace cairn
