// Friction sets with flat borders: the convex hull of points plus a cone of rays.
#include <algorithm>
#include <limits>

#include "cairn/base/check.hpp"
#include "cairn/base/least_norm.hpp"
#include "cairn/base/symmetric_eigen.hpp"
#include "cairn/lagrange/friction_set.hpp"

namespace cairn {
namespace {

// On the span of the columns.
RealMatrix projector(const RealMatrix& columns) {
  if (columns.cols() == 0) return RealMatrix::Zero(columns.rows(), columns.rows());
  const RealMatrix Q = orthonormal_columns(columns);
  return Q * Q.transpose();
}

// The point nearest to 0 of conv(columns of P) + cone(columns of R), by Wolfe's finite method: a face is kept by its
// columns; its own nearest point is approached until a weight comes to zero, and the column that lies nearest to 0
// joins.
class NearestPoint {
 public:
  NearestPoint(const RealMatrix& P, const RealMatrix& R) : P_(P), R_(R) {
    Eigen::Index first = 0;
    P_.colwise().squaredNorm().minCoeff(&first);
    face_ = {{static_cast<int>(first), false, 1}};
    x_ = P_.col(first);
    size_ = std::sqrt(std::max(P_.colwise().squaredNorm().maxCoeff(), std::numeric_limits<Real>::min()));
  }

  // Weights of points and rays.
  void find(Reals& of_points, Reals& of_rays) {
    for (int k = 0; k < 50 + 20 * static_cast<int>(P_.cols() + R_.cols()); ++k) {
      const std::vector<Corner> face = face_;
      const Reals x = x_;
      if (!grow()) break;
      settle();
      if (x_.norm() < x.norm()) continue;  // it falls each time, but for rounding
      face_ = face, x_ = x;
      break;
    }
    of_points = Reals::Zero(P_.cols()), of_rays = Reals::Zero(R_.cols());
    for (const Corner& c : face_) (c.ray ? of_rays : of_points)(c.column) = c.weight;
  }

  // 0 is in the set, but for rounding.
  bool inside() const { return x_.norm() <= 4 * std::numeric_limits<Real>::epsilon() * size_; }

  // Projects on the directions of the face that find() ended on.
  RealMatrix along_face() const { return projector(edges()); }

 private:
  struct Corner {
    int column;
    bool ray;
    Real weight;
  };

  Reals at(const Corner& c) const { return c.ray ? R_.col(c.column) : P_.col(c.column); }

  // Adds the column that promises most; false: none does, x is nearest.
  bool grow() {
    if (inside()) return false;
    Corner best{-1, false, 0};
    Real least = 0;
    const auto consider = [&](const Corner& c, Real value, Real tolerance) {
      if (value >= -tolerance || value >= least) return;
      for (const Corner& old : face_)
        if (old.column == c.column && old.ray == c.ray) return;
      least = value, best = c;
    };
    const Real norm = x_.norm(), tolerance = Real(1e-14) * norm * size_;
    for (int i = 0; i < P_.cols(); ++i) consider({i, false, 0}, x_.dot(P_.col(i) - x_), tolerance);
    for (int j = 0; j < R_.cols(); ++j) {
      const Real length = R_.col(j).norm();
      if (length > 0) consider({j, true, 0}, x_.dot(R_.col(j)) / length * size_, tolerance);
    }
    if (best.column < 0) return false;
    face_.push_back(best);
    return true;
  }

  // Goes to the nearest point of the affine hull of the face, dropping corners on the way.
  void settle() {
    while (true) {
      const std::vector<Real> wanted = affine();
      Real part = 1;
      std::size_t first = face_.size();
      for (std::size_t i = 0; i < face_.size(); ++i) {
        if (wanted[i] > 0) continue;
        const Real now = face_[i].weight, reach = now > wanted[i] ? now / (now - wanted[i]) : 0;
        if (reach < part || first == face_.size()) part = std::min(part, reach), first = i;
      }
      for (std::size_t i = 0; i < face_.size(); ++i) face_[i].weight += part * (wanted[i] - face_[i].weight);
      if (first == face_.size()) break;
      face_.erase(face_.begin() + static_cast<std::ptrdiff_t>(first));
      if (std::none_of(face_.begin(), face_.end(), [](const Corner& c) { return !c.ray; })) return restart();
    }
    x_.setZero();
    for (const Corner& c : face_) x_ += c.weight * at(c);
  }

  // Rounding took the last point away: begin again with it alone.
  void restart() {
    Eigen::Index first = 0;
    P_.colwise().squaredNorm().minCoeff(&first);
    face_ = {{static_cast<int>(first), false, 1}};
    x_ = P_.col(first);
  }

  std::size_t first_point() const {
    return static_cast<std::size_t>(std::find_if(face_.begin(), face_.end(), [](const Corner& c) { return !c.ray; }) -
                                    face_.begin());
  }

  // From the first point of the face to the others, and its rays.
  RealMatrix edges() const {
    const std::size_t base = first_point();
    RealMatrix out(P_.rows(), static_cast<Eigen::Index>(face_.size()) - 1);
    Eigen::Index at_edge = 0;
    for (std::size_t i = 0; i < face_.size(); ++i)
      if (i != base) out.col(at_edge++) = face_[i].ray ? at(face_[i]) : Reals(at(face_[i]) - at(face_[base]));
    return out;
  }

  // Weights of the nearest point of the face's affine hull: least squares in the edges from its first point.
  std::vector<Real> affine() const {
    const std::size_t base = first_point();
    const RealMatrix e = edges();
    std::vector<Real> weight(face_.size(), 0);
    weight[base] = 1;
    if (e.cols() == 0) return weight;
    const Reals w = e.colPivHouseholderQr().solve(-at(face_[base]));
    Eigen::Index at_edge = 0;
    for (std::size_t i = 0; i < face_.size(); ++i) {
      if (i == base) continue;
      weight[i] = w(at_edge++);
      if (!face_[i].ray) weight[base] -= weight[i];
    }
    return weight;
  }

  const RealMatrix &P_, &R_;
  std::vector<Corner> face_;
  Reals x_;
  Real size_;
};

class Polyhedron : public FrictionKind {
 public:
  Polyhedron(RealMatrix points, RealMatrix rays) : points_(std::move(points)), rays_(std::move(rays)) {
    RealMatrix all(points_.rows(), points_.cols() + rays_.cols());
    all << points_.colwise() - Reals(points_.col(0)), rays_;
    hull_ = projector(all), fan_ = projector(rays_);
  }
  int dim() const override { return static_cast<int>(points_.rows()); }
  bool bounded() const override { return rays_.cols() == 0; }
  Real support(const Reals& v) const override {
    for (Eigen::Index j = 0; j < rays_.cols(); ++j)
      if (v.dot(rays_.col(j)) > 0) return FrictionSet::infinite();
    return (points_.transpose() * v).maxCoeff();
  }

  // H = F^T F, b = -F^T z: the nearest point to z of the image by F.
  Reals least(const RealMatrix& H, const Reals& b, Real scale) const override {
    const SymmetricEigen eigen = symmetric_eigen(H);
    const Reals d = eigen.values.cwiseMax(0).cwiseSqrt(), c = eigen.vectors.transpose() * b;
    Reals z = Reals::Zero(c.size());
    for (Eigen::Index i = 0; i < c.size(); ++i)
      if (d(i) > Real(1e-10) * d.maxCoeff()) z(i) = -c(i) / d(i);
    const RealMatrix F = d.asDiagonal() * eigen.vectors.transpose();
    const RealMatrix P = corners(F * points_, z, scale), R = F * rays_;
    NearestPoint found(P, R);
    return sum(found, scale);
  }
  // Inside, the slope is that of the affine hull, and z itself has less of rounding than a sum of corners.
  Reals nearest(const Reals& z, Real scale, RealMatrix* slope) const override {
    const RealMatrix P = corners(points_, z, scale);
    NearestPoint found(P, rays_);
    const Reals x = sum(found, scale);
    if (slope != nullptr) *slope = found.inside() ? (scale > 0 ? hull_ : fan_) : found.along_face();
    return found.inside() ? z : x;
  }

 private:
  static RealMatrix corners(const RealMatrix& points, const Reals& z, Real scale) {
    return scale > 0 ? RealMatrix((scale * points).colwise() - z) : RealMatrix(-z);
  }
  Reals sum(NearestPoint& nearest, Real scale) const {
    Reals of_points, of_rays, x = Reals::Zero(dim());
    nearest.find(of_points, of_rays);
    if (scale > 0) x = scale * (points_ * of_points);
    if (rays_.cols() > 0) x += rays_ * of_rays;
    return x;
  }

  RealMatrix points_, rays_;
  RealMatrix hull_, fan_;  // projectors on the directions of the set, of its rays
};

}  // namespace

Expected<FrictionSet> checked_polyhedron(const RealMatrix& points, const RealMatrix& rays) {
  if (points.cols() < 1 || points.rows() < 1 || !points.allFinite() || !rays.allFinite())
    return Error{"polyhedron of friction: expected one point or more, with finite coordinates"};
  if (rays.cols() > 0 && rays.rows() != points.rows())
    return Error{"polyhedron of friction: expected rays with as many coordinates as the points"};
  const FrictionSet set(
      std::make_shared<Polyhedron>(points, rays.cols() > 0 ? rays : RealMatrix(RealMatrix::Zero(points.rows(), 0))));
  const RealMatrix I = RealMatrix::Identity(points.rows(), points.rows());
  const Reals zero = Reals::Zero(points.rows());
  if (set.least(I, zero).norm() > Real(1e-12) * points.colwise().norm().maxCoeff())
    return Error{"polyhedron of friction: expected one that contains 0"};
  return set;
}

}  // namespace cairn
