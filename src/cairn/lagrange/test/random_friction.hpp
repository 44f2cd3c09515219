// Random systems with friction sets of every kind, as plain data: what one impact of problems P4 and P5 sees.
#pragma once

#include <limits>

#include "cairn/lagrange/generalised_problem.hpp"
#include "cairn/lagrange/random.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn::test {

inline RealMatrix random_matrix(RandomStream& random, int n, int m) {
  RealMatrix M(n, m);
  for (Eigen::Index i = 0; i < M.size(); ++i) M(i) = random.normal();
  return M;
}
inline RealMatrix random_metric(RandomStream& random, int n) {
  const RealMatrix F = random_matrix(random, n, n);
  return F * F.transpose() / n + Real(0.1) * RealMatrix::Identity(n, n);
}

// Kinds 0 to 7; rows of the set for n freedoms. Some come from Coulomb cones, and are unbounded where those say so.
inline TangentialSet<dynamic_size> random_friction(RandomStream& random, const RealMatrix& A, const Reals& normal) {
  const auto n = static_cast<int>(A.rows());
  const Real inf = std::numeric_limits<Real>::infinity(), mu = random.within(0, 2);
  const Cholesky<dynamic_size> factors(A);
  switch (random.below(8)) {
    case 0: return {random_matrix(random, 1, n), interval(-mu, random.unit() < 0.5 ? inf : mu), {}};
    case 1: return {random_matrix(random, 2, n), disc(mu), {}};
    case 2: return {random_matrix(random, 2, n), ellipsoid(Reals::Zero(2), random_matrix(random, 2, 2)), {}};
    case 3: return {random_matrix(random, 1, n), whole_space(1), {}};
    case 4: {
      RealMatrix P = random_matrix(random, 2, 5);
      P.col(0).setZero();
      return {random_matrix(random, 2, n), polyhedron(P, random_matrix(random, 2, random.below(2))), {}};
    }
    case 5: {
      Kinematics<2, dynamic_size> k{Matrix<2, dynamic_size>(2, n), Vector<2>::Zero()};
      k.G << normal.transpose(), random_matrix(random, 1, n);
      return friction_of_cone(k, factors, mu);
    }
    case 6: {
      Kinematics<3, dynamic_size> k{Matrix<3, dynamic_size>(3, n), Vector<3>::Zero()};
      k.G << normal.transpose(), random_matrix(random, 2, n);
      return friction_of_cone(k, factors, mu);
    }
    default:
      return TangentialSet<dynamic_size>{random_matrix(random, 1, n), interval(-mu, 0.5 * mu), {}} +
             TangentialSet<dynamic_size>{random_matrix(random, 1, n), whole_space(1), {}};
  }
}

struct RandomFrictional {
  using Law = Signorini;
  static constexpr int freedoms = dynamic_size;
  RealMatrix A, G;
  std::vector<TangentialSet<dynamic_size>> sets;
  std::vector<Real> e;

  RandomFrictional(RandomStream& random, int constraints) {
    const int n = 3 + constraints + random.below(3);
    A = random_metric(random, n), G = random_matrix(random, constraints, n);
    for (int a = 0; a < constraints; ++a) {
      sets.push_back(random_friction(random, A, G.row(a).transpose()));
      e.push_back(random.below(3) == 0 ? 0 : random.below(3) == 0 ? 1 : random.unit());
    }
  }
  // Approaching, leaving, or (one in ten) gliding along the first constraint.
  Reals velocity(RandomStream& random) const {
    Reals u = random_matrix(random, static_cast<int>(A.rows()), 1);
    const Reals a = G.row(0).transpose();
    if (random.below(10) == 0)
      for (int twice = 0; twice < 3; ++twice) u -= a.dot(u) / a.squaredNorm() * a;
    return u;
  }
  Real Wnn(int a) const { return G.row(a) * Cholesky<dynamic_size>(A).solve(G.row(a).transpose()); }
  RandomFrictional in_coordinates(const RealMatrix& R) const {
    RandomFrictional other = *this;
    other.A = R.transpose() * A * R, other.G = G * R;
    for (auto& s : other.sets) s.rows = (s.rows * R).eval();
    return other;
  }

  int contacts() const { return static_cast<int>(sets.size()); }
  RealMatrix inertia(Real, const Reals&) const { return A; }
  Reals force(Real, const Reals& q, const Reals&) const { return Reals::Zero(q.size()); }
  Real gap(int, Real, const Reals&) const { return 0; }
  Kinematics<1, dynamic_size> kinematics(int a, Real, const Reals&) const { return {G.row(a), Vector<1>::Zero()}; }
  Law law(int, Real, const Reals&) const { return {}; }
  Restitution restitution(int a) const { return {e[static_cast<std::size_t>(a)], 0}; }
  TangentialSet<dynamic_size> friction(int a, Real, const Reals&) const { return sets[static_cast<std::size_t>(a)]; }
};

}  // namespace cairn::test
