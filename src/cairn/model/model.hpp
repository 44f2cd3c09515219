// A collection of rigid bodies: what does not change (Model) and what a restart needs (ModelState).
//
// A body's velocity is that of its centre of mass in the world's axes, then its spin: one number in the plane, in space
// its components in the principal axes, so that the inertia matrix is constant and diagonal (M98 5.1).
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/model/drive.hpp"
#include "cairn/model/joint.hpp"
#include "cairn/model/load.hpp"
#include "cairn/model/material.hpp"
#include "cairn/shape/compound.hpp"

namespace cairn {

template <int D>
struct Body {
  Real mass = 0;              // [kg] 0: driven, or fixed
  Vec<spins<D>> inertia{};    // [kg m^2] principal
  Vec<freedoms<D>> locked{};  // 1: this component of the velocity stays zero
  int drive = -1;             // of the model's list; -1 with no mass: fixed
  Pose<D> placed;             // driven and fixed bodies: where excursions start
  Vec<D> grain{};             // direction in the body's axes, for friction that depends on it; 0: none

  bool free() const { return mass > 0; }
  Real A(int k) const { return k < D ? mass : inertia[k - D]; }  // diagonal of its inertia matrix, freedom k
};

template <int D>
struct BodyPart {
  int body;
  Shape<D> shape;
  Pose<D> pose;  // in the body's principal axes
  int material;
};

template <int D>
struct Model {
  static constexpr int F = freedoms<D>;

  std::vector<Body<D>> bodies;
  std::vector<BodyPart<D>> parts;
  std::vector<Drive<D>> drives;
  std::vector<Joint<D>> joints;
  Materials materials;
  Vec<D> gravity{};  // [m/s^2]
  std::vector<Load<D>> loads;
  Real size = 0;  // [m] largest reach of a free body, the unit of gaps
};

// The orientation as it is kept: the angle in the plane, so that turns are counted.
template <int D>
struct Orientation;
template <>
struct Orientation<2> {
  Real angle = 0;  // [rad]
  Rotation<2> rotation() const { return Rotation<2>::by(angle); }
  void turn(const Vec<1>& by) { angle += by[0]; }  // [rad]
};
template <>
struct Orientation<3> {
  Rotation<3> r;
  const Rotation<3>& rotation() const { return r; }
  void turn(const Vec<3>& by) { r = (r * Rotation<3>::by(by)).unit(); }  // [rad] in the body's own axes
};

// A contact known again in the next step.
struct ContactKey {
  int first, second;  // parts, first < second
  std::uint32_t feature;
  auto operator<=>(const ContactKey&) const = default;
};

template <int D>
struct ModelState {
  Real t = 0;                         // [s]
  Real assured = 0;                   // [s] that velocities may be followed without leading through a body
  std::vector<Vec<D>> x;              // [m] (bodies) centres of mass
  std::vector<Orientation<D>> r;      // (bodies)
  std::vector<Vec<freedoms<D>>> u;    // [m/s, rad/s] (bodies)
  std::vector<ContactKey> contact;    // of the last step, sorted
  std::vector<Vec<D>> impulse;        // [N s] (contacts) on the first body, in the world's axes
  std::vector<Vec<spins<D>>> torque;  // [N m s] (contacts) of rolling resistance, in the same way
  std::vector<char> slid;             // (contacts) in the last step
  std::vector<Vec<D>> joint;          // [N s] (joints * joint_parts) in the joints' own rows

  Pose<D> pose(int body) const {
    return {x[static_cast<std::size_t>(body)], r[static_cast<std::size_t>(body)].rotation()};
  }
};

}  // namespace cairn
