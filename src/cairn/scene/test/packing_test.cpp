#include "cairn/scene/packing.hpp"

#include "cairn/scene/cell.hpp"
#include "cairn/scene/hopper.hpp"
#include "cairn/scene/test/touch.hpp"

namespace cairn::scene {
namespace {

TYPED_TEST_SUITE(Scenes, Dims);

template <int D>
Real radius_of(const Block<D>& b) {
  return std::get<Ball<D>>(b.shape).radius;
}

TYPED_TEST(Scenes, grains_never_overlap_and_keep_their_room) {
  constexpr int D = TypeParam::value;
  for (const auto kind : {Grains::balls, Grains::angular})
    for (const Real most : {0.01, 0.02, 0.1}) {
      Packing o;
      o.grains = {.count = 150, .most = most, .kind = kind, .corners = 7};
      o.width = 0.3, o.depth = 0.25;
      const Blocks<D> s = built<D>(o);
      ASSERT_EQ(s.blocks.size(), D == 2 ? 153u : 155u);
      const Touching t = touching(s);
      EXPECT_EQ(t.deepest, 0);
      EXPECT_EQ(t.touching + t.near, 0);  // separated by a hundredth of a radius or more
      for (int i = 0; i < 150; ++i) EXPECT_FALSE(s.blocks[static_cast<std::size_t>(i)].fixed);
      EXPECT_TRUE(same(s, built<D>(o)));
      o.grains.seed = 7;
      EXPECT_FALSE(same(s, built<D>(o)));
    }
}

TYPED_TEST(Scenes, grains_without_separation_rest_on_others) {
  constexpr int D = TypeParam::value;
  Packing o;
  o.grains = {.count = 200, .separation = 0};
  o.width = 0.3, o.depth = 0.15;
  const Blocks<D> s = built<D>(o);
  const Touching t = touching(s);
  EXPECT_LT(t.deepest, 1e-12);
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(t.of.contains(i)) << i;
}

// A dense pile, not a gas.
TYPED_TEST(Scenes, grains_fill_much_of_their_box) {
  constexpr int D = TypeParam::value;
  Packing o;
  o.grains = {.count = 4000, .most = 0.012, .separation = 0};
  o.width = D == 2 ? 1 : 0.3, o.depth = 0.3;
  const Blocks<D> s = built<D>(o);
  const Real box = o.width * (D == 3 ? o.depth : 1) * top_of(s);
  EXPECT_GT(s.mass() / o.matter.density / box, D == 2 ? 0.72 : 0.45);
}

TYPED_TEST(Scenes, sizes_follow_their_law) {
  constexpr int D = TypeParam::value;
  Packing o;
  o.grains = {.count = 20000, .least = 0.01, .most = 0.04, .tries = 1};
  o.width = 3, o.depth = 1;
  Real mean = 0;
  for (const auto& b : built<D>(o).blocks)
    if (b.name.empty()) mean += radius_of(b) / 20000;
  EXPECT_NEAR(mean, 0.025, 4 * 0.03 / std::sqrt(12.0 * 20000));
  o.grains.sizes = Grains::by_volume;
  Real small = 0, all = 0;
  for (const auto& b : built<D>(o).blocks)
    if (b.name.empty()) {
      const Real volume = std::pow(radius_of(b), D);
      all += volume, small += radius_of(b) < 0.02 ? volume : 0;
    }
  EXPECT_NEAR(small / all, 0.5, 0.03);  // as much between 1 and 2 cm as between 2 and 4
}

TYPED_TEST(Scenes, a_cell_has_a_lid_that_rests_on_its_highest_grain) {
  constexpr int D = TypeParam::value;
  Cell o;
  o.grains = {.count = 100};
  o.width = 0.3, o.depth = 0.15;
  const Blocks<D> s = built<D>(o);
  const int lid = s.find("lid");
  ASSERT_EQ(lid, 100);
  EXPECT_FALSE(s.blocks[100].fixed);
  EXPECT_TRUE(s.blocks[static_cast<std::size_t>(s.find("left wall"))].fixed);
  const Touching t = touching(s);
  EXPECT_LT(t.deepest, 1e-12);
  EXPECT_EQ(t.of.at(lid), 1);
  const Bounds<D> box = bounds<D>(s.blocks[100].shape, s.blocks[100].pose);
  EXPECT_NEAR(box.low[0], -0.149, 1e-15);
  EXPECT_NEAR(box.high[0], 0.149, 1e-15);
}

TYPED_TEST(Scenes, a_hopper_leaves_its_opening_free) {
  constexpr int D = TypeParam::value;
  for (const Real slope : {0.0, 0.8}) {
    Hopper o;
    o.slope = slope;
    o.grains = {.count = 100};
    const Blocks<D> s = built<D>(o);
    EXPECT_EQ(touching(s).deepest, 0);
    const auto &left = s.blocks[static_cast<std::size_t>(s.find("left slab"))],
               &right = s.blocks[static_cast<std::size_t>(s.find("right slab"))];
    const Core<D> l = core_of(left), r = core_of(right);
    Vec<D> x{};
    x[0] = 1;
    EXPECT_NEAR(apart_along(l, r, x), o.opening, 1e-14);
    EXPECT_GT(bounds<D>(left.shape, left.pose).low[D - 1], 0);
    // The upper face reaches the wall.
    Vec<D> corner{};
    corner[0] = -o.width / 2, corner[D - 1] = o.fall + (o.width - o.opening) / 2 * std::tan(slope);
    Real nearest = 1;
    for (auto p : l.points) {
      if (D == 3) p[1] = 0;
      nearest = std::min(nearest, norm(p - corner));
    }
    EXPECT_LT(nearest, 1e-14);
  }
}

TEST(Packing, bad_options_are_refused_by_name) {
  EXPECT_EQ(refusal(Packing{.grains = {.count = -1}}), "packing: grains.count is -1, expected at least 0");
  EXPECT_EQ(refusal(Packing{.grains = {.least = 0.03}}),
            "packing: grains.least is 0.03, expected at most grains.most, 0.02");
  EXPECT_EQ(refusal(Packing{.width = 0.01}), "packing: width is 0.01, expected at least 0.0404 for the largest grain");
  EXPECT_EQ(refusal(Packing{.grains = {.kind = Grains::angular, .corners = 2}}),
            "packing: grains.corners is 2, expected at least 3");
  EXPECT_EQ(refusal(Cell{.clearance = 0.5}), "cell: clearance is 0.5, expected between 0 and 0.01");
  EXPECT_EQ(refusal(Hopper{.opening = 1}), "hopper: opening is 1, expected less than the width 0.5");
}

}  // namespace
}  // namespace cairn::scene
