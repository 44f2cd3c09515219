// Friction sets from Coulomb's cones at points of contact (BC18 5.2.2, after eq. 7), through the map of virtual powers
// (BC18 eq. 3): the generalised reaction of a contact force S = S_N (n + d), d in D, is
//
//   r = G^T S = S_N (a + b^T d),     a = d(phi) the normal row of G, b its tangential rows.
//
// Split in the kinetic metric, with W = G A^-1 G^T: r = lambda a + r_t,
//
//   lambda = S_N (1 + W_nt . d/W_nn),     r_t = S_N b_t^T d,     b_t = b - (W_tn/W_nn) a,
//
// and the set is what the cone cuts out of lambda = 1. With x = S_T as its coordinates and the rows b, Coulomb's
// |S_T| <= mu S_N becomes |x| <= mu lambda - beta . x, beta = mu W_nt/W_nn: an interval in the plane, a conic with a
// focus at 0 in space, unbounded as soon as mu |W_nt| >= W_nn.
#pragma once

#include <vector>

#include "cairn/lagrange/cholesky.hpp"
#include "cairn/lagrange/friction_set.hpp"

namespace cairn {

// One contact in the plane, S_T/S_N between -mu_minus and mu_plus. `coupling` is W_nt/W_nn.
FrictionSet planar_cone_cut(Real mu_plus, Real mu_minus, Real coupling);

// The cone of forces lambda_i a + r_i, r_i the columns of `tangential`, cut by lambda = 1: the hull of r_i/lambda_i
// where lambda_i > 0, plus the rays of lambda = 0, which forces with lambda_i <= 0 give alone or with the others.
FrictionSet cut_of_generators(const RealMatrix& tangential, const Reals& lambda);

// Friction of one contact with kinematics U = G u + W (normal row first) and Coulomb's coefficient. The inertia comes
// as its factors.
template <int D, int N>
TangentialSet<N> friction_of_cone(const Kinematics<D, N>& k, const Cholesky<N>& A, Real mu_plus, Real mu_minus) {
  static_assert(D == 2 || D == 3, "a contact in the plane or in space");
  const Vector<N> Ya = A.solve(k.G.row(0).transpose());
  const Real Wnn = k.G.row(0).dot(Ya);
  const Reals coupling = k.G.bottomRows(D - 1) * Ya / Wnn;
  TangentialSet<N> out{k.G.bottomRows(D - 1), {}, k.W.tail(D - 1)};
  out.set = D == 2 ? planar_cone_cut(mu_plus, mu_minus, coupling(0)) : focal_conic(mu_plus, mu_plus * coupling);
  return out;
}
template <int D, int N>
TangentialSet<N> friction_of_cone(const Kinematics<D, N>& k, const Cholesky<N>& A, Real mu) {
  return friction_of_cone(k, A, mu, mu);
}

// Friction of one constraint that several points of contact make up (the base of a box): the cones add up, and the cut
// is the hull of the cuts of each, with rays where it is unbounded. Circles become polygons of `facets` corners, all on
// the circle: in the plane (D = 2) there are two corners, and nothing is lost.
template <int D, int N>
TangentialSet<N> friction_of_cones(const std::vector<Kinematics<D, N>>& points, const Cholesky<N>& A, Real mu,
                                   int facets = 32);

// The rows of an orthonormal basis, in the metric A^-1, of the span of the rows: E = T rows with E A^-1 E^T = 1. What
// depends on the others to 1e-10 of its length is left out.
template <int N>
Matrix<dynamic_size, N> orthonormal_rows(const Matrix<dynamic_size, N>& rows, const Cholesky<N>& A) {
  Matrix<dynamic_size, N> basis(0, rows.cols());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    Vector<N> r = rows.row(i).transpose();
    const Real before = std::sqrt(r.dot(A.solve(r)));
    for (int twice = 0; twice < 2; ++twice)
      for (Eigen::Index j = 0; j < basis.rows(); ++j) r -= basis.row(j).dot(A.solve(r)) * basis.row(j).transpose();
    const Real left = std::sqrt(std::max(Real(0), r.dot(A.solve(r))));
    if (!(left > Real(1e-10) * before)) continue;
    basis.conservativeResize(basis.rows() + 1, Eigen::NoChange);
    basis.row(basis.rows() - 1) = r.transpose() / left;
  }
  return basis;
}

template <int D, int N>
TangentialSet<N> friction_of_cones(const std::vector<Kinematics<D, N>>& points, const Cholesky<N>& A, Real mu,
                                   int facets) {
  const auto corners = static_cast<Eigen::Index>(D == 2 ? 2 : facets);
  const auto n = points.front().G.cols();
  const Vector<N> a = points.front().G.row(0).transpose(), Ya = A.solve(a);
  RealMatrix forces(n, corners * static_cast<Eigen::Index>(points.size()));  // a_i + b_i^T d
  Eigen::Index at = 0;
  for (const Kinematics<D, N>& k : points)
    for (Eigen::Index c = 0; c < corners; ++c, ++at) {
      Vector<D> S = Vector<D>::Zero();
      S(0) = 1;
      const Real angle = 2 * Real(3.14159265358979323846) * static_cast<Real>(c) / static_cast<Real>(corners);
      S(1) = mu * (D == 2 ? (c == 0 ? 1 : -1) : std::cos(angle));
      if constexpr (D == 3) S(2) = mu * std::sin(angle);
      forces.col(at).noalias() = k.G.transpose() * S;
    }
  const Reals lambda = forces.transpose() * Ya / a.dot(Ya);
  const RealMatrix tangential = forces - a * lambda.transpose();
  Matrix<dynamic_size, N> rows = tangential.transpose();
  TangentialSet<N> out{orthonormal_rows<N>(rows, A), {}, {}};
  if (out.rows.rows() == 0) return out;
  RealMatrix coordinates(out.rows.rows(), tangential.cols());
  for (Eigen::Index i = 0; i < tangential.cols(); ++i)
    coordinates.col(i) = out.rows * A.solve(Vector<N>(tangential.col(i)));
  out.set = cut_of_generators(coordinates, lambda);
  return out;
}

}  // namespace cairn
