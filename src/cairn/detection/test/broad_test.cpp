// The broad phase against the comparison of each with each.
#include "cairn/detection/broad.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "cairn/base/test/allocations.hpp"
#include "cairn/base/test/share.hpp"

namespace {

using namespace cairn;
using Pairs = std::vector<std::pair<int, int>>;

template <class T>
auto& at(T& v, int i) {
  return v[static_cast<std::size_t>(i)];
}

// Boxes that move; some static, some grouped, in the ways named by the fields.
template <int D>
struct Scene {
  std::vector<Vec<D>> centre, half, velocity;
  std::vector<int> group;
  std::vector<char> is_static;
  std::vector<Real> margin;
  std::vector<Bounds<D>> bounds;

  int size() const { return static_cast<int>(centre.size()); }
  void place() {
    bounds.resize(centre.size());
    for (int i = 0; i < size(); ++i) at(bounds, i) = {at(centre, i) - at(half, i), at(centre, i) + at(half, i)};
  }
  void advance(Real h) {
    for (int i = 0; i < size(); ++i) at(centre, i) += h * at(velocity, i);
    place();
  }
  Proxies<D> proxies() const { return {bounds, group, is_static, margin}; }
};

struct Kind {
  bool clustered = false;
  Real decades = 0;  // sizes over that many powers of ten
  Real statics = 0.2;
};

template <int D>
Scene<D> random_scene(int n, Kind kind, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<Real> unit(0, 1);
  std::normal_distribution<Real> bell;
  Scene<D> s;
  for (int i = 0; i < n; ++i) {
    const Real size = 0.02 * std::pow(10.0, kind.decades * (unit(random) - 0.8));
    const int cluster = static_cast<int>(5 * unit(random));
    Vec<D> x, a, v;
    for (int k = 0; k < D; ++k) {
      x[k] = kind.clustered ? std::sin(Real(7 * cluster + k)) + 0.02 * bell(random) : unit(random);
      a[k] = size * (0.3 + unit(random));
      v[k] = 0.3 * bell(random);
    }
    const bool fixed = unit(random) < kind.statics;
    s.centre.push_back(x), s.half.push_back(a), s.velocity.push_back(fixed ? Vec<D>{} : v);
    s.group.push_back(i / 3), s.is_static.push_back(fixed), s.margin.push_back(0.5 * size);
  }
  s.place();
  return s;
}

template <int D>
Pairs each_with_each(const Scene<D>& s, Real alert) {
  Pairs found;
  for (int i = 0; i < s.size(); ++i)
    for (int j = i + 1; j < s.size(); ++j)
      if (at(s.group, i) != at(s.group, j) && !(at(s.is_static, i) && at(s.is_static, j)) &&
          overlap(grown(at(s.bounds, i), alert / 2), grown(at(s.bounds, j), alert / 2)))
        found.push_back({i, j});
  return found;
}

template <class Dim>
class Broad : public testing::Test {};
using Dims = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Broad, Dims);

TYPED_TEST(Broad, finds_the_pairs_of_each_with_each_while_boxes_move) {
  constexpr int D = TypeParam::value;
  const Kind kinds[] = {{false, 0, 0.2}, {true, 0, 0.2}, {false, 4, 0.2}, {true, 4, 0}, {false, 1, 0.95}};
  constexpr int steps = test::sanitized ? 20 : 60;
  unsigned seed = 1;
  for (const Kind& kind : kinds) {
    Scene<D> s = random_scene<D>(300, kind, seed++);
    BroadPhase<D> broad;
    std::size_t pairs = 0;
    for (int step = 0; step < steps; ++step) {
      const Real alert = step % 7 == 3 ? 0.02 : 1e-3;
      broad.update(s.proxies(), alert);
      ASSERT_EQ(broad.pairs(), each_with_each(s, alert)) << "scene " << seed << " step " << step;
      pairs += broad.pairs().size();
      s.advance(0.01);
    }
    EXPECT_GT(pairs, std::size_t{steps} * 5 / 6);
  }
}

TYPED_TEST(Broad, finds_the_pairs_when_few_boxes_jump_far) {
  constexpr int D = TypeParam::value;
  Scene<D> s = random_scene<D>(400, {false, 0, 0.3}, 11);
  BroadPhase<D> broad;
  std::mt19937 random(5);
  std::uniform_real_distribution<Real> unit(0, 1);
  int rebuilds = 0;
  for (int step = 0; step < (test::sanitized ? 30 : 100); ++step) {
    rebuilds += broad.update(s.proxies()).rebuilt;
    ASSERT_EQ(broad.pairs(), each_with_each(s, 0)) << step;
    for (int k = 0; k < 5; ++k)  // static ones too
      for (int d = 0; d < D; ++d) at(s.centre, static_cast<int>(unit(random) * s.size()))[d] = 1.5 * unit(random);
    s.place();
  }
  EXPECT_GT(rebuilds, 1);
  EXPECT_LT(rebuilds, 60);
}

TYPED_TEST(Broad, does_not_depend_on_the_past) {
  constexpr int D = TypeParam::value;
  Scene<D> s = random_scene<D>(300, {true, 2, 0.2}, 3);
  BroadPhase<D> old;
  for (int step = 0; step < 20; ++step) old.update(s.proxies(), 1e-3), s.advance(0.02);
  old.update(s.proxies(), 1e-3);
  BroadPhase<D> fresh;
  fresh.update(s.proxies(), 1e-3);
  EXPECT_EQ(old.pairs(), fresh.pairs());
}

TYPED_TEST(Broad, gives_the_same_pairs_to_proxies_in_another_order) {
  constexpr int D = TypeParam::value;
  Scene<D> s = random_scene<D>(300, {false, 3, 0.2}, 4), t;
  std::vector<int> order(300);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(9));
  for (const int i : order) {
    t.centre.push_back(at(s.centre, i)), t.half.push_back(at(s.half, i)), t.velocity.push_back(at(s.velocity, i));
    t.group.push_back(at(s.group, i)), t.is_static.push_back(at(s.is_static, i)), t.margin.push_back(at(s.margin, i));
  }
  t.place();
  BroadPhase<D> of_s, of_t;
  for (int step = 0; step < 20; ++step) {
    of_s.update(s.proxies()), of_t.update(t.proxies());
    Pairs back;
    for (const auto& [i, j] : of_t.pairs()) back.push_back(std::minmax(at(order, i), at(order, j)));
    std::sort(back.begin(), back.end());
    ASSERT_EQ(of_s.pairs(), back);
    s.advance(0.02), t.advance(0.02);
  }
}

TYPED_TEST(Broad, follows_changes_of_number_group_and_mark) {
  constexpr int D = TypeParam::value;
  Scene<D> s = random_scene<D>(60, {false, 1, 0.2}, 6);
  for (auto& half : s.half) half *= 4;
  s.place();
  BroadPhase<D> broad;
  const auto check = [&] {
    broad.update(s.proxies());
    EXPECT_EQ(broad.pairs(), each_with_each(s, 0));
  };
  check();
  at(s.group, 7) = at(s.group, 20);
  check();
  for (int i = 0; i < 30; ++i) at(s.is_static, i) = !at(s.is_static, i);
  check();
  s.centre.resize(40), s.half.resize(40), s.velocity.resize(40), s.group.resize(40), s.is_static.resize(40);
  s.margin.resize(40), s.place();
  check();
  s = {};
  check();
  EXPECT_TRUE(broad.pairs().empty());
}

TYPED_TEST(Broad, unbounded_boxes_are_compared_with_all) {
  constexpr int D = TypeParam::value;
  Scene<D> s = random_scene<D>(100, {false, 0, 0.2}, 8);
  BroadPhase<D> broad;
  const Real inf = std::numeric_limits<Real>::infinity();
  for (int step = 0; step < 10; ++step) {
    for (int k = 0; k < D; ++k) {
      at(s.bounds, 50).low[k] = at(s.bounds, 10).low[k] = at(s.bounds, 99).low[k] = -inf;
      at(s.bounds, 10).high[k] = at(s.bounds, 99).high[k] = inf;
      at(s.bounds, 50).high[k] = k == D - 1 ? 0.1 + 0.05 * step : inf;  // a half-space with its normal along an axis
    }
    at(s.is_static, 50) = at(s.is_static, 10) = 1, at(s.is_static, 99) = 0;
    broad.update(s.proxies(), 1e-3);
    ASSERT_EQ(broad.pairs(), each_with_each(s, 1e-3));
    s.advance(0.02);
  }
  EXPECT_TRUE(std::binary_search(broad.pairs().begin(), broad.pairs().end(), std::pair(10, 99)));
  EXPECT_FALSE(std::binary_search(broad.pairs().begin(), broad.pairs().end(), std::pair(10, 50)));
}

// A search for half-spaces gives the boxes whose lowest corner reaches them, and looks at few of the others.
TYPED_TEST(Broad, half_spaces_pair_with_what_reaches_their_plane) {
  constexpr int D = TypeParam::value;
  const Real inf = std::numeric_limits<Real>::infinity(), alert = 1e-3;
  Scene<D> s = random_scene<D>(400, {false, 0, 0.2}, 9);
  Vec<D> up{}, slanted{};
  up[D - 1] = 1, slanted[0] = 0.6, slanted[1] = -0.8;
  const BoundingPlane<D> floor{30, up, 0.05}, oblique{200, slanted, -0.1};
  at(s.is_static, 30) = 1, at(s.is_static, 200) = 0;
  BroadPhase<D> broad;
  for (int step = 0; step < 10; ++step) {
    const BoundingPlane<D> planes[] = {floor, {200, oblique.normal, oblique.offset + 0.05 * step}};
    for (int k = 0; k < D; ++k)
      for (const BoundingPlane<D>& p : planes) at(s.bounds, p.id).low[k] = -inf, at(s.bounds, p.id).high[k] = inf;
    broad.update({s.bounds, s.group, s.is_static, s.margin, planes}, alert);
    Pairs expected = each_with_each(s, alert);
    const auto parted = [&](const std::pair<int, int>& pair) {
      for (const BoundingPlane<D>& p : planes) {
        const int other = pair.first == p.id ? pair.second : pair.second == p.id ? pair.first : -1;
        if (other < 0 || other == 30 || other == 200) continue;
        const Bounds<D> box = grown(at(s.bounds, other), alert / 2);
        Real low = inf;
        for (int corner = 0; corner < 1 << D; ++corner) {
          Real height = 0;
          for (int k = 0; k < D; ++k) height += p.normal[k] * (corner >> k & 1 ? box.high[k] : box.low[k]);
          low = std::min(low, height);
        }
        if (low > p.offset + alert / 2) return true;
      }
      return false;
    };
    const std::size_t all = expected.size();
    std::erase_if(expected, parted);
    EXPECT_LT(expected.size(), all - 300);
    ASSERT_EQ(broad.pairs(), expected) << step;
    s.advance(0.02);
  }
}

// As if all had been compared anew, also where those chosen have left their fattened bounds, by far or each other's
// way.
TYPED_TEST(Broad, finds_the_pairs_of_few_that_have_changed) {
  constexpr int D = TypeParam::value;
  const Real inf = std::numeric_limits<Real>::infinity();
  std::mt19937 random(3);
  std::normal_distribution<Real> bell;
  Vec<D> up{};
  up[D - 1] = 1;
  const BoundingPlane<D> planes[] = {{30, up, 0.05}};
  std::size_t found = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Scene<D> s = random_scene<D>(300, {false, 1, 0.3}, seed);
    for (int k = 0; k < D; ++k) at(s.bounds, 30).low[k] = at(s.bounds, 31).low[k] = -inf;
    for (int k = 0; k < D; ++k) at(s.bounds, 30).high[k] = at(s.bounds, 31).high[k] = inf;
    at(s.is_static, 30) = 1, at(s.is_static, 31) = 0;
    BroadPhase<D> broad, fresh;
    broad.update({s.bounds, s.group, s.is_static, s.margin, planes});
    const Pairs before = broad.pairs();
    std::vector<int> chosen;
    for (int i = static_cast<int>(seed % 7); i < s.size(); i += 1 + static_cast<int>(seed)) {
      if (i == 30 || i == 31) continue;
      chosen.push_back(i);
      for (int k = 0; k < D; ++k) {
        const Real shift = (seed % 2 == 0 ? 0.3 : 0.003) * bell(random);
        at(s.bounds, i).low[k] += shift - 0.01, at(s.bounds, i).high[k] += shift + 0.01;
      }
    }
    fresh.update({s.bounds, s.group, s.is_static, s.margin, planes});
    Pairs expected = fresh.pairs();
    std::erase_if(expected, [&](const auto& p) {
      return !std::ranges::binary_search(chosen, p.first) && !std::ranges::binary_search(chosen, p.second);
    });
    ASSERT_EQ(broad.pairs_of(chosen, {s.bounds, s.group, s.is_static, s.margin, planes}), expected) << seed;
    EXPECT_EQ(broad.pairs(), before);
    found += expected.size();
    broad.update({s.bounds, s.group, s.is_static, s.margin, planes});  // and goes on as if nothing had been
    ASSERT_EQ(broad.pairs(), fresh.pairs()) << seed;
  }
  EXPECT_GT(found, 500u);
}

TYPED_TEST(Broad, boxes_that_touch_and_points_make_pairs) {
  constexpr int D = TypeParam::value;
  Scene<D> s;
  for (int i = 0; i < 20; ++i) {  // a row of touching boxes, with a point at each joint
    Vec<D> x{}, a{};
    x[0] = i / 2 + (i % 2 ? 0.5 : 0.0);
    for (int k = 0; k < D; ++k) a[k] = i % 2 ? 0 : 0.5;
    s.centre.push_back(x), s.half.push_back(a), s.velocity.push_back({}), s.group.push_back(i);
    s.is_static.push_back(0), s.margin.push_back(0);
  }
  s.place();
  BroadPhase<D> broad;
  broad.update(s.proxies());
  EXPECT_EQ(broad.pairs(), each_with_each(s, 0));
  EXPECT_EQ(broad.pairs().size(), 9u + 19u);
}

TYPED_TEST(Broad, searches_only_for_what_left_its_margin) {
  constexpr int D = TypeParam::value;
  Scene<D> s = random_scene<D>(200, {false, 0, 0}, 12);
  BroadPhase<D> broad;
  EXPECT_EQ(broad.update(s.bounds, s.group, s.is_static, 0.01).searched, 200);
  EXPECT_EQ(broad.update(s.bounds, s.group, s.is_static, 0.01).searched, 0);
  at(s.centre, 17)[0] += 0.009;
  s.place();
  EXPECT_EQ(broad.update(s.bounds, s.group, s.is_static, 0.01).searched, 0);
  EXPECT_EQ(broad.pairs(), each_with_each(s, 0));
  at(s.centre, 17)[0] += 0.002;
  s.place();
  EXPECT_EQ(broad.update(s.bounds, s.group, s.is_static, 0.01).searched, 1);
  EXPECT_EQ(broad.pairs(), each_with_each(s, 0));
}

TYPED_TEST(Broad, allocates_nothing_once_its_lists_are_long_enough) {
  constexpr int D = TypeParam::value;
  Scene<D> s = random_scene<D>(500, {false, 1, 0.1}, 13);
  for (int i = 0; i < 5; ++i) at(s.is_static, i) = 1;
  for (int k = 0; k < D; ++k) at(s.half, 0)[k] = std::numeric_limits<Real>::infinity();
  s.place();
  BroadPhase<D> broad;
  const auto there_and_back = [&] {  // the same motion over and over
    for (int step = 0; step < 40; ++step) s.advance(step < 20 ? 0.01 : -0.01), broad.update(s.proxies(), 1e-3);
  };
  for (int warm = 0; warm < 4; ++warm) there_and_back();
  const long before = test::allocations;
  there_and_back();
  EXPECT_EQ(test::allocations, before);
}

// Sizes differ by 1e4, yet a search looks at little more than what it finds.
TYPED_TEST(Broad, looks_at_about_log_n_boxes_beside_the_pairs_it_finds) {
  constexpr int D = TypeParam::value;
  for (const bool flat : {false, true})  // flat: all centres on a line
    for (const int n : {1000, 8000}) {
      Scene<D> s = random_scene<D>(n, {false, 4, 0}, 14);
      for (auto& x : s.centre)
        for (int k = 1; k < D; ++k) x[k] *= flat ? 0 : 1;
      for (auto& half : s.half) half *= (flat ? 1.0 : 30.0) / n;
      s.place();
      std::fill(s.margin.begin(), s.margin.end(), 0.0);
      BroadPhase<D> broad;
      const auto work = broad.update(s.proxies());
      const Real found = static_cast<Real>(broad.pairs().size());
      EXPECT_LT(static_cast<Real>(work.looked_at), 16 * found + 16 * n * std::log2(n)) << n << " " << found;
      if (n == 1000) {
        EXPECT_EQ(broad.pairs(), each_with_each(s, 0));
      }
    }
}

TEST(BroadDeath, not_a_number_is_a_bug) {
  Scene<2> s = random_scene<2>(10, {}, 15);
  BroadPhase<2> broad;
  broad.update(s.proxies());
  at(s.bounds, 3).low[0] = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_DEATH(broad.update(s.proxies()), "low <= high");
}

}  // namespace
