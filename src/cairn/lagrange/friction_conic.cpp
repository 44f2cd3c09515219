// The friction set of a contact in space: a conic, whose nearest points need a root.
#include "cairn/base/check.hpp"
#include "cairn/base/least_norm.hpp"
#include "cairn/base/symmetric_eigen.hpp"
#include "cairn/lagrange/friction_root.hpp"

namespace cairn {

namespace {

// { x : |x| <= scale mu - beta . x } in the plane.
class FocalConic : public FrictionKind {
 public:
  FocalConic(Real mu, const Reals& beta) : mu_(mu), beta_(beta) {}
  int dim() const override { return static_cast<int>(beta_.size()); }
  bool bounded() const override { return beta_.squaredNorm() < 1; }

  // mu times the least s >= 0 with |v - s beta| <= s.
  Real support(const Reals& v) const override {
    if (v.isZero(0)) return 0;
    const Real across = v.dot(beta_), inside = across * across + (1 - beta_.squaredNorm()) * v.squaredNorm();
    if (!(inside >= 0)) return FrictionSet::infinite();
    const Real below = across + std::sqrt(inside);
    return below > 0 ? mu_ * v.squaredNorm() / below : FrictionSet::infinite();
  }

  // The constraint c(x) = |x| + beta . x - scale mu <= 0 is convex. For its multiplier s the least x of
  // (1/2) x . H x + (b + s beta) . x + s |x| is found by one root, and c at it decreases with s: another root.
  Reals least(const RealMatrix& H, const Reals& b, Real scale) const override {
    if (!(scale * mu_ > 0)) return least_in_cone(H, b);
    const SymmetricEigen eigen = symmetric_eigen(H);
    const Inner inner{eigen.values.cwiseMax(0), eigen.vectors.transpose() * b, eigen.vectors.transpose() * beta_};
    const Real limit = scale * mu_;
    const auto c = [&](Real s) {
      const Reals x = inner.at(s);
      return x.norm() + inner.beta.dot(x) - limit;
    };
    Real s = 0;
    if (c(0) > 0) {
      Real most = std::max(inner.b.norm(), Real(1e-300));
      for (int k = 0; k < 2000 && c(most) > 0; ++k) most *= 2;  // x = 0 is inside, so that one is enough
      s = zero_of_decreasing(c, Real(0), most);
    }
    return eigen.vectors * inner.at(s);
  }

  // On the border x = z - s (e + beta), e = x/|x|: the part of z - s beta beyond s. What is beyond the border,
  // c(s) = |x| + beta . x - scale mu, falls with s at the rate (1 + beta . e)^2 + (beta . e')^2/(1 + s/|x|), e' across
  // e. Along the tangent t, dx = t (t . dz)/(1 + s (t . e')^2/|x|).
  Reals nearest(const Reals& z, Real scale, RealMatrix* slope) const override {
    if (!(scale * mu_ > 0)) return nearest_in_cone(z, slope);
    if (slope != nullptr) slope->setIdentity(2, 2);
    const Vector<2> beta = beta_, point = z;
    const Real limit = scale * mu_;
    Vector<2> e = Vector<2>::Zero();
    Real r = 0;  // x = r e
    const auto beyond = [&](Real s, Real& rate) {
      const Vector<2> w = point - s * beta;
      const Real size = w.norm();
      r = std::max(Real(0), size - s);
      e = size > 0 ? Vector<2>(w / size) : Vector<2>::Zero();
      const Real along = 1 + beta.dot(e), across = beta(1) * e(0) - beta(0) * e(1);
      rate = along * along + (r > 0 ? across * across * r / (r + s) : 0);
      return r * along - limit;
    };
    Real rate = 0;
    if (!(beyond(0, rate) > 0)) return z;
    const Real s = zero_of_falling(beyond);
    beyond(s, rate);
    const Vector<2> normal = e + beta, x = r * e;
    if (slope != nullptr) {
      const Vector<2> t = Vector<2>(-normal(1), normal(0)).normalized();
      const Real across = t(1) * e(0) - t(0) * e(1);
      *slope = t * t.transpose() * (r > 0 ? r / (r + s * across * across) : 0);
    }
    return x;
  }

 private:
  struct Inner {  // in the axes of H
    Reals d, b, beta;

    Reals at(Real s) const {
      Reals g = b + s * beta, x = Reals::Zero(g.size());
      if (s == 0) {
        for (Eigen::Index i = 0; i < g.size(); ++i)
          if (d(i) > Real(1e-14) * d.maxCoeff()) x(i) = -g(i) / d(i);
        return x;
      }
      if (g.norm() <= s) return x;
      // sum g_i^2/(d_i r + s)^2 = 1 for r = |x|: the equation of the ball, by Newton's steps from a bound below.
      Real r = (g.norm() - s) / d.maxCoeff();
      for (int k = 0; k < 200; ++k) {
        Real f = 0, slope = 0;
        for (Eigen::Index i = 0; i < g.size(); ++i) {
          const Real y = g(i) / (d(i) * r + s);
          f += y * y, slope -= y * y * d(i) / (d(i) * r + s);
        }
        const Real norm = std::sqrt(f), step = -(norm - 1) * f / slope;
        if (!(r + step > r)) break;
        r += step;
      }
      for (Eigen::Index i = 0; i < g.size(); ++i) x(i) = -r * g(i) / (d(i) * r + s);
      return x;
    }
  };

  // As least_in_cone() with H = 1.
  Reals nearest_in_cone(const Reals& z, RealMatrix* slope) const {
    const Reals x = least_in_cone(RealMatrix::Identity(2, 2), -z);
    if (slope == nullptr) return x;
    if (x == z)
      slope->setIdentity(2, 2);
    else
      *slope = x.norm() > 0 ? RealMatrix(x * x.transpose() / x.squaredNorm()) : RealMatrix::Zero(2, 2);
    return x;
  }

  // The asymptotic cone { |x| <= -beta . x }: 0, a half-line or an angle between two.
  Reals least_in_cone(const RealMatrix& H, const Reals& b) const {
    Reals x = Reals::Zero(dim());
    const Real size = beta_.norm();
    if (!(size >= 1)) return x;
    const Reals free = -least_norm_solution(H, b);
    if (free.norm() <= -beta_.dot(free)) return free;
    Real best = 0;
    const Real cosine = -1 / size, sine = std::sqrt(std::max(Real(0), 1 - cosine * cosine));
    for (const Real side : {Real(-1), Real(1)}) {  // at the angle acos(-1/|beta|) from beta
      const Reals e = beta_ / size;
      Reals ray = cosine * e;
      if (dim() == 2) ray += side * sine * (Reals(2) << -e(1), e(0)).finished();
      const Real along = -ray.dot(b), stiff = ray.dot(H * ray);
      if (!(along > 0) || !(stiff > 0) || !(along * along / stiff > best)) continue;
      best = along * along / stiff, x = along / stiff * ray;
    }
    return x;
  }

  Real mu_;
  Reals beta_;
};

}  // namespace

FrictionSet focal_conic(Real mu, const Reals& beta) {
  CAIRN_CHECK(mu >= 0 && beta.allFinite(), "a focal conic has mu >= 0 and a finite beta");
  CAIRN_CHECK(beta.size() == 1 || beta.size() == 2, "a focal conic lies on a line or in a plane");
  if (beta.size() == 2) return FrictionSet(std::make_shared<FocalConic>(mu, beta));
  const Real inf = FrictionSet::infinite(), up = 1 + beta(0), down = 1 - beta(0);
  return interval(down > 0 ? -mu / down : -inf, up > 0 ? mu / up : inf);
}

}  // namespace cairn
