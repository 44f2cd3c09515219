// What the generators share: random numbers that are the same everywhere, contact frames, assembly of G.
#pragma once

#include <random>

#include "cairn/base/pose.hpp"
#include "cairn/problem/generate.hpp"

namespace cairn::generate {

// The engine's output is fixed by the standard; the library's distributions are not, hence our own.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  Real unit() { return static_cast<Real>(engine_() >> 11) * 0x1p-53; }  // [0, 1)
  Real within(Real a, Real b) { return a + (b - a) * unit(); }
  int below(int n) { return static_cast<int>(unit() * n); }
  template <int D>
  Vec<D> direction() {
    for (;;) {
      Vec<D> x;
      for (int i = 0; i < D; ++i) x[i] = within(-1, 1);
      const Real l = norm(x);
      if (l > 0.1 && l <= 1) return (1 / l) * x;  // rejection: uniform on the sphere
    }
  }

 private:
  std::mt19937_64 engine_;
};

// Rows n, t (and second t): an orthonormal frame, normal first.
inline Mat<2> frame(const Vec<2>& n) {
  Mat<2> f;
  f(0, 0) = n[0], f(0, 1) = n[1], f(1, 0) = -n[1], f(1, 1) = n[0];
  return f;
}

inline Mat<3> frame(const Vec<3>& n) {
  Vec<3> axis{};
  axis[std::fabs(n[0]) < 0.6 ? 0 : 1] = 1;
  Vec<3> t = axis - dot(axis, n) * n;
  t *= 1 / norm(t);
  const Vec<3> s = cross(n, t);
  Mat<3> f;
  for (int j = 0; j < 3; ++j) f(0, j) = n[j], f(1, j) = t[j], f(2, j) = s[j];
  return f;
}

// Local velocity of the point at `lever` from the body's centre: U = frame (v + omega x lever) (JM92 2.4)
inline Mat<2, 3> velocity_map(const Mat<2>& f, const Vec<2>& lever, Real sign) {
  Mat<2, 3> g;
  for (int i = 0; i < 2; ++i) {
    g(i, 0) = sign * f(i, 0);
    g(i, 1) = sign * f(i, 1);
    g(i, 2) = sign * (lever[0] * f(i, 1) - lever[1] * f(i, 0));
  }
  return g;
}

inline Mat<3, 6> velocity_map(const Mat<3>& f, const Vec<3>& lever, Real sign) {
  Mat<3, 6> g;
  for (int i = 0; i < 3; ++i) {
    const Vec<3> e{f(i, 0), f(i, 1), f(i, 2)};
    const Vec<3> moment = cross(lever, e);
    for (int j = 0; j < 3; ++j) g(i, j) = sign * e[j], g(i, 3 + j) = sign * moment[j];
  }
  return g;
}

inline void set_law(Coulomb2& law, Real mu) { law.mu_plus = law.mu_minus = mu; }
inline void set_law(Coulomb3& law, Real mu) { law.mu = mu; }

// Assembles a problem body by body, contact by contact.
template <class P>
class Builder {
 public:
  static constexpr int dim = P::dim, F = P::freedoms, spins = F - dim;

  int add_body(const Vec<dim>& centre, Real mass, const Vec<spins>& inertia, const Vec<F>& u_free) {
    for (int i = 0; i < dim; ++i) problem.inverse_inertia.push_back(1 / mass);
    for (int i = 0; i < spins; ++i) problem.inverse_inertia.push_back(1 / inertia[i]);
    for (int i = 0; i < F; ++i) problem.u_free.push_back(u_free[i]);
    centres.push_back(centre);
    return problem.bodies() - 1;
  }

  // n is directed toward body `a`; `b` may be -1, a boundary at rest.
  void add_contact(int a, int b, const Vec<dim>& point, const Vec<dim>& n, Real mu, Real gap_rate = 0) {
    typename P::Contact c{};
    c.body[0] = a;
    c.body[1] = b;
    const Mat<dim> f = frame(n);
    c.G[0] = velocity_map(f, point - centres[static_cast<size_t>(a)], 1);
    if (b >= 0) c.G[1] = velocity_map(f, point - centres[static_cast<size_t>(b)], -1);
    problem.contact.push_back(c);
    problem.w.push_back(gap_rate);
    for (int i = 1; i < dim; ++i) problem.w.push_back(0);
    typename P::Law law{};
    set_law(law, mu);
    problem.law.push_back(law);
  }

  P problem;
  std::vector<Vec<dim>> centres;  // [m] (bodies)
};

}  // namespace cairn::generate
