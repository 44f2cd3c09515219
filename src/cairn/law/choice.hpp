// Gathers the candidates of a local problem, counts the solutions among them and keeps the most dissipative.
#pragma once

#include <cmath>
#include <initializer_list>

#include "cairn/law/law.hpp"
#include "cairn/law/linear.hpp"

namespace cairn {

// Natural map with impulses and velocities made comparable by eta = trace(H)/dim, relative to what enters U = H S + b:
//   eta |S - P_K(S - V/eta)| / (|H| |S| + |b|),   V = U + shift(U).
// Free of units: unchanged when H or b is multiplied by a constant. Rounding S alone makes it about 1e-16.
template <ContactLaw L>
CAIRN_HD inline Real relative_residual(const L& law, const Mat<L::dim>& H, const Vec<L::dim>& b, const Vec<L::dim>& S) {
  const Vec<L::dim> U = H * S + b;
  const Real size = std::sqrt(norm2(Vec<L::dim * L::dim>::load(H.v))) * norm(S) + norm(b);
  if (!(size > 0)) return 0;
  Real eta = trace(H) / L::dim;
  if (!(eta > 0)) eta = 1;
  const Vec<L::dim> V = U + law.shift(U);
  return eta * norm(S - law.project(S - (1 / eta) * V)) / size;
}

template <class L, int kept = 8>  // L a ContactLaw, named in its own members before it is complete
class Choice {
 public:
  static constexpr int D = L::dim;
  CAIRN_HD Choice(const L& law, const Mat<D>& H, const Vec<D>& b) : law_(law), H_(H), b_(b) {}

  // valid: the inequalities of the mode hold. Candidates that miss them are kept as a last resort: at the border of two
  // modes rounding may make both miss.
  CAIRN_HD void offer(const Vec<D>& S, Status status, bool valid) {
    if (!(norm2(S) < INFINITY)) return;
    if (!valid) {
      if (missed_ < kept) miss_[missed_] = S, miss_status_[missed_++] = status;
      return;
    }
    for (int k = 0; k < count_ && k < kept; ++k)
      if (norm2(S - found_[k]) <= Real(1e-20) * norm2(S)) return;  // the same solution, found from two modes
    const Real e = energy(H_, b_, S);
    if (count_ == 0 || e < energy_) {
      energy_ = e;
      best_ = S;
      status_ = status;
    }
    if (count_ < kept) found_[count_] = S;
    ++count_;
  }

  CAIRN_HD int count() const { return count_; }

  CAIRN_HD LocalSolution<D> result() const {
    if (count_ > 0) return {best_, status_, count_};
    LocalSolution<D> last{Vec<D>::zero(), Status::take_off, 0};
    Real least = tolerance;
    for (int k = 0; k < missed_; ++k) {
      const Vec<D> S = law_.project(miss_[k]);
      const Real r = relative_residual(law_, H_, b_, S);
      if (!(r < least)) continue;
      least = r;
      last = {S, miss_status_[k], 1};
    }
    return last;
  }

 private:
  static constexpr Real tolerance = 1e-10;

  const L& law_;
  const Mat<D>& H_;
  const Vec<D>& b_;
  Vec<D> found_[kept], miss_[kept], best_{};
  Real energy_ = 0;
  Status miss_status_[kept], status_ = Status::take_off;
  int count_ = 0, missed_ = 0;
};

// Singular H: S = lim S_k, where S_{k+1} solves the problem with H + eps I and b - eps S_k, both regular. A fixed point
// solves the problem as it stands; where none exists S_k grows without bound. Small eps: a few steps, rate eps over the
// least eigenvalue that is not zero; but the problems on the way may have several solutions, and the choice among them
// lead away. Large eps: slow and sure. Solutions are not counted beyond one.
template <ContactLaw L>
CAIRN_HD void follow_proximal_points(const L& law, const Mat<L::dim>& H, const Vec<L::dim>& b, Real eps, int steps,
                                     LocalSolution<L::dim>& best, Real& residual) {
  Mat<L::dim> regular = H;
  for (int i = 0; i < L::dim; ++i) regular(i, i) += eps;
  auto local = law.prepare(regular);
  if (local.inverse.singular) return;
  Vec<L::dim> S = best.S;
  for (int k = 0, worse = 0; k < steps && worse < 8 && residual > Real(1e-15); ++k) {
    const LocalSolution<L::dim> s = law.solve(local, b - eps * S);
    if (s.count == 0) return;
    S = s.S;
    const Real r = relative_residual(law, H, b, S);
    worse = r < residual ? 0 : worse + 1;
    if (worse == 0) {
      residual = r;
      best = s;
    }
  }
}

template <ContactLaw L>
CAIRN_HD LocalSolution<L::dim> solve_singular(const L& law, const Mat<L::dim>& H, const Vec<L::dim>& b) {
  using Result = LocalSolution<L::dim>;
  const Result none{Vec<L::dim>::zero(), Status::take_off, 0};
  if (b[0] >= 0) return {Vec<L::dim>::zero(), Status::take_off, 1};
  const Real scale = max_abs(H);
  if (!(scale > 0) || !(scale < INFINITY)) return none;
  for (Real slow : {Real(0), Real(0x1p-6), Real(0x1p-2), Real(2)}) {
    Result best = none;
    Real residual = INFINITY;
    if (slow > 0) follow_proximal_points(law, H, b, slow * scale, 200, best, residual);
    follow_proximal_points(law, H, b, Real(0x1p-20) * scale, 12, best, residual);
    if (!(residual < Real(1e-9))) continue;
    best.count = 1;
    return best;
  }
  return none;
}

}  // namespace cairn
