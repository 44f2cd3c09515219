#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "examples/example.hpp"

namespace cairn::examples {
namespace {

using Set = std::vector<std::pair<std::string, double>>;

Parameters with(const Set& set) {
  Parameters p(find("anisotropic-slider")->parameters);
  for (const auto& [name, value] : set) EXPECT_TRUE(bool(p.set(name, value))) << name;
  return p;
}

Output run_with(const Set& set) {
  auto out = find("anisotropic-slider")->run(with(set));
  EXPECT_TRUE(bool(out)) << out.error();
  return std::move(*out);
}

double number_of(const Output& out, const std::string& name) { return std::get<double>(*out.find(name)); }

double error_with(const Set& set) {
  const auto error = find("anisotropic-slider")->error(with(set));
  EXPECT_TRUE(bool(error)) << error.error();
  return *error;
}

// Mean of error/h, and least-squares slope of log error against log h, over random steps in two decades.
struct Order {
  double factor = 0, slope = 0;
};

Order order_of(const Set& set, double largest, int samples = 24) {
  std::mt19937_64 gen(3);
  std::uniform_real_distribution<double> two(0, 2);
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  Order order;
  for (int k = 0; k < samples; ++k) {
    const double h = largest * std::pow(10, -two(gen));
    Set all = set;
    all.emplace_back("h", h);
    const double error = error_with(all), x = std::log(h), y = std::log(error);
    order.factor += error / h / samples;
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  order.slope = (samples * sxy - sx * sy) / (samples * sxx - sx * sx);
  return order;
}

TEST(AnisotropicSlider, stops_where_and_when_an_independent_integration_says) {
  const double h = 3.7e-5;
  const Output out = run_with({{"h", h}});
  EXPECT_NEAR(number_of(out, "stop_time"), 0.4319653070, 0.18 * h);
  EXPECT_NEAR(number_of(out, "x"), 0.2376346371, 0.18 * h);
  EXPECT_NEAR(number_of(out, "y"), 0.1667039808, 0.18 * h);
}

TEST(AnisotropicSlider, errs_by_a_multiple_of_the_step) {
  const Order order = order_of({}, 3e-3);
  EXPECT_LT(order.factor, 0.18);
  EXPECT_NEAR(order.slope, 1, 0.15);
}

TEST(AnisotropicSlider, isotropic_and_axial_motions_are_straight) {
  const double h = 1.3e-4;
  const Output round = run_with({{"mu1", 0.4}, {"mu2", 0.4}, {"ux", 3}, {"uy", -4}, {"h", h}});
  EXPECT_NEAR(number_of(round, "stop_time"), 5 / (0.4 * 9.81), 1e-10);
  EXPECT_NEAR(number_of(round, "x") / number_of(round, "y"), -0.75, 1e-10);
  EXPECT_NEAR(std::hypot(number_of(round, "x"), number_of(round, "y")), 25 / (2 * 0.4 * 9.81), h * h);
  const Output axial = run_with({{"ux", 0}, {"uy", -1}, {"h", h}});
  EXPECT_NEAR(number_of(axial, "stop_time"), 1 / (0.3 * std::numbers::sqrt2 * 9.81), 1e-10);
  EXPECT_NEAR(number_of(axial, "x"), 0, 1e-14);
  EXPECT_EQ(number_of(run_with({{"ux", 0}, {"uy", 0}}), "stop_time"), 0);
}

}  // namespace
}  // namespace cairn::examples
