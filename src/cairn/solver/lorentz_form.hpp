// Laws whose cone is a linear image of the Lorentz cone: K = { T x : x_0 >= |x_T| }.
//
// Friction sets D1 = { c + E y : |y| <= 1 } give T = [1 0; c E]. With R = [1 0; 0 E^T] the variables
//   x = T^-1 S,   z = R U + |E^T U_T| e_0
// satisfy: law(U, S) if and only if x and z are in the Lorentz cone and x.z = 0. For c = 0, R = T^T. In the plane both
// are taken along the edges of the cone (solver/lorentz.hpp).
#pragma once

#include "cairn/law/anisotropic.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/law/mixed.hpp"
#include "cairn/law/static_dynamic.hpp"
#include "cairn/solver/lorentz.hpp"

namespace cairn {

template <int D>
struct LorentzForm {
  Mat<D> T, R;
};

// T = [1 0; c E], R = [1 0; 0 E^T], both over the size of E: impulses and velocities in the cone are then of one size.
// A set that shrinks to a point (no friction) stays harmless.
template <int D>
LorentzForm<D> lorentz_form(const Vec<D - 1>& c, const Mat<D - 1>& E) {
  Real size = 0;
  for (Real e : E.v) size += e * e;
  const Real f = 1 / std::fmax(std::sqrt(size / (D - 1)), Real(0.01));
  Mat<D> T = Mat<D>::zero(), R = Mat<D>::zero();
  T(0, 0) = R(0, 0) = f;
  for (int i = 1; i < D; ++i) {
    T(i, 0) = f * c[i - 1];
    for (int j = 1; j < D; ++j) T(i, j) = R(j, i) = f * E(i - 1, j - 1);
  }
  if constexpr (D == 2) {
    const Mat<2> edges{{root_half, root_half, root_half, -root_half}};
    return {T * edges, edges * R};
  }
  return {T, R};
}

inline LorentzForm<2> lorentz_form(const Coulomb2& law) {
  return lorentz_form<2>({(law.mu_plus - law.mu_minus) / 2}, {(law.mu_plus + law.mu_minus) / 2});
}
inline LorentzForm<3> lorentz_form(const Coulomb3& law) { return lorentz_form<3>({0, 0}, {law.mu, 0, 0, law.mu}); }
inline LorentzForm<3> lorentz_form(const EllipseFriction& law) {
  const Real a = law.a[0], b = law.a[1], c = law.axis[0], s = law.axis[1];
  return lorentz_form<3>(law.center, {a * c, a * s, -b * s, b * c});
}

template <class Base>
auto lorentz_form(const StaticDynamic<Base>& law) {
  return lorentz_form(law.current());
}

// A joint has none, its cone being a subspace, nor has dry friction: see has_lorentz_form().
template <int D>
LorentzForm<D> lorentz_form(const JointRows<D>&) {
  return {Mat<D>::identity(), Mat<D>::identity()};
}
template <int D>
LorentzForm<D> lorentz_form(const DryRow<D>&) {
  return {Mat<D>::identity(), Mat<D>::identity()};
}
template <int D>
LorentzForm<D> lorentz_form(const MixedLaw<D>& law) {
  return law.visit([](const auto& own) { return lorentz_form(own); });
}

template <class L>
bool has_lorentz_form(const L&) {
  return true;
}
template <int D>
bool has_lorentz_form(const MixedLaw<D>& law) {
  return law.is_contact();
}

template <class L>
concept LorentzLaw = ContactLaw<L> && requires(const L& law) {
  { lorentz_form(law) } -> std::same_as<LorentzForm<L::dim>>;
};

}  // namespace cairn
