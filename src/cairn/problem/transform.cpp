#include "cairn/problem/transform.hpp"

#include <numeric>

#include "cairn/base/check.hpp"
#include "cairn/problem/generate_parts.hpp"

namespace cairn {
namespace {

using fclib::Kind;
using fclib::Problem;
using fclib::Sparse;
using fclib::Vector;
using Triplets = std::vector<Eigen::Triplet<Real>>;

Real coefficient(const Coulomb3& law) { return law.mu; }
Real coefficient(const Coulomb2& law) {
  CAIRN_CHECK(law.mu_plus == law.mu_minus, "an FCLIB file has one mu a contact");
  return law.mu_plus;
}

Sparse sparse(Eigen::Index rows, Eigen::Index cols, const Triplets& t) {
  Sparse a(rows, cols);
  a.setFromTriplets(t.begin(), t.end());
  return a;
}

Vector vector(const std::vector<Real>& v) {
  return Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size()));
}

// The file keeps rows and columns of contacts in blocks of `dim`.
template <class P>
Sparse transpose_of_G(const P& bodies) {
  Triplets t;
  for (int a = 0; a < bodies.contacts(); ++a)
    for (int s = 0; s < 2; ++s) {
      const auto& c = bodies.contact[a];
      if (c.body[s] < 0) continue;
      for (int i = 0; i < P::dim; ++i)
        for (int j = 0; j < P::freedoms; ++j)
          if (c.G[s](i, j) != 0) t.emplace_back(c.body[s] * P::freedoms + j, a * P::dim + i, c.G[s](i, j));
    }
  return sparse(bodies.bodies() * P::freedoms, bodies.contacts() * P::dim, t);
}

template <class P>
Vector coefficients(const P& bodies) {
  Vector mu(bodies.contacts());
  for (int a = 0; a < bodies.contacts(); ++a) mu[a] = coefficient(bodies.law[a]);
  return mu;
}

// Row i of the result is row order[i] of the argument (and likewise columns), in blocks of d.
Eigen::PermutationMatrix<Eigen::Dynamic> block_permutation(const std::vector<int>& order, int d) {
  Eigen::PermutationMatrix<Eigen::Dynamic> p(static_cast<Eigen::Index>(order.size()) * d);
  for (size_t k = 0; k < order.size(); ++k)
    for (int i = 0; i < d; ++i) p.indices()[order[k] * d + i] = static_cast<int>(k) * d + i;
  return p;
}

// Diagonal scalings of local velocities and impulses; the last rows of a rolling contact are spins and torques.
struct UnitsOfFile {
  Vector velocity, impulse;  // (rows)
  Real speed, momentum, mass;
};

UnitsOfFile units(const Problem& p, Real length, Real mass, Real time) {
  UnitsOfFile u{Vector(p.rows()), Vector(p.rows()), length / time, mass * length / time, mass};
  for (int i = 0; i < p.rows(); ++i) {
    const bool spin = p.mu_r.size() > 0 && i % p.spacedim > p.spacedim / 2;  // rows 3, 4 of 5; 2 of 3 in the plane
    u.velocity[i] = spin ? 1 / time : u.speed;
    u.impulse[i] = spin ? u.momentum * length : u.momentum;
  }
  return u;
}

}  // namespace

template <class P>
Problem to_fclib_global(const P& bodies) {
  Problem p;
  p.kind = Kind::global;
  p.spacedim = P::dim;
  const Vector inverse = vector(bodies.inverse_inertia);
  Triplets t;
  for (int i = 0; i < inverse.size(); ++i) t.emplace_back(i, i, 1 / inverse[i]);
  p.M = sparse(inverse.size(), inverse.size(), t);
  p.H = transpose_of_G(bodies);
  p.f = vector(bodies.u_free).cwiseQuotient(inverse);
  p.w = vector(bodies.w);
  p.mu = coefficients(bodies);
  return p;
}

template <class P>
Problem to_fclib_local(const P& bodies) {
  Problem p;
  p.kind = Kind::local;
  p.spacedim = P::dim;
  const Sparse H = transpose_of_G(bodies);
  const Vector root = vector(bodies.inverse_inertia).cwiseSqrt();
  const Sparse half = root.asDiagonal() * H;  // W = half^T half: symmetric to the last bit
  p.W = Sparse(half.transpose()) * half;
  p.q = H.transpose() * vector(bodies.u_free) + vector(bodies.w);
  p.mu = coefficients(bodies);
  return p;
}

template Problem to_fclib_global(const PlaneProblem&);
template Problem to_fclib_global(const SpaceProblem&);
template Problem to_fclib_local(const PlaneProblem&);
template Problem to_fclib_local(const SpaceProblem&);

Problem permute_contacts(const Problem& problem, const std::vector<int>& order) {
  Problem p = problem;
  const auto rows = block_permutation(order, p.spacedim), contacts = block_permutation(order, 1);
  p.mu = contacts * p.mu;
  if (p.mu_r.size() > 0) p.mu_r = contacts * p.mu_r;
  if (p.kind == Kind::local) {
    p.W = rows * problem.W * rows.transpose();
    p.q = rows * p.q;
    if (p.V.size() > 0) p.V = rows * problem.V;
  } else {
    p.H = problem.H * rows.transpose();
    p.w = rows * p.w;
  }
  if (p.solution) {
    p.solution->u = rows * p.solution->u;
    p.solution->r = rows * p.solution->r;
  }
  return p;
}

std::vector<int> random_order(int n, unsigned long long seed) {
  generate::Random random(seed);
  std::vector<int> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);  // Fisher and Yates
  return order;
}

Problem rescale(const Problem& problem, Real length, Real mass, Real time) {
  Problem p = problem;
  p.solution.reset();
  const UnitsOfFile u = units(p, length, mass, time);
  const Vector per_impulse = u.impulse.cwiseInverse();
  if (p.mu_r.size() > 0) p.mu_r *= length;
  if (p.kind == Kind::local) {
    p.W = u.velocity.asDiagonal() * problem.W * per_impulse.asDiagonal();
    p.q = u.velocity.cwiseProduct(problem.q);
    if (p.equations() == 0) return p;
    p.V = (u.velocity / u.momentum).asDiagonal() * problem.V;
    p.R *= 1 / u.mass;
    p.s *= u.speed;
    return p;
  }
  p.M *= u.mass;
  p.f *= u.momentum;
  p.H = problem.H * (u.velocity / u.speed).asDiagonal();  // H' r' = momentum H r, also for torques
  p.w = u.velocity.cwiseProduct(problem.w);
  if (p.equations() > 0) p.b *= u.speed;
  return p;
}

}  // namespace cairn
