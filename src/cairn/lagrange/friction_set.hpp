// Friction sets of problem P4 (BC18 5.2.2): closed convex sets C of tangential forces, bounded or not, that contain 0.
//
// A set is written in few coordinates x: the tangential generalised force is r_t = B^T x, with the rows B of the
// constraint (TangentialSet below), and the slip velocity is V = B u + rate. The law is
//
//   x in lambda C,     -V in the normal cone to lambda C at x,     lambda >= 0 the multiplier of d(phi)      (BC18 (i))
//
// where the reaction is lambda d(phi) + r_t. BC18 normalises: r_n = lambda |d(phi)|, so that its set is C/|d(phi)|,
// with |d(phi)| = sqrt(W_nn), W_nn = d(phi) . A^-1 d(phi). Here a particle with Coulomb friction has C = disc(mu),
// whatever its mass. Where lambda is 0 and the constraint stays closed, lambda C is the asymptotic cone of C: zero for
// a bounded set, what makes tangential impacts for an unbounded one.
//
// BC18 asks that C be not empty, closed and convex. Dissipation (BC18 eq. 8) needs that it contains 0 also: a set {c}
// would be a force that pushes. The makers below see to it where they can.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/lagrange/system.hpp"

namespace cairn {

using Reals = Vector<dynamic_size>;
using RealMatrix = Matrix<dynamic_size, dynamic_size>;

class FrictionSet;

// What a kind of set does. H below is symmetric positive, and b lies in its range.
class FrictionKind {
 public:
  virtual ~FrictionKind() = default;
  virtual int dim() const = 0;
  virtual bool bounded() const = 0;
  virtual Real support(const Reals& v) const = 0;  // sup { x . v : x in C }, may be +infinity
  // The point of least (1/2) x . H x + b . x over scale C; scale 0: over the asymptotic cone.
  virtual Reals least(const RealMatrix& H, const Reals& b, Real scale) const = 0;
  // The point of scale C nearest to z, and where asked for an element of its generalised derivative in z. By least()
  // and differences, unless a kind knows better.
  virtual Reals nearest(const Reals& z, Real scale, RealMatrix* slope) const;
  virtual const std::vector<FrictionSet>* parts() const { return nullptr; }  // of a product
};

class FrictionSet {
 public:
  FrictionSet();  // {0} without coordinates: no friction
  explicit FrictionSet(std::shared_ptr<const FrictionKind> kind) : kind_(std::move(kind)) {}

  int dim() const { return kind_->dim(); }
  bool bounded() const { return kind_->bounded(); }

  // S_C(v); the dissipation at the slip velocity V is lambda S_C(-V), and V is forbidden where it is infinite.
  Real support(const Reals& v) const { return kind_->support(v); }
  bool forbidden(const Reals& V) const { return !(support(-V) < infinite()); }

  // The tangential law with V = H x + b, solved: -V in N(x). H = B A^-1 B^T, so this is a projection in the metric
  // A^-1.
  Reals least(const RealMatrix& H, const Reals& b, Real scale = 1) const { return kind_->least(H, b, scale); }

  // The nearest point of C in the metric H.
  Reals project(const RealMatrix& H, const Reals& x) const { return kind_->least(H, -(H * x), 1); }

  // The nearest point of scale C, and a generalised derivative of it.
  Reals nearest(const Reals& z, Real scale, RealMatrix* slope = nullptr) const {
    return kind_->nearest(z, scale, slope);
  }
  const std::vector<FrictionSet>* parts() const { return kind_->parts(); }  // of a product, else none

  // How far (x, V) is from the law, in units of x: x - proj(x - V/eta), zero exactly where it holds.
  Real error(const Reals& x, const Reals& V, Real scale, Real eta) const;

  static Real infinite();

 private:
  std::shared_ptr<const FrictionKind> kind_;
};

// --- kinds -----------------------------------------------------------------------------------------------------------

FrictionSet interval(Real low, Real high);  // 1 coordinate; ends may be infinite; low <= 0 <= high
FrictionSet whole_space(int dim);           // a nonholonomic constraint V = 0 (M88 12)
FrictionSet disc(Real mu, int dim = 2);     // Coulomb's
FrictionSet ellipsoid(const Reals& centre, const RealMatrix& L);  // { centre + L y : |y| <= 1 }
// { x : |x| <= mu - beta . x }, one or two coordinates: ellipse, parabola or hyperbola with a focus at 0, unbounded
// where |beta| >= 1. It is what the Coulomb cone of a contact in space becomes (friction_cones.hpp).
FrictionSet focal_conic(Real mu, const Reals& beta);
// Convex hull of the points plus the cone of the rays; columns.
FrictionSet polyhedron(const RealMatrix& points, const RealMatrix& rays);
// C1 x C2 x ...: with the rows of each stacked, r_t runs through the Minkowski sum, and dissipations add up.
FrictionSet product(std::vector<FrictionSet> parts);
// By the user's functions, with the meaning of FrictionKind's.
struct FrictionFunctions {
  int dim = 1;
  bool bounded = true;
  std::function<Real(const Reals& v)> support;
  std::function<Reals(const RealMatrix& H, const Reals& b, Real scale)> least;
};
FrictionSet friction_by(FrictionFunctions functions);

// The same set, or what is wrong with the numbers: for values that a user typed. The makers above stop the program.
Expected<FrictionSet> checked_interval(Real low, Real high);
Expected<FrictionSet> checked_ellipsoid(const Reals& centre, const RealMatrix& L);
Expected<FrictionSet> checked_polyhedron(const RealMatrix& points, const RealMatrix& rays);

// --- in a system -----------------------------------------------------------------------------------------------------

// The friction of one constraint at (t, q). Rows need not be tangential: what they hold of d(phi) is taken out in the
// kinetic metric, B_t = B - (B A^-1 d(phi)) d(phi)^T/W_nn (BC18 5.2.1).
template <int N>
struct TangentialSet {
  Matrix<dynamic_size, N> rows;  // B (coordinates of the set x freedoms)
  FrictionSet set;
  Reals rate;  // [m/s] V = B u + rate: what moving boundaries add; empty: 0
};

// Minkowski sum of friction sets of one constraint.
template <int N>
TangentialSet<N> operator+(const TangentialSet<N>& a, const TangentialSet<N>& b) {
  TangentialSet<N> sum;
  const auto na = a.rows.rows(), nb = b.rows.rows();
  sum.rows.resize(na + nb, a.rows.cols());
  sum.rows << a.rows, b.rows;
  sum.rate = Reals::Zero(na + nb);
  if (a.rate.size() > 0) sum.rate.head(na) = a.rate;
  if (b.rate.size() > 0) sum.rate.tail(nb) = b.rate;
  sum.set = product({a.set, b.set});
  return sum;
}

}  // namespace cairn
