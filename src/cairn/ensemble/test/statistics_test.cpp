// Distributions, intervals and verdicts on data whose answer is known.
#include "cairn/ensemble/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cairn/base/test/share.hpp"
#include "cairn/lagrange/random.hpp"

namespace cairn::ensemble {
namespace {

constexpr Real fine = 1e-4;  // resolution

// Pairs of departures: response(r s) for random directions r, at sizes s and s/10.
template <class Response>
Judgement judged(int pairs, Real scale, const Response& response, std::uint64_t seed = 1) {
  RandomStream random(seed);
  std::vector<Real> full, tenth;
  for (int k = 0; k < pairs; ++k) {
    const Real r = random.within(-1, 1);
    full.push_back(std::fabs(response(r, random))), tenth.push_back(std::fabs(response(r / 10, random)));
  }
  return judge_pairs(full, tenth, scale, fine);
}

TEST(Distribution, of_numbers_worked_by_hand) {
  const std::vector<Real> values{4, 1, 3, 2, 5, std::nan("")};
  const Distribution d = distribution_of(values);
  EXPECT_EQ(d.count, 5);
  EXPECT_EQ(d.missing, 1);
  EXPECT_DOUBLE_EQ(d.mean, 3);
  EXPECT_DOUBLE_EQ(d.deviation, std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(d.q25, 2);
  EXPECT_DOUBLE_EQ(d.median, 3);
  EXPECT_DOUBLE_EQ(d.q95, 4.8);
  EXPECT_EQ(distribution_of({}).count, 0);
}

TEST(Wilson, intervals_are_those_of_the_tables) {
  EXPECT_NEAR(wilson(0, 10).low, 0, 1e-12);
  EXPECT_NEAR(wilson(0, 10).high, 0.2775, 1e-4);
  EXPECT_NEAR(wilson(5, 10).low, 0.2366, 1e-4);
  EXPECT_NEAR(wilson(5, 10).high, 0.7634, 1e-4);
  EXPECT_EQ(wilson(0, 0).high, 1);
}

// A probability is outside its 95 % interval about one time in twenty.
TEST(Wilson, intervals_hold_the_probability_as_often_as_they_say) {
  RandomStream random(3);
  const int tries = test::sanitized ? 300 : 3000;
  int held = 0;
  for (int k = 0; k < tries; ++k) {
    const Real p = random.within(0.1, 0.9);
    long hits = 0;
    for (int i = 0; i < 40; ++i) hits += random.unit() < p;
    const Interval w = wilson(hits, 40);
    held += w.low <= p && p <= w.high;
  }
  EXPECT_NEAR(static_cast<Real>(held) / tries, 0.95, 0.02);
}

// --- verdicts --------------------------------------------------------------------------------------------------------

TEST(Verdict, what_depends_on_its_data_with_continuity_is_determined) {
  const Judgement smooth = judged(10, 1, [](Real r, RandomStream&) { return 0.3 * r + 0.1 * r * r; });
  EXPECT_EQ(smooth.verdict, Verdict::determined);
  ASSERT_TRUE(smooth.ratio);
  EXPECT_NEAR(*smooth.ratio, 0.1, 0.02);
}

TEST(Verdict, what_does_not_shrink_with_the_perturbation_is_sensitive) {
  const Judgement chaotic = judged(10, 1, [](Real, RandomStream& random) { return random.normal(); });
  EXPECT_EQ(chaotic.verdict, Verdict::sensitive);
  EXPECT_NEAR(chaotic.relative, 1, 0.5);
  // Also where the perturbation decides to which of two sides a column falls from its balance.
  const Judgement side = judged(10, 1, [](Real r, RandomStream&) { return r > 0 ? 1 : -1; });
  EXPECT_EQ(side.verdict, Verdict::sensitive);
}

// Run 0 stands and every perturbed member falls: members agree with each other, not with run 0.
TEST(Verdict, an_unstable_run_0_is_sensitive) {
  EXPECT_EQ(judged(10, 1, [](Real, RandomStream&) { return 1; }).verdict, Verdict::sensitive);
}

TEST(Verdict, a_square_root_lies_between_and_is_not_taken_for_certain) {
  const Judgement root = judged(10, 1, [](Real r, RandomStream&) { return std::sqrt(std::fabs(r)); });
  ASSERT_TRUE(root.ratio);
  EXPECT_NEAR(*root.ratio, std::sqrt(0.1), 0.01);
}

TEST(Verdict, a_spread_below_the_resolution_is_determined_however_it_scales) {
  const Judgement noise = judged(10, 1, [](Real, RandomStream& random) { return 1e-6 * random.normal(); });
  EXPECT_EQ(noise.verdict, Verdict::determined);
  EXPECT_FALSE(noise.ratio);
  const Judgement none = judged(10, 1, [](Real, RandomStream&) { return 0; });
  EXPECT_EQ(none.verdict, Verdict::determined);
  EXPECT_EQ(none.why, "all members agree with run 0");
}

TEST(Verdict, few_members_give_none) {
  EXPECT_EQ(judged(4, 1, [](Real r, RandomStream&) { return r; }).verdict, Verdict::unknown);
  EXPECT_EQ(judge_pairs({}, {}, 1, fine).verdict, Verdict::unknown);
  EXPECT_NE(judge_pairs({}, {}, 1, fine).why, "");
}

TEST(Verdict, one_member_far_from_the_rest_leaves_it_open) {
  std::vector<Real> full(8, 0.001), tenth(8, 0.001);
  full[3] = 1;
  EXPECT_EQ(judge_pairs(full, tenth, 1, fine).verdict, Verdict::unclear);
}

TEST(Verdict, without_a_size_the_resolution_decides) {
  const std::vector<Real> large(6, 0.01), small(6, 1e-5);
  EXPECT_EQ(judge_single(large, 1, fine, false).verdict, Verdict::sensitive);
  EXPECT_EQ(judge_single(large, 1, fine, true).verdict, Verdict::unknown);  // it could have been shrunk
  EXPECT_EQ(judge_single(small, 1, fine, true).verdict, Verdict::determined);
}

// Both errors over many seeds: a smooth response called sensitive, a chaotic one determined; and how often it tells.
TEST(Verdict, is_right_for_nearly_all_seeds) {
  const int seeds = test::sanitized ? 10 : 200;
  int wrong = 0, told = 0;
  for (int s = 1; s <= seeds; ++s) {
    const auto seed = static_cast<std::uint64_t>(s);
    const Verdict smooth = judged(
                               8, 1, [](Real r, RandomStream&) { return r; }, seed)
                               .verdict;
    const Verdict chaotic = judged(
                                8, 1, [](Real, RandomStream& r) { return r.normal(); }, seed)
                                .verdict;
    wrong += (smooth == Verdict::sensitive) + (chaotic == Verdict::determined);
    told += (smooth == Verdict::determined) + (chaotic == Verdict::sensitive);
  }
  EXPECT_LE(wrong, 2 * seeds / 100);  // one verdict in a hundred: eight pairs are few
  EXPECT_GT(told, 2 * seeds * 9 / 10);
}

// --- growth ----------------------------------------------------------------------------------------------------------

std::vector<Real> even_times(int n) {
  std::vector<Real> t;
  for (int k = 1; k <= n; ++k) t.push_back(k / static_cast<Real>(n));
  return t;
}

TEST(Growth, an_exponential_that_saturates_gives_its_rate) {
  const std::vector<Real> t = even_times(100);
  std::vector<Real> s;
  for (const Real x : t) s.push_back(std::min(Real(0.5), 1e-8 * std::exp(30 * x)));
  const auto g = growth_of(t, s);
  ASSERT_TRUE(g);
  EXPECT_TRUE(g->exponential);
  EXPECT_NEAR(g->rate, 30, 1e-6);
  EXPECT_NEAR(g->start, s[0], 1e-6 * s[0]);
  EXPECT_GT(g->decades, 5);
  EXPECT_LT(g->to, 0.52);  // a tenth of the limit is reached at 0.514
}

TEST(Growth, a_power_is_told_from_an_exponential) {
  const std::vector<Real> t = even_times(100);
  std::vector<Real> s;
  for (const Real x : t) s.push_back(1e-6 * x * x);
  const auto g = growth_of(t, s);
  ASSERT_TRUE(g);
  EXPECT_FALSE(g->exponential);
  EXPECT_NEAR(g->rate, 2, 1e-9);
}

TEST(Growth, none_where_nothing_grows_or_all_is_noise) {
  const std::vector<Real> t = even_times(100);
  EXPECT_FALSE(growth_of(t, std::vector<Real>(100, 0)));
  EXPECT_FALSE(growth_of(t, std::vector<Real>(100, 1e-3)));
  RandomStream random(5);
  std::vector<Real> noise;
  for (int k = 0; k < 100; ++k) noise.push_back(std::exp(8 * random.unit()));
  EXPECT_FALSE(growth_of(t, noise));
}

TEST(Growth, the_first_time_above_a_bound) {
  const std::vector<Real> t{1, 2, 3}, d{0.1, std::nan(""), 0.3};
  EXPECT_EQ(first_above(t, d, 0.2), 3);
  EXPECT_FALSE(first_above(t, d, 0.5));
}

}  // namespace
}  // namespace cairn::ensemble
