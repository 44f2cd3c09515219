// Ellipsoids as friction sets, flat ones also: images of the unit ball.
#include <Eigen/SVD>

#include "cairn/base/least_norm.hpp"
#include "cairn/base/symmetric_eigen.hpp"
#include "cairn/lagrange/friction_root.hpp"

namespace cairn {
namespace {

// The y of least (1/2) sum d_i y_i^2 + g . y in the unit ball: free, or |y| = 1 with (d_i + s) y_i = -g_i. The equation
// 1/|y(s)| = 1 is nearly linear in s, and Newton's steps from the left never pass the zero. What has d_i <= zero has
// g_i = 0 but for rounding, and y_i = 0. Returns s.
Real least_in_ball(const Reals& d, const Reals& g, Real zero, Reals& y) {
  y = Reals::Zero(g.size());
  for (Eigen::Index i = 0; i < g.size(); ++i)
    if (d(i) > zero) y(i) = -g(i) / d(i);
  Real s = 0;
  for (int k = 0; k < 100 && y.norm() > 1; ++k) {
    Real slope = 0;  // of |y|^2/2, negative
    for (Eigen::Index i = 0; i < g.size(); ++i)
      if (d(i) > zero) slope -= y(i) * y(i) / (d(i) + s);
    const Real norm = y.norm(), step = -(norm - 1) * norm * norm / slope;
    if (!(s + step > s)) break;
    s += step;
    for (Eigen::Index i = 0; i < g.size(); ++i)
      if (d(i) > zero) y(i) = -g(i) / (d(i) + s);
  }
  if (y.norm() > 1) y.normalize();
  return s;
}

// { c + E y : |y| <= 1 } with orthogonal columns E, the half axes that have a length.
class Ellipsoid : public FrictionKind {
 public:
  Ellipsoid(Reals centre, const RealMatrix& L) : centre_(std::move(centre)) {
    const Eigen::JacobiSVD<RealMatrix> svd(L, Eigen::ComputeThinU);
    const Reals length = svd.singularValues();  // falling
    Eigen::Index n = 0;
    while (n < length.size() && length(n) > Real(1e-15) * length(0)) ++n;
    d_ = length.head(n).cwiseAbs2(), E_ = svd.matrixU().leftCols(n) * length.head(n).asDiagonal();
  }
  int dim() const override { return static_cast<int>(centre_.size()); }
  bool bounded() const override { return true; }
  Real support(const Reals& v) const override { return v.dot(centre_) + (E_.transpose() * v).norm(); }

  // With H = F^T F and b = -F^T z the objective is (1/2) |F x - z|^2, x = scale (c + E y): least squares in a ball.
  Reals least(const RealMatrix& H, const Reals& b, Real scale) const override {
    if (!(scale > 0)) return Reals::Zero(dim());
    const Reals free = -least_norm_solution(H, b);
    if (inside(free / scale)) return free;
    if (d_.size() == 0) return scale * centre_;
    const SymmetricEigen eigen = symmetric_eigen(scale * scale * E_.transpose() * H * E_);
    const Reals d = eigen.values, g = scale * E_.transpose() * (b + scale * (H * centre_));
    Reals y;
    least_in_ball(d, eigen.vectors.transpose() * g, Real(1e-14) * d(d.size() - 1), y);
    return scale * (centre_ + E_ * (eigen.vectors * y));
  }

  // On the border (d + s) y = E^T (z - c), |y| = 1, with d = E^T E. Differentiated, with K = (d + s)^-1:
  // dx = E (K - K y y^T K/(y . K y)) E^T dz.
  Reals nearest(const Reals& z, Real scale, RealMatrix* slope) const override {
    if (slope != nullptr) slope->setIdentity(dim(), dim());
    if (scale > 0 && inside(z / scale)) return z;
    if (slope != nullptr) slope->setZero();
    if (!(scale > 0)) return Reals::Zero(dim());
    Reals y;
    const Real s = least_in_ball(d_, E_.transpose() * (centre_ - z / scale), 0, y);
    if (slope != nullptr) {
      const Reals K = (d_.array() + s).inverse(), Ky = K.cwiseProduct(y);
      RealMatrix M = K.asDiagonal();
      if (s > 0) M -= Ky * Ky.transpose() / y.dot(Ky);
      *slope = E_ * M * E_.transpose();
    }
    return scale * (centre_ + E_ * y);
  }

 private:
  bool inside(const Reals& x) const {
    const Reals y = (E_.transpose() * (x - centre_)).cwiseQuotient(d_);
    return y.norm() <= 1 && (d_.size() == dim() || (E_ * y - (x - centre_)).norm() <= Real(1e-14) * centre_.norm());
  }

  Reals centre_;
  RealMatrix E_;
  Reals d_;  // squares of their lengths
};

}  // namespace

Expected<FrictionSet> checked_ellipsoid(const Reals& centre, const RealMatrix& L) {
  if (L.rows() != centre.size() || !L.allFinite() || !centre.allFinite())
    return Error{"ellipsoid of friction: expected finite numbers, and a matrix with as many rows as the centre has"};
  const Reals y = least_norm_solution(L, centre);
  if ((L * y - centre).norm() > Real(1e-12) * centre.norm() || y.norm() > 1 + Real(1e-12))
    return Error{"ellipsoid of friction: expected one that contains 0"};
  return FrictionSet(std::make_shared<Ellipsoid>(centre, L));
}

}  // namespace cairn
