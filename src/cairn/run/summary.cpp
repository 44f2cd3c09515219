#include "cairn/run/summary.hpp"

#include <algorithm>

namespace cairn::run {

void Totals::add(const CollectionReport& r, Real kinetic) {
  kinetic_max = std::max(kinetic_max, kinetic);
  ++steps, missed += r.missed, poor += r.error > Real(1e-4);
  contacts_max = std::max(contacts_max, static_cast<Real>(r.active));
  error_max = std::max(error_max, r.error);
  violation_max = std::max({violation_max, r.violation, r.deepest});
  gain_max = std::max(gain_max, -r.energy.dissipation);
  energy += r.energy;
  correction += r.correction_work;
  exchanged += std::abs(r.energy.applied) + std::abs(r.energy.boundary) + std::abs(r.energy.dissipation);
  seconds.broad += r.seconds.broad, seconds.narrow += r.seconds.narrow, seconds.assembly += r.seconds.assembly;
  seconds.solution += r.seconds.solution, seconds.correction += r.seconds.correction;
  seconds.certificate += r.seconds.certificate;
}

std::vector<Real> Totals::memory() const {
  return {static_cast<Real>(steps),
          static_cast<Real>(missed),
          static_cast<Real>(poor),
          contacts_max,
          error_max,
          violation_max,
          gain_max,
          energy.change,
          energy.applied,
          energy.inertial,
          energy.boundary,
          energy.dissipation,
          correction,
          exchanged,
          kinetic_max};
}

std::size_t Totals::remembered() { return Totals{}.memory().size(); }

void Totals::recall(std::span<const Real> m) {
  steps = std::lround(m[0]), missed = std::lround(m[1]), poor = std::lround(m[2]);
  contacts_max = m[3], error_max = m[4], violation_max = m[5], gain_max = m[6];
  energy = {m[7], m[8], m[9], m[10], m[11]};
  correction = m[12], exchanged = m[13], kinetic_max = m[14];
}

}  // namespace cairn::run
