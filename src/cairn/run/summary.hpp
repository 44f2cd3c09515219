// What a run says at its end: the certificate's worst figures, the energy ledger, the cost, the outcome.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/run/measure.hpp"

namespace cairn::run {

// Sums over the steps. All but the seconds are the same in a resumed run.
struct Totals {
  long steps = 0, missed = 0, poor = 0;  // steps; those above the required error; those above 1e-4
  Real contacts_max = 0, error_max = 0;
  Real violation_max = 0;  // [m]
  Real gain_max = 0;       // [J] largest energy that contacts gave in a step
  EnergyLedger energy;     // [J]
  Real correction = 0;     // [J] work of the weight in corrections of positions
  Real exchanged = 0;      // [J] sum of |applied| + |boundary| + |dissipation|
  Real kinetic_max = 0;    // [J]
  StageSeconds seconds;    // of wall time
  double recording = 0;    // [s] spent on the results file and checkpoints

  void add(const CollectionReport& r, Real kinetic);
  std::vector<Real> memory() const;
  void recall(std::span<const Real> memory);
  static std::size_t remembered();

  // [-] of the energy exchanged and the largest kinetic energy: elastic bodies exchange none.
  Real energy_defect() const {
    const Real scale = exchanged + kinetic_max;
    return scale > 0 ? std::abs(energy.defect()) / scale : 0;
  }
};

struct Summary {
  Real time = 0;  // [s] reached
  long bodies = 0;
  Totals totals;
  double wall_seconds = 0;  // of this call
  long steps_now = 0;       // of this call
  std::string stopped;      // why, where not by its duration; empty: it came to its end
  bool interrupted = false;
  std::vector<std::pair<std::string, Value>> outcome;
  std::string results, checkpoint;  // files; empty: none

  double steps_per_second() const { return wall_seconds > 0 ? static_cast<double>(steps_now) / wall_seconds : 0; }
};

}  // namespace cairn::run
