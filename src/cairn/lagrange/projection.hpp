// The nearest admissible velocity in the kinetic metric (M88 11, M98 20, BC18 4.2):
//   proj_A(v; V),  V = { u : G u + W >= 0 },  one row of G for each active constraint.
#pragma once

#include "cairn/lagrange/cholesky.hpp"
#include "cairn/solver/nonnegative.hpp"

namespace cairn {

// Room is kept from one projection to the next. N: freedoms, or dynamic_size.
template <int N>
class VelocityProjection {
 public:
  using Rows = Matrix<dynamic_size, N>;

  // False: V is empty (moving constraints that squeeze the system), or the active set was not found.
  bool project(const Cholesky<N>& A, const Rows& G, const Vector<dynamic_size>& W, const Vector<N>& v) {
    const auto k = static_cast<int>(G.rows());
    u_ = v;
    S_.setZero(k);
    if (k == 0) return true;
    Y_ = A.solve(G.transpose());
    solver_.resize(k);
    for (int a = 0; a < k; ++a) {
      solver_.q(a) = G.row(a).dot(v) + W(a);
      for (int b = 0; b < k; ++b) solver_.W(a, b) = G.row(a).dot(Y_.col(b));
    }
    if (!solver_.solve()) return false;
    for (int a = 0; a < k; ++a) S_(a) = solver_.S(a);
    u_ += Y_ * S_;
    return true;
  }

  const Vector<N>& velocity() const { return u_; }                // v + A^-1 G^T S
  const Vector<dynamic_size>& multipliers() const { return S_; }  // [N s] S >= 0, one a row

 private:
  Matrix<N, dynamic_size> Y_;  // A^-1 G^T
  Vector<dynamic_size> S_;
  Vector<N> u_;
  NonnegativeSolver solver_;
};

// For fixed constraints, W = 0. Without an answer (the case of VelocityProjection::project) v itself.
template <int N>
Vector<N> project_velocity(const Cholesky<N>& A, const Matrix<dynamic_size, N>& G, const Vector<N>& v) {
  VelocityProjection<N> projection;
  projection.project(A, G, Vector<dynamic_size>::Zero(G.rows()), v);
  return projection.velocity();
}

}  // namespace cairn
