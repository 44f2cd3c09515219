// What relates a rigid body's velocity to velocities at a point of it, in the plane and in space: G of method (JM92 2).
#pragma once

#include "cairn/base/pose.hpp"

namespace cairn {

template <int D>
Vec<D> linear(const Vec<freedoms<D>>& u) {
  return Vec<D>::load(u.v);
}
template <int D>
Vec<spins<D>> spin(const Vec<freedoms<D>>& u) {
  return Vec<spins<D>>::load(u.v + D);
}

// d(velocity along e of the point at r)/d(spin): r x e, in the body's own axes in space.
inline Vec<1> arm(const Vec<2>& r, const Vec<2>& e, const Rotation<2>&) { return {cross(r, e)}; }
inline Vec<3> arm(const Vec<3>& r, const Vec<3>& e, const Rotation<3>& R) { return R.inverse() * cross(r, e); }

// A spin in the world's axes, from the body's own.
inline Vec<1> to_world(const Rotation<2>&, const Vec<1>& w) { return w; }
inline Vec<3> to_world(const Rotation<3>& R, const Vec<3>& w) { return R * w; }
inline Vec<1> to_body(const Rotation<2>&, const Vec<1>& w) { return w; }  // and back
inline Vec<3> to_body(const Rotation<3>& R, const Vec<3>& w) { return R.inverse() * w; }

// Spins and torques in the axes of a contact's frame, and back.
inline Vec<1> spin_to_frame(const Mat<2>&, const Vec<1>& w) { return w; }
inline Vec<3> spin_to_frame(const Mat<3>& axes, const Vec<3>& w) { return transpose(axes) * w; }
inline Vec<1> spin_to_world(const Mat<2>&, const Vec<1>& w) { return w; }
inline Vec<3> spin_to_world(const Mat<3>& axes, const Vec<3>& w) { return axes * w; }

template <int D>
Vec<D> point_velocity(const Pose<D>& pose, const Vec<freedoms<D>>& u, const Vec<D>& point) {
  return linear<D>(u) + spin_velocity(to_world(pose.R, spin<D>(u)), point - pose.x);
}

// Rows: velocity of the body's point along each column of the axes.
template <int D>
Mat<D, freedoms<D>> point_rows(const Pose<D>& pose, const Vec<D>& point, const Mat<D>& axes) {
  Mat<D, freedoms<D>> G;
  for (int i = 0; i < D; ++i) {
    const Vec<D> e = Vec<D>::load(axes.v + i * D);
    const Vec<spins<D>> m = arm(point - pose.x, e, pose.R);
    for (int k = 0; k < D; ++k) G(i, k) = e[k];
    for (int k = 0; k < spins<D>; ++k) G(i, D + k) = m[k];
  }
  return G;
}

// Rows: the body's spin about each column of the axes; in the plane the first row is the spin, the second is zero.
inline Mat<2, 3> spin_rows(const Pose<2>&, const Mat<2>&) {
  Mat<2, 3> G = Mat<2, 3>::zero();
  G(0, 2) = 1;
  return G;
}
inline Mat<3, 6> spin_rows(const Pose<3>& pose, const Mat<3>& axes) {
  Mat<3, 6> G = Mat<3, 6>::zero();
  for (int i = 0; i < 3; ++i) {
    const Vec<3> e = pose.R.inverse() * Vec<3>::load(axes.v + i * 3);
    for (int k = 0; k < 3; ++k) G(i, 3 + k) = e[k];
  }
  return G;
}

}  // namespace cairn
