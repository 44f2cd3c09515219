#include "cairn/lagrange/friction_set.hpp"

#include <algorithm>
#include <limits>

#include "cairn/base/check.hpp"
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
    return -H.completeOrthogonalDecomposition().solve(b);  // rows may depend on each other
  }

 private:
  int dim_;
};

// With H = F^T F and b = -F^T z the objective is (1/2) |F x - z|^2, x = scale (c + L y): least squares in a ball.
class Ellipsoid : public FrictionKind {
 public:
  Ellipsoid(Reals centre, RealMatrix L)
      : centre_(std::move(centre)), L_(std::move(L)), back_(L_.completeOrthogonalDecomposition().pseudoInverse()) {}
  int dim() const override { return static_cast<int>(centre_.size()); }
  bool bounded() const override { return true; }
  Real support(const Reals& v) const override { return v.dot(centre_) + (L_.transpose() * v).norm(); }
  Reals least(const RealMatrix& H, const Reals& b, Real scale) const override {
    if (!(scale > 0)) return Reals::Zero(dim());
    const Reals free = -H.completeOrthogonalDecomposition().solve(b), y = back_ * (free / scale - centre_);
    if (y.norm() <= 1 && (L_ * y - (free / scale - centre_)).norm() <= Real(1e-14) * centre_.norm()) return free;
    const RealMatrix Q = scale * scale * L_.transpose() * H * L_;
    const Reals g = scale * L_.transpose() * (b + scale * (H * centre_));
    return scale * (centre_ + L_ * least_in_ball(Q, g));
  }

 private:
  Reals centre_;
  RealMatrix L_, back_;
};

// Blocks in turn, each exactly: the objective is convex, and where every block is at its least all are (the sets do not
// couple them). Sweeps end when nothing moves beyond rounding.
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
    return least_of_blocks(parts_, std::vector<Real>(parts_.size(), scale), H, b).x;
  }

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

namespace {

struct Blocks {
  const std::vector<FrictionSet>& parts;
  const std::vector<Real>& scales;
  const RealMatrix& H;
  const Reals& b;

  Real cost(const Reals& x) const { return x.dot(H * x) / 2 + b.dot(x); }

  void sweep(Reals& x) const {
    int at = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const int k = parts[p].dim();
      const RealMatrix block = H.block(at, at, k, k);
      const Reals left = b.segment(at, k) + H.middleRows(at, k) * x - block * x.segment(at, k);
      x.segment(at, k) = parts[p].least(block, left, scales[p]);
      at += k;
    }
  }

  // Sweeps that creep along a line go to its end at once, if that is inside the sets after projection and lower.
  void leap(Reals& x, const Reals& step, Real ratio) const {
    Reals far = x + ratio / (1 - ratio) * step;
    int at = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const int k = parts[p].dim();
      far.segment(at, k) = parts[p].least(RealMatrix::Identity(k, k), -far.segment(at, k), scales[p]);
      at += k;
    }
    if (cost(far) < cost(x)) x = far;
  }
};

Real length(const RealMatrix& H, const Reals& x) { return std::sqrt(std::max(Real(0), x.dot(H * x))); }

}  // namespace

// Moves are judged by the velocities that they cause: coordinates may be redundant.
BlockSolution least_of_blocks(const std::vector<FrictionSet>& parts, const std::vector<Real>& scales,
                              const RealMatrix& H, const Reals& b) {
  const Blocks blocks{parts, scales, H, b};
  BlockSolution out{Reals::Zero(b.size()), 1, true};
  blocks.sweep(out.x);
  if (parts.size() <= 1) return out;
  constexpr int most = 20000;
  Real before = length(H, out.x);
  for (out.sweeps = 2; out.sweeps <= most; ++out.sweeps) {
    const Reals old = out.x;
    blocks.sweep(out.x);
    const Reals step = out.x - old;
    const Real moved = length(H, step);
    if (moved <= Real(1e-14) * length(H, out.x)) return out;
    const Real ratio = moved / before;
    before = moved;
    if (out.sweeps % 4 == 0 && ratio > Real(0.5) && ratio < 1) blocks.leap(out.x, step, ratio);
  }
  out.settled = false;
  return out;
}

FrictionSet::FrictionSet() : kind_(std::make_shared<Nothing>()) {}

Real FrictionSet::infinite() { return std::numeric_limits<Real>::infinity(); }

Real FrictionSet::error(const Reals& x, const Reals& V, Real scale, Real eta) const {
  if (dim() == 0) return 0;
  const RealMatrix H = eta * RealMatrix::Identity(dim(), dim());
  return (x - kind_->least(H, V - eta * x, scale)).norm();
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

Expected<FrictionSet> checked_ellipsoid(const Reals& centre, const RealMatrix& L) {
  if (L.rows() != centre.size() || !L.allFinite() || !centre.allFinite())
    return Error{"ellipsoid of friction: expected finite numbers, and a matrix with as many rows as the centre has"};
  const Reals y = L.completeOrthogonalDecomposition().solve(centre);
  if ((L * y - centre).norm() > Real(1e-12) * centre.norm() || y.norm() > 1 + Real(1e-12))
    return Error{"ellipsoid of friction: expected one that contains 0"};
  return FrictionSet(std::make_shared<Ellipsoid>(centre, L));
}

FrictionSet product(std::vector<FrictionSet> parts) { return FrictionSet(std::make_shared<Product>(std::move(parts))); }

FrictionSet friction_by(FrictionFunctions functions) {
  CAIRN_CHECK(functions.support && functions.least, "a friction set by functions needs both of them");
  return FrictionSet(std::make_shared<ByFunctions>(std::move(functions)));
}

FrictionSet polyhedron(const RealMatrix& points, const RealMatrix& rays) {
  return stop_or(checked_polyhedron(points, rays));
}

}  // namespace cairn
