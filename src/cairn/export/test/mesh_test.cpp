// Surfaces cut into facets are closed, look outward and hold nearly the volume of the body.
#include "cairn/export/mesh.hpp"

#include <map>

#include "cairn/export/test/shot.hpp"

namespace cairn::exporting {
namespace {

Real volume(const Mesh& mesh) {  // signed, by the divergence theorem
  Real sum = 0;
  for (int k = 0; k < mesh.cells(); ++k) {
    const auto ring = mesh.cell(k);
    const auto p = [&](std::size_t i) { return mesh.points[static_cast<std::size_t>(ring[i])]; };
    for (std::size_t i = 2; i < ring.size(); ++i) sum += dot(p(0), cross(p(i - 1), p(i))) / 6;
  }
  return sum;
}

// Every edge is walked once each way.
bool closed(const Mesh& mesh) {
  std::map<std::pair<int, int>, int> walked;
  for (int k = 0; k < mesh.cells(); ++k) {
    const auto ring = mesh.cell(k);
    for (std::size_t i = 0; i < ring.size(); ++i) ++walked[{ring[i], ring[(i + 1) % ring.size()]}];
  }
  return std::ranges::all_of(walked, [&](const auto& edge) {
    const auto back = walked.find({edge.first.second, edge.first.first});
    return edge.second == 1 && back != walked.end();
  });
}

Mesh mesh_alone(const Shape<3>& shape, int around) {
  Pose<3> pose;
  pose.x = {1, 2, 3}, pose.R = Rotation<3>::by({0.3, -0.2, 0.5});
  return mesh_of<3>({0, shape, pose, 0}, around, {}, {});
}

TEST(Mesh, solids_are_closed_and_look_outward) {
  for (const Shape<3>& shape : test::all_solids(std::integral_constant<int, 3>{})) {
    const Real exact = mass_properties(shape).volume;
    const bool flat = shape.index() == 2 && std::get<Polyhedron>(shape).radius == 0;
    for (const int around : {8, 64}) {
      const Mesh mesh = mesh_alone(shape, around);
      EXPECT_TRUE(closed(mesh)) << shape.index();
      EXPECT_LE(volume(mesh), exact * (1 + 1e-12)) << shape.index();
      EXPECT_GE(volume(mesh), exact * (flat ? 1 - 1e-12 : around == 8 ? 0.7 : 0.96)) << shape.index();
    }
  }
}

TEST(Mesh, outlines_of_the_plane_hold_the_area) {
  for (const Shape<2>& shape : test::all_solids(std::integral_constant<int, 2>{})) {
    const std::vector<Vec<2>> ring = outline(shape, 64);
    Real area = 0;
    for (std::size_t k = 0; k < ring.size(); ++k) area += cross(ring[k], ring[(k + 1) % ring.size()]) / 2;
    const Real exact = mass_properties(shape).volume;
    EXPECT_LE(area, exact * (1 + 1e-12)) << shape.index();
    EXPECT_GE(area, exact * 0.995) << shape.index();
  }
}

TEST(Mesh, a_half_space_is_shown_where_it_meets_the_box) {
  const Bounds<3> box{{-1, -2, -1}, {1, 2, 3}};
  const std::vector<Vec<3>> level = half_space_in<3>(box, {});
  ASSERT_EQ(level.size(), 4u);
  for (const Vec<3>& p : level) {
    EXPECT_EQ(p[2], 0);
    EXPECT_EQ(std::abs(p[0]), 1);
    EXPECT_EQ(std::abs(p[1]), 2);
  }
  Pose<3> below;
  below.x = {0, 0, -5};
  EXPECT_TRUE(half_space_in<3>(box, below).empty());
  Pose<3> aslant;  // far away along its own surface, which yet passes through the box
  aslant.R = Rotation<3>::by({0, 0.6, 0});
  aslant.x = aslant.R * Vec<3>{1000, 500, 0};
  const std::vector<Vec<3>> cut = half_space_in<3>(box, aslant);
  ASSERT_GE(cut.size(), 3u);
  for (const Vec<3>& p : cut) EXPECT_NEAR(aslant.to_local(p)[2], 0, 1e-10);
}

TEST(Mesh, the_box_of_a_scene_leaves_out_half_spaces) {
  const auto shot = test::every_shape<2>();
  const Bounds<2> box = scene_bounds(shot.cast, shot.frames[0]);
  EXPECT_EQ(box.low[0], -3);
  EXPECT_EQ(box.high[0], 3);
  EXPECT_EQ(box.low[1], -0.1);
  EXPECT_NEAR(box.high[1], 1.3, 1e-12);
}

}  // namespace
}  // namespace cairn::exporting
