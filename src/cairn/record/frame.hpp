// What a results file holds, in memory: the bodies, frames in time, and the certificate of every step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/law/law.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn::record {

// A contact as a user wants it: everything in the world's axes, the impulse acts on the FIRST body (and its opposite on
// the second), the relative velocity is that of the first body against the second.
template <int D>
struct ContactRow {
  int body[2];
  int part[2];  // of the model's list
  std::uint32_t feature;
  Vec<D> point;     // [m]
  Vec<D> normal;    // unit, from the second body to the first
  Vec<D> impulse;   // [N s] over the step
  Vec<D> velocity;  // [m/s] at the end of the step
  Real gap;         // [m] at the middle of the step
  Status status;    // take_off, stick, slide
  Real use;         // [-] part of the friction allowed that is in use; not a number: the file has none
};

template <int D>
struct Frame {
  Real t = 0;                       // [s]
  long step = 0;                    // steps done
  Real h = 0;                       // [s] of the last step: impulse / h is the mean force; 0 in frame 0
  std::vector<Vec<D>> x;            // [m] (bodies)
  std::vector<Orientation<D>> r;    // (bodies)
  std::vector<Vec<freedoms<D>>> u;  // [m/s, rad/s] (bodies)
  std::vector<ContactRow<D>> contacts;
};

// The bodies as they are drawn; the results file needs neither the scene file nor the solver to be looked at.
template <int D>
struct Cast {
  std::vector<Body<D>> bodies;  // drives are not kept: `drive` is 0 where the body was driven, -1 else
  std::vector<BodyPart<D>> parts;
  std::vector<std::string> names;  // (bodies)
  std::vector<int> label;          // (bodies) World::part
  Vec<D> gravity{};                // [m/s^2]
  Real size = 0;                   // [m] Model::size
};

// One row a step. The names and units of the columns are in step_columns().
struct StepRow {
  Real t = 0;  // [s] at its end
  Real h = 0;  // [s]
  Real active = 0, closed = 0, islands = 0, at_rest = 0, iterations = 0, missed = 0, ambiguous = 0;
  Real error = 0, violation = 0, deepest = 0, joint_error = 0;                                // [-], [m]
  Real kinetic = 0;                                                                           // [J] at its end
  Real change = 0, applied = 0, inertial = 0, boundary = 0, dissipation = 0, correction = 0;  // [J] in the step
};

}  // namespace cairn::record
