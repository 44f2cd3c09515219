// Measures of one body, or of the common centre of several: acceleration, coming to rest, rolling.
#pragma once

#include <algorithm>

#include "cairn/model/build.hpp"
#include "cairn/run/measure_base.hpp"

namespace cairn::run {

// When a speed falls to zero for good. It falls at an almost constant rate before, which the two steps before the last
// give: the time inside the last step is exact where the rate is constant.
class Cessation {
 public:
  static constexpr int reals = 5;

  // kept: (reals) of the caller. start: the speed before the first step, or not a number where it is not known.
  static std::vector<Real> begin(Real start) {
    return {not_a_number, start, not_a_number, std::isfinite(start) ? start : 0, not_a_number};
  }
  // Values after a step that ends at t; scale [m/s]: another speed to compare with.
  static void see(std::span<Real> kept, Real t, Real h, Real speed, Real scale = 0) {
    Real &time = kept[0], &last = kept[1], &before = kept[2], &most = kept[3];
    most = std::max({most, speed, scale});
    const bool gone = speed <= small * most;
    if (!gone) {
      time = not_a_number;
    } else if (!(std::isfinite(time))) {
      time = t - h;
      if (last > small * most) {  // it ceased in this step
        const Real lost = before - last;
        time += h * (std::isfinite(before) && lost > 0 ? std::min(Real(1), last / lost * kept[4] / h) : Real(0.5));
      }
    }
    before = last, last = speed, kept[4] = h;
  }
  static Real time(std::span<const Real> kept) { return kept[0]; }

 private:
  static constexpr Real small = Real(1e-6);  // of the largest speed: as good as zero
};

template <int D>
class Acceleration : public Curved<D> {
 public:
  explicit Acceleration(const scene::World<D>& world) : Curved<D>(world, 1 + D) {}
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    Real row[1 + D] = {now.state.t};
    velocity(this->survey, now.world.model, now.state).store(row + 1);
    this->curve.add(now.h, row);
  }
  Value result(const Moment<D>& last) const override {
    const Choice later = this->later(last);
    Vec<D> a{}, v{};
    for (int i = 0; i < D; ++i) a[i] = slope(this->curve, 0, 1 + i, later), v[i] = mean(this->curve, 1 + i, later);
    const Real speed = norm(v);
    return Value::of(speed > 0 ? dot(a, v) / speed : norm(a));
  }
};

template <int D>
class StopTime : public Keeping<D> {
 public:
  explicit StopTime(const scene::World<D>& world)
      : Keeping<D>(world, Cessation::begin(std::sqrt(kinetic_energy(world.model, world.state)))) {}
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    Cessation::see(this->kept, now.state.t, now.h, std::sqrt(kinetic_energy(now.world.model, now.state)));
  }
  Value result(const Moment<D>&) const override { return Value::of(Cessation::time(this->kept)); }
};

template <int D, int axis>
class Displacement : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    const Model<D>& model = last.world.model;
    return Value::of((centre(this->survey, model, last.state) - centre(this->survey, model, last.world.state))[axis]);
  }
};
template <int D>
using DisplacementX = Displacement<D, 0>;
template <int D>
using DisplacementY = Displacement<D, 1>;

// [rad] turned from a to b: in the plane as it is counted; in space the part about the vertical, between -pi and pi.
inline Real turned(const Orientation<2>& a, const Orientation<2>& b) { return b.angle - a.angle; }
inline Real turned(const Orientation<3>& a, const Orientation<3>& b) {
  const Rotation<3> d = b.r * a.r.inverse();
  return std::remainder(2 * std::atan2(d.z, d.w), Real(6.283185307179586477));
}
// Of the values that differ by full turns, the one nearest to the last.
inline Real nearest_turn(Real angle, Real last) {
  constexpr Real turn = Real(6.283185307179586477);
  return angle + turn * std::round((last - angle) / turn);
}

template <int D>
class Theta : public Keeping<D> {
 public:
  explicit Theta(const scene::World<D>& world) : Keeping<D>(world, {0}) {}
  static std::string lacks(const scene::World<D>& world) { return unless_single(world); }
  void see(const Moment<D>& now) override { this->kept[0] = angle(now); }
  Value result(const Moment<D>& last) const override { return Value::of(angle(last)); }

 private:
  Real angle(const Moment<D>& now) const {
    const std::size_t b = at(this->survey.free[0]);
    const Real a = turned(now.world.state.r[b], now.state.r[b]);
    return D == 2 ? a : nearest_turn(a, this->kept[0]);
  }
};

template <int D>
class FinalSpeed : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    return Value::of(norm(velocity(this->survey, last.world.model, last.state)));
  }
};

// A round body: its surface at the contact moves with v + w x (-R n), against a boundary with its velocity.
template <int D>
class RollTime : public Keeping<D> {
 public:
  explicit RollTime(const scene::World<D>& world) : Keeping<D>(world, Cessation::begin(not_a_number)) {
    for (const BodyPart<D>& part : world.model.parts)
      if (part.body == this->survey.free[0]) radius_ = std::get<Ball<D>>(part.shape).radius;
  }
  static std::string lacks(const scene::World<D>& world) {
    if (const std::string bad = unless_single(world); !bad.empty()) return bad;
    for (const BodyPart<D>& part : world.model.parts)
      if (world.model.bodies[at(part.body)].free() && !std::holds_alternative<Ball<D>>(part.shape))
        return "needs a free body that is a ball, and the scene's is not";
    return "";
  }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    const std::vector<Touch<D>> touches = this->survey.carrying(now);
    if (touches.empty()) return;  // in the air nothing rolls or slides
    Real most = 0;
    for (const Touch<D>& touch : touches) most = std::max(most, slip(now, touch));
    const Real speed = norm(linear<D>(now.state.u[at(this->survey.free[0])]));
    Cessation::see(this->kept, now.state.t, now.h, most, speed);
  }
  Value result(const Moment<D>&) const override { return Value::of(Cessation::time(this->kept)); }

 private:
  Real slip(const Moment<D>& now, const Touch<D>& touch) const {
    const int ball = this->survey.free[0], side = touch.body[0] == ball ? 0 : 1, other = touch.body[1 - side];
    const Contact<D>& c = *std::ranges::find(now.scheme->contacts(), touch.key, &Contact<D>::key);
    const Vec<D> n = Real(side == 0 ? 1 : -1) * c.normal;  // towards the ball
    const Pose<D> pose = now.state.pose(ball);
    Vec<D> U = point_velocity(pose, now.state.u[at(ball)], pose.x - radius_ * n);
    U -= point_velocity(now.state.pose(other), boundary_velocity(now.world.model, other, now.state.t - now.h, now.h),
                        c.point);
    return norm(U - dot(U, n) * n);
  }
  Real radius_ = 0;  // [m]
};

}  // namespace cairn::run
