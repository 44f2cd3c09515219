// Residual and derivatives of a law chosen at run time (law/mixed.hpp): those of the law in force.
#pragma once

#include "cairn/law/mixed_torque.hpp"
#include "cairn/solver/law_residual.hpp"

namespace cairn {

// Of a joint they are constants. By differences it would be held where U = S = 0, as a contact is that does nothing; a
// joint between bodies that fall together starts there.
template <int D>
void linearise(const JointRows<D>& law, const Vec<D>&, const Vec<D>&, Real h, Mat<D>& N_U, Mat<D>& N_S) {
  N_U = N_S = Mat<D>::zero();
  for (int i = 0; i < D; ++i)
    if (law.constrains(i))
      N_U(i, i) = h > 0 ? 1 / h : 1;
    else
      N_S(i, i) = 1;
}

template <int D>
void linearise(const DryRow<D>& law, const Vec<D>& U, const Vec<D>& S, Real h, Mat<D>& N_U, Mat<D>& N_S) {
  N_U = Mat<D>::zero(), N_S = Mat<D>::identity();
  const Real unit = h > 0 ? 1 / h : 1;
  if (std::abs(S[0] - unit * U[0]) < law.bound) N_U(0, 0) = unit, N_S(0, 0) = 0;
}

template <int D>
void linearise(const MixedLaw<D>& law, const Vec<D>& U, const Vec<D>& S, Real h, Mat<D>& N_U, Mat<D>& N_S) {
  law.visit([&](const auto& own) { linearise(own, U, S, h, N_U, N_S); });
}

template <int D>
void linearise(const MixedTorque<D>& law, const Vec<torque_rows<D>>& U, const Vec<torque_rows<D>>& S, Real h,
               Mat<torque_rows<D>>& N_U, Mat<torque_rows<D>>& N_S) {
  law.visit([&](const auto& own) { linearise(own, U, S, h, N_U, N_S); });
}

template <int D>
void law_residual(const MixedLaw<D>& law, const Vec<D>& U, const Vec<D>& S, Vec<D>& F) {
  law.visit([&](const auto& own) { law_residual(own, U, S, F); });
}
template <int D>
void law_residual(const MixedLaw<D>& law, const Vec<D>& U, const Vec<D>& S, Vec<D>& F, Mat<D>& A, Mat<D>& B) {
  law.visit([&](const auto& own) { law_residual(own, U, S, F, A, B); });
}

}  // namespace cairn
