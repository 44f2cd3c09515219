// Pictures show every body once, forces in proportion, and what is in front on top.
#include "cairn/export/picture.hpp"

#include <algorithm>

#include "cairn/export/order.hpp"
#include "cairn/export/sketch.hpp"
#include "cairn/export/test/shot.hpp"
#include "cairn/scene/discs.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn::exporting {
namespace {

constexpr const char* red = "#b2182b";

std::vector<plot::Shape> strokes(const plot::Axes& axes, const std::string& colour) {
  std::vector<plot::Shape> found;
  std::ranges::copy_if(axes.shapes, std::back_inserter(found), [&](const auto& s) { return s.stroke == colour; });
  return found;
}

long filled(const plot::Axes& axes, const std::string& fill) {
  return std::ranges::count_if(axes.shapes, [&](const auto& s) { return s.fill == fill; });
}

TEST(Picture, each_free_body_of_the_plane_is_drawn_once) {
  const auto shot = test::every_shape<2>();
  const plot::Axes axes = picture(shot.cast, shot.frames[0], shot.frames.back());
  EXPECT_EQ(filled(axes, stone), 5);
  EXPECT_EQ(axes.title, "t = 0.6 s");
  EXPECT_TRUE(axes.bare && axes.equal_aspect);
  const std::string svg = plot::to_svg({"", {axes}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("1 m</text>"), std::string::npos);  // the scale bar
}

TEST(Picture, widths_of_lines_are_in_proportion_to_normal_forces) {
  const auto shot = test::shot_of<2>(*scene::build<2>(scene::DiscPile{}), 20, 0.005, 20);
  Frame<2> frame = shot.frames[1];
  ASSERT_GE(frame.contacts.size(), 2u);
  frame.contacts.resize(2);
  frame.contacts[0].impulse = 4 * frame.h * frame.contacts[0].normal;
  frame.contacts[1].impulse = 1 * frame.h * frame.contacts[1].normal;
  PictureOptions options;
  options.force_scale = 4, options.key = false;
  std::vector<double> widths;
  for (const auto& s : strokes(picture(shot.cast, shot.frames[0], frame, options), red)) widths.push_back(s.width);
  ASSERT_FALSE(widths.empty());
  EXPECT_EQ(widths.front(), 1.25);
  EXPECT_EQ(widths.back(), 5);
  options.forces = false;
  EXPECT_TRUE(strokes(picture(shot.cast, shot.frames[0], frame, options), red).empty());
}

TEST(Picture, displacements_are_arrows_and_shades) {
  auto shot = test::shot_of<2>(*scene::build<2>(scene::DiscPile{}), 1, 0.005, 1);
  Frame<2> moved = shot.frames[0];
  moved.x[0][0] += 0.5, moved.x[1][0] += 0.25;
  PictureOptions options;
  options.displacement = options.shade = true;
  const plot::Axes axes = picture(shot.cast, shot.frames[0], moved, options);
  EXPECT_EQ(std::ranges::count_if(axes.shapes, [](const auto& s) { return s.arrow; }), 2);
  EXPECT_GE(filled(axes, "#2166ac"), 1);  // the one that moved most
  EXPECT_GE(filled(axes, blend(stone, "#2166ac", 0.5)), 1);
  // What has not moved is not shaded by rounding.
  Frame<2> still = shot.frames[0];
  still.x[0][0] += 1e-15;
  EXPECT_EQ(filled(picture(shot.cast, shot.frames[0], still, options), "#2166ac"), 0);
}

TEST(Picture, the_ground_line_ends_at_walls) {
  std::vector<plot::Shape> shapes;
  draw_ground(shapes, {{{0, 0}, {0, 1}}, {{-1, 0}, {1, 0}}, {{1, 0}, {-1, 0}}}, {{-2, 2}, {-0.5, 2}});
  std::vector<plot::Shape> lines;
  std::ranges::copy_if(shapes, std::back_inserter(lines), [](const auto& s) { return s.x.size() == 2; });
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(std::abs(lines[0].x[0]), 1);
  EXPECT_EQ(std::abs(lines[0].x[1]), 1);
  EXPECT_EQ(std::min(lines[1].y[0], lines[1].y[1]), 0);
  EXPECT_EQ(std::max(lines[1].y[0], lines[1].y[1]), 2);
}

// Seen from above right, blocks of an upper course hide the tops of those below, though half of them have centres that
// are further away.
TEST(Picture, a_block_is_drawn_after_the_one_it_stands_on) {
  scene::Wall wall;
  wall.courses = 4, wall.blocks = 3;
  const auto shot = test::shot_of<3>(*scene::build<3>(wall), 1, 0.005, 1);
  const View<3> view(-60, 20);
  std::vector<Solid> solids;
  for (const auto& part : shot.cast.parts)
    if (bounded(part.shape)) solids.push_back({&part, pose_of(shot.frames[0], part.body) * part.pose});
  const std::vector<int> order = back_to_front(solids, view);
  std::vector<int> place(solids.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  EXPECT_EQ(std::ranges::count(place, -1), 0);
  int stacked = 0, further = 0;
  for (const auto& c : shot.frames[1].contacts) {
    if (std::abs(c.normal[2]) < 0.9 || c.body[1] >= static_cast<int>(solids.size())) continue;
    const auto upper = static_cast<std::size_t>(c.normal[2] > 0 ? c.body[0] : c.body[1]);
    const auto lower = static_cast<std::size_t>(c.normal[2] > 0 ? c.body[1] : c.body[0]);
    EXPECT_LT(place[lower], place[upper]);
    ++stacked, further += view.depth(solids[upper].pose.x) > view.depth(solids[lower].pose.x);
  }
  EXPECT_GT(stacked, 10);
  EXPECT_GT(further, 0);
}

TEST(Picture, every_shape_of_space_is_seen) {
  const auto shot = test::every_shape<3>();
  PictureOptions options;
  options.forces = false;
  const plot::Axes side = picture(shot.cast, shot.frames[0], shot.frames[0], options);
  EXPECT_EQ(filled(side, stone), 4);  // the flat brick's front face is darker
  options.azimuth_deg = -50, options.elevation_deg = 30;
  const plot::Axes above = picture(shot.cast, shot.frames[0], shot.frames[0], options);
  EXPECT_GT(above.shapes.size(), side.shapes.size());  // more faces, the ground's surface
  EXPECT_EQ(plot::to_svg({"", {above}}).find("nan"), std::string::npos);
}

TEST(Picture, the_view_from_the_side_has_x_and_z) {
  const View<3> side(-90, 0);
  const Vec<2> p = side({1, 2, 3});
  EXPECT_EQ(p[0], 1);
  EXPECT_EQ(p[1], 3);
  EXPECT_EQ(side.depth({1, 2, 3}), 2);
  const View<3> top(-90, 90);
  EXPECT_NEAR(top({1, 2, 3})[1], 2, 1e-15);
}

TEST(Picture, a_strip_has_one_window_for_all) {
  const auto shot = test::every_shape<2>();
  const plot::Figure strip = picture_strip(shot.cast, shot.frames[0], shot.frames, 2);
  ASSERT_EQ(strip.axes.size(), 4u);
  EXPECT_EQ(strip.columns, 2);
  for (const plot::Axes& axes : strip.axes) {
    EXPECT_EQ(axes.x_range->low, strip.axes[0].x_range->low);
    EXPECT_EQ(axes.y_range->high, strip.axes[0].y_range->high);
  }
  EXPECT_NE(strip.title.find("widest lines: "), std::string::npos);
}

TEST(Picture, hulls_are_convex_and_leave_out_points_on_sides) {
  const std::vector<Vec<2>> ring = hull({{0, 0}, {1, 0}, {0.5, 0}, {1, 1}, {0, 1}, {0.5, 0.5}, {0, 0}});
  EXPECT_EQ(ring.size(), 4u);
  EXPECT_EQ(hull({{1, 1}, {1, 1}}).size(), 1u);
}

TEST(Picture, numbers_carry_a_prefix) {
  EXPECT_EQ(with_prefix(18523, "N"), "18.5 kN");
  EXPECT_EQ(with_prefix(0.0228, "m"), "22.8 mm");
  EXPECT_EQ(with_prefix(999.9, "N"), "1 kN");
  EXPECT_EQ(with_prefix(3, "N"), "3 N");
}

}  // namespace
}  // namespace cairn::exporting
