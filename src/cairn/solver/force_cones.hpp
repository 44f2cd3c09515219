// The set F of an island (force_set.hpp) in one form, { x : A x = b, x in K }: K is a product of rays, which are
// impulses on a ray and the parts along the edges of cones in the plane, and of Lorentz cones, which are impulses in
// space.
#pragma once

#include <array>
#include <vector>

#include "cairn/solver/envelope_cholesky.hpp"
#include "cairn/solver/force_set.hpp"
#include "cairn/solver/lorentz.hpp"

namespace cairn {

// A point of K, of its interior.
struct ConePoint {
  std::vector<Real> ray;
  std::vector<ConeElement<3>> cone;

  Real reach(const std::vector<Real>& d) const;   // largest t >= 0 with x + t d in K, at most 1e30
  void move(Real t, const std::vector<Real>& d);  // by less
  void values(std::vector<Real>& x) const;        // rays, then three numbers a cone
  void scale(Real t);                             // t x
  int degree() const { return static_cast<int>(ray.size() + cone.size()); }
};
Real dot(const ConePoint& x, const ConePoint& z);

class ForceCones {
 public:
  // Unknowns with dim > 0, none free; `rows`: those of equilibrium that count, none of which follows from the others.
  ForceCones(const std::vector<ForceUnknown>& unknowns, const std::vector<int>& rows);

  int rows() const { return static_cast<int>(b_.size()); }
  int rays() const { return rays_; }
  int cones() const { return static_cast<int>(block_.size()) - rays_; }
  int columns() const { return rays_ + 3 * cones(); }
  const std::vector<Real>& b() const { return b_; }

  void subtract_product(const std::vector<Real>& x, std::vector<Real>& r) const;    // r - A x
  void transposed_product(const std::vector<Real>& y, std::vector<Real>& t) const;  // A^T y
  EnvelopeCholesky pattern() const;                                                 // of A A^T
  // A F^2 A^T: F^2 is `ratio` on rays, the square of `scaling` on cones.
  void assemble(const std::vector<Real>& ratio, const std::vector<Scaling<3>>& scaling, EnvelopeCholesky& N) const;

  std::vector<Real> weights(const std::vector<ForceTerm>& terms) const;        // c with c . x the sum of the terms
  std::vector<std::array<Real, 3>> numbers(const std::vector<Real>& x) const;  // (unknowns)
  int member(int block) const { return block_[static_cast<std::size_t>(block)].member; }

 private:
  struct Block {
    int member;
    Real edge;                   // ray: its numbers are x (1, edge, 0)
    std::vector<int> row;        // in use
    std::vector<Real> value;     // of a ray one a row, of a cone three
    std::vector<unsigned> slot;  // in the values of A A^T, of pairs of rows
  };
  void add_block(const ForceUnknown& u, int member, int width, Real edge, const std::vector<int>& place);
  std::size_t first(std::size_t block) const {
    const std::size_t rays = static_cast<std::size_t>(rays_);
    return block < rays ? block : rays + 3 * (block - rays);
  }

  int unknowns_, rays_ = 0;
  std::vector<Block> block_;  // rays, then cones
  std::vector<Real> b_;
};

}  // namespace cairn
