// Drums, rocks on terrain, and scenes carried elsewhere.
#include "cairn/scene/drum.hpp"

#include <numbers>

#include "cairn/scene/rocks.hpp"
#include "cairn/scene/test/touch.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn::scene {
namespace {

TYPED_TEST_SUITE(Scenes, Dims);

TYPED_TEST(Scenes, a_drum_is_closed_and_holds_its_grains) {
  constexpr int D = TypeParam::value;
  Drum o;
  o.grains.count = 100, o.slabs = 24;
  const Blocks<D> s = built<D>(o);
  ASSERT_EQ(s.blocks.size(), D == 2 ? 124u : 126u);
  EXPECT_EQ(touching(s).deepest, 0);
  for (int k = 0; k < 24; ++k) {
    const auto& b = s.blocks[static_cast<std::size_t>(100 + k)];
    const auto& next = s.blocks[static_cast<std::size_t>(100 + (k + 1) % 24)];
    EXPECT_TRUE(b.fixed);
    EXPECT_EQ(b.part, k);
    const Core<D> slab = core_of(b);
    EXPECT_LT(gap(slab, core_of(next)), 0);  // no slit
    Core<D> centre;
    centre.points = {Vec<D>{}};
    EXPECT_NEAR(gap(slab, centre), o.radius, 1e-14);  // the inner face is at the radius
    EXPECT_EQ(norm(b.pose.x), 0);                     // what turns about its own origin turns about the axis
  }
  for (int i = 0; i < 100; ++i) {
    Vec<D> x = s.blocks[static_cast<std::size_t>(i)].pose.x;
    if (D == 3) x[1] = 0;
    EXPECT_LT(norm(x), o.radius);
  }
}

TYPED_TEST(Scenes, rocks_start_above_their_terrain) {
  constexpr int D = TypeParam::value;
  Rocks o;
  o.count = 3;
  const Blocks<D> s = built<D>(o);
  ASSERT_EQ(s.blocks.size(), 4u);
  const int ground = s.find("terrain");
  ASSERT_EQ(ground, 3);
  const Bounds<D> low = bounds<D>(s.blocks[3].shape, s.blocks[3].pose);
  for (std::size_t i = 0; i < 3; ++i) {
    const Bounds<D> rock = bounds<D>(s.blocks[i].shape, s.blocks[i].pose);
    EXPECT_GE(rock.low[D - 1], low.high[D - 1] + o.height);
    if (i > 0) {
      EXPECT_GT(rock.low[D - 1], bounds<D>(s.blocks[i - 1].shape, s.blocks[i - 1].pose).high[D - 1]);
    }
  }
  EXPECT_NEAR(low.high[0], 80, 1e-12);
  // All normals point up, and the slope is what was asked for.
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires {
                        shape.normal(0);
                        shape.size();
                        shape.bounds(Pose<D>{});
                      }) {
          for (int i = 0; i < shape.size(); ++i) EXPECT_GT(shape.normal(i)[D - 1], 0.3);
        } else {
          ADD_FAILURE() << "not a terrain";
        }
      },
      s.blocks[3].shape);
  EXPECT_NEAR(low.high[D - 1] - low.low[D - 1], 40 * std::tan(0.7), 0.4);
  EXPECT_EQ(complaint(s.blocks[3].shape), "");
}

TYPED_TEST(Scenes, a_scene_carried_elsewhere_stays_closed) {
  constexpr int D = TypeParam::value;
  Wall w;
  w.courses = 3, w.blocks = 3;
  Pose<D> by = in_plane<D>({0.3, -0.7}, std::numbers::pi / 2);
  const Blocks<D> s = built<D>(w), t = s.moved(by);
  const Touching before = touching(s), after = touching(t);
  EXPECT_LT(after.deepest, 1e-12);
  EXPECT_EQ(before.touching, after.touching);
  // Up has become -x.
  EXPECT_NEAR(t.blocks[0].pose.x[0], 0.3 - s.blocks[0].pose.x[D - 1], 1e-15);
  EXPECT_NEAR(t.blocks[0].pose.x[D - 1], -0.7 + s.blocks[0].pose.x[0], 1e-15);
}

TEST(Drum, bad_options_are_refused_by_name) {
  EXPECT_EQ(refusal(Drum{.slabs = 3}), "drum: slabs is 3, expected at least 4");
  EXPECT_EQ(refusal(Drum{.grains = {.count = 5000}}),
            "drum: grains.count is 5000, expected fewer: they do not fit into the drum's square");
  EXPECT_EQ(refusal(Rocks{.corners = 2}), "rocks: corners is 2, expected at least 3");
  EXPECT_EQ(refusal(Rocks{.slope = 1.6}), "rocks: slope is 1.6, expected between 0 and 1.5");
}

}  // namespace
}  // namespace cairn::scene
