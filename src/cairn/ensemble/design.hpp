// An ensemble: a scene, and how its members differ. Member 0 is the scene as it stands. Others come in pairs, (1, 2),
// (3, 4) ...: the first has the perturbation in full, the second the same at a tenth. A member depends on the design
// and its own number alone: not on how many there are, who ran before, or the machine.
#pragma once

#include <cstdint>

#include "cairn/ensemble/observe.hpp"
#include "cairn/ensemble/perturbation.hpp"
#include "cairn/input/load.hpp"

namespace cairn::ensemble {

inline constexpr Real shrunk = Real(0.1);

struct Design {
  input::SceneText scene;
  std::vector<std::string> settings;  // name=value
  Perturbation perturbation;
  std::vector<std::string> given;  // kinds and variations, as the user wrote them
  std::uint64_t seed = 1;
  Real until = 0;         // [s] 0: the scene's duration
  int samples = 100;      // times at which observables are kept, evenly up to the end
  bool one_size = false;  // all members have the full perturbation

  // Whether there is anything to shrink; numbers of bodies and parameters of whole numbers have no tenth.
  bool paired() const { return !one_size && (perturbation.sized() || shrinking_parameters); }
  bool shrinking_parameters = false;  // some of the parameters varied are not whole numbers
  int draw(int member) const { return paired() ? (member + 1) / 2 : member; }  // what the members of a pair share
  bool full(int member) const { return member > 0 && (!paired() || member % 2 == 1); }
  Real factor(int member) const { return member == 0 ? 0 : full(member) ? 1 : shrunk; }
};

// What the scene gives to say about each member, and the units in which numbers are large or small.
struct Scales {
  Real length = 1;   // [m] reach of the largest free body
  Real mass = 1;     // [kg] of all free bodies
  Real gravity = 0;  // [m/s^2]
  // Of a unit such as "m" or "J": the scene's own size of it; 0: none is known.
  Real of(const std::string& unit) const;
};

struct Layout {
  std::string title;
  int dimension = 2;
  Real end = 0, h = 0;      // [s]
  std::vector<Real> times;  // [s] of samples
  std::vector<Column> observables, outcomes;
  Scales scales;

  // [-] of its scale: what a number may differ by through the scheme alone. Contacts leave slop and tolerance open, and
  // an impact is placed within a step: a tenth of h over sqrt(L/g), the time in which a body falls by its own length.
  Real resolution() const;
};

// Reads and builds the scene once and sees that everything fits. A message may have several lines, with the place in
// the scene file.
Expected<Layout> lay_out(Design& design);

}  // namespace cairn::ensemble
