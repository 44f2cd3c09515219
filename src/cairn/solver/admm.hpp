// Alternating directions (ADMM, Douglas-Rachford splitting) for any law, from its projection and its shift alone.
//
//   x = (W + rho)^-1 (rho (z - d) - q - shift(V)),   V = -rho d         the linear side
//   v <- v + relaxation (x - z)
//   z = P_K(v),   d = v - z                                             the cones
// At a fixed point x = z = S and V = U + shift(U) is in the dual cone: De Saxce's form of the law (law/law.hpp). The
// shift follows V at every iteration, V itself tends to the exact velocity. Anderson's method accelerates the map of v.
//
// rho only scales the way to the solution. A structure at rest is the search for impulses in the cones that balance the
// load: the less rho the less W itself matters, and the number of iterations hardly depends on the size of the
// structure. Where contacts slide, the residuals tell and rho is balanced.
//
// W + rho is factorised once, and again only when rho is changed to balance the two residuals.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "cairn/solver/anderson.hpp"
#include "cairn/solver/body_resolvent.hpp"
#include "cairn/solver/gauss_seidel.hpp"
#include "cairn/solver/local_resolvent.hpp"
#include "cairn/solver/monitor.hpp"

namespace cairn {

// Solves with the symmetric part of W + rho; the antisymmetric part is lagged.
template <class R>
concept Resolvent = requires(R& r, Real rho, const Real* b, Real* x) {
  { r.factorise(rho) } -> std::same_as<bool>;
  r.solve(b, x);            // x = (W_sym + rho)^-1 b
  r.subtract_lagged(b, x);  // x -= W_anti b
};

struct AdmmOptions {
  long max_iterations = 10000;
  Real rho = 1e-5;        // [-] of the mean diagonal of W, at the start
  Real relaxation = 1.6;  // [-] between 1 and 2
  int window = 10;        // of Anderson's method; 0: none
  Real imbalance = 3;     // [-] ratio of the residuals at which rho is changed
  int patience = 500;     // iterations without a tenth of progress before giving up
};

template <StepProblem P, Resolvent R>
class Admm {
 public:
  using L = typename P::Law;
  static constexpr int D = L::dim;

  Admm(const P& problem, R& resolvent)
      : p_(problem), r_(resolvent), n_(static_cast<std::size_t>(problem.contacts()) * D) {
    for (std::vector<Real>* x : {&q_, &v_, &z_, &d_, &x_, &rhs_, &f_, &g_, &lagged_}) x->assign(n_, 0);
    p_.velocities(v_.data(), q_.data());
    for (int a = 0; a < p_.contacts(); ++a) mean_ += trace(p_.diagonal_block(a)) / static_cast<Real>(n_);
    if (!(mean_ > 0)) mean_ = 1;
    for (Real q : q_) norm_q_ += q * q;
    norm_q_ = std::sqrt(norm_q_);
  }

  // Starts from the impulses S, leaves the last ones there. True when the monitor stopped it.
  bool run(Monitor<P>& monitor, std::vector<Real>& S, const AdmmOptions& options) {
    return begin(monitor, S, options) && proceed(monitor, S, [](long) { return false; });
  }

  // False when W + rho cannot be factorised.
  bool begin(Monitor<P>& monitor, const std::vector<Real>& S, const AdmmOptions& options) {
    options_ = options;
    rho_ = options.rho * mean_;
    if (n_ == 0) return true;
    for (int k = 0; !factorise(monitor); ++k, rho_ *= 100)  // a measured W may be slightly indefinite
      if (k == 3) return false;
    // Velocities are left for the iteration to find: those of impulses that are not exact, over a small rho, lead far.
    cold_ = std::all_of(S.begin(), S.end(), [](Real s) { return s == 0; });
    v_ = lagged_ = S;
    anderson_ = std::make_unique<Anderson>(std::max(options.window, 1), std::vector<Real>(n_, 1));
    clock_ = {};
    least_ = std::numeric_limits<Real>::infinity();
    iteration_ = useful_ = 0;
    next_balance_ = 10;
    forget();
    split();
    return true;
  }

  // Goes on from where it was, until the monitor stops it (true) or `enough(iteration)` does, asked at each check.
  template <class Enough>
  bool proceed(Monitor<P>& monitor, std::vector<Real>& S, Enough enough) {
    const bool stopped = n_ == 0 ? monitor.observe(Method::admm, S) : iterate(monitor, enough);
    if (n_ > 0) S = z_;
    return stopped;
  }

 private:
  bool factorise(Monitor<P>& monitor) {
    ++monitor.report().factorisations;
    return r_.factorise(rho_);
  }

  // Anderson's method starts anew.
  void forget() {
    anderson_->reset();
    accelerated_ = false;
    last_ = std::numeric_limits<Real>::infinity();
  }

  // z, d and the right-hand side of the linear side, from v.
  void split() {
    dz_ = size_z_ = size_d_ = 0;
    for (int a = 0; a < p_.contacts(); ++a) {
      const std::size_t i = static_cast<std::size_t>(a) * D;
      const Vec<D> v = Vec<D>::load(&v_[i]), z = p_.law[a].project(v), d = v - z;
      dz_ += norm2(z - Vec<D>::load(&z_[i]));
      size_z_ += norm2(z);
      size_d_ += norm2(d);
      z.store(&z_[i]);
      d.store(&d_[i]);
      (rho_ * (z - d) - Vec<D>::load(&q_[i]) - p_.law[a].shift(-rho_ * d)).store(&rhs_[i]);
    }
    dz_ = std::sqrt(dz_), size_z_ = std::sqrt(size_z_), size_d_ = std::sqrt(size_d_);
  }

  // x, and f = relaxation (x - z); returns |x - z|.
  Real linear() {
    r_.subtract_lagged(lagged_.data(), rhs_.data());
    r_.solve(rhs_.data(), x_.data());
    Real sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const Real c = x_[i] - z_[i];
      sum += c * c;
      f_[i] = options_.relaxation * c;
    }
    return std::sqrt(sum);
  }

  template <class Enough>
  bool iterate(Monitor<P>& monitor, Enough enough) {
    while (iteration_ < options_.max_iterations) {
      const long k = ++iteration_;
      const Real primal = linear();
      ++monitor.report().iterations;
      if (!std::isfinite(primal)) return false;
      if (accelerated_ && primal > 2 * last_) {  // the combination went astray: back to where the last step led
        forget();
        v_ = g_;
        split();
        continue;
      }
      last_ = primal;
      bool stop = false;
      if ((k > 2 || !cold_) && clock_.due(k, primal, monitor.tolerance())) {
        if (monitor.observe(Method::admm, z_)) return true;
        stop = !progress(k, primal, monitor.last_errors().own) || enough(k);
      }
      for (std::size_t i = 0; i < n_; ++i) g_[i] = v_[i] + f_[i];
      lagged_.swap(x_);
      if (!advance(monitor, primal) || stop) return false;
    }
    return monitor.observe(Method::admm, z_);
  }

  // False when the error has not fallen for long.
  bool progress(long k, Real primal, Real error) {
    clock_.checked(k, primal, error);
    if (error < Real(0.9) * least_) least_ = error, useful_ = k;
    return k - useful_ <= options_.patience;
  }

  // The next v: rho balanced now and then, Anderson's combination else. False when a factorisation failed.
  bool advance(Monitor<P>& monitor, Real primal) {
    if (iteration_ >= next_balance_) {
      next_balance_ = iteration_ + iteration_ / 2 + 10;
      if (balance(primal)) {
        forget();
        return factorise(monitor);
      }
    }
    if (options_.window > 0) {
      anderson_->next(g_.data(), f_.data(), v_.data());
      accelerated_ = true;
    } else {
      v_ = g_;
    }
    split();
    return true;
  }

  // Changes rho when one residual is much larger than the other, relative to the sizes they are measured by; moves v so
  // that impulses and velocities stay.
  bool balance(Real primal) {
    const Real dual = rho_ * dz_ / std::max(rho_ * size_d_, norm_q_), relative = primal / std::max(size_z_, primal);
    const Real factor = std::sqrt(relative / dual);  // infinite when no impulse moves: rho is far too small
    if (!(factor >= options_.imbalance || factor * options_.imbalance <= 1)) return false;
    const Real old = rho_;
    rho_ *= std::clamp(factor, Real(0.01), Real(100));
    rho_ = std::clamp(rho_, Real(1e-9) * mean_, Real(1e4) * mean_);
    v_ = g_;
    split();
    for (std::size_t i = 0; i < n_; ++i) v_[i] = z_[i] + (old / rho_) * d_[i];
    split();
    return rho_ != old;
  }

  const P& p_;
  R& r_;
  std::size_t n_;
  AdmmOptions options_;
  std::unique_ptr<Anderson> anderson_;
  CheckClock clock_;
  long iteration_ = 0, useful_ = 0, next_balance_ = 0;  // useful_: when the error last fell
  Real last_ = 0, least_ = 0;                           // |x - z| of the iteration before; least error seen
  bool accelerated_ = false;                            // v is a combination of Anderson's
  bool cold_ = true;  // started from no impulses: the first iterates are not worth a check
  Real mean_ = 0, norm_q_ = 0, rho_ = 1;
  Real dz_ = 0, size_z_ = 0, size_d_ = 0;  // |z - z before|, |z|, |d|
  std::vector<Real> q_;                    // (rows) velocities without impulses
  std::vector<Real> v_, z_, d_, x_, rhs_;  // (rows)
  std::vector<Real> f_, g_;                // (rows) the step of v, and where it leads
  std::vector<Real> lagged_;               // (rows) x of the iteration before
};

template <ContactLaw L>
bool run_admm(const LocalProblem<L>& p, Monitor<LocalProblem<L>>& monitor, std::vector<Real>& S,
              const AdmmOptions& options = {}) {
  LocalResolvent<L> resolvent(p);
  return Admm<LocalProblem<L>, LocalResolvent<L>>(p, resolvent).run(monitor, S, options);
}

}  // namespace cairn
