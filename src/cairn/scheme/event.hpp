// What happens in an event-driven motion, and how finely it is looked for.
#pragma once

#include "cairn/lagrange/system.hpp"

namespace cairn {

struct EventOptions {
  Real tolerance = 1e-9;        // [-] of the motion; a hundredth of it for each step of the integrator
  Real max_step = 0.02;         // [s] an eighth of it is the shortest excursion of a gap that is not missed
  Real touching = 1e-9;         // [m] gap below which contacts take part in an impact of another
  Real closing = 1e-9;          // [m/s] below which a contact neither approaches, departs nor slips
  Real accumulation = 1e-5;     // [s] flights below which a geometric sequence of impacts is ended at its limit
  Real difference_step = 1e-5;  // [s] of the derivative of G u + W along the motion
  long max_events = 1000000;
};

enum class EventKind : unsigned char { impact, release, stop, slip, rest };

template <System S>
struct Event {
  Real t;
  EventKind kind;
  int contact;
  Velocity<S> u_before, u_after;
};

}  // namespace cairn
