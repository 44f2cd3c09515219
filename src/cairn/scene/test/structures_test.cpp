// Columns, overhangs, cards, ladders, piles, dominoes, pyramids, domes.
#include <cmath>
#include <numbers>

#include "cairn/scene/cards.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/discs.hpp"
#include "cairn/scene/dome.hpp"
#include "cairn/scene/dominoes.hpp"
#include "cairn/scene/ladder.hpp"
#include "cairn/scene/overhang.hpp"
#include "cairn/scene/pyramid.hpp"
#include "cairn/scene/test/touch.hpp"

namespace cairn::scene {
namespace {

using std::numbers::pi;

TYPED_TEST_SUITE(Scenes, Dims);

// Touching pairs as counted by hand, no overlap, no joint left a little open.
template <int D>
void expect_touching(const Blocks<D>& s, int pairs, const char* what) {
  const Touching t = touching(s);
  EXPECT_LT(t.deepest, 1e-12) << what;
  EXPECT_EQ(t.touching, pairs) << what;
  EXPECT_EQ(t.near, 0) << what;
}

TYPED_TEST(Scenes, columns_stand) {
  constexpr int D = TypeParam::value;
  Column c;
  expect_touching(built<D>(c), 20, "cubes");
  EXPECT_NEAR(built<D>(c).mass(), 20 * 2000, 1e-9);
  c.ratio = 1000;
  EXPECT_NEAR(built<D>(c).mass(), 20 * 2000, 1e-9);  // none is heavy
  for (const auto& [heavy, light, first] :
       {std::tuple{Column::bottom, 19, 0}, {Column::top, 19, 19}, {Column::alternate, 10, 1}}) {
    c.heavy = heavy;
    EXPECT_NEAR(built<D>(c).mass(), (light + (20 - light) * 1000) * 2000, 1e-6);
    for (int k = 0; k <= first; ++k)
      EXPECT_EQ(built<D>(c).blocks[static_cast<std::size_t>(k)].density, k < first ? 2000 : 2e6) << heavy << " " << k;
  }
  c = {.count = 7, .width = 1.2, .height = 0.4, .sides = 12};
  const Blocks<D> s = built<D>(c);
  expect_touching(s, 7, "drums");
  const Real disc = 12 * 0.36 * std::sin(pi / 6) / 2;  // regular polygon of 12 sides
  EXPECT_NEAR(s.mass(), 7 * 2000 * (D == 3 ? disc * 0.4 : 1.2 * 0.4), 1e-9);
}

TYPED_TEST(Scenes, bricks_overhang_by_the_fraction_of_the_harmonic_sum) {
  constexpr int D = TypeParam::value;
  for (const int n : {1, 3, 10}) {
    Overhang o;
    o.bricks = n;
    const Blocks<D> s = built<D>(o);
    ASSERT_EQ(s.blocks.size(), static_cast<std::size_t>(n + 2));
    expect_touching(s, n, "overhang");
    const auto& top = s.blocks[static_cast<std::size_t>(n)];
    EXPECT_NEAR(bounds<D>(top.shape, top.pose).high[0], 0.999 * critical_overhang(n, 0.2), 1e-14);
    // The bricks above each joint balance within its edge, by the fraction.
    for (int level = 0; level < n; ++level) {
      Real centre = 0;
      for (int k = level; k < n; ++k) centre += s.blocks[static_cast<std::size_t>(k + 1)].pose.x[0] / (n - level);
      const auto& below = s.blocks[static_cast<std::size_t>(level)];
      const Real edge = bounds<D>(below.shape, below.pose).high[0];
      EXPECT_LT(centre, edge);
      EXPECT_GT(centre, edge - 0.001 * o.length * n);
    }
  }
  EXPECT_NEAR(critical_overhang(4, 1), 0.5 * (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4), 1e-15);
}

TYPED_TEST(Scenes, cards_lean_on_each_other) {
  constexpr int D = TypeParam::value;
  for (const Real angle : {0.1, 0.35, 0.7}) {
    LeaningCards o;
    o.angle = angle;
    const Blocks<D> s = built<D>(o);
    expect_touching(s, 3, "cards");
    EXPECT_NEAR(s.blocks[0].pose.x[0], -s.blocks[1].pose.x[0], 1e-16);
    EXPECT_LT(s.blocks[0].pose.x[0], 0);
  }
  LeaningCards thin;
  thin.card = {.length = 1, .thickness = 3e-9, .radius = 1e-9, .depth = 1};
  EXPECT_NEAR(least_friction(thin), std::tan(0.35) / 2, 1e-8);
}

TYPED_TEST(Scenes, a_house_of_cards_touches_where_it_should) {
  constexpr int D = TypeParam::value;
  for (const int levels : {1, 2, 4}) {
    CardHouse o;
    o.levels = levels;
    const Blocks<D> s = built<D>(o);
    const int pairs = levels * (levels + 1) / 2, bridges = levels * (levels - 1) / 2;
    ASSERT_EQ(s.blocks.size(), static_cast<std::size_t>(2 * pairs + bridges + 1));
    // Each pair: an apex and two feet. Each bridge: two tops.
    expect_touching(s, 3 * pairs + 2 * bridges, "house");
  }
}

TYPED_TEST(Scenes, a_ladder_touches_wall_and_ground) {
  constexpr int D = TypeParam::value;
  for (const Real angle : {0.3, 1.1, 1.5}) {
    Ladder o;
    o.angle = angle;
    const Blocks<D> s = built<D>(o);
    expect_touching(s, 2, "ladder");
    EXPECT_GT(s.blocks[0].pose.x[0], 0);
    // The top end, half a length along the local axis 0 or against it, is at the wall and the highest.
    Vec<D> end{};
    end[0] = o.length / 2;
    const Vec<D> a = s.blocks[0].pose.to_world(end), b = s.blocks[0].pose.to_world(-end);
    const Vec<D>& top = a[D - 1] > b[D - 1] ? a : b;
    EXPECT_NEAR(top[0], o.radius, 1e-14);
    EXPECT_NEAR(std::fabs(a[D - 1] - b[D - 1]), o.length * std::sin(angle), 1e-14);
  }
  Ladder thin;
  thin.radius = 1e-9;
  EXPECT_NEAR(std::tan(least_angle(thin, 0.4, 0.3)), (1 - 0.12) / 0.8, 1e-8);
  // Moments about the foot at the limit, with thickness, for the default ladder.
  const Ladder o;
  const Real t = least_angle(o, 0.4, 0.3), N = 1 / 1.12;
  EXPECT_NEAR(o.length / 2 * std::cos(t),
              0.4 * N * (o.radius + o.length * std::sin(t)) + 0.12 * N * (o.length * std::cos(t) + o.radius), 1e-14);
}

TYPED_TEST(Scenes, discs_lie_on_each_other) {
  constexpr int D = TypeParam::value;
  const Blocks<D> s = built<D>(DiscPile{});
  expect_touching(s, D == 2 ? 1 + 2 + 2 : 3 + 3 + 3, "discs");
  const DiscFriction mu = least_friction<D>(DiscPile{});
  if (D == 2) {
    EXPECT_NEAR(mu.between, 2 - std::sqrt(3.0), 1e-15);
    EXPECT_NEAR(mu.floor, (2 - std::sqrt(3.0)) / 3, 1e-15);
  } else {  // tan(a/2) with sin a = 1/sqrt 3: (1 - cos a) / sin a
    EXPECT_NEAR(mu.between, std::sqrt(3.0) - std::sqrt(2.0), 1e-15);
    EXPECT_NEAR(mu.floor, (std::sqrt(3.0) - std::sqrt(2.0)) / 4, 1e-15);
  }
}

TYPED_TEST(Scenes, dominoes_stand_apart) {
  constexpr int D = TypeParam::value;
  Dominoes o;
  expect_touching(built<D>(o), 20, "dominoes");
  o.tilt = 0.3;
  const Blocks<D> s = built<D>(o);
  expect_touching(s, 20, "tilted");
  EXPECT_GT(s.blocks[0].pose.x[0], o.thickness / 2);
}

TYPED_TEST(Scenes, pyramids_rest_on_every_brick_below) {
  constexpr int D = TypeParam::value;
  const int n = 5;
  Pyramid o;
  o.courses = n;
  int bricks = 0, ground = D == 2 ? n : n * n;
  for (int k = 1; k <= n; ++k) bricks += D == 2 ? k : k * k;
  const Blocks<D> s = built<D>(o);
  ASSERT_EQ(s.blocks.size(), static_cast<std::size_t>(bricks + 1));
  expect_touching(s, ground + (bricks - ground) * (D == 2 ? 2 : 4), "pyramid");
  o.gap = 0;
  EXPECT_LT(touching(built<D>(o)).deepest, 1e-12);
}

TEST(Dome, closes_all_its_joints) {
  for (const Real springing : {90.0, 60.0}) {
    Dome o;
    o.springing = springing, o.courses = 4, o.sectors = 8;
    const auto s = build_dome(o);
    ASSERT_TRUE(s) << s.error();
    ASSERT_EQ(s->blocks.size(), springing < 90 ? 41u : 33u);
    const Touching t = touching(*s);
    EXPECT_LT(t.deepest, 1e-12);
    EXPECT_EQ(t.near, 0);
    for (int i = 0; i < 32; ++i) EXPECT_GE(t.of.at(i), 3) << i;  // two beside, one below
    // The faces are plane: each vertex is in its faces, the others below them.
    for (const auto& b : s->blocks) {
      const auto* p = std::get_if<Polyhedron>(&b.shape);
      if (!p) continue;
      for (const auto& face : p->faces) {
        for (const int v : face.ring) EXPECT_NEAR(dot(face.normal, p->vertex(v)), face.offset, 1e-14);
        for (const auto& x : p->vertices) EXPECT_LE(dot(face.normal, x), face.offset + 1e-14);
      }
    }
  }
  Dome bad;
  bad.oculus = 95;
  EXPECT_EQ(build_dome(bad).error(), "dome: oculus is 95, expected more than 0 and less than springing, 90");
}

TEST(Structures, bad_options_are_refused_by_name) {
  EXPECT_EQ(refusal(Column{.count = 0}), "column: count is 0, expected at least 1");
  EXPECT_EQ(refusal(Column{.sides = 2}), "column: sides is 2, expected 0 or at least 3");
  EXPECT_EQ(refusal(Overhang{.fraction = 2}), "overhang: fraction is 2.000000, expected at least 0 and less than 2");
  EXPECT_EQ(refusal(LeaningCards{.card = {.radius = 0.002}}),
            "leaning cards: card.radius is 0.002, expected less than half the thickness 0.003");
  EXPECT_NE(refusal(LeaningCards{.angle = 0.001}).find("leaning cards: angle is 0.001, expected more than"),
            std::string::npos);
  EXPECT_NE(refusal(CardHouse{.angle = 0.6}).find("card house: angle is 0.6, expected less"), std::string::npos);
  EXPECT_EQ(refusal(CardHouse{.levels = 0}), "card house: levels is 0, expected at least 1");
  EXPECT_EQ(refusal(Ladder{.radius = 0}), "ladder: radius is 0, expected a positive number");
  EXPECT_EQ(refusal(DiscPile{.radius = -1}), "disc pile: radius is -1, expected a positive number");
  EXPECT_EQ(refusal(Dominoes{.tilt = 1}),
            "dominoes: tilt is 1.000000, expected less: the first would stand in the second");
  EXPECT_EQ(refusal(Pyramid{.gap = -1}),
            "pyramid: gap is -1.000000, expected at least 0 and less than the width of a brick");
}

}  // namespace
}  // namespace cairn::scene
