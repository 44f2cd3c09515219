// Masonry: walls, arches, stacks and towers at rest under gravity.
#include "cairn/problem/generate.hpp"

#include <algorithm>

#include "cairn/problem/generate_parts.hpp"

namespace cairn {
namespace {

using generate::Builder;

constexpr Real pi = 3.14159265358979323846;

struct Brick {
  Real left, right;  // [m]
  int body;
};

// Edges of a course from left to right: whole bricks, or halves at both ends.
std::vector<Real> course_edges(int bricks, bool staggered) {
  std::vector<Real> edges = {0};
  for (int i = 0; i < bricks; ++i) edges.push_back(staggered ? i + 0.5 : i + 1);
  if (staggered) edges.push_back(bricks);
  return edges;
}

constexpr Real brick_height = 0.5;  // [m]

std::vector<Brick> lay_course(Builder<PlaneProblem>& builder, int course, int bricks, const Fall& fall) {
  std::vector<Brick> out;
  const auto edges = course_edges(bricks, course % 2 == 1);
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    const Real width = edges[i + 1] - edges[i], mass = width * brick_height;
    const Real inertia = mass * (width * width + brick_height * brick_height) / 12;
    const Vec<2> centre{(edges[i] + edges[i + 1]) / 2, (course + 0.5) * brick_height};
    out.push_back({edges[i], edges[i + 1], builder.add_body(centre, mass, {inertia}, {0, -fall.speed(), 0})});
  }
  return out;
}

void bed_joint(Builder<PlaneProblem>& builder, const Brick& upper, const Brick& lower, Real y, Real mu) {
  const Real left = std::max(upper.left, lower.left), right = std::min(upper.right, lower.right);
  if (right - left < 1e-9) return;
  builder.add_contact(upper.body, lower.body, {left, y}, {0, 1}, mu);
  builder.add_contact(upper.body, lower.body, {right, y}, {0, 1}, mu);
}

}  // namespace

PlaneProblem wall(int courses, int bricks, Real mu, Fall fall) {
  Builder<PlaneProblem> builder;
  std::vector<Brick> below = {{0, static_cast<Real>(bricks), -1}};  // the ground
  for (int course = 0; course < courses; ++course) {
    const Real y = course * brick_height;
    const auto bricks_here = lay_course(builder, course, bricks, fall);
    for (size_t i = 0; i < bricks_here.size(); ++i) {
      for (const Brick& lower : below) bed_joint(builder, bricks_here[i], lower, y, mu);
      if (i == 0) continue;
      const Real x = bricks_here[i].left;
      for (const Real height : {y, y + brick_height})
        builder.add_contact(bricks_here[i].body, bricks_here[i - 1].body, {x, height}, {1, 0}, mu);
    }
    below = bricks_here;
  }
  return builder.problem;
}

PlaneProblem arch(int voussoirs, Real thickness, Real mu, Fall fall) {
  Builder<PlaneProblem> builder;
  const Real inner = 1 - thickness / 2, outer = 1 + thickness / 2, angle = pi / voussoirs;
  auto at = [](Real radius, Real a) { return Vec<2>{-radius * std::cos(a), radius * std::sin(a)}; };
  // A sector of ring: mass (unit density and depth), centroid on the bisector, polar inertia about the centroid.
  const Real mass = angle * (outer * outer - inner * inner) / 2;
  const Real centroid = 2 * (outer * outer * outer - inner * inner * inner) * std::sin(angle / 2) /
                        (3 * (angle / 2) * (outer * outer - inner * inner));
  const Real polar = angle * (std::pow(outer, 4) - std::pow(inner, 4)) / 4 - mass * centroid * centroid;
  for (int i = 0; i < voussoirs; ++i)
    builder.add_body(at(centroid, (i + 0.5) * angle), mass, {polar}, {0, -fall.speed(), 0});
  for (int joint = 0; joint <= voussoirs; ++joint) {
    const Real a = joint * angle;
    const Vec<2> along{std::sin(a), std::cos(a)};  // from the left springing to the right one
    const bool last = joint == voussoirs;
    for (const Real radius : {inner, outer}) {
      if (last)
        builder.add_contact(joint - 1, -1, at(radius, a), -along, mu);
      else
        builder.add_contact(joint, joint - 1, at(radius, a), along, mu);  // joint 0: body -1, the ground
    }
  }
  return builder.problem;
}

SpaceProblem stack(int boxes, Real mu, Fall fall) {
  Builder<SpaceProblem> builder;
  for (int i = 0; i < boxes; ++i) {
    const int body = builder.add_body({0, 0, i + 0.5}, 1, {1. / 6, 1. / 6, 1. / 6}, {0, 0, -fall.speed(), 0, 0, 0});
    for (const Real x : {-0.5, 0.5})
      for (const Real y : {-0.5, 0.5}) builder.add_contact(body, i - 1, {x, y, static_cast<Real>(i)}, {0, 0, 1}, mu);
  }
  return builder.problem;
}

SpaceProblem plank_tower(int layers, int planks, Real mu, Fall fall) {
  constexpr Real length = 0.12, width = 0.024, thickness = 0.008, mass = 0.01;  // [m], [kg]
  Builder<SpaceProblem> builder;
  // Planks of a layer side by side along `across`, evenly from one end of the plank below to the other.
  auto offset = [&](int k) { return planks == 1 ? 0 : (length - width) * (k / (planks - 1.0) - 0.5); };
  auto inertia = [&](Real a, Real b) { return mass * (a * a + b * b) / 12; };
  for (int layer = 0; layer < layers; ++layer) {
    const bool along_x = layer % 2 == 0;
    for (int k = 0; k < planks; ++k) {
      const Real z = layer * thickness, s = offset(k);
      const Vec<3> centre{along_x ? 0 : s, along_x ? s : 0, z + thickness / 2};
      const Real about_length = inertia(width, thickness), about_width = inertia(length, thickness);
      const Vec<3> spin{along_x ? about_length : about_width, along_x ? about_width : about_length,
                        inertia(length, width)};
      const int body = builder.add_body(centre, mass, spin, {0, 0, -fall.speed(), 0, 0, 0});
      const int below = layer == 0 ? 1 : planks;  // the ground carries a plank at its ends, as planks would
      for (int j = 0; j < below; ++j) {
        const Real middle = layer == 0 ? 0 : offset(j), reach = layer == 0 ? length / 2 : width / 2;
        for (const Real a : {middle - reach, middle + reach})
          for (const Real b : {s - width / 2, s + width / 2})
            builder.add_contact(body, layer == 0 ? -1 : body - k - planks + j, {along_x ? a : b, along_x ? b : a, z},
                                {0, 0, 1}, mu);
      }
    }
  }
  return builder.problem;
}

}  // namespace cairn
