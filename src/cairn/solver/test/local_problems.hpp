// What the tests of the solvers share: problems of bodies in local form, errors and energies computed apart from the
// solvers, a suite of random problems.
#pragma once

#include <cmath>

#include "cairn/problem/generate.hpp"
#include "cairn/problem/reduce.hpp"
#include "cairn/problem/transform.hpp"

namespace cairn::test {

template <class P>
LocalProblem<typename P::Law> local(const P& bodies) {
  const fclib::Problem p = to_fclib_local(bodies);
  return to_local(p.W, p.q, bodies.law);
}

// A problem given by its numbers; W by rows.
template <class L>
LocalProblem<L> local(const std::vector<Real>& W, const std::vector<Real>& q, std::vector<L> laws) {
  const auto n = static_cast<Eigen::Index>(q.size());
  const Eigen::MatrixXd dense =
      Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(W.data(), n, n);
  return to_local(fclib::Sparse(dense.sparseView()), Eigen::Map<const fclib::Vector>(q.data(), n), std::move(laws));
}

inline Real length(const std::vector<Real>& v) {
  return Eigen::Map<const fclib::Vector>(v.data(), static_cast<Eigen::Index>(v.size())).norm();
}

template <class L>
std::vector<Real> velocities(const LocalProblem<L>& p, const std::vector<Real>& S) {
  std::vector<Real> U(S.size());
  p.velocities(S.data(), U.data());
  return U;
}

// |natural map|, rho = 1, De Saxce
template <class L>
Real natural_residual(const LocalProblem<L>& p, const std::vector<Real>& S) {
  const std::vector<Real> U = velocities(p, S);
  Real sum = 0;
  for (int a = 0; a < p.contacts(); ++a)
    sum += norm2(natural_map(p.law[a], Vec<L::dim>::load(&U[a * L::dim]), Vec<L::dim>::load(&S[a * L::dim])));
  return std::sqrt(sum);
}

// 1/2 u.A u after the impulses S; before them with S = 0.
template <class P>
Real kinetic_energy(const P& bodies, const std::vector<Real>& S) {
  std::vector<Real> u = bodies.u_free;
  for (int a = 0; a < bodies.contacts(); ++a)
    for (int s = 0; s < 2; ++s) {
      const int b = bodies.contact[a].body[s];
      if (b < 0) continue;
      const Vec<P::freedoms> f = transpose(bodies.contact[a].G[s]) * Vec<P::dim>::load(&S[a * P::dim]);
      for (int j = 0; j < P::freedoms; ++j)
        u[b * P::freedoms + j] += bodies.inverse_inertia[b * P::freedoms + j] * f[j];
    }
  Real energy = 0;
  for (std::size_t i = 0; i < u.size(); ++i) energy += u[i] * u[i] / (2 * bodies.inverse_inertia[i]);
  return energy;
}

// 2 to 60 contacts; W of full rank or singular; among them mass ratios of 1000 and mu up to 2.
inline RandomBodies random_options(int seed) {
  constexpr Real redundancy[] = {0.7, 1.5, 3};
  RandomBodies o;
  o.seed = static_cast<std::uint64_t>(seed) + 1;
  o.contacts = 2 + (seed * 7919) % 59;
  o.redundancy = redundancy[(seed / 2) % 3];
  o.mass_ratio = seed % 5 == 0 ? 1000 : 1;
  o.mu_min = 0;
  o.mu_max = seed % 7 == 0 ? 2 : 1;
  return o;
}

}  // namespace cairn::test
