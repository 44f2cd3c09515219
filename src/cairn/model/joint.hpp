// Perfect bilateral joints between two bodies (M88 1, the 'primitive constraints'), and what may act in them: a motor,
// limits, dry friction.
//
// Each body carries a frame, and the joint holds some of the relative displacements and turns of the two at zero. Axes
// are those of the second body's frame. x is the axis of a hinge or a slider, the one that its coordinate is about.
#pragma once

#include <functional>
#include <limits>

#include "cairn/base/pose.hpp"

namespace cairn {

enum class JointKind : unsigned char {
  ball,       // in space: a common point
  hinge,      // a common point; in space a common axis x too. A pin in the plane
  slider,     // moves along x, does not turn
  universal,  // in space: a common point, x of the first frame stays at right angles to y of the second
  fixed,      // a weld
  pin = hinge,
  weld = fixed
};

// What acts on the coordinate of a hinge [rad] or a slider [m], which is zero where the frames agree: a motor, or
// limits and friction.
struct JointOptions {
  std::function<Real(Real t)> motor;                    // the coordinate in time; none where empty
  Real lower = -std::numeric_limits<Real>::infinity();  // [rad, m] limits; a hinge's lie less than a turn apart
  Real upper = std::numeric_limits<Real>::infinity();
  Real restitution = 0;   // [-] at the limits
  Real friction = 0;      // [N m, N] bound of a dry resistance
  Real friction_arm = 0;  // [m, -] added to it: this times the joint's reaction in the step before
  bool collide = false;   // whether the two bodies touch each other beside the joint
};

template <int D>
struct Joint : JointOptions {
  JointKind kind = JointKind::hinge;
  int body[2] = {-1, -1};  // -1: the world
  Pose<D> frame[2];        // in the axes of each body

  bool limited() const { return std::isfinite(lower) || std::isfinite(upper); }
  bool rubs() const { return friction > 0 || friction_arm > 0; }
  bool has_coordinate() const { return kind == JointKind::hinge || kind == JointKind::slider; }
};

// Bit i: the joint holds the displacement along axis i, the turn about axis i (in the plane: bit 0). A motor's
// coordinate, which is along or about axis 0, is held too.
struct HeldRows {
  unsigned displacement, turn;
};
template <int D>
HeldRows held(const Joint<D>& joint) {
  constexpr unsigned all = (1u << D) - 1, turns = (1u << spins<D>)-1;
  HeldRows h{all, 0};
  switch (joint.kind) {
    case JointKind::ball: break;
    case JointKind::hinge: h.turn = turns & ~1u; break;
    case JointKind::slider: h = {all & ~1u, turns}; break;
    case JointKind::universal: h.turn = 1; break;
    case JointKind::fixed: h.turn = turns; break;
  }
  if (joint.motor) (joint.kind == JointKind::slider ? h.displacement : h.turn) |= 1;
  return h;
}

}  // namespace cairn
