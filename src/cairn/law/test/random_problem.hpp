// Random local problems for the tests of the laws: seeded, the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>

#include "cairn/law/law.hpp"

namespace cairn::test {

#if defined(__SANITIZE_ADDRESS__)
constexpr int problems = 10000;
#elif defined(NDEBUG) || defined(__OPTIMIZE__)
constexpr int problems = 1000000;
#else
constexpr int problems = 50000;
#endif

// splitmix64: ours to keep, so that the problems do not depend on the standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  Real uniform(Real a = 0, Real b = 1) { return a + (b - a) * (static_cast<Real>(bits() >> 11) * 0x1p-53); }
  Real normal() {  // sum of uniforms: near enough, and cheap
    Real s = 0;
    for (int i = 0; i < 4; ++i) s += uniform(-1, 1);
    return s;
  }
  Real power_of_ten(Real a, Real b) { return std::pow(Real(10), uniform(a, b)); }
  template <int D>
  Vec<D> vector() {
    Vec<D> x;
    for (int i = 0; i < D; ++i) x[i] = normal();
    return x;
  }

 private:
  std::uint64_t state_;
};

// Q diag(eigenvalues) Q^T, Q a product of random reflections; symmetric to the last bit.
template <int D>
Mat<D> random_spectrum(Random& r, const Real* eigenvalues) {
  Mat<D> H = Mat<D>::zero();
  for (int i = 0; i < D; ++i) H(i, i) = eigenvalues[i];
  for (int k = 0; k < 2 && D > 1; ++k) {
    Vec<D> u = r.vector<D>();
    u *= 1 / (norm(u) + Real(1e-30));
    Mat<D> Q = Mat<D>::identity();
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) Q(i, j) -= 2 * u[i] * u[j];
    H = Q * H * Q;
  }
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < i; ++j) H(i, j) = H(j, i);
  return H;
}

enum class Kind { plain, ill, mixed_scales, weakly_coupled, unsymmetric };
constexpr int kinds = 5;

// Symmetric positive definite (but for the last kind, whose symmetric part is), condition number up to 1e10.
template <int D>
Mat<D> random_matrix(Random& r, Kind kind) {
  Real e[D];
  for (Real& x : e) x = kind == Kind::ill ? r.power_of_ten(-10, 0) : r.uniform(Real(0.05), 2);
  Mat<D> H = random_spectrum<D>(r, e);
  if (kind == Kind::mixed_scales) {
    const Real normal = r.power_of_ten(-2.5, 2.5), tangential = r.power_of_ten(-2.5, 2.5),
               other = r.power_of_ten(-2.5, 2.5);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        const auto scale = [&](int k) { return k == 0 ? normal : k < 3 ? tangential : other; };
        H(i, j) *= scale(i) * scale(j);
      }
  }
  if (kind == Kind::weakly_coupled)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        if (i != j) H(i, j) *= Real(0.1);
  if (kind == Kind::unsymmetric)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) H(i, j) += r.uniform(Real(-1e-3), Real(1e-3));
  return H;
}

template <int D>
struct LocalProblem {
  Mat<D> H;
  Vec<D> b;
  Kind kind;
};

template <int D>
LocalProblem<D> random_problem(Random& r) {
  LocalProblem<D> p;
  p.kind = static_cast<Kind>(r.below(kinds));
  p.H = random_matrix<D>(r, p.kind);
  p.b = r.vector<D>();
  if (r.below(4) != 0) p.b[0] = -std::fabs(p.b[0]);  // approach: take-off is the dull case
  const Real tilt = r.power_of_ten(-3, 3);
  for (int i = 1; i < D; ++i) p.b[i] *= tilt;
  const Real unit = r.power_of_ten(-6, 6);
  p.H *= r.power_of_ten(-6, 6);
  p.b *= unit;
  return p;
}

}  // namespace cairn::test
