// What the members of an ensemble differ in, as the command line says it.
//
// Perturbations of the size s are drawn so that the same draw with a smaller s is the same perturbation, shrunk: of a
// pair of members one has it in full and one at a tenth.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/base/vec.hpp"

namespace cairn::ensemble {

struct Size {
  Real value = 0;
  bool absolute = false;  // in [m] or [m/s]; else relative, as the kind says
};

// A parameter of the scene, drawn anew for each member.
struct Variation {
  std::string name;
  bool normal = false;  // a: mean, b: deviation; else uniform between a and b
  Real a = 0, b = 0;
};

struct Perturbation {
  std::optional<Real> h;           // [-] h (1 - h r), r in [0, 1): never longer
  std::optional<Real> mu;          // [-] every pair's coefficients times 1 + mu r, r in [-1, 1)
  std::optional<Size> positions;   // of the reach of each body, or [m]: each component
  std::optional<Size> velocities;  // of the scene's own speed, or [m/s]: each component; spins in keeping
  bool numbering = false;          // bodies, and with them contacts, are taken in another order
  std::vector<Variation> vary;

  bool none() const { return !sized() && !numbering && vary.empty(); }
  bool sized() const { return h || mu || positions || velocities; }
};

// `kinds`: "positions=1e-6", "velocities=1e-3m/s", "h", "numbering" ...; `vary`: "mu=0.3:0.5" or "mu=normal(0.5,0.02)".
Expected<Perturbation> read_perturbation(const std::vector<std::string>& kinds, const std::vector<std::string>& vary);

std::string describe(const Perturbation& perturbation);  // in words, for people

}  // namespace cairn::ensemble
