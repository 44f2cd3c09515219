// The certificate of one step of a system of finite freedom, and its sum over a motion.
#pragma once

#include <algorithm>
#include <cmath>

#include "cairn/base/vec.hpp"

namespace cairn {

enum class Fault : unsigned char {
  none,
  singular_inertia,  // A(t,q) is not positive definite
  not_finite,        // a force, a gap or the velocity is not a number
  no_solution        // the contact problem of the step was not solved
};

inline const char* describe(Fault fault) {
  switch (fault) {
    case Fault::none: return "none";
    case Fault::singular_inertia: return "the inertia matrix A(t,q) is not positive definite";
    case Fault::not_finite: return "a force, gap or velocity is not a finite number";
    case Fault::no_solution: return "no impulses satisfy all contact laws of the step";
  }
  return "";
}

// Change of kinetic energy = applied + inertial + boundary - dissipation + defect (M88 10, JM92 6.2). [J]
struct EnergyLedger {
  Real change = 0;    // of kinetic energy
  Real applied = 0;   // h F . (u_I + u_F)/2, the Lagrange terms that F holds included
  Real inertial = 0;  // from the variation of A along the step; with the power of the Lagrange terms it sums to O(h^2)
  Real boundary = 0;  // work of moving boundaries on the system, -sum S . W
  Real dissipation = 0;  // -sum S . (U_I + U_F)/2: friction and impacts; negative: a law gave energy
  EnergyLedger& operator+=(const EnergyLedger& b) {
    change += b.change, applied += b.applied, inertial += b.inertial;
    boundary += b.boundary, dissipation += b.dissipation;
    return *this;
  }
  Real defect() const { return change - applied - inertial - boundary + dissipation; }
};

struct StepReport {
  Fault fault = Fault::none;
  int active = 0;      // contacts that took part
  int closed = 0;      // of them, those with an impulse
  int ambiguous = 0;   // one-contact problems with several solutions or none
  int solutions = -1;  // of the contact problem, what is connected counting as one; -1: not asked, or not to be told
  bool many_motions = false;  // a continuum of velocities is among them
  long iterations = 0;
  Real error = 0;      // of the contact problem
  Real violation = 0;  // [m] deepest negative gap at the end of the step
  Real law_gain = 0;   // [J] energy that the laws of generalised friction gave against BC18 (8); 0: none
  EnergyLedger energy;
};

struct MotionReport {
  Fault fault = Fault::none;
  long steps = 0, contact_steps = 0;
  int ambiguous = 0;
  int solutions_max = -1;                                      // of a step; -1: never told
  Real error_max = 0, violation_max = 0, energy_gain_max = 0;  // the largest negative dissipation of a step
  Real law_gain_max = 0;                                       // [J] of generalised friction
  EnergyLedger energy;

  void add(const StepReport& r) {
    fault = r.fault;
    ++steps, contact_steps += r.closed > 0, ambiguous += r.ambiguous;
    solutions_max = std::max(solutions_max, r.solutions);
    error_max = std::max(error_max, r.error);
    violation_max = std::max(violation_max, r.violation);
    energy_gain_max = std::max(energy_gain_max, -r.energy.dissipation);
    law_gain_max = std::max(law_gain_max, r.law_gain);
    energy += r.energy;
  }
};

}  // namespace cairn
