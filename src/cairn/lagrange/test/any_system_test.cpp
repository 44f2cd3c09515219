#include "cairn/lagrange/any_system.hpp"

#include <gtest/gtest.h>

#include "cairn/lagrange/check_system.hpp"
#include "cairn/lagrange/differentiate.hpp"
#include "cairn/lagrange/quaternion.hpp"
#include "cairn/lagrange/test/midpoint.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn {
namespace {

using Q = Vector<dynamic_size>;
using Smooth = AnySystem<Signorini>;
static_assert(System<Smooth> && System<AnySystem<Coulomb2>>);

struct Rods {  // two rods on a hinge beside a wall x = 0.2: the middle and the end may touch it
  using Law = Signorini;
  static constexpr int freedoms = 2;
  int contacts() const { return 2; }
  template <class T>
  MatrixOf<T, 2, 2> inertia(const T&, const VectorOf<T, 2>& q) const {
    using std::cos;
    const T c = cos(q(0) - q(1)) / 2;
    MatrixOf<T, 2, 2> A;
    A << T(4.0 / 3), c, c, T(1.0 / 3);
    return A;
  }
  template <class T>
  T gap(int a, const T& t, const VectorOf<T, 2>& q) const {
    using std::sin;
    const T wall = 0.2 + 0.05 * sin(3 * t), middle = sin(q(0));
    return wall - (a == 0 ? middle : middle + sin(q(1)));
  }
  Vector<2> applied(Real, const Vector<2>& q, const Vector<2>&) const {
    return -9.81 * Vector<2>(1.5 * std::sin(q(0)), 0.5 * std::sin(q(1)));
  }
  Law law(int, Real, const Vector<2>&) const { return {}; }
  Restitution restitution(int) const { return {0.7, 0.7}; }
};

template <int N>  // 3, or the same at run time
struct Block {    // a block with spin about one edge on a rough, moving ground
  using Law = Coulomb2;
  static constexpr int freedoms = N;
  int contacts() const { return 2; }
  Matrix<N, N> inertia(Real, const Vector<N>&) const { return Vector<3>(1, 1, 0.1).asDiagonal(); }
  Vector<N> force(Real, const Vector<N>&, const Vector<N>&) const { return Vector<3>(2, -9.81, 0); }
  Vector<2> arm(int a, const Vector<N>& q) const {
    const Real x = a == 0 ? -0.3 : 0.3, y = -0.4, c = std::cos(q(2)), s = std::sin(q(2));
    return Vector<2>(c * x - s * y, s * x + c * y);
  }
  Real gap(int a, Real, const Vector<N>& q) const { return q(1) + arm(a, q)(1); }
  Kinematics<2, N> kinematics(int a, Real t, const Vector<N>& q) const {
    const Vector<2> r = arm(a, q);
    return {(Matrix<2, 3>() << 0, 1, r(0), 1, 0, -r(1)).finished(), Vector<2>(0, -std::sin(t))};
  }
  Law law(int, Real, const Vector<N>&) const { return Coulomb2::with(0.4); }
};

struct Twins {
  Real difference = 0;  // the largest between a system and its erased copy, in any coordinate or velocity
  int contact_steps = 0;
};

template <System S>
Twins run_with_copy(const S& system, State<S> s, Real h, int steps) {
  using Any = AnySystem<typename S::Law>;
  const Any any = Any::from(system, static_cast<int>(s.u.size()), static_cast<int>(s.q.size()));
  State<Any> copy{s.t, s.q, s.u, {}};
  ContactProblem<S> contacts(system);
  ContactProblem<Any> contacts_of_copy(any);
  Twins twins;
  for (int k = 0; k < steps; ++k) {
    midpoint_step(system, contacts, s, h);
    midpoint_step(any, contacts_of_copy, copy, h);
    twins.contact_steps += contacts.size() > 0;
    twins.difference = std::max({twins.difference, (s.q - copy.q).template lpNorm<Eigen::Infinity>(),
                                 (s.u - copy.u).template lpNorm<Eigen::Infinity>()});
  }
  return twins;
}

TEST(AnySystem, moves_as_the_compiled_system_to_the_bit) {
  const Differentiated<Rods> rods{Rods{}};
  const Twins smooth = run_with_copy(rods, {0, Vector<2>(-0.5, 0.1), Vector<2>(0, 1), {}}, 1e-3, 5000);
  EXPECT_EQ(smooth.difference, 0);
  EXPECT_GT(smooth.contact_steps, 3);
  const Block<dynamic_size> block;
  const Twins rough = run_with_copy(block, {0, Vector<3>(0, 0.6, 0.2), Vector<3>(0, 0, 1), {}}, 1e-3, 2000);
  EXPECT_EQ(rough.difference, 0);
  EXPECT_GT(rough.contact_steps, 100);
}

// Sums of many terms have their order from the size being known or not.
TEST(AnySystem, moves_as_the_compiled_system_to_rounding_where_sums_are_ordered_otherwise) {
  const Twins rough = run_with_copy(Block<3>{}, {0, Vector<3>(0, 0.6, 0.2), Vector<3>(0, 0, 1), {}}, 1e-3, 2000);
  EXPECT_LT(rough.difference, 1e-12);
  EXPECT_GT(rough.contact_steps, 100);
}

struct Tumbling {  // coordinates that are more than the freedoms
  using Law = Signorini;
  static constexpr int freedoms = 6, coordinates = 7;
  FreeBody body{2, Vector<3>(0.3, 0.4, 0.5)};
  int contacts() const { return 1; }
  Vector<3> tip(const Vector<7>& q) const { return q.head<3>() + to_fixed(q.tail<4>(), Vector<3>(0.3, 0.2, 0.1)); }
  Matrix<6, 6> inertia(Real, const Vector<7>&) const { return body.inertia(); }
  Vector<6> force(Real, const Vector<7>& q, const Vector<6>& u) const {
    return body.force(q, u, Vector<3>(0, 0, -9.81 * body.mass), Vector<3>::Zero());
  }
  Real gap(int, Real, const Vector<7>& q) const { return tip(q)(2); }
  Kinematics<1, 6> kinematics(int, Real, const Vector<7>& q) const {
    return {FreeBody::jacobian(q, tip(q)).row(2), Vector<1>(0)};
  }
  Law law(int, Real, const Vector<7>&) const { return {}; }
  Vector<7> drift(const Vector<7>& q, const Vector<6>& u, Real dt) const { return FreeBody::drift(q, u, dt); }
};

TEST(AnySystem, keeps_the_drift_of_a_system) {
  State<Tumbling> s;
  s.q.head<3>() = Vector<3>(0, 0, 0.5), s.q.tail<4>() = no_rotation();
  s.u << 0, 0, 0, 3, 2, 1;
  const Twins twins = run_with_copy(Tumbling{}, s, 1e-3, 1000);
  EXPECT_LT(twins.difference, 1e-12);
  EXPECT_GT(twins.contact_steps, 0);
}

AnyFunctions<Signorini> rod_functions(const Differentiated<Rods>& rods) {
  AnyFunctions<Signorini> f;
  f.freedoms = 2, f.contacts = 2;
  f.inertia = [&](Real t, const Q& q) { return rods.inertia(t, q); };
  f.force = [&](Real t, const Q& q, const Q& u) { return rods.force(t, q, u); };
  f.gap = [&](int a, Real t, const Q& q) { return rods.gap(a, t, q); };
  return f;
}

TEST(AnySystem, differences_stand_in_for_the_gradient) {
  const Differentiated<Rods> rods{Rods{}};
  const auto any = Smooth::make(rod_functions(rods));
  ASSERT_TRUE(any);
  const Vector<2> q(-0.5, 0.8);
  for (int a = 0; a < 2; ++a) {
    const auto exact = rods.kinematics(a, 1.3, q);
    const auto found = any->kinematics(a, 1.3, q);
    EXPECT_LT((found.G - exact.G).norm(), 1e-10);
    EXPECT_LT(std::abs(found.W(0) - exact.W(0)), 1e-10);
  }
  EXPECT_EQ(check_system(*any, 1.3, q, Vector<2>(1, 2)), std::vector<std::string>{});
}

TEST(AnySystem, what_is_left_out_has_defaults) {
  AnyFunctions<Signorini> f;
  f.freedoms = 3;
  const auto any = Smooth::make(f);
  ASSERT_TRUE(any);
  EXPECT_EQ(any->contacts(), 0);
  State<Smooth> s{0, Vector<3>(1, 2, 3), Vector<3>(3, 2, 1), {}};
  ContactProblem<Smooth> contacts(*any);
  midpoint_step(*any, contacts, s, 0.5);
  EXPECT_EQ(s.q, Vector<3>(2.5, 3, 3.5));
  EXPECT_EQ(s.u, Vector<3>(3, 2, 1));
}

template <ContactLaw L>
std::string refusal(const AnyFunctions<L>& f) {
  const auto any = AnySystem<L>::make(f);
  return any ? "" : any.error();
}

TEST(AnySystem, what_must_not_be_left_out_is_named) {
  EXPECT_EQ(refusal(AnyFunctions<Signorini>{}), "system: freedoms = 0, expected at least 1");
  AnyFunctions<Signorini> f;
  f.freedoms = 3, f.contacts = 1;
  EXPECT_EQ(refusal(f), "system: a gap function is missing, expected with contacts");
  f.gap = [](int, Real, const Q& q) { return q(0); };
  EXPECT_EQ(refusal(f), "");
  f.coordinates = 4;
  EXPECT_EQ(refusal(f), "system: more coordinates than freedoms need a drift function");
  f.coordinates = 2;
  EXPECT_EQ(refusal(f), "system: coordinates = 2, expected at least the 3 freedoms");
  AnyFunctions<Coulomb2> g;
  g.freedoms = 2, g.contacts = 1;
  g.gap = [](int, Real, const Q& q) { return q(0); };
  EXPECT_EQ(refusal(g), "system: a kinematics function is missing, expected with friction");
}

TEST(AnySystem, wrong_sizes_are_told_before_they_are_used) {
  const Differentiated<Rods> rods{Rods{}};
  const auto any = Smooth::make(rod_functions(rods));
  ASSERT_TRUE(any);
  EXPECT_EQ(check_system(*any, 0, Q::Zero(3), Q::Zero(2)),
            std::vector<std::string>{"q has 3 entries, the system has 2 coordinates"});
  const auto start = check_start(*any, {0, Q::Zero(2), Q::Zero(1), {}});
  ASSERT_FALSE(start);
  EXPECT_EQ(start.error(), "start: u has 1 entries, the system has 2 freedoms");
  AnyFunctions<Signorini> f;
  f.freedoms = 2;
  f.inertia = [](Real, const Q&) { return Matrix<2, 1>(1, 1); };
  f.force = [](Real, const Q&, const Q&) { return Vector<3>(0, 0, 0); };
  EXPECT_EQ(check_system(*Smooth::make(f), 0, Q::Zero(2), Q::Zero(2)),
            (std::vector<std::string>{"A is 2 x 1, the system has 2 freedoms",
                                      "F has 3 entries, the system has 2 freedoms"}));
}

}  // namespace
}  // namespace cairn
