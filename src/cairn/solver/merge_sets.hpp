// Sets of solutions in the plane, found mode by mode, without those that are part of another.
#pragma once

#include <vector>

#include "cairn/solver/planar_modes.hpp"

namespace cairn {

struct PlanarSet {
  std::vector<ContactMode> modes;
  std::vector<Eigen::VectorXd> points;  // S
  std::vector<Eigen::VectorXd> rays;    // directions of S, of norm 1
};

class MergedSets {
 public:
  explicit MergedSets(const PlanarProblem& p) : p_(p) {}

  void add(PlanarSet set);
  const std::vector<PlanarSet>& sets() const { return sets_; }
  std::vector<int> groups() const;  // (sets) number of the group: sets that touch, and so on from one to the next
  bool one_motion(const PlanarSet& set) const;
  int dimension(const PlanarSet& set) const;
  bool same_velocity(const Eigen::VectorXd& S, const Eigen::VectorXd& T) const;

 private:
  bool part_of(const PlanarSet& small, const PlanarSet& large) const;
  bool touch(const PlanarSet& one, const PlanarSet& other) const;
  bool meets(const Eigen::VectorXd& S, const Eigen::VectorXd& U, const std::vector<ContactMode>& modes) const;

  const PlanarProblem& p_;
  std::vector<PlanarSet> sets_;
};

}  // namespace cairn
