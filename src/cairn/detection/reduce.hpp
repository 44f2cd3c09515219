// Keeps few points of a flat manifold, always the same ones while bodies rest on each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "cairn/detection/manifold.hpp"
#include "cairn/detection/tolerance.hpp"

namespace cairn {

namespace reduce_parts {

// The first of the points with the highest score, where `rank` decides between scores equal to `slack`.
template <class Score, class Rank>
int best_of(std::span<const ContactPoint<3>> points, Real slack, const Score& score, const Rank& rank) {
  int best = 0;
  for (int i = 1; i < static_cast<int>(points.size()); ++i) {
    const auto &p = points[static_cast<std::size_t>(i)], &q = points[static_cast<std::size_t>(best)];
    const Real difference = score(p) - score(q);
    if (difference > slack || (difference >= -slack && rank(p) > rank(q))) best = i;
  }
  return best;
}

}  // namespace reduce_parts

// In the plane of a face, fixed to it and aligned with none of its edges: from its normal and its first edge.
inline Vec<3> skew_direction(const Vec<3>& normal, const Vec<3>& edge) {
  const Vec<3> e = normalised(edge), f = cross(normal, e);
  return Real(0.38) * e + Real(0.925) * f;
}

// At most four points into the manifold: the extreme one along `seed` (a direction fixed in a body), the one furthest
// from it, the furthest on either side of their line; then the deepest, if it is missing, in place of the nearest of
// these. Which ones are taken depends on where the points are alone, neither on their order nor, but for the last, on
// the gaps.
inline void reduce(std::span<const ContactPoint<3>> points, Real extent, const Vec<3>& seed, Manifold<3>& m) {
  if (points.size() <= 4) {
    for (const ContactPoint<3>& p : points) m.add(p);
    return;
  }
  const Vec<3> n = m.normal, u = seed - dot(seed, n) * n;
  const Real slack = tolerance::merge * extent;
  const auto rank = [&](const ContactPoint<3>& p) { return dot(p.point, u); };
  const auto at = [&](int i) -> const ContactPoint<3>& { return points[static_cast<std::size_t>(i)]; };
  using reduce_parts::best_of;
  int chosen[4];
  chosen[0] = best_of(points, 0, rank, [](const ContactPoint<3>&) { return Real(0); });
  const Vec<3> first = at(chosen[0]).point;
  chosen[1] = best_of(
      points, slack, [&](const ContactPoint<3>& p) { return norm(p.point - first); }, rank);
  const Vec<3> across = cross(n, at(chosen[1]).point - first);
  const Real width = slack * norm(across);
  chosen[2] = best_of(
      points, width, [&](const ContactPoint<3>& p) { return dot(p.point - first, across); }, rank);
  chosen[3] = best_of(
      points, width, [&](const ContactPoint<3>& p) { return -dot(p.point - first, across); }, rank);
  int deepest = 0;
  for (int i = 1; i < static_cast<int>(points.size()); ++i)
    if (at(i).gap < at(deepest).gap) deepest = i;
  const auto missed = [&](int i) { return at(deepest).gap < at(i).gap - tolerance::tie * extent; };
  if (std::all_of(chosen, chosen + 4, missed))
    *std::min_element(chosen, chosen + 4, [&](int i, int j) {
      return norm2(at(i).point - at(deepest).point) < norm2(at(j).point - at(deepest).point);
    }) = deepest;
  for (int i = 0; i < 4; ++i)
    if (std::find(chosen, chosen + i, chosen[i]) == chosen + i) m.add(at(chosen[i]));
}

}  // namespace cairn
