#include "cairn/lagrange/friction_set.hpp"

#include <algorithm>
#include <limits>

#include "cairn/base/check.hpp"
#include "cairn/base/least_norm.hpp"
#include "cairn/base/symmetric_eigen.hpp"
#include "cairn/lagrange/friction_product.hpp"
#include "cairn/lagrange/friction_root.hpp"

namespace cairn {
namespace {

// lambda times a bound that may be infinite: the asymptotic cone of a half-line is a half-line.
Real scaled(Real scale, Real bound) { return std::isinf(bound) ? bound : scale * bound; }

class Nothing : public FrictionKind {
 public:
  int dim() const override { return 0; }
  bool bounded() const override { return true; }
  Real support(const Reals&) const override { return 0; }
  Reals least(const RealMatrix&, const Reals&, Real) const override { return Reals(0); }
  Reals nearest(const Reals&, Real, RealMatrix* slope) const override {
    if (slope != nullptr) slope->resize(0, 0);
    return Reals(0);
  }
};

class Interval : public FrictionKind {
 public:
  Interval(Real low, Real high) : low_(low), high_(high) {}
  int dim() const override { return 1; }
  bool bounded() const override { return std::isfinite(low_) && std::isfinite(high_); }
  Real support(const Reals& v) const override {
    if (v(0) == 0) return 0;
    return v(0) * (v(0) > 0 ? high_ : low_);
  }
  Reals least(const RealMatrix& H, const Reals& b, Real scale) const override {
    const Real x = H(0, 0) > 0 ? -b(0) / H(0, 0) : 0;
    return Reals::Constant(1, std::clamp(x, scaled(scale, low_), scaled(scale, high_)));
  }
  Reals nearest(const Reals& z, Real scale, RealMatrix* slope) const override {
    const Real x = std::clamp(z(0), scaled(scale, low_), scaled(scale, high_));
    if (slope != nullptr) slope->setConstant(1, 1, x == z(0) ? 1 : 0);
    return Reals::Constant(1, x);
  }

 private:
  Real low_, high_;
};

class WholeSpace : public FrictionKind {
 public:
  explicit WholeSpace(int dim) : dim_(dim) {}
  int dim() const override { return dim_; }
  bool bounded() const override { return dim_ == 0; }
  Real support(const Reals& v) const override { return v.isZero(0) ? 0 : FrictionSet::infinite(); }
  Reals least(const RealMatrix& H, const Reals& b, Real) const override {
    return -least_norm_solution(H, b);  // rows may depend on each other
  }
  Reals nearest(const Reals& z, Real, RealMatrix* slope) const override {
    if (slope != nullptr) slope->setIdentity(dim_, dim_);
    return z;
  }

 private:
  int dim_;
};

class Product : public FrictionKind {
 public:
  explicit Product(std::vector<FrictionSet> parts) : parts_(std::move(parts)) {
    for (const FrictionSet& part : parts_) dim_ += part.dim();
  }
  int dim() const override { return dim_; }
  bool bounded() const override {
    return std::all_of(parts_.begin(), parts_.end(), [](const FrictionSet& s) { return s.bounded(); });
  }
  Real support(const Reals& v) const override {
    Real sum = 0;
    int at = 0;
    for (const FrictionSet& part : parts_) {
      sum += part.support(v.segment(at, part.dim()));
      at += part.dim();
    }
    return sum;
  }
  Reals least(const RealMatrix& H, const Reals& b, Real scale) const override {
    const SymmetricEigen eigen = symmetric_eigen(H);
    const Reals d = eigen.values.cwiseMax(0).cwiseSqrt();
    const RealMatrix F = d.asDiagonal() * eigen.vectors.transpose();  // F^T F = H
    return least_of_product(parts_, std::vector<Real>(parts_.size(), scale), F, b).x;
  }
  Reals nearest(const Reals& z, Real scale, RealMatrix* slope) const override {
    Reals x(dim_);
    RealMatrix block;
    if (slope != nullptr) slope->setZero(dim_, dim_);
    int at = 0;
    for (const FrictionSet& part : parts_) {
      const int k = part.dim();
      x.segment(at, k) = part.nearest(z.segment(at, k), scale, slope != nullptr ? &block : nullptr);
      if (slope != nullptr) slope->block(at, at, k, k) = block;
      at += k;
    }
    return x;
  }
  const std::vector<FrictionSet>* parts() const override { return &parts_; }

 private:
  std::vector<FrictionSet> parts_;
  int dim_ = 0;
};

class ByFunctions : public FrictionKind {
 public:
  explicit ByFunctions(FrictionFunctions f) : f_(std::move(f)) {}
  int dim() const override { return f_.dim; }
  bool bounded() const override { return f_.bounded; }
  Real support(const Reals& v) const override { return f_.support(v); }
  Reals least(const RealMatrix& H, const Reals& b, Real scale) const override { return f_.least(H, b, scale); }

 private:
  FrictionFunctions f_;
};

FrictionSet stop_or(const Expected<FrictionSet>& set) {
  CAIRN_CHECK(set, set ? "" : set.error().c_str());
  return *set;
}

}  // namespace

// By central differences: the projection is 1-Lipschitz, and semismooth where a user's set is made of smooth pieces.
Reals FrictionKind::nearest(const Reals& z, Real scale, RealMatrix* slope) const {
  const RealMatrix I = RealMatrix::Identity(dim(), dim());
  if (slope != nullptr) {
    slope->resize(dim(), dim());
    const Real d = Real(1e-6) * std::max(z.norm(), std::numeric_limits<Real>::min());
    for (int i = 0; i < dim(); ++i)
      slope->col(i) = (least(I, -(z + d * I.col(i)), scale) - least(I, -(z - d * I.col(i)), scale)) / (2 * d);
    *slope = (*slope + slope->transpose()).eval() / 2;
  }
  return least(I, -z, scale);
}

FrictionSet::FrictionSet() : kind_(std::make_shared<Nothing>()) {}

Real FrictionSet::infinite() { return std::numeric_limits<Real>::infinity(); }

Real FrictionSet::error(const Reals& x, const Reals& V, Real scale, Real eta) const {
  return (x - nearest(x - V / eta, scale)).norm();
}

FrictionSet interval(Real low, Real high) { return stop_or(checked_interval(low, high)); }

Expected<FrictionSet> checked_interval(Real low, Real high) {
  if (!(low <= 0) || !(high >= 0)) return Error{"interval of friction: expected low <= 0 <= high"};
  return FrictionSet(std::make_shared<Interval>(low, high));
}

FrictionSet whole_space(int dim) {
  CAIRN_CHECK(dim >= 0, "a number of coordinates");
  return FrictionSet(std::make_shared<WholeSpace>(dim));
}

FrictionSet disc(Real mu, int dim) {
  return stop_or(checked_ellipsoid(Reals::Zero(dim), mu * RealMatrix::Identity(dim, dim)));
}

FrictionSet ellipsoid(const Reals& centre, const RealMatrix& L) { return stop_or(checked_ellipsoid(centre, L)); }

FrictionSet product(std::vector<FrictionSet> parts) { return FrictionSet(std::make_shared<Product>(std::move(parts))); }

FrictionSet friction_by(FrictionFunctions functions) {
  CAIRN_CHECK(functions.support && functions.least, "a friction set by functions needs both of them");
  return FrictionSet(std::make_shared<ByFunctions>(std::move(functions)));
}

FrictionSet polyhedron(const RealMatrix& points, const RealMatrix& rays) {
  return stop_or(checked_polyhedron(points, rays));
}

}  // namespace cairn
