// A rigid body put together from shapes of given density: mass, centre and principal axes.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/shape/shapes.hpp"

namespace cairn {

template <int D>
struct Part {
  Shape<D> shape;
  Pose<D> pose;      // of the shape's axes in the body's
  Real density = 1;  // [kg/m^D]
};

// What is wrong with the shape or the pose of one of them, whatever it is made of; empty: nothing.
template <int D>
std::string complaint(const std::vector<Part<D>>& parts);

template <int D>
struct RigidBody {
  Real mass = 0;               // [kg]
  Vec<spins<D>> inertia{};     // [kg m^2] principal, about the centre of mass
  Pose<D> axes;                // centre of mass and principal axes, in the frame the parts were given in
  std::vector<Part<D>> parts;  // in the principal axes
};

// Parts that overlap count twice where they do. A part may have density 0, not all of them. Axes that are principal
// already (to 1e-12 of the inertia) are kept as given, and so is each one that is; otherwise they turn by as little as
// Jacobi's rotations need. In the plane they are never turned.
template <int D>
Expected<RigidBody<D>> assemble_parts(std::vector<Part<D>> parts);

// The rotation R from principal axes to the given ones: transpose(R) inertia R is diagonal.
Rotation<3> principal_axes(const Mat<3>& inertia);

}  // namespace cairn
