#include <cmath>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("cradle", settings); }

std::vector<double> velocities(const Output& out) { return std::get<std::vector<double>>(*out.find("velocities")); }
TEST(Cradle, touching_balls_take_the_stated_velocities) {
  for (const int n : {2, 3, 5, 20})
    for (const int k : {1, 2, n})
      for (const double e : {0.0, 0.3, 1.0}) {
        const Output out = run_with({{"n", n}, {"k", k}, {"e", e}});
        const double share = static_cast<double>(k) / n;
        for (int i = 0; i < n; ++i) {
          const double stated = i < k ? (k * (1 + e) - e * n) / n : (1 + e) * k / n;
          EXPECT_NEAR(velocities(out)[static_cast<std::size_t>(i)], stated, 1e-12)
              << n << " " << k << " " << e << " " << i;
        }
        EXPECT_NEAR(number_of(out, "energy_ratio"), share + e * e * (1 - share), 1e-12);
        EXPECT_NEAR(number_of(out, "momentum_ratio"), 1, 1e-12);
      }
}

TEST(Cradle, elastic_balls_with_gaps_hand_the_motion_on) {
  for (const int k : {1, 2, 3}) {
    const Output out = run_with({{"n", 5}, {"k", k}, {"e", 1}, {"gap", 0.05}});
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(velocities(out)[static_cast<std::size_t>(i)], i < 5 - k ? 0 : 1, 1e-12);
  }
}

// Two gaps, e = 1/2, one after another: (1,0,0) -> (1/4,3/4,0) -> (1/4,3/16,9/16) -> (.203125,.234375,.5625).
TEST(Cradle, three_balls_with_gaps_by_hand) {
  const std::vector<double> u = velocities(run_with({{"n", 3}, {"e", 0.5}, {"gap", 0.05}, {"h", 1e-4}}));
  EXPECT_NEAR(u[0], 0.203125, 1e-12);
  EXPECT_NEAR(u[1], 0.234375, 1e-12);
  EXPECT_NEAR(u[2], 0.5625, 1e-12);
}

TEST(Cradle, more_moving_balls_than_there_are_is_refused) {
  const Example& example = *find("cradle");
  Parameters p(example.parameters);
  EXPECT_TRUE(p.set("k", 6.0));
  const auto out = example.run(p);
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().find("k"), std::string::npos);
  EXPECT_FALSE(p.set("n", 0.0));
}

}  // namespace
}  // namespace cairn::examples
