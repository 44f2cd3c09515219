// Distributions in the middle of F: its analytic centre, and the one of least norm (force_set.hpp).
#pragma once

#include <array>
#include <vector>

#include "cairn/solver/force_set.hpp"

namespace cairn {

// Rows of equilibrium that do not follow from each other, as many as the rank. Entries are of the order of one.
std::vector<int> independent_rows(const std::vector<ForceUnknown>& unknowns, int rows);

// The relative interior of F: unknowns that cannot leave the boundary of their cones have the one direction that they
// have there, or no impulse.
class ForceInterior {
 public:
  ForceInterior(const std::vector<ForceUnknown>& unknowns, int rows) : given_(unknowns), rows_(rows) {}

  // Unknowns in order, those with an impulse: numbers at a point of the interior, whether the boundary is all there is.
  void add(int unknown, const std::array<Real, 3>& s, bool boundary);

  int dimension();  // of F; to be asked for before the rest

  // Normal impulses (unknowns given); empty: the method has failed.
  std::vector<Real> centre() const;  // where the product of the distances to all boundaries is greatest
  struct Least {
    std::vector<Real> normal;
    Real gap = 0;  // of half the sum of |S|^2 to its least, at most
  };
  Least least_norm() const;  // where the sum of |S|^2 is least

 private:
  int components() const;
  std::vector<Real> normals(const std::vector<Real>& x) const;

  const std::vector<ForceUnknown>& given_;
  int rows_;
  std::vector<ForceUnknown> unknown_;  // their values: the start
  std::vector<int> origin_;            // (unknown_) number among those given
  std::vector<int> independent_;       // rows
};

}  // namespace cairn
