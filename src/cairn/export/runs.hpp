// What the standard plots are made from: one motion, or several to compare.
#pragma once

#include "cairn/export/mesh.hpp"

namespace cairn::exporting {

struct Probe {
  std::string name, unit;
  std::vector<Real> values;  // (steps)
};

// Numbers of one frame.
struct FrameSummary {
  Real t = 0;                       // [s]
  Real coordination = 0;            // [-] see below
  std::vector<Real> normal_forces;  // [N] of the contacts that press
};

struct Run {
  std::string name;
  std::vector<record::StepRow> steps;
  std::vector<Probe> probes;
  std::vector<FrameSummary> frames;

  const Probe* find(const std::string& probe) const {
    for (const Probe& p : probes)
      if (p.name == probe) return &p;
    return nullptr;
  }
};

// Mean number of bodies and boundaries that a free body presses on; several contacts with one neighbour count once.
template <int D>
Real coordination_number(const Cast<D>& cast, const Frame<D>& frame);

template <int D>
std::vector<Real> normal_forces(const Frame<D>& frame);  // [N]

template <int D>
FrameSummary summary_of(const Cast<D>& cast, const Frame<D>& frame);

}  // namespace cairn::exporting
