// Probes: numbers read from a running scene after a step, as a curve in time shows them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/run/moment.hpp"

namespace cairn::run {

struct ProbeSpec {
  std::string name;            // of the curve; the user's
  std::string kind;            // one of probe_docs()
  std::string body = {};       // name of a body, or its number; several share a name: means, of forces the sum
  std::string component = {};  // "x", "y", "z"; empty: the length of the vector; others as the kind says
  int joint = 0;               // for joint_reaction, its number
  std::vector<Real> low = {}, high = {};  // [m] (D) for stress: the box of the section; empty: that around the grains
  Real area = 0;                          // [m^(D-1)] for wall_stress
};

struct ProbeDoc {
  const char* kind;
  const char* unit;
  const char* needs;  // fields of the ProbeSpec, for the user
  const char* doc;
};
const std::vector<ProbeDoc>& probe_docs();

template <int D>
class Probe {
 public:
  virtual ~Probe() = default;
  virtual void see(const Moment<D>&) {}               // after every step, in order; some count turns
  virtual Real read(const Moment<D>& now) const = 0;  // after see() of the same moment
  virtual std::vector<Real> memory() const { return {}; }
  virtual void recall(std::span<const Real>) {}

  std::string name, unit;
};

// The world must outlive the probe.
template <int D>
Expected<std::unique_ptr<Probe<D>>> make_probe(const ProbeSpec& spec, const scene::World<D>& world);

}  // namespace cairn::run
