// Is what a user wrote a system? Derivatives against differences of the gap, the inertia matrix, sizes, finite numbers;
// and whether a motion may start from a state (M88 Proposition 2.4: a feasible position).
// Meant for the moment a system is written, not for every step.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/lagrange/system.hpp"

namespace cairn {

struct CheckOptions {
  Real tolerance = 1e-6;  // [-] of derivatives, relative to the largest entry of the row compared, or 1
  Real symmetry = 1e-12;  // [-] of A, relative to its largest entry
  Real step = 0.01;       // [-] the largest step of differences, relative to the coordinate, or 1; halved as needed
};

struct StartOptions {
  Real gap_tolerance = 1e-9;       // [m] a gap above minus this is feasible
  Real velocity_tolerance = 1e-9;  // [m/s] so is a normal velocity above minus this
};

// f'(0) by central differences, extrapolated to a vanishing step from steps `step`, `step`/2, `step`/4...; `error` is
// the disagreement of the two best values, and large where f has no derivative.
struct Slope {
  Real value, error;
};
Slope slope_at_zero(const std::function<Real(Real)>& f, Real step);

namespace check {  // the parts that do not depend on the type of the system

void inertia(const Matrix<dynamic_size, dynamic_size>& A, const CheckOptions& options, std::vector<std::string>& found);
void force(const Vector<dynamic_size>& F, std::vector<std::string>& found);

// The normal row of G and W of contact a against slopes of the gap: along each freedom, then in time.
void normal_row(int a, const Vector<dynamic_size>& row, Real W, const std::vector<Slope>& slopes,
                const CheckOptions& options, std::vector<std::string>& found);
std::string not_finite(const std::string& what, const Vector<dynamic_size>& x);  // names the entry; empty: all finite

inline std::string of(int a) { return "contact " + std::to_string(a) + ": "; }
std::string text(Real x);

}  // namespace check

// What is wrong with q and u of a system: a number that is not finite, a wrong size. Empty: nothing.
template <System S>
std::string check_sizes(const S& system, const Configuration<S>& q, const Velocity<S>& u) {
  if constexpr (requires { system.coordinate_count(); }) {
    if (q.size() != system.coordinate_count())
      return "q has " + std::to_string(q.size()) + " entries, the system has " +
             std::to_string(system.coordinate_count()) + " coordinates";
    if (u.size() != system.freedom_count())
      return "u has " + std::to_string(u.size()) + " entries, the system has " +
             std::to_string(system.freedom_count()) + " freedoms";
  }
  const std::string wrong = check::not_finite("q", q);
  return wrong.empty() ? check::not_finite("u", u) : wrong;
}

// Slopes of the gap along each freedom, in the sense of the system's drift, then in time.
template <System S>
std::vector<Slope> gap_slopes(const S& system, int a, Real t, const Configuration<S>& q, const Velocity<S>& u,
                              Real step) {
  std::vector<Slope> slopes;
  const bool same = q.size() == u.size();
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    Velocity<S> e = Velocity<S>::Zero(u.size());
    e(i) = 1;
    const Real scale = same ? std::max(Real(1), std::abs(q(i))) : Real(1);
    const auto along = [&](Real s) -> Real { return system.gap(a, t, drifted(system, q, e, s)); };
    slopes.push_back(slope_at_zero(along, step * scale));
  }
  const auto in_time = [&](Real s) -> Real { return system.gap(a, t + s, q); };
  slopes.push_back(slope_at_zero(in_time, step * std::max(Real(1), std::abs(t))));
  return slopes;
}

template <System S>
void check_contact(const S& system, int a, Real t, const Configuration<S>& q, const Velocity<S>& u,
                   const CheckOptions& options, std::vector<std::string>& found) {
  const Real gap = system.gap(a, t, q);
  if (!std::isfinite(gap)) {
    found.push_back(check::of(a) + "gap(t, q) = " + check::text(gap) + " is not a finite number");
    return;
  }
  const Kinematics<S::Law::dim, S::freedoms> k = system.kinematics(a, t, q);
  if (k.G.cols() != u.size()) {
    found.push_back(check::of(a) + "G has " + std::to_string(k.G.cols()) + " columns, the system has " +
                    std::to_string(u.size()) + " freedoms");
    return;
  }
  for (int i = 0; i < S::Law::dim; ++i) {
    const std::string row = check::not_finite(check::of(a) + "row " + std::to_string(i) + " of G", k.G.row(i));
    if (!row.empty()) found.push_back(row);
  }
  if (const std::string W = check::not_finite(check::of(a) + "W", k.W); !W.empty()) found.push_back(W);
  if (!k.G.allFinite() || !k.W.allFinite()) return;
  check::normal_row(a, k.G.row(0), k.W(0), gap_slopes(system, a, t, q, u, options.step), options, found);
  const Restitution e = restitution_of(system, a);
  for (const Real x : {e.normal, e.tangential})
    if (!(x >= 0 && x <= 1)) found.push_back(check::of(a) + "restitution " + check::text(x) + " is not in [0, 1]");
}

// All that is found wrong at (t, q, u), one line each; empty: nothing. Try it at a point with no special value: at zero
// many wrong derivatives are right.
template <System S>
std::vector<std::string> check_system(const S& system, Real t, const Configuration<S>& q, const Velocity<S>& u,
                                      const CheckOptions& options = {}) {
  if (const std::string wrong = check_sizes(system, q, u); !wrong.empty()) return {wrong};
  std::vector<std::string> found;
  const Matrix<S::freedoms, S::freedoms> A = system.inertia(t, q);
  const Velocity<S> F = system.force(t, q, u);
  if (A.rows() != u.size() || A.cols() != u.size())
    found.push_back("A is " + std::to_string(A.rows()) + " x " + std::to_string(A.cols()) + ", the system has " +
                    std::to_string(u.size()) + " freedoms");
  else
    check::inertia(A, options, found);
  if (F.size() != u.size())
    found.push_back("F has " + std::to_string(F.size()) + " entries, the system has " + std::to_string(u.size()) +
                    " freedoms");
  else
    check::force(F, found);
  for (int a = 0; a < system.contacts(); ++a) check_contact(system, a, t, q, u, options, found);
  return found;
}

// May a motion start here? Gaps not negative, and no contact (gap not positive) that closes further: a motion that
// follows has U_N >= 0 from the start. Gives the contacts, in order; the message names the first that is infeasible.
template <System S>
Expected<std::vector<int>> check_start(const S& system, const State<S>& s, const StartOptions& options = {}) {
  if (!std::isfinite(s.t)) return Error{"the start time " + check::text(s.t) + " is not a finite number"};
  if (const std::string wrong = check_sizes(system, s.q, s.u); !wrong.empty()) return Error{"start: " + wrong};
  if (!s.status.empty() && static_cast<int>(s.status.size()) != system.contacts())
    return Error{"start: status has " + std::to_string(s.status.size()) +
                 " entries, expected none or one for each of " + std::to_string(system.contacts()) + " contacts"};
  std::vector<int> closed;
  for (int a = 0; a < system.contacts(); ++a) {
    const Real gap = system.gap(a, s.t, s.q);
    if (!(gap >= -options.gap_tolerance))
      return Error{check::of(a) + "gap = " + check::text(gap) + " at the start, expected at least 0"};
    if (gap > 0) continue;
    const Kinematics<S::Law::dim, S::freedoms> k = system.kinematics(a, s.t, s.q);
    const Real U_N = k.G.row(0).dot(s.u) + k.W(0);
    if (!(U_N >= -options.velocity_tolerance))
      return Error{check::of(a) + "closed at the start (gap = " + check::text(gap) +
                   ") with normal velocity U_N = " + check::text(U_N) + ", expected at least 0"};
    closed.push_back(a);
  }
  return closed;
}

}  // namespace cairn
