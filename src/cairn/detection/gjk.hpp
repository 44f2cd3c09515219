// Distance of the origin from a convex set known by its support function (Gilbert, Johnson, Keerthi): the point of a
// simplex in the set that is nearest to the origin, and the support against it, in turn.
#pragma once

#include <limits>

#include "cairn/detection/difference.hpp"

namespace cairn {

namespace gjk_parts {

template <int D>
struct Simplex {
  DifferencePoint<D> points[D + 1];
  Real weights[D + 1] = {1};  // of the nearest point
  int size = 0;

  Vec<D> blend(const Vec<D> DifferencePoint<D>::*part) const {
    Vec<D> sum{};
    for (int i = 0; i < size; ++i) sum += weights[i] * (points[i].*part);
    return sum;
  }
};

// Weights of the point nearest to the origin in the plane through the points chosen; false if one is not positive or
// the points are not independent.
template <int D, int K>
bool nearest_in_plane(const Simplex<D>& s, const int (&chosen)[D + 1], Real (&weights)[D + 1]) {
  weights[0] = 1;
  if constexpr (K > 1) {
    const Vec<D>& p = s.points[chosen[0]].w;
    Mat<K - 1, K - 1> gram;
    Mat<K - 1, 1> rhs;
    Vec<D> edge[K - 1];
    for (int i = 0; i < K - 1; ++i) edge[i] = s.points[chosen[i + 1]].w - p;
    for (int i = 0; i < K - 1; ++i) {
      for (int j = 0; j < K - 1; ++j) gram(i, j) = dot(edge[i], edge[j]);
      rhs(i, 0) = -dot(edge[i], p);
    }
    if (!solve_in_place(gram, rhs)) return false;
    for (int i = 0; i < K - 1; ++i) {
      weights[i + 1] = rhs(i, 0);
      weights[0] -= rhs(i, 0);
      if (!(rhs(i, 0) > 0)) return false;
    }
  }
  return weights[0] > 0;
}

template <int D>
bool nearest_in_plane(const Simplex<D>& s, const int (&chosen)[D + 1], int count, Real (&weights)[D + 1]) {
  if (count == 1) return nearest_in_plane<D, 1>(s, chosen, weights);
  if (count == 2) return nearest_in_plane<D, 2>(s, chosen, weights);
  if (count == 3) return nearest_in_plane<D, 3>(s, chosen, weights);
  if constexpr (D == 3) return nearest_in_plane<3, 4>(s, chosen, weights);
  return false;
}

// Shrinks the simplex to the face with the point nearest to the origin: of all its faces, each tried.
template <int D>
void shrink(Simplex<D>& s) {
  Simplex<D> best;
  Real least = std::numeric_limits<Real>::infinity();
  for (unsigned mask = 1; mask < (1U << s.size); ++mask) {
    int chosen[D + 1], count = 0;
    for (int i = 0; i < s.size; ++i)
      if (mask >> i & 1U) chosen[count++] = i;
    Simplex<D> face;
    face.size = count;
    if (!nearest_in_plane<D>(s, chosen, count, face.weights)) continue;
    for (int i = 0; i < count; ++i) face.points[i] = s.points[chosen[i]];
    if (const Real d = norm2(face.blend(&DifferencePoint<D>::w)); d < least) least = d, best = face;
  }
  s = best;
}

}  // namespace gjk_parts

// False when the origin is in the set or nearer to it than `touch` [m]. The distance is exact to `accuracy` [m].
template <int D, class Set>
bool distance_from_origin(const Set& set, Vec<D> start, Real touch, Real accuracy, ConvexContact<D>& contact) {
  if (!(norm2(start) > 0)) start[0] = 1;
  gjk_parts::Simplex<D> s;
  s.points[0] = set.support(-start);
  s.size = 1;
  Vec<D> v = s.points[0].w;
  for (int i = 0; i < 200; ++i) {
    const Real distance = norm(v);
    if (!(distance > touch) || s.size == D + 1) return false;
    const DifferencePoint<D> w = set.support(-v);
    if (distance - dot(w.w, v) / distance <= accuracy) break;
    const gjk_parts::Simplex<D> before = s;
    s.points[s.size++] = w;
    gjk_parts::shrink(s);
    const Vec<D> next = s.blend(&DifferencePoint<D>::w);
    if (!(norm2(next) < norm2(v))) {  // rounding: no better
      s = before;
      break;
    }
    v = next;
  }
  contact.distance = norm(v);
  contact.normal = (1 / contact.distance) * v;
  contact.on_a = s.blend(&DifferencePoint<D>::on_a);
  contact.on_b = s.blend(&DifferencePoint<D>::on_b);
  return true;
}

}  // namespace cairn
