// The constraints of a system with generalised friction at one instant: problem P4 for one of them, P5 for several
// (BC18 5.2, 5.3).
//
// What is solved, given u_free and the velocity u_minus before:
//   normal      0 <= lambda_a  complementary to  U_a + e_a U_a^- >= 0,   u' = u_free + A^-1 sum lambda_a a_a,
//               as if there were no friction (Moreau's law, BC18 eq. 4, with one e);
//   tangential  u = u' + A^-1 sum_a B_a^T x_a,   x_a in lambda_a C_a,   -V_a in the normal cone to lambda_a C_a at x_a,
//               V_a = B_a u + rate_a, the rows B_a made orthogonal, in the metric A^-1, to d(phi) of every active
//               constraint: equivalently u is the least of (1/2) |u - u'|_A^2 + sum lambda_a S_{C_a}(-V_a(u)) among the
//               velocities with the normal components of u'.
// Both parts are convex, and the metric keeps them apart: the solution is unique, and no part creates energy. With one
// constraint this is P4. Where lambda_a = 0 and the constraint stays closed, lambda_a C_a is the asymptotic cone of
// C_a: an unbounded set stops forbidden velocities without a normal impulse (tangential impact, BC18 5.2.2).
#pragma once

#include <algorithm>
#include <concepts>

#include "cairn/base/least_norm.hpp"
#include "cairn/lagrange/friction_cones.hpp"
#include "cairn/lagrange/friction_product.hpp"
#include "cairn/lagrange/projection.hpp"

namespace cairn {

// A system whose normal constraint is the first row of its kinematics, and whose friction is a set: its law says
// nothing beside.
template <class S>
concept GeneralisedSystem = System<S> && requires(const S& s, Real t, const Configuration<S>& q, int a) {
  { s.friction(a, t, q) } -> std::convertible_to<TangentialSet<S::freedoms>>;
};

struct GeneralisedReport {
  bool converged = true;
  int steps = 0;            // Newton's, for the friction sets of several constraints; one set is solved at once
  Real error = 0;           // of the friction laws: natural map over the velocities, relative
  Real normal_loss = 0;     // [J] -sum lambda (U^- + U)/2: (1 - e)/2 lambda |U^-| in an impact
  Real friction_loss = 0;   // [J] -sum x . (V_free + V)/2 = -sum x . V + |A^-1 r_t|^2/2, never negative
  bool tangential = false;  // a tangential impact: a friction impulse where lambda is 0
  // Where no velocity has a finite dissipation (boundaries that move, unbounded sets): what shows it. Forces d_a of the
  // asymptotic cones, in the coordinates of the closed constraints' sets in turn, that balance, sum B_a^T d_a = 0, with
  // sum d_a . rate_a < 0; a velocity that is not forbidden has d_a . V_a >= 0 for each a. Else empty.
  Reals forbidden;
  Real gain() const { return std::max(Real(0), -(normal_loss + friction_loss)); }
};

template <GeneralisedSystem S>
class GeneralisedProblem {
 public:
  static constexpr int N = S::freedoms;

  struct Constraint {
    int index;   // of the system's list
    Real W = 0;  // [m/s] U = a . u + W
    Real e = 0;  // normal restitution
    TangentialSet<N> friction;
    Matrix<dynamic_size, N> rows;  // of the friction, tangential
    Reals rate;
    Real lambda = 0;  // [N s] multiplier of d(phi), after solve()
    Reals x;          // friction in the coordinates of the set
    Status status = Status::take_off;
  };

  explicit GeneralisedProblem(const S& system) : system_(system) {}

  // False: A(t,q) is not positive definite.
  bool begin(Real t, const Configuration<S>& q) {
    t_ = t, q_ = q;
    constraints_.clear();
    A_ = system_.inertia(t, q);
    G_.resize(0, A_.rows());
    return factors_.compute(A_);
  }

  void add(int a) {
    const auto k = system_.kinematics(a, t_, q_);
    Constraint c;
    c.index = a, c.W = k.W(0), c.e = restitution_of(system_, a).normal, c.friction = system_.friction(a, t_, q_);
    G_.conservativeResize(G_.rows() + 1, Eigen::NoChange);
    G_.row(G_.rows() - 1) = k.G.row(0);
    constraints_.push_back(std::move(c));
  }

  GeneralisedReport solve(const Velocity<S>& u_minus, const Velocity<S>& u_free) {
    GeneralisedReport report;
    u_ = u_free;
    if (constraints_.empty()) return report;
    Reals W(size());
    for (int a = 0; a < size(); ++a) {
      const Constraint& c = constraints_[at(a)];
      W(a) = c.W + c.e * (G_.row(a).dot(u_minus) + c.W);
    }
    if (!projection_.project(factors_, G_, W, u_free)) {
      report.converged = false;
      return report;
    }
    u_ = projection_.velocity();
    for (int a = 0; a < size(); ++a) constraints_[at(a)].lambda = projection_.multipliers()(a);
    make_tangential();
    solve_friction(report);
    for (int a = 0; a < size(); ++a) {
      const Constraint& c = constraints_[at(a)];
      report.normal_loss -= c.lambda * (G_.row(a).dot(u_minus + u_) / 2 + c.W);
    }
    return report;
  }

  int size() const { return static_cast<int>(constraints_.size()); }
  const Constraint& constraint(int a) const { return constraints_[at(a)]; }
  const Matrix<N, N>& inertia() const { return A_; }
  Velocity<S> accelerate(const Velocity<S>& force) const { return factors_.solve(force); }  // A^-1 f
  const Velocity<S>& velocity() const { return u_; }                                        // after solve()
  Real normal_velocity(int a, const Velocity<S>& u) const { return G_.row(a).dot(u) + constraint(a).W; }
  Reals slip(int a, const Velocity<S>& u) const { return constraint(a).rows * u + constraint(a).rate; }
  Velocity<S> reaction(int a) const {  // lambda d(phi) + r_t
    return constraint(a).lambda * G_.row(a).transpose() + constraint(a).rows.transpose() * constraint(a).x;
  }

 private:
  static std::size_t at(int a) { return static_cast<std::size_t>(a); }

  // B_t = B - B A^-1 G^T (G A^-1 G^T)^-1 G with the G of all active constraints. Rows that have nothing tangential are
  // set to zero: rounding has no direction.
  void make_tangential() {
    const Matrix<N, dynamic_size> Y = factors_.solve(G_.transpose());
    const LeastNorm gram(G_ * Y);
    Reals W(size());
    for (int a = 0; a < size(); ++a) W(a) = constraints_[at(a)].W;
    for (Constraint& c : constraints_) {
      const RealMatrix part = gram.solve(RealMatrix((c.friction.rows * Y).transpose())).transpose();
      c.rows = c.friction.rows - part * G_;
      c.rate = -part * W;
      if (c.friction.rate.size() > 0) c.rate += c.friction.rate;
      for (Eigen::Index i = 0; i < c.rows.rows(); ++i)
        if (c.rows.row(i).norm() <= Real(1e-12) * c.friction.rows.row(i).norm()) c.rows.row(i).setZero(), c.rate(i) = 0;
    }
  }

  // A constraint that opens has no friction.
  bool closed(int a) const {
    const Real U = normal_velocity(a, u_), size = G_.row(a).cwiseAbs().dot(u_.cwiseAbs()) + std::abs(constraint(a).W);
    return constraint(a).lambda > 0 || U <= Real(1e-14) * size;
  }

  void solve_friction(GeneralisedReport& report) {
    std::vector<FrictionSet> sets;
    std::vector<Real> scales;
    std::vector<int> which;
    Eigen::Index rows = 0;
    for (int a = 0; a < size(); ++a) {
      Constraint& c = constraints_[at(a)];
      c.x = Reals::Zero(c.rows.rows());
      c.status = c.lambda > 0 ? Status::stick : Status::take_off;
      if (c.rows.rows() == 0 || !closed(a) || (!(c.lambda > 0) && c.friction.set.bounded())) continue;
      which.push_back(a), sets.push_back(c.friction.set), scales.push_back(c.lambda);
      rows += c.rows.rows();
    }
    if (which.empty()) return;
    B_.resize(rows, A_.rows());
    Reals b(rows);
    Eigen::Index row = 0;
    for (const int a : which) {
      const Constraint& c = constraints_[at(a)];
      B_.middleRows(row, c.rows.rows()) = c.rows;
      b.segment(row, c.rows.rows()) = c.rows * u_ + c.rate;
      row += c.rows.rows();
    }
    const Matrix<N, dynamic_size> Y = factors_.solve(B_.transpose());
    const RealMatrix F = factors_.half(B_.transpose()), H = B_ * Y;
    const ProductSolution solved = least_of_product(sets, scales, F, b);
    report.steps = solved.steps, report.forbidden = solved.forbidden;
    report.converged = solved.error <= Real(1e-8) && solved.x.allFinite();
    u_ += Y * solved.x;
    judge(report, which, H, b, solved.x);
  }

  // Splits the solution among the constraints and measures it.
  void judge(GeneralisedReport& report, const std::vector<int>& which, const RealMatrix& H, const Reals& b,
             const Reals& x) {
    const Reals V = b + H * x;
    const Real eta = std::max(H.diagonal().maxCoeff(), std::numeric_limits<Real>::min());
    const Real size = std::max(b.norm(), std::numeric_limits<Real>::min());
    report.friction_loss = -x.dot(b + V) / 2;
    Eigen::Index row = 0;
    for (const int a : which) {
      Constraint& c = constraints_[at(a)];
      const Eigen::Index k = c.rows.rows();
      c.x = x.segment(row, k);
      const Reals slip = V.segment(row, k);
      if (slip.norm() > Real(1e-12) * size && c.lambda > 0) c.status = Status::slide;
      report.error = std::max(report.error, eta * c.friction.set.error(c.x, slip, c.lambda, eta) / size);
      if (!(c.lambda > 0) && eta * c.x.norm() > Real(1e-12) * size) report.tangential = true, c.status = Status::stick;
      row += k;
    }
  }

  const S& system_;
  Real t_ = 0;
  Configuration<S> q_;
  Matrix<N, N> A_;
  Cholesky<N> factors_;
  Matrix<dynamic_size, N> G_;  // normal rows of the active constraints
  Matrix<dynamic_size, N> B_;  // tangential rows of those with friction
  std::vector<Constraint> constraints_;
  VelocityProjection<N> projection_;
  Velocity<S> u_;
};

// One impact by P4 or P5: no other force, u_free = u_minus.
template <GeneralisedSystem S>
struct GeneralisedImpact {
  Velocity<S> u_plus;
  Real energy_before = 0, energy_after = 0;  // [J]
  GeneralisedReport report;
  std::vector<Status> status;         // (contacts named)
  std::vector<Velocity<S>> reaction;  // [N s] generalised, of each
};

template <GeneralisedSystem S>
GeneralisedImpact<S> generalised_impact(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u_minus,
                                        const std::vector<int>& contacts) {
  GeneralisedProblem<S> problem(system);
  GeneralisedImpact<S> out;
  out.u_plus = u_minus;
  out.report.converged = problem.begin(t, q);
  if (!out.report.converged) return out;
  for (const int a : contacts) problem.add(a);
  out.report = problem.solve(u_minus, u_minus);
  if (out.report.converged) out.u_plus = problem.velocity();
  out.energy_before = u_minus.dot(problem.inertia() * u_minus) / 2;
  out.energy_after = out.u_plus.dot(problem.inertia() * out.u_plus) / 2;
  for (int a = 0; a < problem.size(); ++a) {
    out.status.push_back(problem.constraint(a).status);
    out.reaction.push_back(problem.reaction(a));
  }
  return out;
}

// A system with Coulomb contacts in the plane or in space, under the generalised law with the sets that its cones make.
template <System S>
class WithFrictionSets {
 public:
  using Law = typename S::Law;
  static constexpr int freedoms = S::freedoms, coordinates = coordinates_of<S>();
  using Q = Vector<coordinates>;
  using U = Vector<freedoms>;

  explicit WithFrictionSets(const S& system) : system_(system) {}
  int contacts() const { return system_.contacts(); }
  Matrix<freedoms, freedoms> inertia(Real t, const Q& q) const { return system_.inertia(t, q); }
  U force(Real t, const Q& q, const U& u) const { return system_.force(t, q, u); }
  Real gap(int a, Real t, const Q& q) const { return system_.gap(a, t, q); }
  Kinematics<Law::dim, freedoms> kinematics(int a, Real t, const Q& q) const { return system_.kinematics(a, t, q); }
  Law law(int a, Real t, const Q& q) const { return system_.law(a, t, q); }
  Restitution restitution(int a) const { return restitution_of(system_, a); }
  Q drift(const Q& q, const U& u, Real dt) const { return drifted(system_, q, u, dt); }

  TangentialSet<freedoms> friction(int a, Real t, const Q& q) const {
    const Law law = system_.law(a, t, q);
    const Cholesky<freedoms> A(system_.inertia(t, q));
    const Kinematics<Law::dim, freedoms> k = system_.kinematics(a, t, q);
    if constexpr (requires { law.mu_plus; })
      return friction_of_cone(k, A, law.mu_plus, law.mu_minus);
    else
      return friction_of_cone(k, A, law.mu);
  }

 private:
  const S& system_;
};

}  // namespace cairn
