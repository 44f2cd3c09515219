// Ranges of impulses over the distributions of one island, by linear programs.
//
// A cone in the plane has two edges, and its impulses are sums of non-negative parts along them: F is a polyhedron. A
// cone in space has an edge in every direction; those that are needed are taken in one by one, each the edge that the
// prices of the program find best (column generation): points found are always in F, and the prices bound what edges
// still left out could add.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "cairn/solver/linear_program.hpp"

namespace cairn {

// Unknowns that share rows, directly or through others; those without impulse are in none.
std::vector<std::vector<int>> islands_of(const ForceSet& set);

class ForceIsland {
 public:
  using Outcome = LinearProgram::Outcome;

  // Unknowns of the set that share rows; each has dim > 0.
  ForceIsland(const ForceSet& set, const std::vector<int>& unknowns);

  // The point found is visited. `new_edges`: until none is missing; without, a point of F alone is sought.
  Outcome minimise(const std::vector<ForceTerm>& terms, bool new_edges = true);
  void visit(const std::vector<std::array<Real, 3>>& point);  // (members) one of F

  int size() const { return static_cast<int>(unknown_.size()); }
  const ForceUnknown& member(int k) const { return unknown_[static_cast<std::size_t>(k)]; }
  // Numbers of a member in the last point.
  std::array<Real, 3> point(int k) const { return point_[static_cast<std::size_t>(k)]; }
  Real least_seen(int k) const { return least_[static_cast<std::size_t>(k)]; }  // of the normal impulse
  // Sum of all points visited, which is interior as far as these tell.
  const std::vector<std::array<Real, 3>>& sum() const { return sum_; }
  int visits() const { return visits_; }
  // How far a bound may be off: (member, v) adds v times that member's greatest normal impulse.
  const std::vector<std::pair<int, Real>>& left() const { return left_; }
  Real overstated() const { return program_->overstated(); }  // the value of the last program, at most
  long programs() const { return programs_; }
  long pivots() const { return program_->iterations(); }

  const std::vector<ForceUnknown>& unknowns() const { return unknown_; }  // rows and impulses of the order of one
  int rows() const { return static_cast<int>(b_.size()); }
  Real scale() const { return scale_; }  // [N s] the unit of impulses in here

 private:
  struct Generator {
    int member;
    Real c, s;  // direction of the edge
    bool kept;  // for ever
  };
  void add_generator(int member, Real c, Real s, bool kept = true);
  bool add_priced(const std::vector<std::array<Real, 3>>& weight);
  void forget_edges();

  std::vector<ForceUnknown> unknown_;  // scaled
  std::vector<Real> b_;
  Real scale_ = 1;
  std::unique_ptr<LinearProgram> program_;
  std::vector<Generator> generator_;              // (columns)
  std::vector<std::vector<int>> edges_;           // (members) their columns
  std::vector<std::array<Real, 3>> point_, sum_;  // (members)
  std::vector<Real> least_;
  std::vector<std::pair<int, Real>> left_;
  int visits_ = 0;
  long programs_ = 0;
};

}  // namespace cairn
