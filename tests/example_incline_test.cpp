#include <cmath>
#include <numbers>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("incline", settings); }

TEST(Incline, slides_at_the_rate_of_the_closed_form) {
  const Output out = run_with({});
  EXPECT_NEAR(number_of(out, "acceleration"), 0.6571453944, 1e-10);
  EXPECT_GT(std::get<double>(*out.find("slip")), 0.1);
  EXPECT_NEAR(number_of(out, "drift"), 0.6571453944 / 2, 1e-10);
}

TEST(Incline, other_slopes_both_signs_and_no_friction) {
  for (const double theta : {-60.0, -35.0, 40.0, 85.0})
    for (const double mu : {0.0, 0.2, 0.6}) {
      const double a = theta * std::numbers::pi / 180;
      const double expected = std::copysign(9.81 * (std::sin(std::abs(a)) - mu * std::cos(a)), a);
      const Output out = run_with({{"theta", theta}, {"mu", mu}, {"h", 7.3e-3}, {"T", 0.5}});
      EXPECT_NEAR(number_of(out, "acceleration"), expected, 1e-12) << theta << " " << mu;
    }
}

TEST(Incline, sticks_exactly_below_the_angle_of_friction) {
  for (const double theta : {26.5, -20.0, 0.0}) {
    const Output out = run_with({{"theta", theta}});
    EXPECT_LT(std::abs(number_of(out, "speed")), 1e-14);
    EXPECT_LT(std::abs(number_of(out, "drift")), 1e-14);
    EXPECT_EQ(std::get<double>(*out.find("slip")), 0);
  }
  EXPECT_GT(std::get<double>(*run_with({{"theta", 26.6}}).find("slip")), 0);
}

TEST(Incline, refuses_bad_input) {
  const Example* example = find("incline");
  Parameters p(example->parameters);
  EXPECT_FALSE(bool(p.set("h", 0.0)));
  EXPECT_FALSE(bool(p.set("mu", -0.1)));
  ASSERT_TRUE(bool(p.set("h", 1e-7)));
  ASSERT_TRUE(bool(p.set("T", 1e3)));
  const auto out = example->run(p);
  ASSERT_FALSE(bool(out));
  EXPECT_NE(out.error().find("h:"), std::string::npos);
}

}  // namespace
}  // namespace cairn::examples
