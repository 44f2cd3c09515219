// Motion written as formulas.
#include "cairn/model/drive_expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cairn/model/build.hpp"

namespace cairn {
namespace {

constexpr Real pi = std::numbers::pi;

template <int D>
std::string refusal(const std::vector<std::string>& components) {
  const Expected<Drive<D>> drive = expression<D>(components);
  return drive ? "accepted" : drive.error();
}

TEST(Expression, gives_shift_then_turn) {
  const Expected<Drive<2>> plane = expression<2>({"0.1*sin(2*pi*t)", "t^2/2", "-3*t"});
  const Expected<Drive<3>> space = expression<3>({"1", "t", "exp(-t)", "cos(t)", "sqrt(t)", "t > 1 ? 2 : atan2(t, 2)"});
  ASSERT_TRUE(plane) << plane.error();
  ASSERT_TRUE(space) << space.error();
  for (const Real t : {0.0, 0.3, 1.7}) {
    const Excursion<2> e = (*plane)(t);
    EXPECT_NEAR(e.shift[0], 0.1 * std::sin(2 * pi * t), 1e-16);
    EXPECT_NEAR(e.shift[1], t * t / 2, 1e-15);
    EXPECT_NEAR(e.turn[0], -3 * t, 1e-15);
    const Excursion<3> s = (*space)(t);
    EXPECT_LT(norm(s.shift - Vec<3>{1, t, std::exp(-t)}), 1e-15);
    EXPECT_LT(norm(s.turn - Vec<3>{std::cos(t), std::sqrt(t), t > 1 ? 2 : std::atan2(t, 2)}), 1e-15);
  }
}

TEST(Expression, components_left_out_are_zero) {
  const Expected<Drive<3>> drive = expression<3>({"t"});
  ASSERT_TRUE(drive);
  const Drive<3> copy = *drive;
  EXPECT_LT(norm((*drive)(2).shift - Vec<3>{2, 0, 0}), 1e-15);
  EXPECT_EQ(norm((*drive)(2).turn), 0);
  EXPECT_EQ(copy(5).shift[0], 5);
  EXPECT_EQ((*drive)(2).shift[0], 2);  // whatever a copy was asked
}

TEST(Expression, moves_a_boundary_as_the_drive_it_describes) {
  Model<2> model;
  ModelState<2> state;
  const std::vector<Part<2>> floor{{Shape<2>{HalfSpace<2>{}}, {}, 0}};
  ASSERT_TRUE(add_boundary<2>(model, state, floor, {}, 0, *expression<2>({"0", "0.02*sin(2*pi*15*t + 0.4)"})));
  ASSERT_TRUE(add_boundary<2>(model, state, floor, {}, 0, harmonic<2>({0, 1}, {{0.02, 15, 0.4}})));
  for (int k = 0; k < 50; ++k) {
    const Real t = 0.01 * k;
    EXPECT_LT(norm(boundary_velocity(model, 0, t, 1e-3) - boundary_velocity(model, 1, t, 1e-3)), 1e-13);
    EXPECT_LT(norm(boundary_pose(model, 0, t).x - boundary_pose(model, 1, t).x), 1e-16);
  }
}

TEST(Expression, what_is_wrong_is_said_with_its_place) {
  const std::pair<const char*, const char*> cases[] = {
      {"0.1*sin(2*pi*s)", "found \"s)\" at position 13, expected t, pi, a number or the name of a function"},
      {"1 +", "found the end at position 3, expected a value"},
      {"", "found the end at position 0, expected a formula in t"},
      {"sin(t", "found the end at position 5, expected a closing parenthesis"},
      {"t) + 1", "found \") + 1\" at position 1, expected as many opening parentheses as closing ones"},
      {"2 t", "found \"t\" at position 2, expected an operator, or the end"},
      {"t*/2", "found \"/2\" at position 2, expected a value"},
      {"sin(t, 2)", "found \")\" at position 8, expected fewer arguments of the function"},
      {"atan2(t)", "found \")\" at position 7, expected more arguments of the function"},
      {"t = 3", "found \"= 3\" at position 2, expected an operator that compares"},
      {"t, 2", "found \", 2\" at position 1, expected one value"},
      {"t > 1 ? 2", "expected a colon and a value after condition ? value"},
      {"f(t)", "found \"f(t)\" at position 0, expected t, pi, a number or the name of a function"},
  };
  for (const auto& [text, message] : cases) {
    const std::string found = refusal<2>({"t", text});
    EXPECT_NE(found.find(message), std::string::npos) << text << ": " << found;
    EXPECT_EQ(found.find("drive, shift y: \"" + std::string(text) + "\""), 0u) << found;
  }
  EXPECT_EQ(refusal<3>({"t", "t", "t", "t", "x"}).substr(0, 14), "drive, turn y:");
  EXPECT_EQ(refusal<2>({}), "drive: found 0 formulas, expected 1 to 3");
  EXPECT_EQ(refusal<2>({"t", "t", "t", "t"}), "drive: found 4 formulas, expected 1 to 3");
  EXPECT_EQ(refusal<2>({"t <= 2 ? t : 2", "t == 1", "t != 0"}), "accepted");
}

TEST(Expression, a_place_that_is_no_number_is_refused_with_its_boundary) {
  Model<2> model;
  ModelState<2> state;
  const Expected<Drive<2>> drive = expression<2>({"1/t"});
  ASSERT_TRUE(drive);
  EXPECT_FALSE(add_boundary<2>(model, state, {{Shape<2>{HalfSpace<2>{}}, {}, 0}}, {}, 0, *drive));
}

}  // namespace
}  // namespace cairn
