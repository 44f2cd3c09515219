// Problems that have no solution, with a proof.
//
// A solution has U_N >= 0 at every contact. Let x >= 0 be normal impulses (x_T = 0), not all zero, with W^T x = 0: then
// U.x = (W S + q).x = q.x whatever S is. Where q.x < 0 no S at all gives U_N >= 0: x is the certificate, and the law of
// friction has no part in it. In mechanics x is a set of normal impulses in balance with each other, on bodies that
// are being squeezed.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "cairn/problem/local.hpp"

namespace cairn {

// The normal rows of a problem: all that a certificate depends on.
struct NormalRows {
  Eigen::SparseMatrix<Real> W;  // [1/kg] (contacts, rows) the normal rows of the Delassus matrix
  Eigen::VectorXd q;            // [m/s] (contacts)
  Real norm_q = 0;              // [m/s] of all rows
  int dim = 1;
};

// x (contacts) with max 1, or empty when there is none, or none was found in bounded time. Checked before it is
// returned:  q.x <= -1e-9 |q| |x|  and  |W^T x| |q| <= 1e-9 |W| |q.x|,  |W| the largest entry. The second says that an
// S with U_N >= 0 would be larger than 1e9 |q| / |W|.
std::vector<Real> normal_certificate(const NormalRows& rows);

template <ContactLaw L>
NormalRows normal_rows(const LocalProblem<L>& p) {
  constexpr int D = L::dim;
  NormalRows r;
  r.dim = D;
  r.q.resize(p.contacts());
  std::vector<Eigen::Triplet<Real>> t;
  const auto add = [&](const Real* block, int a, int b) {
    for (int j = 0; j < D; ++j) t.emplace_back(a, b * D + j, block[j * D]);
  };
  for (int a = 0; a < p.contacts(); ++a) {
    r.q[a] = p.q[static_cast<std::size_t>(a) * D];
    add(&p.diagonal[static_cast<std::size_t>(a) * D * D], a, a);
    for (int k = p.begin[a]; k < p.begin[a + 1]; ++k)
      add(&p.block[static_cast<std::size_t>(k) * D * D], a, p.column[k]);
  }
  r.W.resize(p.contacts(), p.rows());
  r.W.setFromTriplets(t.begin(), t.end());
  r.norm_q = Eigen::Map<const Eigen::VectorXd>(p.q.data(), p.rows()).norm();
  return r;
}

// (rows) the certificate with its zeros in the tangential rows; empty when there is none.
template <ContactLaw L>
std::vector<Real> infeasibility_certificate(const LocalProblem<L>& p) {
  const std::vector<Real> x = normal_certificate(normal_rows(p));
  std::vector<Real> rows(x.empty() ? 0 : static_cast<std::size_t>(p.rows()), 0);
  for (std::size_t a = 0; a < x.size(); ++a) rows[a * L::dim] = x[a];
  return rows;
}

}  // namespace cairn
