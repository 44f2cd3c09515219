#include "cairn/view/geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "cairn/record/test/sample.hpp"

namespace cairn::view {
namespace {

template <int D>
record::Cast<D> cast_of_shapes(const std::vector<Shape<D>>& shapes, const std::vector<Pose<D>>& poses = {}) {
  record::Cast<D> cast;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    cast.bodies.push_back({});
    cast.parts.push_back({static_cast<int>(i), shapes[i], i < poses.size() ? poses[i] : Pose<D>{}, 0});
  }
  return cast;
}

struct Drawn {
  std::vector<Vec<3>> vertex;
  std::vector<std::array<std::uint32_t, 3>> triangle;
  std::vector<std::array<std::uint32_t, 2>> edge;
};

Drawn shape(const Geometry& g, std::size_t s) {
  Drawn d;
  for (std::size_t v = g.shape_vertex[s]; v < g.shape_vertex[s + 1]; ++v)
    d.vertex.push_back({g.vertex[3 * v], g.vertex[3 * v + 1], g.vertex[3 * v + 2]});
  for (std::size_t t = g.shape_triangle[s]; t < g.shape_triangle[s + 1]; ++t)
    d.triangle.push_back({g.triangle[3 * t], g.triangle[3 * t + 1], g.triangle[3 * t + 2]});
  for (std::size_t e = g.shape_edge[s]; e < g.shape_edge[s + 1]; ++e)
    d.edge.push_back({g.edge[2 * e], g.edge[2 * e + 1]});
  for (const auto& t : d.triangle)
    for (const std::uint32_t v : t) EXPECT_LT(v, d.vertex.size());
  for (const auto& e : d.edge)
    for (const std::uint32_t v : e) EXPECT_LT(v, d.vertex.size());
  return d;
}

// Every edge is walked once each way: the surface is closed and its triangles agree on what is outside.
void expect_closed(const Drawn& d, const std::string& what) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> walked;
  for (const auto& t : d.triangle)
    for (std::size_t i = 0; i < 3; ++i) ++walked[{t[i], t[(i + 1) % 3]}];
  EXPECT_FALSE(walked.empty()) << what;
  for (const auto& [ends, times] : walked) {
    EXPECT_EQ(times, 1) << what;
    EXPECT_TRUE(walked.contains({ends.second, ends.first})) << what;
  }
}

Real volume(const Drawn& d) {
  Real six = 0;
  for (const auto& t : d.triangle) six += dot(d.vertex[t[0]], cross(d.vertex[t[1]], d.vertex[t[2]]));
  return six / 6;
}
Real area(const Drawn& d) {
  Real twice = 0;
  for (const auto& t : d.triangle) twice += cross(d.vertex[t[1]] - d.vertex[t[0]], d.vertex[t[2]] - d.vertex[t[0]])[2];
  return twice / 2;
}

TEST(ViewGeometry, surfaces_in_space_are_closed_and_face_outward) {
  std::mt19937 random(11);
  std::vector<Vec<3>> points(40);
  for (Vec<3>& p : points) p = record::test::random_point<3>(random);
  const std::vector<Shape<3>> shapes{Capsule<3>{0.7, 0.1},
                                     Capsule<3>{0, 0.3},
                                     Polyhedron::box({0.4, 0.2, 0.1}),
                                     Polyhedron::box({0.4, 0.2, 0.1}, 0.02),
                                     *Polyhedron::make(points),
                                     Ellipsoid<3>{{0.3, 0.5, 0.6}, 0}};
  std::vector<Pose<3>> poses;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    poses.push_back({record::test::random_point<3>(random), record::test::random_rotation(random, Vec<3>{})});
  const Geometry g = geometry_of<3>(cast_of_shapes<3>(shapes, poses));
  ASSERT_EQ(g.mesh_body.size(), shapes.size());
  ASSERT_EQ(g.shape_vertex.size(), shapes.size() + 1);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string what = "shape " + std::to_string(i);
    const Drawn d = shape(g, g.mesh_shape[i]);
    expect_closed(d, what);
    const bool flat = i == 2 || i == 4;
    const Real exact = mass_properties<3>(shapes[i]).volume;
    EXPECT_NEAR(volume(d), exact, (flat ? 1e-5 : 0.04) * exact) << what;
    EXPECT_LT(volume(d), exact * (1 + 1e-5)) << what;  // facets are chords
    for (const Vec<3>& p : d.vertex) EXPECT_LE(norm(p - poses[i].x), reach<3>(shapes[i]) * (1 + 1e-5)) << what;
  }
  EXPECT_EQ(shape(g, g.mesh_shape[0]).edge.size(), 0u);
  EXPECT_EQ(shape(g, g.mesh_shape[2]).edge.size(), 12u);
  EXPECT_EQ(shape(g, g.mesh_shape[3]).edge.size(), 36u);  // each in three pieces
  EXPECT_EQ(shape(g, g.mesh_shape[4]).edge.size(), std::get<Polyhedron>(shapes[4]).edges.size());
  EXPECT_EQ(shape(g, g.mesh_shape[5]).edge.size(), 0u);
}

TEST(ViewGeometry, outlines_in_the_plane_enclose_their_area) {
  std::mt19937 random(12);
  std::vector<Vec<2>> points(12);
  for (Vec<2>& p : points) p = record::test::random_point<2>(random);
  const std::vector<Shape<2>> shapes{Capsule<2>{0.7, 0.1}, Polygon::box({0.4, 0.2}), Polygon::box({0.4, 0.2}, 0.05),
                                     *Polygon::make(points), Ellipsoid<2>{{0.3, 0.5}, 0}};
  const std::vector<Pose<2>> poses(shapes.size(), {{3, -2}, Rotation<2>::by(2)});
  const Geometry g = geometry_of<2>(cast_of_shapes<2>(shapes, poses));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Drawn d = shape(g, g.mesh_shape[i]);
    const Real exact = mass_properties<2>(shapes[i]).volume;
    EXPECT_NEAR(area(d), exact, (i == 1 || i == 3 ? 1e-5 : 0.02) * exact) << i;
    EXPECT_EQ(d.edge.size(), d.vertex.size()) << i;
    EXPECT_EQ(d.triangle.size() + 2, d.vertex.size()) << i;
    std::vector<int> ends(d.vertex.size());
    for (const auto& e : d.edge) ++ends[e[0]], ++ends[e[1]];
    for (const int n : ends) EXPECT_EQ(n, 2) << i;
    for (const Vec<3>& p : d.vertex) EXPECT_EQ(p[2], 0);
  }
}

TEST(ViewGeometry, terrain_is_drawn_where_it_bends) {
  const Geometry line = geometry_of<2>(cast_of_shapes<2>({Polyline{{{0, 0}, {1, 0.5}, {2, -0.25}}}}));
  EXPECT_EQ(shape(line, 0).edge.size(), 2u);
  EXPECT_EQ(shape(line, 0).triangle.size(), 0u);
  // A square of two triangles, flat or folded along its diagonal: the border, and the fold.
  for (const bool folded : {false, true}) {
    const Real up = folded ? 1 : 0;
    const TriangleMesh mesh{{{0, 0, up}, {1, 0, 0}, {0, 1, 0}, {1, 1, up}}, {{0, 1, 2}, {1, 3, 2}}};
    const Drawn d = shape(geometry_of<3>(cast_of_shapes<3>({mesh})), 0);
    EXPECT_EQ(d.triangle.size(), 2u);
    EXPECT_EQ(d.edge.size(), folded ? 5u : 4u);
  }
}

TEST(ViewGeometry, equal_shapes_are_sent_once) {
  const Polyhedron box = Polyhedron::box({0.4, 0.2, 0.1});
  Polyhedron nearly = box;
  nearly.vertices[0][0] += 1e-12;  // the same in single precision
  const Pose<3> moved{{1, 0, 0}, {}};
  const Geometry g = geometry_of<3>(
      cast_of_shapes<3>({box, nearly, box, box, Capsule<3>{0.7, 0.1}, Capsule<3>{0.7, 0.1}, Polyhedron::box({1, 1, 1})},
                        {{}, {}, {}, moved}));
  EXPECT_EQ(g.mesh_shape, (std::vector<std::uint32_t>{0, 0, 0, 1, 2, 2, 3}));
  EXPECT_EQ(g.mesh_body, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(g.shape_vertex.size(), 5u);
}

TEST(ViewGeometry, balls_and_half_spaces_are_no_meshes) {
  record::Cast<3> cast = cast_of_shapes<3>({Ball<3>{0.5}, HalfSpace<3>{}}, {{{1, 2, 3}, {}}, {{0, 0, -1}, {}}});
  const Geometry g = geometry_of<3>(cast);
  EXPECT_EQ(g.ball_centre, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(g.ball_radius, std::vector<float>{0.5});
  EXPECT_EQ(g.plane_body, std::vector<std::uint32_t>{1});
  EXPECT_EQ(g.plane_point, (std::vector<float>{0, 0, -1}));
  EXPECT_EQ(g.plane_normal, (std::vector<float>{0, 0, 1}));
  EXPECT_TRUE(g.mesh_body.empty() && g.vertex.empty());
  EXPECT_EQ(g.shape_vertex, std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace cairn::view
