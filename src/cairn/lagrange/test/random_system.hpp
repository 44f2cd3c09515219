// Random systems for the tests of impacts: generic inertia and contact rows, or rigid bodies that touch.
#pragma once

#include <vector>

#include "cairn/base/test/share.hpp"
#include "cairn/lagrange/impact.hpp"
#include "cairn/lagrange/random.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn::test {

// All that an impact sees of a system, as plain data: every contact touches.
template <ContactLaw L, int N>
struct PlainSystem {
  using Law = L;
  static constexpr int freedoms = N;

  Matrix<N, N> A;
  std::vector<Kinematics<L::dim, N>> rows;
  std::vector<L> laws;
  std::vector<Restitution> e;

  int contacts() const { return static_cast<int>(rows.size()); }
  Matrix<N, N> inertia(Real, const Vector<N>&) const { return A; }
  Vector<N> force(Real, const Vector<N>&, const Vector<N>&) const { return Vector<N>::Zero(); }
  Real gap(int, Real, const Vector<N>&) const { return 0; }
  Kinematics<L::dim, N> kinematics(int a, Real, const Vector<N>&) const { return rows[static_cast<std::size_t>(a)]; }
  L law(int a, Real, const Vector<N>&) const { return laws[static_cast<std::size_t>(a)]; }
  Restitution restitution(int a) const { return e[static_cast<std::size_t>(a)]; }

  void resize(int contacts) {
    const auto k = static_cast<std::size_t>(contacts);
    rows.resize(k), laws.resize(k), e.resize(k);
    for (auto& r : rows) r.W.setZero();
  }
};

inline Signorini law_with(Real, Signorini*) { return {}; }
inline Coulomb2 law_with(Real mu, Coulomb2*) { return Coulomb2::with(mu); }
inline Coulomb3 law_with(Real mu, Coulomb3*) { return {mu}; }

template <int R, int C>
void fill(RandomStream& random, Matrix<R, C>& m) {
  for (Eigen::Index i = 0; i < m.size(); ++i) m(i) = random.normal();
}

// A = I + B B^T/N and Gaussian rows: nothing in common with a frame or a body.
template <ContactLaw L, int N>
void make_generic(RandomStream& random, int contacts, PlainSystem<L, N>& system) {
  system.resize(contacts);
  Matrix<N, N> B;
  fill(random, B);
  system.A = Matrix<N, N>::Identity() + B * B.transpose() / N;
  const int extreme = random.below(10);  // soft, elastic, or between
  const Real e = extreme == 0 ? 0 : extreme == 1 ? 1 : random.unit();
  for (std::size_t a = 0; a < system.rows.size(); ++a) {
    fill(random, system.rows[a].G);
    system.laws[a] = law_with(random.within(0, 1), static_cast<L*>(nullptr));
    system.e[a] = {e, e};
  }
}

}  // namespace cairn::test
