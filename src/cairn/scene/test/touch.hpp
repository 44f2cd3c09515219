// Distances between the blocks of a scene, by separating planes: slow and sure.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

// A convex block in the world: corners thickened by a radius, and the normals of its faces.
template <int D>
struct Core {
  std::vector<Vec<D>> points, normals, edges;
  Real radius = 0;
  bool half_space = false;
  Bounds<D> box{};
};

inline void add_faces(Core<2>& core, const Polygon& p, const Pose<2>& at) {
  for (const auto& x : p.vertices) core.points.push_back(at.to_world(x));
  for (const auto& n : p.normals) core.normals.push_back(at.R * n);
}
inline void add_faces(Core<3>& core, const Polyhedron& p, const Pose<3>& at) {
  for (const auto& x : p.vertices) core.points.push_back(at.to_world(x));
  for (const auto& f : p.faces) core.normals.push_back(at.R * f.normal);
  for (const auto& e : p.edges) core.edges.push_back(at.R * normalised(p.vertex(e.b) - p.vertex(e.a)));
}

template <int D>
Core<D> core_of(const Block<D>& b) {
  Core<D> core;
  std::visit(
      [&](const auto& s) {
        using T = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<T, HalfSpace<D>>) {
          core.half_space = true;
          core.points = {b.pose.x};
          core.normals = {b.pose.R * s.normal()};
        } else if constexpr (std::is_same_v<T, Ball<D>>) {
          core.points = {b.pose.x};
          core.radius = s.radius;
        } else if constexpr (std::is_same_v<T, Capsule<D>>) {
          Vec<D> end{};
          end[0] = s.half_length;
          core.points = {b.pose.to_world(-end), b.pose.to_world(end)};
          core.edges = {b.pose.R * normalised(end)};
          core.radius = s.radius;
        } else if constexpr (requires { add_faces(core, s, b.pose); }) {
          add_faces(core, s, b.pose);
          core.radius = s.radius;
        } else {
          ADD_FAILURE() << "a shape that the tests do not know";
        }
      },
      b.shape);
  core.box = bounds<D>(b.shape, b.pose);
  return core;
}

template <int D>
Real apart_along(const Core<D>& a, const Core<D>& b, const Vec<D>& n) {
  Real high = -std::numeric_limits<Real>::infinity(), low = -high;
  for (const auto& x : a.points) high = std::max(high, dot(n, x));
  for (const auto& x : b.points) low = std::min(low, dot(n, x));
  return low - high;
}

// The largest separation by a plane of a face, of two edges, or across two corners: exact for touching convex bodies,
// and a lower bound of the distance of others.
template <int D>
Real gap(const Core<D>& a, const Core<D>& b) {
  if (a.half_space && b.half_space) return std::numeric_limits<Real>::infinity();
  if (a.half_space) return apart_along(a, b, a.normals[0]) - b.radius;
  if (b.half_space) return gap(b, a);
  Real best = -std::numeric_limits<Real>::infinity();
  const auto attempt = [&](const Vec<D>& n) {
    const Real size = norm(n);
    if (!(size > 1e-9)) return;
    best = std::max({best, apart_along(a, b, (1 / size) * n), apart_along(a, b, (-1 / size) * n)});
  };
  for (const auto& n : a.normals) attempt(n);
  for (const auto& n : b.normals) attempt(n);
  if (a.radius + b.radius > 0)
    for (const auto& x : a.points)
      for (const auto& y : b.points) attempt(y - x);
  if constexpr (D == 3)
    for (const auto& e : a.edges)
      for (const auto& g : b.edges) attempt(cross(e, g));
  if constexpr (D == 2)
    for (const auto* edges : {&a.edges, &b.edges})
      for (const auto& e : *edges) attempt({-e[1], e[0]});
  return best - a.radius - b.radius;
}

struct Touching {
  Real deepest = 0;       // [m] overlap
  int touching = 0;       // pairs within 1e-12
  int near = 0;           // pairs with a gap between 1e-12 and `margin`: joints that are not closed
  std::map<int, int> of;  // touching pairs of each block
};

// Over all pairs, fixed pairs apart.
template <int D>
Touching touching(const Blocks<D>& s, Real margin = 1e-6, Real closed = 1e-12) {
  std::vector<Core<D>> cores;
  for (const auto& b : s.blocks) cores.push_back(core_of(b));
  Touching t;
  for (std::size_t i = 0; i < cores.size(); ++i)
    for (std::size_t j = i + 1; j < cores.size(); ++j) {
      if (s.blocks[i].fixed && s.blocks[j].fixed) continue;
      bool far = false;
      for (int k = 0; k < D; ++k)
        far = far || cores[i].box.low[k] > cores[j].box.high[k] + margin ||
              cores[j].box.low[k] > cores[i].box.high[k] + margin;
      if (far) continue;
      const Real g = gap(cores[i], cores[j]);
      t.deepest = std::max(t.deepest, -g);
      if (std::fabs(g) <= closed) ++t.touching, ++t.of[static_cast<int>(i)], ++t.of[static_cast<int>(j)];
      if (g > closed && g < margin) ++t.near;
    }
  return t;
}

// The same numbers, to the last bit.
template <int D>
bool same(const Blocks<D>& a, const Blocks<D>& b) {
  if (a.blocks.size() != b.blocks.size()) return false;
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    const Core<D> p = core_of(a.blocks[i]), q = core_of(b.blocks[i]);
    if (p.points.size() != q.points.size() || p.radius != q.radius) return false;
    for (std::size_t k = 0; k < p.points.size(); ++k)
      for (int d = 0; d < D; ++d)
        if (p.points[k][d] != q.points[k][d]) return false;
  }
  return true;
}

template <int D, class Options>
Blocks<D> built(const Options& options) {
  auto s = build<D>(options);
  EXPECT_TRUE(s) << (s ? "" : s.error());
  return s ? *s : Blocks<D>{};
}
template <class Options>
std::string refusal(const Options& options) {
  const auto s = build<2>(options);
  return s ? "accepted" : s.error();
}

template <class Dim>
class Scenes : public testing::Test {};
using Dims = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;

}  // namespace cairn::scene
