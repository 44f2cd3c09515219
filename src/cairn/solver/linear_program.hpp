// Linear programs over one set, { A x = b, x >= 0 or free }, for many objectives: the basis of one is the start of the
// next (primal simplex; COIN-OR Clp behind a small face).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cairn/solver/force_set.hpp"

namespace cairn {

class LinearProgram {
 public:
  enum class Outcome { optimal, unbounded, infeasible, failed };
  struct Cost {
    int column;
    Real value;
  };

  // `precise_prices`: those of a program are to find new columns with.
  explicit LinearProgram(const std::vector<Real>& b, bool precise_prices = false);
  ~LinearProgram();
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;

  int add_column(const std::vector<ForceEntry>& entries, bool free);  // its number
  Outcome minimise(std::span<const Cost> cost);                       // columns that are not named cost nothing
  // Of the last program: the point, and prices of the rows, with which no column has cost - price . A < 0.
  std::span<const Real> point() const;
  std::span<const Real> prices() const;
  // The point may have numbers below zero, and rows off b, within the method's tolerance. What that may have taken from
  // the least value, to first order: the largest such errors times the sums of the prices of columns and rows.
  Real overstated() const;
  bool basic(int column) const;
  void remove_columns(const std::vector<int>& columns);  // not basic ones; the rest is numbered anew, in order
  int columns() const;
  long iterations() const { return iterations_; }  // of the simplex method, in all programs

 private:
  struct Clp;
  std::unique_ptr<Clp> clp_;
  std::vector<int> priced_;  // columns that have a cost now
  long iterations_ = 0;
};

}  // namespace cairn
