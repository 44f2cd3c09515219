#include "cairn/scene/wall.hpp"

#include "cairn/scene/test/touch.hpp"

namespace cairn::scene {
namespace {

TYPED_TEST_SUITE(Scenes, Dims);

// JM92 example 1: 176 blocks, 630 x 640 cm.
TYPED_TEST(Scenes, the_wall_of_1992) {
  constexpr int D = TypeParam::value;
  const Blocks<D> s = built<D>(Wall{});
  ASSERT_EQ(s.blocks.size(), 177u);
  EXPECT_EQ(s.find("ground"), 176);
  Bounds<D> all = bounds<D>(s.blocks[0].shape, s.blocks[0].pose);
  int halves = 0;
  for (int i = 0; i < 176; ++i) {
    const auto& b = s.blocks[static_cast<std::size_t>(i)];
    const Bounds<D> box = bounds<D>(b.shape, b.pose);
    for (int k = 0; k < D; ++k) {
      all.low[k] = std::min(all.low[k], box.low[k]);
      all.high[k] = std::max(all.high[k], box.high[k]);
    }
    const Real length = box.high[0] - box.low[0];
    EXPECT_NEAR(length, length < 0.4 ? 0.3 : 0.6, 1e-14);
    halves += length < 0.4;
    EXPECT_EQ(b.part, i / 11);
    EXPECT_FALSE(b.fixed);
  }
  EXPECT_EQ(halves, 16);
  EXPECT_NEAR(all.low[0], -3.15, 1e-14);
  EXPECT_NEAR(all.high[0], 3.15, 1e-14);
  EXPECT_NEAR(all.low[D - 1], 0, 1e-15);
  EXPECT_NEAR(all.high[D - 1], 6.40, 1e-14);
  EXPECT_NEAR(s.mass(), 2000 * 6.3 * 6.4 * (D == 3 ? 0.4 : 1.0), 1e-8);

  const Touching t = touching(s);
  EXPECT_LT(t.deepest, 1e-12);
  EXPECT_EQ(t.near, 0);
  // 16 x 10 head joints; 15 beds of 21 pairs, and corners that meet at the head joints of the next course are not
  // counted twice: block k of 60 cm lies on two, a half block on one. 11 on the ground.
  EXPECT_EQ(t.touching, 16 * 10 + 15 * 21 + 11);
}

TYPED_TEST(Scenes, an_uneven_wall_has_blocks_that_rest_on_one_and_never_overlap) {
  constexpr int D = TypeParam::value;
  Wall w;
  w.uneven_height = 4e-4;
  w.uneven_length = 2e-4;
  const Blocks<D> s = built<D>(w);
  ASSERT_EQ(s.blocks.size(), 177u);
  const Touching t = touching(s);
  EXPECT_LT(t.deepest, 1e-12);
  for (int i = 0; i < 176; ++i) EXPECT_GE(t.of.at(i), 1) << i;
  Real least = 1, most = 0;
  for (int i = 0; i < 176; ++i) {
    const Bounds<D> box = bounds<D>(s.blocks[static_cast<std::size_t>(i)].shape, Pose<D>{});
    least = std::min(least, box.high[D - 1] - box.low[D - 1]);
    most = std::max(most, box.high[D - 1] - box.low[D - 1]);
  }
  EXPECT_GE(least, 0.4 - 4e-4);
  EXPECT_LT(least, 0.4 - 3.8e-4);
  EXPECT_LE(most, 0.4);
  EXPECT_GT(most, 0.4 - 0.2e-4);
  EXPECT_TRUE(same(s, built<D>(w)));
  w.seed = 2;
  EXPECT_FALSE(same(s, built<D>(w)));
}

TYPED_TEST(Scenes, openings_are_empty_and_their_lintels_rest_on_both_sides) {
  constexpr int D = TypeParam::value;
  Wall w;
  w.openings = {{2, 4, -1.9, 1.1, 0.25}, {0, 5, 0.5, 0.9, 0.4}};
  const Blocks<D> s = built<D>(w);
  const Touching t = touching(s);
  EXPECT_LT(t.deepest, 1e-12);
  EXPECT_EQ(t.near, 0);
  const Real removed = 1.1 * 4 * 0.4 + 0.9 * 5 * 0.4;
  EXPECT_NEAR(s.mass(), 2000 * (6.3 * 6.4 - removed) * (D == 3 ? 0.4 : 1.0), 1e-8);
  for (const auto& b : s.blocks) {
    if (b.name == "ground") continue;
    const Bounds<D> box = bounds<D>(b.shape, b.pose);
    for (const Opening& o : w.openings) {
      const Real up = (box.low[D - 1] + box.high[D - 1]) / 2, x = (box.low[0] + box.high[0]) / 2;
      const bool level = up > o.course * 0.4 && up < (o.course + o.courses) * 0.4;
      EXPECT_FALSE(level && x > o.left && x < o.left + o.width);
    }
  }
  int lintels = 0;
  for (const auto& b : s.blocks)
    if (b.name != "ground") {
      const Bounds<D> box = bounds<D>(b.shape, b.pose);
      lintels += box.high[0] - box.low[0] > 1;
    }
  EXPECT_EQ(lintels, 2);
  w.openings = {{2, 4, -1.9, 1.1, 0}};  // and without a lintel
  EXPECT_LT(touching(built<D>(w)).deepest, 1e-12);
  w.uneven_height = 1e-3;
  EXPECT_LT(touching(built<D>(w)).deepest, 1e-12);
}

TYPED_TEST(Scenes, bonds_and_open_joints) {
  constexpr int D = TypeParam::value;
  Wall w;
  w.courses = 4, w.blocks = 3, w.lap = 0;
  EXPECT_EQ(built<D>(w).blocks.size(), 13u);
  w.lap = 1.0 / 3, w.joint = 0.01;
  const Blocks<D> s = built<D>(w);
  EXPECT_EQ(s.blocks.size(), 17u);
  const Touching t = touching(s);
  EXPECT_LT(t.deepest, 1e-12);
  w.matter.ground = false;
  EXPECT_EQ(built<D>(w).blocks.size(), 16u);
  EXPECT_EQ(built<D>(w).find("ground"), -1);
}

TEST(Wall, bad_options_are_refused_by_name) {
  EXPECT_EQ(refusal(Wall{.courses = 0}), "wall: courses is 0, expected at least 1");
  EXPECT_EQ(refusal(Wall{.length = -1}), "wall: length is -1, expected a positive number");
  EXPECT_EQ(refusal(Wall{.height = NAN}), "wall: height is nan, expected a positive number");
  EXPECT_EQ(refusal(Wall{.lap = 1}), "wall: lap is 1, expected at least 0 and less than 1");
  EXPECT_EQ(refusal(Wall{.uneven_height = 0.3}), "wall: uneven_height is 0.3, expected between 0 and 0.2");
  EXPECT_EQ(refusal(Wall{.openings = {{.course = 12}}}),
            "wall: openings[0].course + openings[0].courses is 16, expected less than 16: a course must lie above an "
            "opening");
  EXPECT_EQ(
      refusal(Wall{.openings = {{.left = -3}}}),
      "wall: openings[0] reaches from -3.3 to -1.5 with its bearings, expected between the ends of the wall, +-3.15");
  EXPECT_EQ(refusal(Wall{.openings = {{}, {.left = 0}}}), "wall: openings[1] meets openings[0], expected them apart");
  EXPECT_EQ(refusal(Wall{.matter = {.density = 0}}), "wall: matter.density is 0, expected a positive number");
}

}  // namespace
}  // namespace cairn::scene
