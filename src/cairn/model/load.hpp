// Forces on bodies beside their weight. The scheme takes them at (t_M, q_M, u_I): a damper of constant c on a mass m is
// stable for steps below 2 m / c.
#pragma once

#include <functional>
#include <span>

#include "cairn/base/pose.hpp"

namespace cairn {

// Where bodies are and how they move; loads add to `force`: force in the world's axes, torque as the spin (in space in
// principal axes, M98 5.1). Entries of driven and fixed bodies are ignored.
template <int D>
struct LoadContext {
  Real t;                               // [s]
  std::span<const Pose<D>> pose;        // (bodies)
  std::span<const Vec<freedoms<D>>> u;  // (bodies)
  std::span<Vec<freedoms<D>>> force;    // [N, N m] (bodies)

  void push(int body, const Vec<D>& point, const Vec<D>& force_there) const;  // both in the world's axes
  Vec<D> velocity(int body, const Vec<D>& point) const;                       // of the body's point, in the world
};

template <int D>
using Load = std::function<void(const LoadContext<D>&)>;

// A force in time [N], in the world's axes, at a point given in the body's own.
template <int D>
Load<D> point_force(int body, const Vec<D>& point, std::function<Vec<D>(Real t)> force);

// -linear v at the centre [N s/m] and -turning w [N m s].
template <int D>
Load<D> drag(int body, Real linear, Real turning);

// Between two bodies (-1: the world), points in their own axes: stiffness (length - rest) [N/m, m] + damping
// d(length)/dt [N s/m].
struct SpringOptions {
  Real stiffness = 0;  // [N/m]
  Real damping = 0;    // [N s/m]
  Real rest = 0;       // [m]
};
template <int D>
Load<D> spring(int first, const Vec<D>& first_point, int second, const Vec<D>& second_point,
               const SpringOptions& options);

}  // namespace cairn
