#include "cairn/lagrange/check_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/lagrange/differentiate.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn {
namespace {

struct Plate {  // a particle over a ground y = x^2/2 + sin(3t)/3 and beside a wall x = -1, with mistakes to be made
  using Law = Coulomb2;
  static constexpr int freedoms = 2;
  Matrix<2, 2> A = (Matrix<2, 2>() << 2, 0.5, 0.5, 1).finished();
  Vector<2> F = Vector<2>(0, -9.81);
  Matrix<2, 2> wrong_G = Matrix<2, 2>::Zero();
  Real wrong_W = 0, e = 0;

  int contacts() const { return 2; }
  Matrix<2, 2> inertia(Real, const Vector<2>&) const { return A; }
  Vector<2> force(Real, const Vector<2>&, const Vector<2>&) const { return F; }
  Real gap(int a, Real t, const Vector<2>& q) const {
    return a == 0 ? q(1) - q(0) * q(0) / 2 - std::sin(3 * t) / 3 : q(0) + 1;
  }
  Kinematics<2, 2> kinematics(int a, Real t, const Vector<2>& q) const {
    if (a == 0) return {(Matrix<2, 2>() << -q(0), 1, 1, q(0)).finished(), Vector<2>(-std::cos(3 * t), 0)};
    return {(Matrix<2, 2>() << 1, 0, 0, 1).finished() + wrong_G, Vector<2>(wrong_W, 0)};
  }
  Law law(int, Real, const Vector<2>&) const { return Coulomb2::with(0.3); }
  Restitution restitution(int) const { return {e, 0}; }
};

std::vector<std::string> check(const Plate& plate) {
  return check_system(plate, 0.4, Vector<2>(0.3, 2), Vector<2>(1, -1));
}
using Lines = std::vector<std::string>;

TEST(CheckSystem, a_right_system_has_nothing_wrong) { EXPECT_EQ(check({}), Lines{}); }

TEST(CheckSystem, names_the_wrong_entry_of_a_gradient) {
  Plate plate;
  plate.wrong_G(0, 1) = 0.7;
  EXPECT_EQ(check(plate), Lines{"contact 1: G(0,1) = 0.7, finite differences of the gap give 0"});
  plate.wrong_G(0, 1) = 3e-6;
  EXPECT_EQ(check(plate).size(), 1u);
  plate.wrong_G(0, 1) = 3e-7;  // below the tolerance of 1e-6
  EXPECT_EQ(check(plate), Lines{});
  plate.wrong_W = -2;
  EXPECT_EQ(check(plate), Lines{"contact 1: W(0) = -2, finite differences of the gap give 0"});
}

TEST(CheckSystem, tangential_rows_are_the_users) {
  Plate plate;
  plate.wrong_G(1, 0) = 5;
  EXPECT_EQ(check(plate), Lines{});
  plate.wrong_G(1, 0) = std::nan("");
  EXPECT_EQ(check(plate), Lines{"contact 1: row 1 of G: entry 0 is nan, not a finite number"});
}

TEST(CheckSystem, inertia_is_symmetric_and_positive_definite) {
  Plate plate;
  plate.A(1, 0) = 0.25;
  EXPECT_EQ(check(plate), Lines{"A is not symmetric: A(1,0) = 0.25, A(0,1) = 0.5"});
  plate.A << 1, 2, 2, 1;
  EXPECT_EQ(check(plate), Lines{"A is not positive definite: its least eigenvalue is -1"});
  plate.A << 1, 1, 1, 1;
  EXPECT_EQ(check(plate).size(), 1u);
  plate.A(0, 0) = std::numeric_limits<Real>::infinity();
  EXPECT_EQ(check(plate), Lines{"row 0 of A: entry 0 is inf, not a finite number"});
}

TEST(CheckSystem, forces_and_restitution_are_in_range) {
  Plate plate;
  plate.F(1) = std::nan("");
  EXPECT_EQ(check(plate), Lines{"F: entry 1 is nan, not a finite number"});
  plate = {};
  plate.e = 1.5;
  EXPECT_EQ(check(plate),
            (Lines{"contact 0: restitution 1.5 is not in [0, 1]", "contact 1: restitution 1.5 is not in [0, 1]"}));
}

struct Cusped {  // the gap has a vertical tangent at q = 0
  using Law = Signorini;
  static constexpr int freedoms = 1;
  int contacts() const { return 1; }
  Matrix<1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(1); }
  Vector<1> force(Real, const Vector<1>&, const Vector<1>&) const { return Vector<1>(0); }
  Real gap(int, Real, const Vector<1>& q) const { return std::cbrt(q(0)); }
  Kinematics<1, 1> kinematics(int, Real, const Vector<1>&) const { return {Matrix<1, 1>(2), Vector<1>(0)}; }
  Law law(int, Real, const Vector<1>&) const { return {}; }
};

TEST(CheckSystem, a_gap_without_derivative_is_told) {
  EXPECT_EQ(check_system(Cusped{}, 0, Vector<1>(0), Vector<1>(0)),
            Lines{"contact 0: G(0,0) = 2, finite differences of the gap do not settle: has it a derivative there?"});
}

// A fine ripple of a gap: the step of the differences has to find its scale.
TEST(CheckSystem, differences_find_the_scale_of_a_function) {
  for (const Real k : {1e-3, 1.0, 1e3, 1e5}) {
    const Slope s = slope_at_zero([k](Real x) { return 2 + std::sin(k * x + 0.3) / k; }, 0.01);
    EXPECT_NEAR(s.value, std::cos(0.3), 1e-8) << k;
    EXPECT_LT(s.error, 1e-7) << k;
  }
}

TEST(CheckSystem, differences_that_meet_a_kink_nearby_still_find_the_slope) {
  const Slope s = slope_at_zero([](Real x) { return std::abs(x - 1e-5); }, 0.01);
  EXPECT_NEAR(s.value, -1, 1e-9);
}

TEST(CheckStart, contacts_of_a_feasible_start_are_given) {
  const Plate plate;
  const Expected<std::vector<int>> apart = check_start(plate, {0, Vector<2>(0, 1), Vector<2>(-1, -1), {}});
  ASSERT_TRUE(apart);
  EXPECT_TRUE(apart->empty());
  const Expected<std::vector<int>> corner = check_start(plate, {0, Vector<2>(-1, 0.5), Vector<2>(0, 1), {}});
  ASSERT_TRUE(corner);  // the ground rises at the speed 1
  EXPECT_EQ(*corner, (std::vector<int>{0, 1}));
}

TEST(CheckStart, infeasible_starts_are_refused_with_the_contact_and_the_values) {
  const Plate plate;
  const auto message = [&](const Vector<2>& q, const Vector<2>& u) -> std::string {
    const auto start = check_start(plate, {0, q, u, {}});
    return start ? "" : start.error();
  };
  EXPECT_EQ(message({0, -0.1}, {0, 0}), "contact 0: gap = -0.1 at the start, expected at least 0");
  EXPECT_EQ(message({0, 0}, {0, 0}),
            "contact 0: closed at the start (gap = 0) with normal velocity U_N = -1, expected at least 0");
  EXPECT_EQ(message({0, 0}, {0, 1}), "");
  EXPECT_EQ(message({0, -1e-10}, {0, 1}), "");  // within the tolerance
  EXPECT_EQ(message({-1, 3}, {-0.5, 0}),
            "contact 1: closed at the start (gap = 0) with normal velocity U_N = -0.5, expected at least 0");
  EXPECT_EQ(message({0, std::nan("")}, {0, 0}), "start: q: entry 1 is nan, not a finite number");
  EXPECT_EQ(message({0, 1}, {std::nan(""), 0}), "start: u: entry 0 is nan, not a finite number");
  const auto status = check_start(plate, {0, Vector<2>(0, 1), Vector<2>(0, 0), {Status::stick}});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(), "start: status has 1 entries, expected none or one for each of 2 contacts");
}

}  // namespace
}  // namespace cairn
