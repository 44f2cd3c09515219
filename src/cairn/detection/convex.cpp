#include "cairn/detection/convex.hpp"

#include <algorithm>

#include "cairn/detection/epa.hpp"
#include "cairn/detection/gjk.hpp"

namespace cairn {

namespace {

constexpr Real accuracy = 1e-12;  // of the distance, relative to the size
constexpr Real touch_distance =
    1e-7;  // below this distance, relative to the size, the direction comes from the polytope

template <int D>
Real size_of(const Difference<D>& set) {
  Real size = 0;
  for (int i = 0; i < D; ++i) {
    Vec<D> e{};
    e[i] = 1;
    size = std::max(size, dot(set.support(e).w - set.support(-e).w, e));
  }
  return size;
}

}  // namespace

template <int D>
ConvexContact<D> contact_of_cores(const ConvexCore<D>& a, const ConvexCore<D>& b) {
  const Difference<D> set{a, b};
  const Real size = size_of(set);
  Vec<D> start = a.pose.x - b.pose.x;
  if (!(norm2(start) > 0)) start[D - 1] = 1;
  ConvexContact<D> c;
  if (distance_from_origin<D>(set, start, touch_distance * size, accuracy * size, c)) return c;
  thread_local Polytope<D> polytope;
  return polytope.expand(set, start, size, accuracy * size);
}

template ConvexContact<2> contact_of_cores<2>(const ConvexCore<2>&, const ConvexCore<2>&);
template ConvexContact<3> contact_of_cores<3>(const ConvexCore<3>&, const ConvexCore<3>&);

}  // namespace cairn
