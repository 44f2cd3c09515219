// What the search for the contact of polyhedra leaves out changes no bit of the result.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "cairn/detection/solid_axis.hpp"
#include "random_pairs.hpp"

namespace cairn {
namespace {

using test::Dice;

bool same_bits(const Vec<3>& a, const Vec<3>& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }
bool same_bits(Real a, Real b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }
bool same_bits(const Manifold<3>& a, const Manifold<3>& b) {
  bool same = a.size == b.size && same_bits(a.normal, b.normal);
  for (int i = 0; i < a.size && same; ++i)
    same = same_bits(a.points[i].point, b.points[i].point) && same_bits(a.points[i].gap, b.points[i].gap) &&
           a.points[i].feature == b.points[i].feature;
  return same;
}

// Boxes, prisms, pyramids and hulls of 4 to 20 points, of sizes from 0.05 to 1.
const std::vector<Polyhedron>& solids() {
  static const std::vector<Polyhedron> all = [] {
    Dice dice(3);
    std::vector<Polyhedron> made;
    for (int i = 0; i < 30; ++i)
      made.push_back(Polyhedron::box({dice.real(0.05, 0.5), dice.real(0.05, 0.5), dice.real(0.05, 0.5)}));
    made.push_back(Polyhedron::box({0.3, 0.2, 0.2}));  // with itself: flush
    while (made.size() < 100) {
      std::vector<Vec<3>> points;
      const Real size = dice.log_uniform(0.1, 1), height = dice.real(0.1, 0.6);
      const bool prism = dice.flip();
      for (int k = dice.integer(4, prism ? 8 : 20); k > 0; --k) {
        const Vec<3> x = size * dice.direction<3>();
        points.push_back(prism ? Vec<3>{x[0], x[1], size * height} : x);
        if (prism) points.push_back({x[0], x[1], -size * height});
      }
      if (auto solid = Polyhedron::make(points, dice.integer(0, 3) == 0 ? size * dice.real(0, 0.2) : 0))
        made.push_back(*solid);
    }
    return made;
  }();
  return all;
}

// The rotation that turns one direction into another.
Rotation<3> turn(const Vec<3>& from, const Vec<3>& to) {
  const Vec<3> axis = cross(from, to);
  if (dot(from, to) < -0.999) return Rotation<3>::by(std::numbers::pi * normalised(cross(from, Vec<3>{0.3, 0.5, 0.8})));
  return Rotation<3>{1 + dot(from, to), axis[0], axis[1], axis[2]}.unit();
}

struct Placed {
  const Polyhedron *a, *b;
  Pose<3> pa, pb;
  Real alert;
};

// A face of b on a face of a: shifted, turned about their normal by any angle or a right one, tilted and lifted or
// sunk by amounts from rounding to a tenth.
Placed random_rest(Dice& dice) {
  const auto any = [&] { return &solids()[static_cast<std::size_t>(dice.integer(0, 99))]; };
  const auto small = [&] { return dice.integer(0, 3) == 0 ? 0 : dice.log_uniform(1e-16, 0.1); };
  Placed p{any(), any(), {}, {}, dice.flip() ? 1e-3 : 10};
  if (dice.integer(0, 3) == 0) p.b = p.a;
  const auto& f = p.a->face(dice.integer(0, static_cast<int>(p.a->faces.size()) - 1));
  const auto& g = p.b->face(dice.integer(0, static_cast<int>(p.b->faces.size()) - 1));
  const Real yaw = dice.flip() ? dice.real(0, 6) : std::numbers::pi / 2 * dice.integer(0, 3) + small();
  p.pb.R = Rotation<3>::by(small() * dice.direction<3>()) * Rotation<3>::by(yaw * f.normal) * turn(g.normal, -f.normal);
  const Vec<3> aside = dice.integer(0, 2) == 0 ? Vec<3>{} : dice.real(0, 0.4) * cross(f.normal, dice.direction<3>());
  const Real lift = f.offset + g.offset + p.a->radius + p.b->radius + (dice.flip() ? 1 : -1) * small();
  p.pb.x = lift * f.normal + aside;
  const Pose<3> carried = dice.integer(0, 2) == 0 ? Pose<3>{} : dice.pose<3>(2);
  p.pa = carried, p.pb = carried * p.pb;
  return p;
}

// Anyhow: deep in each other, touching or apart.
Placed random_meeting(Dice& dice) {
  Placed p = random_rest(dice);
  p.pb.R = dice.rotation<3>();
  if (dice.flip()) return p;
  p.pb.x = p.pa.x + dice.real(0, 1) * dice.direction<3>();
  const Manifold<3> m = collide<3>(Shape<3>{*p.a}, p.pa, Shape<3>{*p.b}, p.pb, 10);
  if (m.size > 0 && dice.flip()) p.pb.x += (test::least_gap(m) - dice.log_uniform(1e-15, 1e-2)) * m.normal;
  return p;
}

// The search as it is defined: each face with each vertex.
FaceAxis plain_best_face(const SolidCore& p, const SolidCore& q) {
  FaceAxis best;
  for (int i = 0; i < static_cast<int>(p.normals.size()); ++i) {
    FaceAxis axis{std::numeric_limits<Real>::infinity(), i, 0};
    for (int j = 0; j < static_cast<int>(q.vertices.size()); ++j)
      if (const Real s = dot(q.vertex(j) - p.vertex(p.ring(i)[0]), p.normal(i)); s < axis.separation)
        axis.separation = s, axis.vertex = j;
    if (axis.separation > best.separation) best = axis;
  }
  return best;
}

template <class Make>
void search_changes_nothing(const Make& make, int count) {
  Dice dice(1);
  SolidStore stores[2];
  std::vector<Real> heights;
  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < count / test::share; ++i) {
    const Placed pair = make(dice);
    const Vec<3> origin = middle(pair.pa, pair.pb);
    const SolidCore a = place(*pair.a, about(pair.pa, origin), stores[0]);
    const SolidCore b = place(*pair.b, about(pair.pb, origin), stores[1]);
    const FaceAxis found = best_face(a, b, infinite, heights), plain = plain_best_face(a, b);
    ASSERT_TRUE(same_bits(found.separation, plain.separation)) << i;
    ASSERT_EQ(found.face, plain.face) << i;
    ASSERT_EQ(found.vertex, plain.vertex) << i;
    ASSERT_TRUE(same_bits(collide_cores(a, b, pair.alert), collide_cores(a, b, pair.alert, EdgePairs::all))) << i;
  }
}

TEST(SolidSearch, EdgesLeftOutChangeNothingWhereFacesRest) { search_changes_nothing(random_rest, 100000); }
TEST(SolidSearch, EdgesLeftOutChangeNothingWhereSolidsMeetAnyhow) { search_changes_nothing(random_meeting, 60000); }

// As terrain has them.
TEST(SolidSearch, EdgesLeftOutChangeNothingOnFlatTriangles) {
  Dice dice(4);
  SolidStore store;
  const std::vector<Polyhedron::Face> faces{{{0, 1, 2}, {}, 0}, {{0, 2, 1}, {}, 0}};
  const Polyhedron::Edge edges[3] = {{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}};
  for (int i = 0; i < 40000 / test::share; ++i) {
    const Polyhedron& solid = solids()[static_cast<std::size_t>(dice.integer(0, 99))];
    const SolidCore a = place(solid, dice.pose<3>(0.5), store);
    const Vec<3> x[3] = {dice.real(0, 1) * dice.direction<3>(), dice.direction<3>(), dice.direction<3>()};
    const Vec<3> n = normalised(cross(x[1] - x[0], x[2] - x[0])), normals[2] = {n, -n};
    const SolidCore b{x, normals, faces, edges, 0};
    ASSERT_TRUE(same_bits(collide_cores(a, b, 0), collide_cores(a, b, 0, EdgePairs::all))) << i;
    ASSERT_TRUE(same_bits(collide_cores(b, a, 1), collide_cores(b, a, 1, EdgePairs::all))) << i;
  }
}

TEST(SolidSearch, PlacesVerticesAndNormalsAsPosesDo) {
  Dice dice(2);
  SolidStore store;
  for (int i = 0; i < 2000; ++i) {
    const Polyhedron& solid = solids()[static_cast<std::size_t>(dice.integer(0, 99))];
    const Pose<3> pose = i == 0 ? Pose<3>{} : dice.pose<3>(3);
    const SolidCore core = place(solid, pose, store);
    const Mat<3> R = pose.R.matrix();
    ASSERT_EQ(core.vertices.size(), solid.vertices.size());
    ASSERT_EQ(core.normals.size(), solid.faces.size());
    for (std::size_t k = 0; k < core.vertices.size(); ++k)
      ASSERT_TRUE(same_bits(core.vertices[k], pose.x + R * solid.vertices[k]));
    for (std::size_t k = 0; k < core.normals.size(); ++k)
      ASSERT_TRUE(same_bits(core.normals[k], R * solid.faces[k].normal));
  }
}

}  // namespace
}  // namespace cairn
