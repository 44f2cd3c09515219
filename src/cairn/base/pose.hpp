// Where a body is: the place of its centre and the rotation from its axes to the world's, in the plane and in space.
#pragma once

#include <cmath>

#include "cairn/base/vec.hpp"

namespace cairn {

template <int D>
inline constexpr int spins = D == 2 ? 1 : 3;  // components of the spin
template <int D>
inline constexpr int freedoms = D + spins<D>;  // of a body

CAIRN_HD inline Real cross(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }
CAIRN_HD inline Vec<3> cross(const Vec<3>& a, const Vec<3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
// w x r, the velocity that a spin gives to a point.
CAIRN_HD inline Vec<2> spin_velocity(const Vec<1>& w, const Vec<2>& r) { return {-w[0] * r[1], w[0] * r[0]}; }
CAIRN_HD inline Vec<3> spin_velocity(const Vec<3>& w, const Vec<3>& r) { return cross(w, r); }

template <int N>
CAIRN_HD inline Vec<N> normalised(const Vec<N>& a) {
  return (1 / norm(a)) * a;
}

template <int D>
struct Rotation;

template <>
struct Rotation<2> {
  Real c = 1, s = 0;  // cosine and sine of the angle

  CAIRN_HD static Rotation by(Real angle) { return {std::cos(angle), std::sin(angle)}; }
  CAIRN_HD Vec<2> operator*(const Vec<2>& r) const { return {c * r[0] - s * r[1], s * r[0] + c * r[1]}; }
  CAIRN_HD Rotation operator*(const Rotation& b) const { return {c * b.c - s * b.s, s * b.c + c * b.s}; }
  CAIRN_HD Rotation inverse() const { return {c, -s}; }
  CAIRN_HD Mat<2> matrix() const { return {{c, s, -s, c}}; }
};

template <>
struct Rotation<3> {
  Real w = 1, x = 0, y = 0, z = 0;  // unit quaternion

  // By the angle |turn| about its direction.
  CAIRN_HD static Rotation by(const Vec<3>& turn) {
    const Real angle = norm(turn);
    // sin(a/2)/a without its division by zero: the series is exact to rounding below 1e-4.
    const Real k = angle > Real(1e-4) ? std::sin(angle / 2) / angle : Real(0.5) - angle * angle / 48;
    return {std::cos(angle / 2), k * turn[0], k * turn[1], k * turn[2]};
  }
  CAIRN_HD Vec<3> operator*(const Vec<3>& r) const {  // r + 2 w (v x r) + 2 v x (v x r)
    const Vec<3> v{x, y, z}, t = Real(2) * cross(v, r);
    return r + w * t + cross(v, t);
  }
  CAIRN_HD Rotation operator*(const Rotation& b) const {
    return {w * b.w - x * b.x - y * b.y - z * b.z, w * b.x + x * b.w + y * b.z - z * b.y,
            w * b.y - x * b.z + y * b.w + z * b.x, w * b.z + x * b.y - y * b.x + z * b.w};
  }
  CAIRN_HD Rotation inverse() const { return {w, -x, -y, -z}; }
  CAIRN_HD Rotation unit() const {
    const Real k = 1 / std::sqrt(w * w + x * x + y * y + z * z);
    return {k * w, k * x, k * y, k * z};
  }
  CAIRN_HD Mat<3> matrix() const {
    const Vec<3> a = *this * Vec<3>{1, 0, 0}, b = *this * Vec<3>{0, 1, 0}, c = *this * Vec<3>{0, 0, 1};
    return {{a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]}};
  }
};

template <int D>
struct Pose {
  Vec<D> x{};     // [m]
  Rotation<D> R;  // from the body's axes to the world's

  CAIRN_HD Vec<D> to_world(const Vec<D>& local) const { return x + R * local; }
  CAIRN_HD Vec<D> to_local(const Vec<D>& world) const { return R.inverse() * (world - x); }
  CAIRN_HD Pose operator*(const Pose& b) const { return {to_world(b.x), R * b.R}; }  // b given in these axes
  CAIRN_HD Pose inverse() const { return {-(R.inverse() * x), R.inverse()}; }
};

}  // namespace cairn
