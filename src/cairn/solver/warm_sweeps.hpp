// A few sweeps from impulses that are nearly right, in the caller's own units and without a copy of the problem: what a
// quiet scene costs a step. The error is the Monitor's, in the caller's units and in the problem's own.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cairn/law/mixed.hpp"
#include "cairn/problem/bodies.hpp"
#include "cairn/solver/units.hpp"

namespace cairn {

struct WarmReport {
  bool reached = false;  // the tolerance, in both units; else go on from the impulses
  int sweeps = 0;
  Real error = std::numeric_limits<Real>::infinity();  // in the caller's units
};

// All laws must be Coulomb's.
template <int D, int F>
class WarmSweeps {
 public:
  using P = BodyProblem<MixedLaw<D>, F>;
  using Law = typename MixedLaw<D>::Coulomb;

  explicit WarmSweeps(const P& problem) : p_(problem) {
    const std::size_t n = static_cast<std::size_t>(p_.contacts());
    H_.resize(n), local_.resize(n);
    Real speed = 0, trace_sum = 0;  // of q^2, and of the diagonal of W
    for (std::size_t a = 0; a < n; ++a) {
      H_[a] = p_.diagonal_block(static_cast<int>(a));
      local_[a] = law(a).prepare(H_[a]);
      speed += norm2(p_.velocity(static_cast<int>(a), p_.u_free.data()));
      trace_sum += trace(H_[a]);
    }
    const Real count = static_cast<Real>(std::max<std::size_t>(n, 1));
    velocity_ = power_of_two_near(std::sqrt(speed / count));
    impulse_ = velocity_ / power_of_two_near(trace_sum / (count * D));
    norm_ = speed > 0 ? std::sqrt(speed) : 1;
  }

  // At most so many sweeps, fewer where the first ones show that it takes many. `u` follows S.
  WarmReport run(Real tolerance, int most, std::vector<Real>& S, std::vector<Real>& u) {
    WarmReport report;
    u.resize(p_.inverse_inertia.size());
    p_.body_velocities(S.data(), u.data());
    while (report.sweeps < most) {
      sweep(S, u);
      ++report.sweeps;
      p_.body_velocities(S.data(), u.data());  // without the rounding that gathers in a sweep
      const Real before = report.error;
      Real own = 0;
      measure(S, u, report.error, own);
      report.reached = report.error <= tolerance && own <= tolerance;
      if (report.reached || report.error > Real(0.5) * before || report.error > 100 * tolerance) break;
    }
    return report;
  }

 private:
  const Law& law(std::size_t a) const { return p_.law[a].data.coulomb; }

  void sweep(std::vector<Real>& S, std::vector<Real>& u) {
    for (std::size_t a = 0; a < H_.size(); ++a) {
      const Vec<D> old = Vec<D>::load(&S[a * D]);
      const Vec<D> b = p_.velocity(static_cast<int>(a), u.data()) - H_[a] * old;
      const Vec<D> found = law(a).solve(local_[a], b).S, change = found - old;
      found.store(&S[a * D]);
      const auto& c = p_.contact[a];
      for (int side = 0; side < 2; ++side) {
        if (c.body[side] < 0) continue;
        const std::size_t first = P::at(c.body[side]);
        Vec<F> r = Vec<F>::zero();
        P::add_transposed(c.G[side], change.v, r.v);
        for (std::size_t k = 0; k < F; ++k) u[first + k] += p_.inverse_inertia[first + k] * r[static_cast<int>(k)];
      }
    }
  }

  void measure(const std::vector<Real>& S, const std::vector<Real>& u, Real& given, Real& own) const {
    Real sum_given = 0, sum_own = 0;
    for (std::size_t a = 0; a < H_.size(); ++a) {
      const Vec<D> U = p_.velocity(static_cast<int>(a), u.data()), R = Vec<D>::load(&S[a * D]);
      const Vec<D> R_own = (1 / impulse_) * R;
      const Real hidden = std::numeric_limits<Real>::epsilon() * norm(R_own);
      sum_given += norm2(natural_map(law(a), U, R));
      sum_own += norm2(natural_map(law(a), (1 / velocity_) * U, R_own)) + hidden * hidden;
    }
    given = std::sqrt(sum_given) / norm_, own = std::sqrt(sum_own) * velocity_ / norm_;
  }

  const P& p_;
  std::vector<Mat<D>> H_;  // (contacts) diagonal blocks
  std::vector<typename Law::Local> local_;
  Real velocity_ = 1, impulse_ = 1;  // [m/s], [N s] own units
  Real norm_ = 1;                    // [m/s] |q|
};

}  // namespace cairn
