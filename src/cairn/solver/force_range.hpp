// What is certain about forces that rigidity leaves undetermined: ranges over all distributions F (force_set.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cairn/solver/force_set.hpp"

namespace cairn {

// Of the programs: the simplex method (force_island.hpp), or the central path (force_path.hpp), which needs an
// interior. `automatic`: the path for islands that are large or have cones in space, where it is there.
enum class ForceMethod { automatic, simplex, path };

struct ForceOptions {
  ForceMethod method = ForceMethod::automatic;
  bool centre = true;                               // computes the central and the least distribution too
  std::function<bool(int done, int all)> progress;  // false: stop
};

struct ForceRange {
  Real least = 0, greatest = 0;  // [N s] normal impulse over F; greatest may be infinite
};

struct ForceReport {
  int components = 0;      // of impulses that are not known to be zero
  int hyperstaticity = 0;  // dimension of the kernel of G^T on them: impulses that balance themselves
  int freedom = 0;         // dimension of F
  int islands = 0;
  bool bounded = true;            // F is; else no central distribution exists
  std::vector<ForceRange> range;  // (unknowns) of joints zero
  std::vector<Real> central;      // [N s] (unknowns) normal impulses at the analytic centre of F; empty: none
  std::vector<Real> least_norm;   // [N s] (unknowns) normal impulses where the sum of |S|^2 is least
  Real least_norm_gap = 0;        // [-] bound on what half that sum exceeds its least by, over scale^2
  Real scale = 0;                 // [N s] the largest normal impulse of the solution given
  Real bracket = 0;               // [-] of it: what is left between bounds of the ranges
  long programs = 0, pivots = 0;  // programs solved, steps of the simplex method
  long newton_steps = 0;          // along central paths
  bool stopped = false;           // by `progress`
  std::string trouble;            // what could not be computed; empty: nothing
};

ForceReport force_ranges(const ForceSet& set, const ForceOptions& options = {});

}  // namespace cairn
