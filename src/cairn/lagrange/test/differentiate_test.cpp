#include "cairn/lagrange/differentiate.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cairn/law/coulomb2.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn {
namespace {

template <int N>
struct Free {  // no contact
  using Law = Signorini;
  static constexpr int freedoms = N;
  int contacts() const { return 0; }
  template <class T>
  T gap(int, const T&, const VectorOf<T, N>&) const {
    return T(1);
  }
  Law law(int, Real, const Vector<N>&) const { return {}; }
};

template <int N>
Vector<N> random_vector(std::mt19937_64& gen) {
  std::uniform_real_distribution<Real> d(-2, 2);
  Vector<N> x;
  for (int i = 0; i < N; ++i) x(i) = d(gen);
  return x;
}

// The largest difference between F and a closed form over random t, q, u.
template <class S, class Exact>
Real worst_force_error(const S& system, const Exact& exact) {
  constexpr int N = S::freedoms;
  std::mt19937_64 gen(7);
  Real worst = 0;
  for (int k = 0; k < 200; ++k) {
    const Real t = random_vector<1>(gen)(0);
    const Vector<N> q = random_vector<N>(gen), u = random_vector<N>(gen);
    const Vector<N> F = exact(t, q, u);
    worst = std::max(worst, (system.force(t, q, u) - F).norm() / (1 + F.norm()));
  }
  return worst;
}

struct HingedRods : Free<2> {  // two uniform rods, hinged; absolute angles from the downward vertical
  Real m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.4, g = 9.81;
  template <class T>
  MatrixOf<T, 2, 2> inertia(const T&, const VectorOf<T, 2>& q) const {
    const T coupling = m2 * l1 * l2 / 2 * cos(q(0) - q(1));
    MatrixOf<T, 2, 2> A;
    A << T((m1 / 3 + m2) * l1 * l1), coupling, coupling, T(m2 * l2 * l2 / 3);
    return A;
  }
  Vector<2> applied(Real, const Vector<2>& q, const Vector<2>&) const {
    return -g * Vector<2>((m1 / 2 + m2) * l1 * std::sin(q(0)), m2 * l2 / 2 * std::sin(q(1)));
  }
  Real potential(const Vector<2>& q) const {
    return -g * ((m1 / 2 + m2) * l1 * std::cos(q(0)) + m2 * l2 / 2 * std::cos(q(1)));
  }
};

TEST(Differentiate, two_rods_have_the_equations_derived_by_hand) {
  const Differentiated<HingedRods> system{HingedRods{}};
  const HingedRods& r = system.user;
  const auto exact = [&](Real t, const Vector<2>& q, const Vector<2>& u) {
    const Real k = r.m2 * r.l1 * r.l2 / 2 * std::sin(q(0) - q(1));
    return Vector<2>(r.applied(t, q, u) + k * Vector<2>(-u(1) * u(1), u(0) * u(0)));
  };
  EXPECT_LT(worst_force_error(system, exact), 1e-14);
}

struct DrivenPendulum : Free<1> {  // the pivot moves up and down: Y = a sin(w t)
  Real m = 2, l = 0.6, g = 9.81, a = 0.3, w = 5;
  template <class T>
  T pivot_rate(const T& t) const {
    using std::cos;
    return a * w * cos(w * t);
  }
  MatrixOf<Real, 1, 1> inertia(Real, const Vector<1>&) const { return Matrix<1, 1>(m * l * l); }
  template <class T>
  VectorOf<T, 1> momentum_offset(const T& t, const VectorOf<T, 1>& q) const {
    using std::sin;
    return VectorOf<T, 1>(m * l * sin(q(0)) * pivot_rate(t));
  }
  template <class T>
  T kinetic_offset(const T& t, const VectorOf<T, 1>&) const {
    return m / 2 * pivot_rate(t) * pivot_rate(t);
  }
  Vector<1> applied(Real, const Vector<1>& q, const Vector<1>&) const { return Vector<1>(-m * g * l * std::sin(q(0))); }
};

TEST(Differentiate, a_driven_pivot_acts_as_an_apparent_weight) {
  const Differentiated<DrivenPendulum> system{DrivenPendulum{}};
  const DrivenPendulum& p = system.user;
  const auto exact = [&](Real t, const Vector<1>& q, const Vector<1>&) {
    const Real lift = -p.a * p.w * p.w * std::sin(p.w * t);  // Y''
    return Vector<1>(-p.m * p.l * (p.g + lift) * std::sin(q(0)));
  };
  EXPECT_LT(worst_force_error(system, exact), 1e-14);
}

TEST(Differentiate, the_whole_kinetic_energy_is_that_of_the_bob) {
  const Differentiated<DrivenPendulum> system{DrivenPendulum{}};
  const DrivenPendulum& p = system.user;
  const Real t = 0.3, angle = 0.8, spin = -1.7;
  const Vector<2> v(p.l * std::cos(angle) * spin, p.l * std::sin(angle) * spin + p.pivot_rate(t));
  EXPECT_NEAR(system.whole_kinetic_energy(t, Vector<1>(angle), Vector<1>(spin)), p.m / 2 * v.squaredNorm(), 1e-15);
}

struct Turntable : Free<2> {  // a particle seen from a frame that turns at the rate w(t) = w0 + s t
  Real m = 1.5, w0 = 0.7, s = 0.4;
  template <class T>
  MatrixOf<T, 2, 2> inertia(const T&, const VectorOf<T, 2>&) const {
    return T(m) * MatrixOf<T, 2, 2>::Identity();
  }
  template <class T>
  VectorOf<T, 2> momentum_offset(const T& t, const VectorOf<T, 2>& q) const {
    const T w = w0 + s * t;
    return VectorOf<T, 2>(-m * w * q(1), m * w * q(0));
  }
  template <class T>
  T kinetic_offset(const T& t, const VectorOf<T, 2>& q) const {
    const T w = w0 + s * t;
    return m / 2 * w * w * q.squaredNorm();
  }
};

TEST(Differentiate, a_turning_frame_has_coriolis_centrifugal_and_euler_forces) {
  const Differentiated<Turntable> system{Turntable{}};
  const Turntable& p = system.user;
  const auto exact = [&](Real t, const Vector<2>& q, const Vector<2>& u) {
    const Real w = p.w0 + p.s * t;
    return Vector<2>(p.m * (2 * w * Vector<2>(u(1), -u(0)) + w * w * q + p.s * Vector<2>(q(1), -q(0))));
  };
  EXPECT_LT(worst_force_error(system, exact), 1e-14);
}

struct Hoisted : Free<1> {  // a pendulum on a rope of length l0 - c t: A depends on time
  Real m = 2, l0 = 5, c = 0.5, g = 9.81;
  template <class T>
  MatrixOf<T, 1, 1> inertia(const T& t, const VectorOf<T, 1>&) const {
    const T l = l0 - c * t;
    return MatrixOf<T, 1, 1>(m * l * l);
  }
  Vector<1> applied(Real t, const Vector<1>& q, const Vector<1>&) const {
    return Vector<1>(-m * g * (l0 - c * t) * std::sin(q(0)));
  }
};

TEST(Differentiate, inertia_that_depends_on_time_adds_its_rate) {
  const Differentiated<Hoisted> system{Hoisted{}};
  const Hoisted& p = system.user;
  const auto exact = [&](Real t, const Vector<1>& q, const Vector<1>& u) {
    const Real l = p.l0 - p.c * t;
    return Vector<1>(2 * p.m * l * p.c * u(0) - p.m * p.g * l * std::sin(q(0)));
  };
  EXPECT_LT(worst_force_error(system, exact), 1e-14);
}

struct Spherical : Free<2> {  // polar angle from below, azimuth
  Real m = 1.2, l = 0.8, g = 9.81;
  template <class T>
  MatrixOf<T, 2, 2> inertia(const T&, const VectorOf<T, 2>& q) const {
    using std::sin;
    const T s = sin(q(0));
    MatrixOf<T, 2, 2> A;
    A << T(m * l * l), T(0), T(0), m * l * l * s * s;
    return A;
  }
  Vector<2> applied(Real, const Vector<2>& q, const Vector<2>&) const {
    return Vector<2>(-m * g * l * std::sin(q(0)), 0);
  }
  Real potential(const Vector<2>& q) const { return -m * g * l * std::cos(q(0)); }
};

TEST(Differentiate, spherical_pendulum_has_gyroscopic_terms) {
  const Differentiated<Spherical> system{Spherical{}};
  const Spherical& p = system.user;
  const auto exact = [&](Real, const Vector<2>& q, const Vector<2>& u) {
    const Real j = p.m * p.l * p.l * std::sin(q(0)) * std::cos(q(0));
    return Vector<2>(j * u(1) * u(1) - p.m * p.g * p.l * std::sin(q(0)), -2 * j * u(0) * u(1));
  };
  EXPECT_LT(worst_force_error(system, exact), 1e-14);
}

template <class S>
void runge_kutta_step(const S& system, Real t, Vector<2>& q, Vector<2>& u, Real h) {
  using X = Vector<4>;
  const auto rate = [&](Real s, const X& x) {
    const Vector<2> place = x.head<2>(), speed = x.tail<2>();
    X r;
    r.head<2>() = speed;
    r.tail<2>() = system.inertia(s, place).inverse() * system.force(s, place, speed);
    return r;
  };
  X x;
  x.head<2>() = q, x.tail<2>() = u;
  const X a = rate(t, x), b = rate(t + h / 2, x + h / 2 * a), c = rate(t + h / 2, x + h / 2 * b),
          d = rate(t + h, x + h * c);
  x += h / 6 * (a + 2 * b + 2 * c + d);
  q = x.head<2>(), u = x.tail<2>();
}

// The largest relative change of energy over two seconds.
template <class User>
Real energy_error(const Differentiated<User>& system, Vector<2> q, Vector<2> u, Real h) {
  const auto energy = [&] { return kinetic_energy(system, 0, q, u) + system.user.potential(q); };
  const Real start = energy();
  Real worst = 0;
  for (int k = 0; k * h < 2; ++k) {
    runge_kutta_step(system, 0, q, u, h);
    worst = std::max(worst, std::abs(energy() - start) / std::abs(start));
  }
  return worst;
}

TEST(Differentiate, pendulums_keep_their_energy_to_fourth_order) {
  const Differentiated<HingedRods> rods{HingedRods{}};
  const Differentiated<Spherical> spherical{Spherical{}};
  const Vector<2> q(1.2, 0.4), u(0.5, 2);
  EXPECT_LT(energy_error(rods, q, u, 5e-4), 1e-10);
  EXPECT_LT(energy_error(spherical, q, u, 5e-4), 1e-10);
  EXPECT_GT(energy_error(rods, q, u, 4e-3) / energy_error(rods, q, u, 2e-3), 12);  // a wrong term would make it 1
  EXPECT_GT(energy_error(spherical, q, u, 4e-3) / energy_error(spherical, q, u, 2e-3), 12);
}

struct Corners : Free<3> {  // a square plate in the plane over ground y = b sin(k x - w t); corner 0 and 1
  Real side = 0.8, b = 0.2, k = 3, w = 4;
  int contacts() const { return 2; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  template <class T>
  T gap(int a, const T& t, const VectorOf<T, 3>& q) const {
    using std::cos, std::sin;
    const Real dx = a == 0 ? -side : side;
    const T x = q(0) + dx * cos(q(2)) + side * sin(q(2)), y = q(1) + dx * sin(q(2)) - side * cos(q(2));
    return y - b * sin(k * x - w * t);
  }
};

TEST(Differentiate, gradient_of_a_gap_is_the_closed_form) {
  const Differentiated<Corners> system{Corners{}};
  const Corners& p = system.user;
  std::mt19937_64 gen(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Real t = random_vector<1>(gen)(0);
    const Vector<3> q = random_vector<3>(gen);
    for (int a = 0; a < 2; ++a) {
      const Real dx = a == 0 ? -p.side : p.side, c = std::cos(q(2)), s = std::sin(q(2));
      const Real slope = p.b * std::cos(p.k * (q(0) + dx * c + p.side * s) - p.w * t);
      const Matrix<1, 3> G(-p.k * slope, 1, dx * c + p.side * s - p.k * slope * (-dx * s + p.side * c));
      const Kinematics<1, 3> found = system.kinematics(a, t, q);
      EXPECT_LT((found.G - G).cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_LT(std::abs(found.W(0) - p.w * slope), 1e-14);
    }
  }
  const Vector<3> q(0.1, 0.2, 0.3), u(1, 2, 3);
  EXPECT_EQ(system.force(0, q, u), Vector<3>::Zero());  // inertia not on T, nothing applied
}

struct Disc {  // on a belt y = 0 that moves at the speed v; x, y, theta
  using Law = Coulomb2;
  static constexpr int freedoms = 3;
  Real r = 0.5, v = 2;
  int contacts() const { return 1; }
  Matrix<3, 3> inertia(Real, const Vector<3>&) const { return Matrix<3, 3>::Identity(); }
  Real gap(int, Real, const Vector<3>& q) const { return q(1) - r; }
  template <class T>
  VectorOf<T, 2> slip(int, const T& t, const VectorOf<T, 3>& q) const {
    return VectorOf<T, 2>(q(1) - r, q(0) + r * q(2) - v * t);
  }
  Law law(int, Real, const Vector<3>&) const { return Coulomb2::with(0.3); }
  Restitution restitution(int) const { return {0.5, 0.25}; }
};

TEST(Differentiate, slip_gives_the_kinematics_of_a_contact_with_friction) {
  const Differentiated<Disc> system{Disc{}};
  static_assert(System<Differentiated<Disc>>);
  const Kinematics<2, 3> k = system.kinematics(0, 1, Vector<3>(0, 0.5, 0));
  EXPECT_EQ(k.G, (Matrix<2, 3>() << 0, 1, 0, 1, 0, 0.5).finished());
  EXPECT_EQ(k.W, Vector<2>(0, -2));
  EXPECT_EQ(restitution_of(system, 0).normal, 0.5);
  EXPECT_EQ(restitution_of(system, 0).tangential, 0.25);
}

using D2 = Dual<2>;

// Each function against a central difference of the standard library's.
TEST(Dual, slopes_of_functions) {
  const Real x = 0.37, h = 1e-5;
  const D2 X = D2::variable(x, 1);
#define EXPECT_SLOPE(f)                                                           \
  do {                                                                            \
    using std::f;                                                                 \
    EXPECT_DOUBLE_EQ(f(X).v, f(x)) << #f;                                         \
    EXPECT_NEAR(f(X).derivative(1), (f(x + h) - f(x - h)) / (2 * h), 3e-9) << #f; \
    EXPECT_EQ(f(X).derivative(0), 0) << #f;                                       \
  } while (false)
  EXPECT_SLOPE(sqrt);
  EXPECT_SLOPE(cbrt);
  EXPECT_SLOPE(exp);
  EXPECT_SLOPE(log);
  EXPECT_SLOPE(sin);
  EXPECT_SLOPE(cos);
  EXPECT_SLOPE(tan);
  EXPECT_SLOPE(asin);
  EXPECT_SLOPE(acos);
  EXPECT_SLOPE(atan);
  EXPECT_SLOPE(sinh);
  EXPECT_SLOPE(cosh);
  EXPECT_SLOPE(tanh);
  EXPECT_SLOPE(abs);
  EXPECT_SLOPE(fabs);
#undef EXPECT_SLOPE
}

TEST(Dual, operators_and_functions_of_two_numbers) {
  using std::atan2, std::hypot, std::pow;
  const Real x = 3, y = 4;
  const D2 X = D2::variable(x, 0), Y = D2::variable(y, 1);
  const auto expect = [](const D2& f, Real v, Real fx, Real fy) {
    EXPECT_DOUBLE_EQ(f.v, v);
    EXPECT_DOUBLE_EQ(f.derivative(0), fx);
    EXPECT_DOUBLE_EQ(f.derivative(1), fy);
  };
  expect(X + Y, 7, 1, 1);
  expect(X - Y, -1, 1, -1);
  expect(X * Y, 12, 4, 3);
  expect(X / Y, 0.75, 0.25, -3.0 / 16);
  expect(2 + X - 1, 4, 1, 0);
  expect(1 - Y / 2, -1, 0, -0.5);
  expect(12 / X * 2, 8, -8.0 / 3, 0);
  expect(-X, -3, -1, 0);
  expect(hypot(X, Y), 5, 0.6, 0.8);
  expect(atan2(Y, X), std::atan2(y, x), -y / 25, x / 25);
  expect(pow(X, 2), 9, 6, 0);
  expect(pow(X, Y), 81, 108, 81 * std::log(3.0));
  expect(abs(-X * Y), 12, 4, 3);
  EXPECT_TRUE(X < Y && Y >= 4 && X != Y && X > 2.5);
}

TEST(Dual, is_a_scalar_of_eigen) {
  const VectorOf<Dual<4>, 3> x = varied<3>(Vector<3>(1, 2, 2));
  const Dual<4> length = x.norm();
  EXPECT_DOUBLE_EQ(length.v, 3);
  EXPECT_DOUBLE_EQ(length.derivative(2), 2.0 / 3);
  const Matrix<3, 3> M = (Matrix<3, 3>() << 0, 1, 0, -1, 0, 0, 0, 0, 2).finished();
  const VectorOf<Dual<4>, 3> y = 2.0 * (M.cast<Dual<4>>() * x);
  EXPECT_EQ(y(0).derivative(1), 2);
  EXPECT_EQ(y.cross(x)(0).v, 2 * (-1 * 2 - 4 * 2));
}

}  // namespace
}  // namespace cairn
