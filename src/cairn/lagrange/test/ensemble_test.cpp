#include "cairn/lagrange/ensemble.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>

namespace cairn {
namespace {

TEST(Ensemble, same_seed_gives_the_same_bits_and_another_seed_does_not) {
  const auto outcome = [](RandomStream& random, long) { return random.normal() + random.within(0, 1); };
  const Spread first = run_ensemble(500, 3, outcome), again = run_ensemble(500, 3, outcome);
  EXPECT_EQ(first.value, again.value);
  EXPECT_EQ(first.mean, again.mean);
  EXPECT_EQ(first.histogram.count, again.histogram.count);
  EXPECT_NE(first.value, run_ensemble(500, 4, outcome).value);
}

TEST(Ensemble, longer_one_begins_with_the_shorter_whatever_members_draw) {
  const auto outcome = [](RandomStream& random, long member) {
    for (long i = 0; i < member % 7; ++i) random.bits();
    return random.unit();
  };
  const std::vector<Real> few = run_ensemble(50, 9, outcome).value, many = run_ensemble(200, 9, outcome).value;
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(Ensemble, first_numbers_of_a_stream_are_the_same_everywhere) {
  RandomStream random(1, 2);
  const std::uint64_t first = random.bits(), second = random.bits();
  EXPECT_EQ(first, 5796968857530213156u);
  EXPECT_EQ(second, 12605939039934760871u);
}

TEST(Ensemble, moments_and_histogram_are_those_of_the_values) {
  const Spread s = spread_of({1, 2, 3, 4, std::numeric_limits<Real>::quiet_NaN()}, 3);
  EXPECT_EQ(s.failed, 1);
  EXPECT_DOUBLE_EQ(s.mean, 2.5);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(5.0 / 3));
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 4);
  EXPECT_EQ(s.histogram.count, (std::vector<long>{1, 1, 2}));
  EXPECT_DOUBLE_EQ(s.fraction(2, 3), 0.5);
  EXPECT_NE(describe(s).find("1 failed"), std::string::npos);
}

TEST(Ensemble, nothing_and_a_constant_are_no_trouble) {
  EXPECT_EQ(spread_of({}).mean, 0);
  EXPECT_FALSE(describe(spread_of({})).empty());
  const Spread s = spread_of({7, 7, 7}, 4);
  EXPECT_EQ(s.deviation, 0);
  EXPECT_EQ(s.histogram.count[0], 3);
}

TEST(Ensemble, distributions_have_their_moments) {
  const auto spreads = run_ensemble(20000, 5, 2, [](RandomStream& random, long) {
    return std::array<Real, 2>{random.unit(), random.normal()};
  });
  EXPECT_NEAR(spreads[0].mean, 0.5, 0.01);
  EXPECT_NEAR(spreads[0].deviation, std::sqrt(1.0 / 12), 0.005);
  EXPECT_NEAR(spreads[1].mean, 0, 0.03);
  EXPECT_NEAR(spreads[1].deviation, 1, 0.02);
  EXPECT_EQ(std::accumulate(spreads[1].histogram.count.begin(), spreads[1].histogram.count.end(), 0L), 20000);
}

TEST(Ensemble, perturbed_data_stay_within_the_size) {
  RandomStream random(1);
  const std::vector<Real> x{1, -2}, y = perturbed(random, x, 0.1);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LE(std::abs(y[i] - x[i]), 0.1);
    EXPECT_NE(y[i], x[i]);
  }
}

}  // namespace
}  // namespace cairn
