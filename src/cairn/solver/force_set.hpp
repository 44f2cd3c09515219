// All distributions of impulses that give the bodies of a step the same motion. Rigid bodies with many contacts leave
// them undetermined, and a solver picks one by its numbering (JM92 1). With the velocity known, what is left is convex:
//
//   F = { S : sum_a G_a^T S_a = p,  S_a admissible for the U_a known },    p = sum_a G_a^T S_a of any one solution
//
// A contact that opens has S = 0, one that slides has S on a known ray, one that sticks any S of its cone.
#pragma once

#include <array>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

struct ForceEntry {
  int row;
  Real value;
};

// Impulse of a contact, as a linear function of `dim` numbers s with s_0 >= |(s_1, s_2)|; s_0 is the normal impulse
// [N s]. Friction that depends on direction is in the linear function, so that every cone is this one.
struct ForceUnknown {
  int dim = 0;                                         // 0: no impulse; 1: on a ray; 2, 3: in a cone
  bool free = false;                                   // a row of a joint: dim is 1, any sign
  std::array<std::vector<ForceEntry>, 3> column = {};  // (dim) G^T of each number, in the rows of equilibrium
  std::array<Real, 9> metric = {};                     // (3 x 3) |S|^2 = s . metric s; of a joint zero
  std::array<Real, 3> value = {};                      // [N s] of the solution given
};

// A linear function of the numbers of one unknown.
struct ForceTerm {
  int member;  // of the island
  std::array<Real, 3> weight;
};

struct ForceSet {
  int rows = 0;  // of equilibrium: the freedoms of the bodies
  std::vector<ForceUnknown> unknowns;
};

}  // namespace cairn
