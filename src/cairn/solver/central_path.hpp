// Follows the central path to a solution, round its folds.
//
// For tau from 1 to 0 the points with
//   W x + q + e_0 s(z) - z = tau c,    x o z = tau m e,        c, m such that x = z = size e at tau = 1,
// form a smooth curve. Coulomb's law is not monotone: along the curve tau may turn back, where the interior point jams.
// The curve is therefore followed by arc length, as Lemke's method follows its edges: tau falls where the determinant
// of the Jacobian has its first sign, and rises where it has the other. Lengths are measured in the metric of the
// cones' scaling, in which a step below one stays inside them.
#pragma once

#include <cmath>
#include <vector>

#include "cairn/solver/cone_iterate.hpp"
#include "cairn/solver/gauss_seidel.hpp"

namespace cairn {

struct PathOptions {
  int max_iterations = 6000;  // a path may turn back many times
  Real smoothing = 0.8;       // [-] of the shift of De Saxce inside the cone
  Real first_step = 0.5;      // [-] length of a step, for the contact that moves most
  Real max_step = 2;
  Real near = 0.1;     // [-] a point this near the curve may step on
  Real far = 1.5;      // [-] one farther is given up
  Real advance = 0.3;  // [-] least part of a step that must remain after its corrections
  Real turn = 0.3;     // [-] least cosine between successive tangents
};

template <StepProblem P>
class CentralPath {
 public:
  static constexpr int D = P::Law::dim;
  using Vectors = std::vector<Vec<D>>;

  explicit CentralPath(const P& problem)
      : it_(problem),
        c0_(it_.n),
        res_(it_.n),
        c_(it_.n),
        f_(it_.n),
        ax_(it_.n),
        az_(it_.n),
        bx_(it_.n),
        bz_(it_.n),
        ex_(it_.n),
        ez_(it_.n),
        S_(problem.rows()) {}

  // `polish()` is tried each time the error has fallen tenfold, and now and then; it says whether the problem is
  // solved.
  template <class Polish>
  bool run(Monitor<P>& monitor, const PathOptions& options, Polish polish) {
    start(options);
    Real next_polish = Real(1e-3);
    for (int k = 0; k < options.max_iterations; ++k) {
      evaluate();
      if (observe(monitor)) return true;
      if (error_ < next_polish || k % 100 == 99) {
        next_polish = std::min(next_polish, error_ / 10);
        if (polish()) return true;
      }
      ++monitor.report().iterations;
      ++monitor.report().factorisations;
      if (!advance(options)) return false;
    }
    return false;
  }

 private:
  struct Point {
    std::vector<ConeElement<D>> x, z;
    Real tau;
  };

  void start(const PathOptions& options) {
    it_.restart(options.smoothing);
    it_.evaluate(c0_);
    m0_ = it_.complementarity();
    tau_ = 1;
    step_ = options.first_step;
    near_ = options.near;
    kept_ = false;
    have_tangent_ = false;
  }

  void evaluate() {
    it_.evaluate(res_);
    for (int a = 0; a < it_.n; ++a) res_[a] -= tau_ * c0_[a];
  }

  // One factorisation: the correction (ax, az) toward the curve and the tangent (bx, bz) per d(log tau); then a step.
  bool advance(const PathOptions& options) {
    if (!it_.factorise()) return retreat();
    const int sign = it_.determinant_sign();
    for (int a = 0; a < it_.n; ++a) {
      c_[a] = (tau_ * m0_) * it_.x[a].inverse();
      f_[a] = (-tau_) * c0_[a];
    }
    if (!it_.direction(c_, f_, bx_, bz_)) return retreat();
    for (int a = 0; a < it_.n; ++a) c_[a] -= it_.z[a].x;
    if (!it_.direction(c_, res_, ax_, az_)) return retreat();
    Real a_max = 0, b_max = 0, bb = 0, ab = 0, pb = 0, pp = 0;
    for (int i = 0; i < it_.n; ++i) {
      a_max = std::max(a_max, product(i, ax_[i], az_[i], ax_[i], az_[i]));
      const Real b = product(i, bx_[i], bz_[i], bx_[i], bz_[i]);
      b_max = std::max(b_max, b);
      bb += b;
      ab += product(i, ax_[i], az_[i], bx_[i], bz_[i]);
      if (have_tangent_) {
        pb += product(i, px_[i], pz_[i], bx_[i], bz_[i]);
        pp += product(i, px_[i], pz_[i], px_[i], pz_[i]);
      }
    }
    if (!(a_max < options.far * options.far)) return retreat();
    const Real back = -ab / (1 + bb);  // the correction is taken across the curve, not along it
    if (a_max > near_ * near_ && corrections_ < 4) {
      ++corrections_;
      return move(back, false);
    }
    if (a_max > near_ * near_) return retreat();
    const Real forward = sign > 0 ? -1 : 1;
    if (have_tangent_) {
      const Real cosine = forward * (pb + ptau_) / std::sqrt((pp + ptau_ * ptau_) * (bb + 1));
      if (!(cosine > options.turn) || progress(pp) < options.advance * length_) return retreat();
      near_ = std::min(2 * near_, options.near);
      if (corrections_ <= 1 && cosine > Real(0.8))
        step_ = std::min(step_ * 2, options.max_step);
      else if (corrections_ > 2)
        step_ *= Real(0.7);
    }
    kept_ = true;
    corrections_ = 0;
    point_ = {it_.x, it_.z, tau_};
    have_tangent_ = true;
    px_ = bx_, pz_ = bz_, ptau_ = forward;
    for (int i = 0; i < it_.n; ++i) px_[i] *= forward, pz_[i] *= forward;
    const Real dl = std::min(step_ / std::sqrt(b_max), Real(0.9));
    length_ = dl * std::sqrt(bb + 1);
    return move(forward * dl + back, true);
  }

  // How far the point has moved since the last one kept, along the tangent there.
  Real progress(Real pp) const {
    Real sum = ptau_ * std::log(tau_ / point_.tau);
    for (int i = 0; i < it_.n; ++i)
      sum += product(i, it_.x[i].x - point_.x[i].x, it_.z[i].x - point_.z[i].x, px_[i], pz_[i]);
    return sum / std::sqrt(pp + ptau_ * ptau_);
  }

  // (x, z, log tau) += correction + dl tangent, with the second-order term of the complementarity.
  bool move(Real dl, bool second) {
    dl = std::clamp(dl, Real(-0.95), Real(1));
    for (int i = 0; i < it_.n; ++i) {
      ax_[i] += dl * bx_[i];
      az_[i] += dl * bz_[i];
    }
    if (second) {
      for (int i = 0; i < it_.n; ++i) {
        c_[i] = it_.second_order(i, ax_[i], az_[i]);
        f_[i] = Vec<D>::zero();
      }
      if (it_.direction(c_, f_, ex_, ez_)) {
        for (int i = 0; i < it_.n; ++i) ex_[i] += ax_[i], ez_[i] += az_[i];
        if (it_.reach(ex_, ez_) > it_.reach(ax_, az_) || it_.reach(ex_, ez_) > Real(1.2)) {
          ax_ = ex_;
          az_ = ez_;
        }
      }
    }
    const Real t = std::min(Real(1), Real(0.9) * it_.reach(ax_, az_));
    it_.move(t, ax_, az_);
    tau_ *= 1 + t * dl;
    return std::isfinite(tau_) && tau_ > 0;
  }

  // Back to the last point on the curve, for a shorter step.
  bool retreat() {
    if (!kept_) return false;
    it_.x = point_.x;
    it_.z = point_.z;
    tau_ = point_.tau;
    step_ *= Real(0.4);
    near_ = std::max(near_ / 5, Real(1e-5));  // branches that pass close by are told apart on the curve itself only
    have_tangent_ = false;
    corrections_ = 0;
    return step_ > Real(1e-5);
  }

  // Inner product in the metric of the scaling.
  Real product(int i, const Vec<D>& ux, const Vec<D>& uz, const Vec<D>& vx, const Vec<D>& vz) const {
    const Scaling<D>& F = it_.scaling[i];
    return (cairn::dot(F.divide(ux), F.divide(vx)) + cairn::dot(F.times(uz), F.times(vz))) / (tau_ * m0_);
  }

  bool observe(Monitor<P>& monitor) {
    it_.impulses(S_);
    const bool stop = monitor.observe(Method::interior_point, S_);
    error_ = monitor.last_errors().own;
    return stop;
  }

  ConeIterate<P> it_;
  Vectors c0_, res_, c_, f_, ax_, az_, bx_, bz_, ex_, ez_;
  Vectors px_, pz_;  // the last tangent, in the direction of travel
  Real ptau_ = 0;
  std::vector<Real> S_;
  Point point_;
  Real m0_ = 1, tau_ = 1, step_ = 1, near_ = 0, length_ = 0, error_ = 0;
  int corrections_ = 0;
  bool kept_ = false, have_tangent_ = false;
};

}  // namespace cairn
