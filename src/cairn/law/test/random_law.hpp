// A random law of each kind, and random points of its cone, made without its projection. A new law adds its own here.
#pragma once

#include <gtest/gtest.h>

#include "cairn/law/laws.hpp"
#include "cairn/law/test/random_problem.hpp"

namespace cairn::test {

template <class List>
struct AsTypes;
template <class... T>
struct AsTypes<TypeList<T...>> {
  using type = ::testing::Types<T...>;
};

constexpr Real turn = 6.283185307179586;

inline Real random_mu(Random& r) { return r.below(20) == 0 ? 0 : r.power_of_ten(-2, 0.5); }

inline void randomise(Random&, Signorini&) {}
template <int D>
void randomise(Random&, Bilateral<D>&) {}
inline void randomise(Random& r, Coulomb2& law) { law = {random_mu(r), random_mu(r)}; }
inline void randomise(Random& r, Coulomb3& law) { law = {random_mu(r)}; }
template <class Base>
void randomise(Random& r, StaticDynamic<Base>& law) {
  randomise(r, law.at_rest);
  randomise(r, law.sliding);
  law.slid = r.below(2) == 0;
}
template <int D>
void randomise(Random& r, Rolling<D>& law) {
  for (Real& mu : law.mu) mu = random_mu(r);
}
inline void randomise(Random& r, EllipseFriction& law) {
  const Real size = r.power_of_ten(-2, 0.5), thin = r.power_of_ten(-2, 0), angle = r.uniform(0, turn);
  Mat<2> E;
  E(0, 0) = size * std::cos(angle);
  E(1, 0) = size * std::sin(angle);
  E(0, 1) = -size * thin * std::sin(angle);
  E(1, 1) = size * thin * std::cos(angle);
  const Real where = r.uniform(0, turn), far = r.uniform(0, 0.99);
  law = *EllipseFriction::make(far * (E * Vec<2>{std::cos(where), std::sin(where)}), E);
}
inline void randomise(Random& r, PolygonFriction& law) {
  const int n = 3 + r.below(10);  // points of an ellipse at increasing angles are strictly convex
  const Real size = r.power_of_ten(-2, 0.5), thin = r.uniform(0.2, 1), start = r.uniform(0, turn);
  Vec<2> v[PolygonFriction::most_vertices];
  for (int k = 0; k < n; ++k) {
    const Real angle = start + (k + r.uniform(-0.2, 0.2)) * turn / n;
    v[k] = {size * std::cos(angle), size * thin * std::sin(angle)};
  }
  law = *PolygonFriction::make({v, static_cast<std::size_t>(n)});
}

template <int D>
void randomise(Random& r, JointRows<D>& law) {  // at least one row
  law.mask = static_cast<unsigned char>(1 + r.below((1 << D) - 1));
}

template <class L>
L random_law(Random& r) {
  L law{};
  randomise(r, law);
  return law;
}

template <int D>
void randomise(Random& r, MixedLaw<D>& law) {
  using Coulomb = typename MixedLaw<D>::Coulomb;
  switch (r.below(D == 3 ? 5 : 4)) {
    case 0: law = MixedLaw<D>::coulomb(random_law<Coulomb>(r)); break;
    case 1: law = MixedLaw<D>::static_dynamic(random_law<StaticDynamic<Coulomb>>(r)); break;
    case 2: law = MixedLaw<D>::bilateral_rows(random_law<JointRows<D>>(r).mask); break;
    case 3: law = MixedLaw<D>::frictionless(); break;
    default:
      if constexpr (D == 3) law = MixedLaw<D>::ellipse(random_law<EllipseFriction>(r));
  }
}

// A point of the unit disc, often on its border.
inline Vec<2> random_in_disc(Random& r) {
  const Real angle = r.uniform(0, turn), radius = r.below(2) == 0 ? 1 : r.uniform();
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

inline Vec<1> random_impulse(Random& r, const Signorini&) { return {r.uniform(0, 3)}; }
template <int D>
Vec<D> random_impulse(Random& r, const Bilateral<D>&) {
  return r.vector<D>();
}
inline Vec<2> random_impulse(Random& r, const Coulomb2& law) {
  const Real n = r.uniform(0, 3);
  return {n, n * r.uniform(-law.mu_minus, law.mu_plus)};
}
inline Vec<3> random_impulse(Random& r, const Coulomb3& law) {
  const Real n = r.uniform(0, 3);
  const Vec<2> d = random_in_disc(r);
  return {n, n * law.mu * d[0], n * law.mu * d[1]};
}
template <class Base>
Vec<Base::dim> random_impulse(Random& r, const StaticDynamic<Base>& law) {
  return random_impulse(r, law.current());
}
inline Vec<3> random_impulse(Random& r, const EllipseFriction& law) {
  const Real n = r.uniform(0, 3);
  const Vec<2> d = random_in_disc(r), q = law.axis;
  const Real u = law.a[0] * d[0], v = law.a[1] * d[1];
  return {n, n * (law.center[0] + q[0] * u - q[1] * v), n * (law.center[1] + q[1] * u + q[0] * v)};
}
inline Vec<3> random_impulse(Random& r, const PolygonFriction& law) {
  const Real n = r.uniform(0, 3), t = r.uniform(), u = r.below(2) == 0 ? 0 : r.uniform();
  const int k = r.below(law.n), l = (k + 1) % law.n, m = r.below(law.n);
  const Vec<2> d = (1 - u) * ((1 - t) * law.v[k] + t * law.v[l]) + u * law.v[m];
  return {n, n * d[0], n * d[1]};
}
template <int D>
Vec<D> random_impulse(Random& r, const Rolling<D>& law) {
  Vec<D> S;
  S[0] = r.uniform(0, 3);
  for (int i = 0; i < Blocks<D>::count; ++i) {
    const Vec<2> d = random_in_disc(r);
    for (int k = 0; k < Blocks<D>::size(i); ++k) S[Blocks<D>::first(i) + k] = S[0] * law.mu[i] * d[k];
  }
  return S;
}

template <int D>
Vec<D> random_impulse(Random& r, const JointRows<D>& law) {
  Vec<D> S = r.vector<D>();
  for (int i = 0; i < D; ++i)
    if ((law.mask & (1u << i)) == 0) S[i] = 0;
  return S;
}
template <int D>
Vec<D> random_impulse(Random& r, const DryRow<D>& law) {
  Vec<D> S = Vec<D>::zero();
  S[0] = r.uniform(-law.bound, law.bound);
  return S;
}
template <int D>
Vec<D> random_impulse(Random& r, const MixedLaw<D>& law) {
  return law.visit([&](const auto& own) { return random_impulse(r, own); });
}

// Laws whose cone is generated by n + D1 with D1 bounded: all but joints.
template <class L>
bool is_contact(const L&) {
  return true;
}
template <int D>
bool is_contact(const Bilateral<D>&) {
  return false;
}
template <int D>
bool is_contact(const MixedLaw<D>& law) {
  return law.is_contact();
}

// Whether U_N >= 0 is part of the law: a joint may leave the normal row free.
template <class L>
bool bounds_normal(const L&) {
  return true;
}
template <int D>
bool bounds_normal(const MixedLaw<D>& law) {
  return law.bounds_normal();
}

// A pair that satisfies the law, made from the projection: z = S - V splits in K and its polar (Moreau), U = V -
// shift(V).
template <class L>
struct Pair {
  Vec<L::dim> U, S;
};
template <class L>
Pair<L> random_pair(Random& r, const L& law) {
  const Vec<L::dim> z = r.vector<L::dim>(), S = law.project(z), V = S - z;
  Vec<L::dim> U = V - law.shift(V);
  if (norm(S) > 0) U[0] = 0;  // but for rounding, which would leave an approach that a singular H cannot stop
  return {U, S};
}

}  // namespace cairn::test
