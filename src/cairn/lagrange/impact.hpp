// Impacts: from the velocity before to the velocity after, at a configuration where contacts close together.
//
// Three laws, and any map a user writes:
//   weighted_mean  law_a(U_a, S_a) between the percussion and U_a = (e U- + U+)/(1 + e)             (JM92 6.1)
//   moreau         u+ = proj_A(u-; V) - e proj_A(u-; N), frictionless                               (BC18 eq. 4)
//   newton         U_N+ = -e U_N- and Coulomb on the outgoing velocity U+: the law of Kane's paradox, which may create
//                  energy (BC18 5.1); here to be compared with
// At each of them the balance of energy is evaluated, not assumed.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/lagrange/projection.hpp"

namespace cairn {

// What a frictionless impact law may look at (BC18 4.2): F(q, u-) with the active constraints.
template <int N, int C = N>
struct ImpactState {
  Real t = 0;
  Vector<C> q;
  Vector<N> u_minus;
  Matrix<N, N> A;
  Matrix<dynamic_size, N> G;  // (contacts x freedoms) gradients of the gaps, U_N = G u + W
  Vector<dynamic_size> W;     // [m/s] (contacts)
  std::vector<int> contacts;  // the system's numbers of the rows
};

// u+ of u-.
template <int N, int C = N>
using ImpactMap = std::function<Vector<N>(const ImpactState<N, C>&)>;

template <System S>
using ImpactStateOf = ImpactState<S::freedoms, coordinates_of<S>()>;
template <System S>
using ImpactMapOf = ImpactMap<S::freedoms, coordinates_of<S>()>;

template <int D>
struct Percussion {
  int contact;         // of the system's list
  Vector<D> S;         // [N s]
  Vector<D> before;    // [m/s] U-
  Vector<D> after;     // [m/s] U+
  Vector<D> weighted;  // [m/s] (e U- + U+)/(1 + e)
  Status status;
};

template <System S>
struct ImpactOutcome {
  static constexpr int D = S::Law::dim;
  Velocity<S> u_plus;
  std::vector<Percussion<D>> percussions;
  Real energy_before = 0, energy_after = 0;  // [J]
  // E- - E+ = collision + friction - boundary + identity_defect                                     (JM92 6.2)
  Real collision = 0;        // [J] (delta/2) |u+ - u-|_A^2; with unequal coefficients sum (delta/2) S . (U+ - U-)
  Real friction = 0;         // [J] -sum U_a . S, never negative where the law of each contact holds
  Real boundary = 0;         // [J] -sum W . S, work of moving boundaries on the system
  Real identity_defect = 0;  // [J]
  Real error = 0;            // natural map of the contact laws over the free velocities
  int ambiguous = 0;         // one-contact problems with several solutions or none
  bool converged = true;     // false: u_plus is u- and must not be used

  // [J] energy that neither the system had before nor boundaries brought.
  Real gain() const { return energy_after - energy_before - boundary; }
};

// Contacts whose gap is not above the tolerance [m].
template <System S>
std::vector<int> touching(const S& system, Real t, const Configuration<S>& q, Real gap_tolerance = 0) {
  std::vector<int> found;
  for (int a = 0; a < system.contacts(); ++a)
    if (!(system.gap(a, t, q) > gap_tolerance)) found.push_back(a);
  return found;
}

// A system with other coefficients of restitution, the same at each contact.
template <System S>
class WithRestitution {
 public:
  using Law = typename S::Law;
  static constexpr int freedoms = S::freedoms, coordinates = coordinates_of<S>();

  WithRestitution(const S& system, Restitution e) : system_(system), e_(e) {}
  int contacts() const { return system_.contacts(); }
  Matrix<freedoms, freedoms> inertia(Real t, const Vector<coordinates>& q) const { return system_.inertia(t, q); }
  Vector<freedoms> force(Real t, const Vector<coordinates>& q, const Vector<freedoms>& u) const {
    return system_.force(t, q, u);
  }
  Real gap(int a, Real t, const Vector<coordinates>& q) const { return system_.gap(a, t, q); }
  Kinematics<Law::dim, freedoms> kinematics(int a, Real t, const Vector<coordinates>& q) const {
    return system_.kinematics(a, t, q);
  }
  Law law(int a, Real t, const Vector<coordinates>& q) const { return system_.law(a, t, q); }
  Restitution restitution(int) const { return e_; }
  Vector<coordinates> drift(const Vector<coordinates>& q, const Vector<freedoms>& u, Real dt) const {
    return drifted(system_, q, u, dt);
  }

 private:
  const S& system_;
  Restitution e_;
};

namespace impact_detail {

inline Real dissipation_index(Real e) { return (1 - e) / (1 + e); }

// The dissipation index that all contacts share, or -1.
template <System S>
Real common_index(const ContactProblem<S>& problem) {
  if (problem.size() == 0) return 1;
  const Real e = problem.contact(0).e.normal;
  for (int a = 0; a < problem.size(); ++a) {
    const Restitution& r = problem.contact(a).e;
    if (r.normal != e || (S::Law::dim > 1 && r.tangential != e)) return -1;
  }
  return dissipation_index(e);
}

template <System S>
Percussion<S::Law::dim> percussion(const ContactProblem<S>& problem, int a, const Velocity<S>& before,
                                   const Velocity<S>& after) {
  constexpr int D = S::Law::dim;
  const Vector<D> e = ContactProblem<S>::rho(problem.contact(a).e);
  Percussion<D> p{problem.contact(a).index,
                  problem.impulse(a),
                  problem.local_velocity(a, before),
                  problem.local_velocity(a, after),
                  {},
                  problem.status(a)};
  p.weighted = (e.cwiseProduct(p.before) + p.after).cwiseQuotient((e.array() + 1).matrix());
  return p;
}

}  // namespace impact_detail

// Many impacts of one system: room is kept.
template <System S>
class ImpactSolver {
 public:
  static constexpr int D = S::Law::dim, N = S::freedoms;

  explicit ImpactSolver(const S& system) : system_(system), problem_(system) {}

  // JM92 6 with the system's own laws and coefficients at the contacts named.
  const ImpactOutcome<S>& weighted_mean(Real t, const Configuration<S>& q, const Velocity<S>& u_minus,
                                        std::span<const int> contacts) {
    outcome_.percussions.clear();
    outcome_.u_plus = u_minus;
    if (!problem_.begin(t, q)) return refuse();
    for (const int a : contacts) problem_.add(a);
    const SmallReport solved = problem_.solve(u_minus, u_minus);
    outcome_.error = solved.error, outcome_.ambiguous = solved.ambiguous;
    outcome_.converged = solved.converged && problem_.velocity().allFinite();
    if (!outcome_.converged) return refuse();
    outcome_.u_plus = problem_.velocity();
    for (int a = 0; a < problem_.size(); ++a)
      outcome_.percussions.push_back(impact_detail::percussion(problem_, a, u_minus, outcome_.u_plus));
    balance(u_minus);
    return outcome_;
  }

 private:
  const ImpactOutcome<S>& refuse() {
    outcome_.converged = false;
    outcome_.energy_before = outcome_.energy_after = 0;
    outcome_.collision = outcome_.friction = outcome_.boundary = outcome_.identity_defect = 0;
    return outcome_;
  }

  // E- - E+ = (delta/2) |u+ - u-|_A^2 - sum U_a . S + sum W . S: JM92 (6.2), the last term for moving boundaries, since
  // G u = U - W. The kinetic energies come from A alone, the other terms from impulses and local velocities.
  void balance(const Velocity<S>& u_minus) {
    ImpactOutcome<S>& o = outcome_;
    const Matrix<N, N>& A = problem_.inertia();
    const Velocity<S> jump = o.u_plus - u_minus;
    o.energy_before = Real(0.5) * u_minus.dot(A * u_minus);
    o.energy_after = Real(0.5) * o.u_plus.dot(A * o.u_plus);
    const Real delta = impact_detail::common_index(problem_);
    o.collision = delta >= 0 ? Real(0.5) * delta * jump.dot(A * jump) : 0;
    o.friction = o.boundary = 0;
    for (int a = 0; a < problem_.size(); ++a) {
      const Percussion<D>& p = o.percussions[static_cast<std::size_t>(a)];
      o.friction -= p.weighted.dot(p.S);
      o.boundary -= problem_.contact(a).W.dot(p.S);
      if (delta >= 0) continue;
      const Vector<D> e = ContactProblem<S>::rho(problem_.contact(a).e);
      for (int i = 0; i < D; ++i)
        o.collision += Real(0.5) * impact_detail::dissipation_index(e(i)) * p.S(i) * (p.after(i) - p.before(i));
    }
    o.identity_defect = o.energy_before - o.energy_after - o.collision - o.friction + o.boundary;
  }

  const S& system_;
  ContactProblem<S> problem_;
  ImpactOutcome<S> outcome_;
};

template <System S>
ImpactOutcome<S> weighted_mean_impact(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u_minus,
                                      std::span<const int> contacts) {
  return ImpactSolver<S>(system).weighted_mean(t, q, u_minus, contacts);
}
template <System S>
ImpactOutcome<S> weighted_mean_impact(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u_minus,
                                      Real gap_tolerance = 0) {
  return weighted_mean_impact(system, t, q, u_minus, touching(system, t, q, gap_tolerance));
}

// Newton's normal restitution with the friction law on the outgoing velocity: U_N+ = -e U_N- where there is an impulse,
// law on U_T+. It is the weighted mean with e for the normal part and 0 for the tangential one, which is why nothing
// bounds its energy. Meant for one frictional contact.
template <System S>
ImpactOutcome<S> newton_impact(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u_minus,
                               std::span<const int> contacts, Real e) {
  const WithRestitution<S> newton(system, {e, 0});
  ImpactSolver<WithRestitution<S>> solver(newton);
  const auto& o = solver.weighted_mean(t, q, u_minus, contacts);
  return {o.u_plus,   o.percussions,     o.energy_before, o.energy_after, o.collision, o.friction,
          o.boundary, o.identity_defect, o.error,         o.ambiguous,    o.converged};
}
template <System S>
ImpactOutcome<S> newton_impact(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u_minus, Real e,
                               Real gap_tolerance = 0) {
  return newton_impact(system, t, q, u_minus, touching(system, t, q, gap_tolerance), e);
}

// The normal part of contacts as a frictionless law sees it.
template <System S>
ImpactStateOf<S> impact_state(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u_minus,
                              std::span<const int> contacts) {
  const auto k = static_cast<Eigen::Index>(contacts.size());
  ImpactStateOf<S> state{t, q, u_minus, system.inertia(t, q), {}, {}, {contacts.begin(), contacts.end()}};
  state.G.resize(k, u_minus.size());
  state.W.resize(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    const auto kinematics = system.kinematics(contacts[static_cast<std::size_t>(i)], t, q);
    state.G.row(i) = kinematics.G.row(0);
    state.W(i) = kinematics.W(0);
  }
  return state;
}

// Moreau's law (BC18 eq. 4). With v = proj(v; V) + proj(v; N): u+ = p + e (p - u-), p = proj_A(u-; V). Moving
// constraints make V a polyhedron rather than a cone, and the formula in p still gives U+ + e U- complementary to S.
// Without an answer (no velocity opens all contacts, or A not positive definite) the components are not numbers.
template <int N, int C>
Vector<N> moreau_velocity(const ImpactState<N, C>& state, Real e) {
  const Cholesky<N> factors(state.A);
  VelocityProjection<N> projection;
  if (!factors.positive() || !projection.project(factors, state.G, state.W, state.u_minus))
    return Vector<N>::Constant(state.u_minus.size(), std::numeric_limits<Real>::quiet_NaN());
  return projection.velocity() + e * (projection.velocity() - state.u_minus);
}

template <int N, int C = N>
ImpactMap<N, C> moreau_map(Real e) {
  return [e](const ImpactState<N, C>& state) { return moreau_velocity(state, e); };
}

// Outcome of a frictionless law with impulses `normal` along the rows of the state and the coefficient e. Where the
// system's contacts have friction it is left out.
template <System S>
ImpactOutcome<S> frictionless_outcome(const S& system, const ImpactStateOf<S>& state, const Velocity<S>& u_plus,
                                      const Vector<dynamic_size>& normal, Real e) {
  constexpr int D = S::Law::dim;
  ImpactOutcome<S> o;
  o.u_plus = u_plus;
  for (std::size_t i = 0; i < state.contacts.size(); ++i) {
    const auto k = system.kinematics(state.contacts[i], state.t, state.q);
    Percussion<D> p{state.contacts[i], Vector<D>::Zero(), k.G * state.u_minus + k.W, k.G * u_plus + k.W, {}, {}};
    p.S(0) = normal(static_cast<Eigen::Index>(i));
    p.weighted = (e * p.before + p.after) / (1 + e);
    p.status = p.S(0) > 0 ? (D > 1 ? Status::slide : Status::stick) : Status::take_off;
    o.friction -= p.weighted.dot(p.S);
    o.boundary -= k.W(0) * p.S(0);
    o.percussions.push_back(p);
  }
  const Velocity<S> jump = u_plus - state.u_minus;
  o.energy_before = Real(0.5) * state.u_minus.dot(state.A * state.u_minus);
  o.energy_after = Real(0.5) * u_plus.dot(state.A * u_plus);
  o.collision = Real(0.5) * impact_detail::dissipation_index(e) * jump.dot(state.A * jump);
  o.identity_defect = o.energy_before - o.energy_after - o.collision - o.friction + o.boundary;
  return o;
}

template <System S>
ImpactOutcome<S> moreau_impact(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u_minus,
                               std::span<const int> contacts, Real e) {
  const ImpactStateOf<S> state = impact_state(system, t, q, u_minus, contacts);
  const Cholesky<S::freedoms> factors(state.A);
  VelocityProjection<S::freedoms> projection;
  if (!factors.positive() || !projection.project(factors, state.G, state.W, u_minus)) {
    ImpactOutcome<S> none;
    none.u_plus = u_minus, none.converged = false;
    return none;
  }
  const Velocity<S> u_plus = projection.velocity() + e * (projection.velocity() - u_minus);
  return frictionless_outcome(system, state, u_plus, (1 + e) * projection.multipliers(), e);
}
template <System S>
ImpactOutcome<S> moreau_impact(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u_minus, Real e,
                               Real gap_tolerance = 0) {
  return moreau_impact(system, t, q, u_minus, touching(system, t, q, gap_tolerance), e);
}

}  // namespace cairn
