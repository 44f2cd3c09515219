// Is a map u- -> u+ an impact law? The three conditions of BC18 4.2, each measured free of units:
//   (i)   admissible after:  G u+ + W >= 0
//   (ii)  no friction:       A (u+ - u-) = G^T S with S >= 0
//   (iii) no energy gain:    E+ - E- <= work of moving boundaries, -S . W
#pragma once

#include <cmath>
#include <string>

#include "cairn/lagrange/impact.hpp"
#include "cairn/lagrange/random.hpp"

namespace cairn {

// Of one use of the map. The scale of velocities is |u-|_A plus what the motion of boundaries adds.
struct ImpactCheck {
  Real inadmissible = 0;  // [-] (i) the largest -U_N+ / |grad gap|_{A^-1} over the scale
  Real off_cone = 0;      // [-] (ii) distance, in the metric A^-1, of the impulse to the cone, over the scale
  Real energy_gain = 0;   // [-] (iii) over the square of the scale, halved
  Real worst() const { return std::max({inadmissible, off_cone, energy_gain}); }
};

// What the certifier computes with, kept from one use to the next.
template <int N, int C = N>
class ImpactCertifier {
 public:
  // State and u_plus of finite components, A positive definite: anything else counts as an infinite violation.
  ImpactCheck check(const ImpactState<N, C>& state, const Vector<N>& u_plus) {
    constexpr Real infinite = std::numeric_limits<Real>::infinity();
    if (!factors_.compute(state.A) || !u_plus.allFinite()) return {infinite, infinite, infinite};
    const auto k = static_cast<int>(state.G.rows());
    Y_ = factors_.solve(state.G.transpose());
    const Vector<N> jump = u_plus - state.u_minus;
    const Real before = state.u_minus.dot(state.A * state.u_minus), after = u_plus.dot(state.A * u_plus);
    Real scale = std::sqrt(before);
    ImpactCheck found;
    for (int a = 0; a < k; ++a) {
      const Real size = std::sqrt(state.G.row(a).dot(Y_.col(a)));
      if (!(size > 0)) continue;
      found.inadmissible = std::max(found.inadmissible, -(state.G.row(a).dot(u_plus) + state.W(a)) / size);
      scale = std::max(scale, std::abs(state.W(a)) / size);
    }
    if (!(scale > 0)) scale = after > 0 ? std::sqrt(after) : Real(1);
    if (!cone(state, jump)) return {infinite, infinite, infinite};
    const Vector<N> rest = jump - Y_ * S_;
    found.inadmissible /= scale;
    found.off_cone = std::sqrt(std::max(rest.dot(state.A * rest), Real(0))) / scale;
    found.energy_gain = std::max((after - before + 2 * S_.dot(state.W)) / (scale * scale), Real(0));
    return found;
  }

  const Vector<dynamic_size>& impulses() const { return S_; }  // [N s] nearest to the jump, of the last check

 private:
  // min |A jump - G^T S| in the metric A^-1 over S >= 0
  bool cone(const ImpactState<N, C>& state, const Vector<N>& jump) {
    const auto k = static_cast<int>(state.G.rows());
    S_.setZero(k);
    if (k == 0) return true;
    solver_.resize(k);
    for (int a = 0; a < k; ++a) {
      solver_.q(a) = -state.G.row(a).dot(jump);
      for (int b = 0; b < k; ++b) solver_.W(a, b) = state.G.row(a).dot(Y_.col(b));
    }
    if (!solver_.solve()) return false;
    for (int a = 0; a < k; ++a) S_(a) = solver_.S(a);
    return true;
  }

  Cholesky<N> factors_;
  Matrix<N, dynamic_size> Y_;
  Vector<dynamic_size> S_;
  NonnegativeSolver solver_;
};

template <int N, int C>
ImpactCheck check_impact(const ImpactState<N, C>& state, const Vector<N>& u_plus) {
  return ImpactCertifier<N, C>().check(state, u_plus);
}

// The worst of many uses for each condition, with the state that gave it.
template <int N, int C = N>
struct ImpactCertificate {
  struct Violation {
    Real value = 0;    // [-]
    long member = -1;  // which of the random states; -1: none violated the condition at all
    ImpactState<N, C> state;
    Vector<N> u_plus;
  };
  long count = 0;
  Violation inadmissible, off_cone, energy_gain;

  bool passes(Real tolerance = Real(1e-10)) const {
    return inadmissible.value <= tolerance && off_cone.value <= tolerance && energy_gain.value <= tolerance;
  }
};

// `states(RandomStream&)` gives one random state; member i of the same seed is the same state on every machine.
template <int N, int C, class States>
ImpactCertificate<N, C> certify(const ImpactMap<N, C>& map, States states, long count, std::uint64_t seed) {
  ImpactCertificate<N, C> found;
  ImpactCertifier<N, C> certifier;
  const auto keep = [](auto& worst, Real value, long member, const ImpactState<N, C>& state, const Vector<N>& u_plus) {
    if (value > worst.value) worst = {value, member, state, u_plus};
  };
  for (long i = 0; i < count; ++i) {
    RandomStream random(seed, static_cast<std::uint64_t>(i));
    const ImpactState<N, C> state = states(random);
    const Vector<N> u_plus = map(state);
    const ImpactCheck check = certifier.check(state, u_plus);
    keep(found.inadmissible, check.inadmissible, i, state, u_plus);
    keep(found.off_cone, check.off_cone, i, state, u_plus);
    keep(found.energy_gain, check.energy_gain, i, state, u_plus);
  }
  found.count = count;
  return found;
}

// Random inertia, 1 to `contacts` random constraints, random velocity; n freedoms where N is dynamic_size. The velocity
// closes each constraint, G u- <= 0, as left limits do where gaps are zero (BC18 4.1): for others Moreau's law with e >
// 0 need not satisfy (i), since G u+ = (1 + e) G p - e G u-.
template <int N>
ImpactState<N> random_impact_state(RandomStream& random, int contacts, int n = N) {
  ImpactState<N> state;
  const auto fill = [&](auto& m) {
    for (Eigen::Index i = 0; i < m.size(); ++i) m(i) = random.normal();
  };
  Matrix<N, N> root(n, n);
  fill(root);
  state.A = Matrix<N, N>::Identity(n, n) + root * root.transpose() / n;
  const int k = 1 + random.below(contacts);
  state.G.resize(k, n), state.W.setZero(k), state.q.setZero(n), state.u_minus.resize(n);
  fill(state.G), fill(state.u_minus);
  for (int a = 0; a < k; ++a) {
    if (state.G.row(a).dot(state.u_minus) > 0) state.G.row(a) *= -1;
    state.contacts.push_back(a);
  }
  return state;
}

namespace impact_detail {
std::string describe_violation(const char* condition, Real value, long member, const Eigen::MatrixXd& A,
                               const Eigen::MatrixXd& G, const Eigen::VectorXd& before, const Eigen::VectorXd& after);
std::string describe_count(bool passes, long count, Real tolerance);
}  // namespace impact_detail

// For a terminal: the verdict, and each violation with the state that gives it.
template <int N, int C>
std::string describe(const ImpactCertificate<N, C>& certificate, Real tolerance = Real(1e-10)) {
  std::string text = impact_detail::describe_count(certificate.passes(tolerance), certificate.count, tolerance);
  const auto add = [&](const char* condition, const auto& v) {
    if (v.value > tolerance)
      text += impact_detail::describe_violation(condition, v.value, v.member, v.state.A, v.state.G, v.state.u_minus,
                                                v.u_plus);
  };
  add("(i) the velocity after is not admissible", certificate.inadmissible);
  add("(ii) the impulse is not along the constraints", certificate.off_cone);
  add("(iii) kinetic energy increases", certificate.energy_gain);
  return text;
}

}  // namespace cairn
