#include <numbers>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

TEST(GuidedContact, static_and_dynamic_coefficients_are_those_of_the_projected_cone) {
  const Output out = run_example("guided-contact");
  EXPECT_NEAR(number_of(out, "dynamic"), 0.7071068, 1e-7);
  EXPECT_NEAR(number_of(out, "static"), 0.8164966, 1e-7);
  for (const double gamma : {0.1, 0.4, 0.9})
    for (const double beta_deg : {0.0, 15.0, 40.0}) {
      const double beta = beta_deg * std::numbers::pi / 180, lean = gamma * std::tan(beta);
      const Output other = run_example("guided-contact", {{"gamma", gamma}, {"beta_deg", beta_deg}});
      EXPECT_NEAR(number_of(other, "dynamic"), gamma / std::cos(beta), 1e-12);
      EXPECT_NEAR(number_of(other, "static"), gamma / (std::cos(beta) * std::sqrt(1 - lean * lean)), 1e-7);
    }
}

TEST(GuidedContact, wedges_when_gamma_tan_beta_reaches_one) {
  for (const double beta_deg : {30.0, 45.0, 60.0}) {
    const double edge = 1 / std::tan(beta_deg * std::numbers::pi / 180);
    EXPECT_TRUE(std::get<bool>(
        *run_example("guided-contact", {{"gamma", edge * 1.001}, {"beta_deg", beta_deg}}).find("wedging")));
    EXPECT_FALSE(std::get<bool>(
        *run_example("guided-contact", {{"gamma", edge * 0.999}, {"beta_deg", beta_deg}}).find("wedging")));
  }
}

}  // namespace
}  // namespace cairn::examples
