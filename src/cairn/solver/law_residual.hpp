// A residual of the law with its derivatives, for Newton's method away from the solution:
//   F(U, S) = 0 if and only if law(U, S);   dF = A dU + B dS.
// U and S are to be of one size (a problem in its own units, solver/units.hpp).
#pragma once

#include <cmath>

#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/solver/newton.hpp"

namespace cairn {

// Any law: the natural map.
template <ContactLaw L>
void law_residual(const L& law, const Vec<L::dim>& U, const Vec<L::dim>& S, Vec<L::dim>& F) {
  F = natural_map(law, U, S);
}
template <ContactLaw L>
void law_residual(const L& law, const Vec<L::dim>& U, const Vec<L::dim>& S, Vec<L::dim>& F, Mat<L::dim>& A,
                  Mat<L::dim>& B) {
  F = natural_map(law, U, S);
  linearise(law, U, S, Real(1), A, B);
}

// Coulomb: Alart and Curnier's function, S_T projected on the disc of radius mu (S_N - U_N): no shift of De Saxce in
// it, and fewer false minima of its norm.
template <int D>
void alart_curnier(Real mu_plus, Real mu_minus, const Vec<D>& U, const Vec<D>& S, Vec<D>& F, Mat<D>* A, Mat<D>* B) {
  const Real n = S[0] - U[0];
  if (A) *A = *B = Mat<D>::zero();
  if (n <= 0) {
    F = S;
    if (A) *B = Mat<D>::identity();
    return;
  }
  Vec<D> d = S - U;
  Real size = 0;
  for (int k = 1; k < D; ++k) size += d[k] * d[k];
  size = std::sqrt(size);
  const Real mu = D == 2 && d[1] < 0 ? mu_minus : mu_plus;
  if (size <= mu * n) {
    F = U;
    if (A) *A = Mat<D>::identity();
    return;
  }
  const Real c = mu * n / size;
  F[0] = U[0];
  for (int k = 1; k < D; ++k) F[k] = S[k] - c * d[k];
  if (!A) return;
  (*A)(0, 0) = 1;
  for (int i = 1; i < D; ++i) {
    const Real e = d[i] / size;
    (*B)(i, i) += 1;
    (*B)(i, 0) -= mu * e;
    (*A)(i, 0) += mu * e;
    for (int j = 1; j < D; ++j) {
      const Real p = c * ((i == j ? 1 : 0) - e * d[j] / size);
      (*B)(i, j) -= p;
      (*A)(i, j) += p;
    }
  }
}
inline void law_residual(const Coulomb2& l, const Vec<2>& U, const Vec<2>& S, Vec<2>& F) {
  alart_curnier<2>(l.mu_plus, l.mu_minus, U, S, F, nullptr, nullptr);
}
inline void law_residual(const Coulomb2& l, const Vec<2>& U, const Vec<2>& S, Vec<2>& F, Mat<2>& A, Mat<2>& B) {
  alart_curnier<2>(l.mu_plus, l.mu_minus, U, S, F, &A, &B);
}
inline void law_residual(const Coulomb3& l, const Vec<3>& U, const Vec<3>& S, Vec<3>& F) {
  alart_curnier<3>(l.mu, l.mu, U, S, F, nullptr, nullptr);
}
inline void law_residual(const Coulomb3& l, const Vec<3>& U, const Vec<3>& S, Vec<3>& F, Mat<3>& A, Mat<3>& B) {
  alart_curnier<3>(l.mu, l.mu, U, S, F, &A, &B);
}

}  // namespace cairn
