// Sets of several constraints at once: proximal points (the method of multipliers) found by Newton's steps on their
// dual, and Newton's method on the natural map from each of them.
#include "cairn/lagrange/friction_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/least_norm.hpp"
#include "cairn/base/symmetric_eigen.hpp"

namespace cairn {
namespace {

constexpr Real epsilon = std::numeric_limits<Real>::epsilon();

// In units where the largest of diag(H) is 1: V/eta = g + G^T v, v = G x, G = F/sqrt(eta), g = b/eta.
class Newton {
 public:
  Newton(const std::vector<FrictionSet>& parts, const std::vector<Real>& scales, RealMatrix G, Reals g)
      : G_(std::move(G)), g_(std::move(g)), size_(g_.norm()) {
    for (std::size_t p = 0; p < parts.size(); ++p) flatten(parts[p], scales[p]);
  }

  // x_{k+1} is the least of the objective plus |x - x_k|^2/(2 sigma): proximal points, which converge from anywhere to
  // a solution, if there is one, the faster the larger sigma; one that leads away was lost in rounding, and sigma is
  // less from there on. From each of them Newton's method tries for the rest; where that brings it nearer by half than
  // ever before, the points go on from there. They end at rounding, or where three in turn bring nothing near it.
  ProductSolution solve() {
    ProductSolution out;
    Reals point = out.x = Reals::Zero(g_.size());
    Real sigma = 10, sigma_most = 1e12, far = std::numeric_limits<Real>::infinity(), best = far;
    int idle = 0;
    for (int k = 0; k < 60 && !(idle > 2 && best <= Real(1e-12) * size_); ++k) {
      Reals x = point;
      approach(x, sigma);
      const Reals move = x - point;
      const Real before = distance(x, natural(x));
      if (before > 10 * far) {
        sigma = sigma_most = sigma / 10;
        continue;
      }
      point = x, far = before;
      const Real left = polish(x);
      idle = left < best / 2 ? 0 : idle + 1;
      if (left < best) out.x = x;
      if (idle == 0) point = x, far = left;
      best = std::min(best, left);
      if (best <= enough(out.x) || forbids(move, out.forbidden)) break;
      sigma = std::min(10 * sigma, sigma_most);
    }
    out.steps = steps_, out.error = out.forbidden.size() > 0 ? std::numeric_limits<Real>::infinity() : best / size_;
    return out;
  }

 private:
  struct Block {
    FrictionSet set;
    Real scale;
    Eigen::Index at;
  };

  void flatten(const FrictionSet& set, Real scale) {
    if (set.parts() == nullptr) {
      const Eigen::Index at = blocks_.empty() ? 0 : blocks_.back().at + blocks_.back().set.dim();
      blocks_.push_back({set, scale, at});
      return;
    }
    for (const FrictionSet& part : *set.parts()) flatten(part, scale);
  }

  // How far x is from a solution: the natural map r = x - proj(x - V), and what rounding of x hides.
  Real distance(const Reals& x, const Reals& r) const { return r.norm() + epsilon * x.norm(); }
  Real enough(const Reals& x) const { return 4 * epsilon * (size_ + std::min(x.norm(), 100 * size_)); }

  Reals velocity(const Reals& x) const { return g_ + G_.transpose() * (G_ * x); }
  Reals natural(const Reals& x, RealMatrix* slope = nullptr) const { return x - nearest(x - velocity(x), slope); }

  Reals nearest(const Reals& z, RealMatrix* slope = nullptr) const {
    Reals x(z.size());
    RealMatrix part;
    if (slope != nullptr) slope->setZero(z.size(), z.size());
    for (const Block& b : blocks_) {
      const Eigen::Index k = b.set.dim();
      x.segment(b.at, k) = b.set.nearest(z.segment(b.at, k), b.scale, slope != nullptr ? &part : nullptr);
      if (slope != nullptr) slope->block(b.at, b.at, k, k) = part;
    }
    return x;
  }

  // The next proximal point x, by its dual: w = G (x - x_k) is the least of
  //   psi(w) = |w|^2/2 - min { V . (x - x_k) + |x - x_k|^2/(2 sigma) : x in C },     V = V_k + G^T w.
  // The gradient w - G (x - x_k), x = proj(x_k - sigma V), has the derivative 1 + sigma G proj' G^T: Newton's steps,
  // shortened until psi falls enough, converge from anywhere, at the end faster than linearly.
  void approach(Reals& x_k, Real sigma) {
    const Reals V_k = velocity(x_k);
    RealMatrix slope;
    Reals x, w = Reals::Zero(G_.rows());
    Real rounding = 0;
    const auto psi = [&](const Reals& at) {
      const Reals V = V_k + G_.transpose() * at;
      x = nearest(x_k - sigma * V, &slope);
      const Reals d = x - x_k;
      const Real far = d.squaredNorm() / (2 * sigma), size = V.norm() + d.norm() / sigma;
      rounding = 4 * epsilon * (at.squaredNorm() + size * (x_k.norm() + sigma * V.norm()));
      return at.squaredNorm() / 2 - V.dot(d) - far;
    };
    Real value = psi(w);
    for (int k = 0; k < 50; ++k) {
      const Reals gradient = w - G_ * (x - x_k);
      const Real norm = gradient.norm();
      if (norm <= Real(1e-10) * w.norm() + epsilon * (size_ + x.norm())) break;
      ++steps_;
      RealMatrix hessian = sigma * (G_ * slope * G_.transpose());
      hessian.diagonal().array() += 1;
      const Reals step = -hessian.llt().solve(gradient);
      const Real fall = gradient.dot(step);
      Real part = 1, next = psi(w + step);
      if (-fall <= rounding) {  // psi says nothing any more
        if ((w + step - G_ * (x - x_k)).norm() > norm / 2) {
          psi(w);
          break;
        }
      } else {
        for (int halves = 0; halves < 30 && !(next <= value + Real(1e-4) * part * fall + rounding); ++halves)
          part /= 2, next = psi(w + part * step);
      }
      w += part * step, value = next;
    }
    x_k = x;
  }

  // Newton's method on r(x) = x - proj(x - V) = 0, V = g + H x, as long as steps bring it down. Where V vanishes on the
  // border of a curved set they halve it. Returns what is left.
  Real polish(Reals& x) {
    RealMatrix slope;
    Reals r = natural(x, &slope);
    Real left = distance(x, r);
    for (int k = 0; k < 40 && left > enough(x); ++k) {
      const RealMatrix old = slope;
      bool nearer = false;
      for (const Real zero : {Real(1e-8), Real(1e-11), Real(1e-14), Real(1e-5)}) {
        ++steps_;
        const Reals y = x + newton_step(old, r, zero), next = natural(y, &slope);
        nearer = distance(y, next) <= Real(0.75) * left && y.norm() <= 100 * (size_ + x.norm());
        if (!nearer) continue;
        x = y, r = next, left = distance(x, r);
        break;
      }
      if (!nearer) break;
    }
    return left;
  }

  // (1 - P') d + P' H d = -r, P' = sum p t t^T. Across, where p = 0: d = -r. Along, divided by p, it is K^T K d = -f,
  // K = [G T; sqrt((1 - p)/p)]: the step of least length by two solutions with K, whose condition is not squared.
  Reals newton_step(const RealMatrix& slope, const Reals& r, Real zero) const {
    const SymmetricEigen eigen = symmetric_eigen(slope);
    const Reals& p = eigen.values;  // rising
    const Eigen::Index n = p.size(), along = (p.array() > Real(1e-12)).count();
    const RealMatrix T = eigen.vectors.rightCols(along);
    Reals d = T * (T.transpose() * r) - r;
    if (along == 0) return d;
    RealMatrix K = RealMatrix::Zero(G_.rows() + along, along);
    K.topRows(G_.rows()) = G_ * T;
    for (Eigen::Index i = 0; i < along; ++i) {
      const Real pi = p(n - along + i);
      if (1 - pi > Real(1e-13)) K(G_.rows() + i, i) = std::sqrt((1 - pi) / pi);
    }
    const Reals f = (T.transpose() * r).cwiseQuotient(p.tail(along)) + T.transpose() * (G_.transpose() * (G_ * d));
    const LeastNorm factors(K, zero);
    d -= T * factors.solve(factors.solve_transposed(f));
    return d;
  }

  // Where there is no solution the moves of proximal points turn into a direction of (2). It is accepted where it shows
  // that a solution would have |v| >= -g . d/|G d|, beyond any that numbers have: V . d >= 0 for each V that has a
  // finite dissipation.
  bool forbids(const Reals& move, Reals& d) const {
    Reals ray(move.size());
    for (const Block& b : blocks_) ray.segment(b.at, b.set.dim()) = b.set.nearest(move.segment(b.at, b.set.dim()), 0);
    if (!(ray.norm() > 0)) return false;
    ray.normalize();
    if (!(-g_.dot(ray) * Real(1e-8) > (G_ * ray).norm() * size_)) return false;
    d = ray;
    return true;
  }

  std::vector<Block> blocks_;
  RealMatrix G_;
  Reals g_;
  Real size_;
  int steps_ = 0;
};

}  // namespace

ProductSolution least_of_product(const std::vector<FrictionSet>& parts, const std::vector<Real>& scales,
                                 const RealMatrix& F, const Reals& b) {
  if (b.isZero(0)) return {Reals::Zero(b.size()), 0, 0, {}};  // V = 0 at x = 0
  const Real inf = std::numeric_limits<Real>::infinity();
  if (!b.allFinite() || !F.allFinite()) return {Reals::Constant(b.size(), NAN), 0, inf, {}};
  if (parts.size() == 1 && parts[0].parts() == nullptr)
    return {parts[0].least(F.transpose() * F, b, scales[0]), 0, 0, {}};
  Real eta = F.colwise().squaredNorm().maxCoeff();
  if (!(eta > 0)) eta = 1;
  return Newton(parts, scales, F / std::sqrt(eta), b / eta).solve();
}

}  // namespace cairn
