// Formulas written by a user.
#include "cairn/base/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi;

Real value(const std::string& text, const Constants& constants = {}) {
  const Expected<Real> x = evaluate(text, constants);
  EXPECT_TRUE(x) << x.error();
  return x ? *x : NAN;
}

std::string refusal(const std::string& text, const Constants& constants = {}) {
  const Expected<Real> x = evaluate(text, constants);
  EXPECT_FALSE(x) << text;
  return x ? "" : x.error();
}

TEST(Formula, operators_bind_as_in_mathematics) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("7 - 2 - 1"), 4);
  EXPECT_EQ(value("1.5e-3*2E3"), 3);
}

TEST(Formula, functions_are_those_promised) {
  const Real x = 0.37;
  const Constants c{{"x", x}};
  const std::pair<const char*, Real> all[] = {{"sin(x)", std::sin(x)},
                                              {"cos(x)", std::cos(x)},
                                              {"tan(x)", std::tan(x)},
                                              {"asin(x)", std::asin(x)},
                                              {"acos(x)", std::acos(x)},
                                              {"atan(x)", std::atan(x)},
                                              {"atan2(x, -1)", std::atan2(x, -1)},
                                              {"sinh(x)", std::sinh(x)},
                                              {"cosh(x)", std::cosh(x)},
                                              {"tanh(x)", std::tanh(x)},
                                              {"exp(x)", std::exp(x)},
                                              {"ln(x)", std::log(x)},
                                              {"log10(x)", std::log10(x)},
                                              {"sqrt(x)", std::sqrt(x)},
                                              {"abs(-x)", x},
                                              {"min(x, 2, 0.1)", 0.1},
                                              {"max(x, 2, 0.1)", 2},
                                              {"floor(-x)", -1},
                                              {"ceil(x)", 1},
                                              {"pi", pi}};
  for (const auto& [text, expected] : all) EXPECT_DOUBLE_EQ(value(text, c), expected) << text;
}

TEST(Formula, comparisons_choose) {
  const Constants c{{"n", 3}};
  EXPECT_EQ(value("n == 3 ? 10 : 20", c), 10);
  EXPECT_EQ(value("n > 3 ? 10 : 20", c), 20);
  EXPECT_EQ(value("n >= 3 ? (n != 4 ? 1 : 2) : 3", c), 1);
  EXPECT_EQ(value("n <= 2 ? 1 : n < 4 ? 5 : 6", c), 5);
}

TEST(Formula, names_of_the_user_count) {
  EXPECT_EQ(value("2*alpha_1 + B", {{"alpha_1", 3}, {"B", 0.5}}), 6.5);
  const auto f = formula_in_time("a*t^2 + pi", {{"a", 2}});
  ASSERT_TRUE(f) << f.error();
  EXPECT_EQ((*f)(3), 18 + pi);
  EXPECT_EQ((*f)(0), pi);
  EXPECT_EQ((*f)(3), 18 + pi);  // it keeps nothing of the call before
}

TEST(Formula, a_message_says_where_and_what_was_expected) {
  EXPECT_EQ(
      refusal("2*m", {{"mu", 1}}),
      "\"2*m\": found \"m\" at position 2, expected pi, mu, a number or the name of a function with its argument");
  const std::pair<const char*, const char*> all[] = {{"", "expected a formula"},
                                                     {"2*", "found the end at position 2, expected a value"},
                                                     {"(1 + 2", "expected a closing parenthesis"},
                                                     {"1 + 2)", "as many opening parentheses as closing ones"},
                                                     {"2 3", "expected an operator, or the end"},
                                                     {"sin()", "more arguments"},
                                                     {"sin(1, 2)", "fewer arguments"},
                                                     {"1, 2", "expected one value"},
                                                     {"1 ? 2", "a colon"},
                                                     {"pi = 3", "expected an operator that compares: == <= >= !="}};
  for (const auto& [text, expected] : all)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << ": " << refusal(text);
}

TEST(Formula, the_time_is_no_name_of_a_number_and_is_not_changed) {
  EXPECT_NE(refusal("2*t").find("found \"t\" at position 2"), std::string::npos);
  const auto f = formula_in_time("t = 3");
  ASSERT_FALSE(f);
  EXPECT_NE(f.error().find("position 2"), std::string::npos) << f.error();
}

TEST(Formula, what_is_not_finite_is_left_to_the_caller) {
  EXPECT_TRUE(std::isinf(value("1/0")));
  EXPECT_TRUE(std::isnan(value("sqrt(-1)")));
}

TEST(Formula, threads_share_one) {
  const auto f = formula_in_time("t^2 + 1");
  ASSERT_TRUE(f);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < wrong.size(); ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 2000; ++i) {
        const Real t = static_cast<Real>(k) + 1e-3 * i;
        wrong[k] += (*f)(t) != t * t + 1;
      }
    });
  for (std::thread& t : threads) t.join();
  for (const int w : wrong) EXPECT_EQ(w, 0);
}

}  // namespace
}  // namespace cairn
