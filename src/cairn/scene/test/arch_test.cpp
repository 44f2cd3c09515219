#include "cairn/scene/arch.hpp"

#include <numbers>

#include "cairn/scene/test/touch.hpp"

namespace cairn::scene {
namespace {

using std::numbers::pi;

TYPED_TEST_SUITE(Scenes, Dims);

TYPED_TEST(Scenes, voussoirs_close_their_joints) {
  constexpr int D = TypeParam::value;
  for (const int n : {2, 3, 7, 12, 21, 60})
    for (const Real embrace : {0.4, pi / 2, 2.2, pi, 1.2 * pi}) {
      Arch a;
      a.voussoirs = n, a.embrace = embrace;
      if (embrace >= (pi - 0.1) * n) continue;
      const Blocks<D> s = built<D>(a);
      ASSERT_EQ(s.blocks.size(), static_cast<std::size_t>(n + 3));
      const Touching t = touching(s);
      EXPECT_LT(t.deepest, 1e-12) << n << " " << embrace;
      EXPECT_EQ(t.touching, n + 1) << n << " " << embrace;
      EXPECT_EQ(t.near, 0);
      // Trapezia between the radii: n (ro^2 - ri^2) sin(embrace / n) / 2.
      const Real area = n * (2 * a.radius * a.thickness) * std::sin(embrace / n) / 2;
      EXPECT_NEAR(s.mass(), 2000 * area * (D == 3 ? a.depth : 1), 1e-9);
      EXPECT_TRUE(s.blocks[static_cast<std::size_t>(n)].fixed);
      EXPECT_EQ(s.find("right springer"), n + 1);
      EXPECT_TRUE(same(s, built<D>(a)));
    }
}

TYPED_TEST(Scenes, an_arch_is_symmetric) {
  constexpr int D = TypeParam::value;
  Arch a;
  a.voussoirs = 11;
  const Blocks<D> s = built<D>(a);
  for (std::size_t i = 0; i < 11; ++i) {
    const auto &x = s.blocks[i].pose.x, &y = s.blocks[10 - i].pose.x;
    EXPECT_NEAR(x[0], -y[0], 1e-15);
    EXPECT_NEAR(x[D - 1], y[D - 1], 1e-15);
  }
  EXPECT_LT(s.blocks[0].pose.x[0], 0);
  EXPECT_GT(s.blocks[5].pose.x[D - 1], 0.9);
}

TYPED_TEST(Scenes, an_arch_stands_on_the_ground) {
  constexpr int D = TypeParam::value;
  Arch a;
  a.support = ArchSupport::ground;
  const Touching t = touching(built<D>(a));
  EXPECT_LT(t.deepest, 1e-12);
  EXPECT_EQ(t.touching, 14 + 2);
  EXPECT_EQ(t.near, 0);
}

TYPED_TEST(Scenes, an_arch_stands_on_piers) {
  constexpr int D = TypeParam::value;
  for (const Real embrace : {1.0, 2.0, pi}) {
    Arch a;
    a.support = ArchSupport::piers, a.embrace = embrace;
    const Blocks<D> s = built<D>(a);
    ASSERT_EQ(s.blocks.size(), 15u + 12u + 1u);
    const Touching t = touching(s);
    EXPECT_LT(t.deepest, 1e-12);
    EXPECT_EQ(t.touching, 14 + 2 + 10 + 2) << embrace;
    EXPECT_EQ(t.near, 0);
    for (std::size_t i = 0; i + 1 < s.blocks.size(); ++i) EXPECT_FALSE(s.blocks[i].fixed);
  }
}

// Plane-faced stones; sectors of a ring need a little more: 0.096245, 0.104910, 0.106266, 0.106790. The reference was
// computed with another program.
TEST(Arch, least_thickness_of_half_circles) {
  const std::pair<int, Real> known[] = {
      {7, 0.095703}, {11, 0.104589}, {15, 0.106068}, {21, 0.106695}, {2001, 0.107478}};
  for (const auto& [n, ratio] : known) {
    Arch a;
    a.voussoirs = n;
    EXPECT_NEAR(least_thickness(a), ratio, 1e-6) << n;
    a.radius = 3;
    EXPECT_NEAR(least_thickness(a), 3 * ratio, 3e-6) << n;
  }
  Arch flat;
  flat.embrace = 2;
  EXPECT_LT(least_thickness(flat), 0.03);
}

TEST(Arch, bad_options_are_refused_by_name) {
  EXPECT_EQ(refusal(Arch{.voussoirs = 0}), "arch: voussoirs is 0, expected at least 1");
  EXPECT_EQ(refusal(Arch{.embrace = -1}), "arch: embrace is -1, expected between 0.001 and 4.71238898038469");
  EXPECT_EQ(refusal(Arch{.voussoirs = 1}),
            "arch: 1 voussoirs cannot embrace 3.141592653589793 rad, expected more of them");
  EXPECT_EQ(refusal(Arch{.thickness = 2}), "arch: thickness is 2, expected less than twice the radius 1");
  EXPECT_EQ(refusal(Arch{.embrace = 2, .support = ArchSupport::ground}),
            "arch: embrace is 2, expected pi for an arch on the ground");
  EXPECT_EQ(refusal(Arch{.support = ArchSupport::piers, .piers = {.width = 0.1}}),
            "arch: piers.width is 0.1, expected at least the width 0.12 of the springing joint");
}

}  // namespace
}  // namespace cairn::scene
