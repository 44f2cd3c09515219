// Measures of bodies that tilt, and of impacts in a row: dominoes, rocking columns, cradles.
#pragma once

#include "cairn/run/measure_base.hpp"

namespace cairn::run {

// Of a body's own axes the one that is nearest to the vertical at the start: how far it has tilted, and how far it may
// before its centre is above its edge.
template <int D>
class Uprights {
 public:
  Uprights(const Survey<D>& survey, const scene::World<D>& world) {
    for (const int b : survey.free) {
      const Rotation<D> R = world.state.pose(b).R;
      One one{b, {}, 0};
      Real best = 0;
      int along = 0;
      for (int i = 0; i < D; ++i) {
        Vec<D> e{};
        e[i] = 1;
        const Real up = (R * e)[D - 1];
        if (std::fabs(up) > std::fabs(best)) best = up, along = i;
      }
      one.axis[along] = best > 0 ? 1 : -1;
      const Bounds<D> box = survey.box_at(world.model, b, {});
      Real width = std::numeric_limits<Real>::infinity();
      for (int i = 0; i < D; ++i)
        if (i != along) width = std::min(width, box.high[i] - box.low[i]);
      one.balance = std::atan2(width, box.high[along] - box.low[along]);
      all.push_back(one);
    }
  }

  struct One {
    int body;
    Vec<D> axis;   // in the body's axes
    Real balance;  // [rad]
  };
  std::vector<One> all;

  static Real tilt(const One& one, const ModelState<D>& state) {  // [rad]
    const Vec<D> e = state.pose(one.body).R * one.axis;
    Vec<D> level = e;
    level[D - 1] = 0;
    return std::atan2(norm(level), e[D - 1]);
  }
};

template <int D>
class Toppled : public Surveyed<D> {
 public:
  explicit Toppled(const scene::World<D>& world) : Surveyed<D>(world), uprights_(this->survey, world) {}
  Value result(const Moment<D>& last) const override {
    std::size_t count = 0;
    for (const auto& one : uprights_.all) count += uprights_.tilt(one, last.state) > one.balance;
    return Value::count(count);
  }

 private:
  Uprights<D> uprights_;
};

template <int D>
class TiltMax : public Keeping<D> {
 public:
  explicit TiltMax(const scene::World<D>& world) : Keeping<D>(world, {0}), uprights_(this->survey, world) {
    this->kept[0] = most(world.state);
  }
  void see(const Moment<D>& now) override { this->kept[0] = std::max(this->kept[0], most(now.state)); }
  Value result(const Moment<D>&) const override { return Value::of(degrees(this->kept[0])); }

 private:
  Real most(const ModelState<D>& state) const {
    Real m = 0;
    for (const auto& one : uprights_.all) m = std::max(m, uprights_.tilt(one, state));
    return m;
  }
  Uprights<D> uprights_;
};

// Times at which bodies pass their balance for the first time, interpolated in the step; the wave's speed is the slope
// of places at the start over these times, for the later half of those that have passed.
template <int D>
class WaveSpeed : public Keeping<D> {
 public:
  explicit WaveSpeed(const scene::World<D>& world) : Keeping<D>(world, {}), uprights_(this->survey, world) {
    for (const auto& one : uprights_.all) {  // for each body: its tilt after the last step [rad], the time [s]
      const Real tilt = uprights_.tilt(one, world.state);
      this->kept.push_back(tilt);
      this->kept.push_back(tilt > one.balance ? world.state.t : not_a_number);
    }
  }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    for (std::size_t k = 0; k < uprights_.all.size(); ++k) {
      Real &before = this->kept[2 * k], &time = this->kept[2 * k + 1];
      const Real tilt = uprights_.tilt(uprights_.all[k], now.state), limit = uprights_.all[k].balance;
      if (tilt > limit && !std::isfinite(time)) time = now.state.t - now.h * (tilt - limit) / (tilt - before);
      before = tilt;
    }
  }
  Value result(const Moment<D>& last) const override {
    std::vector<std::pair<Real, Real>> passed;  // time, place
    for (std::size_t k = 0; k < uprights_.all.size(); ++k)
      if (const Real t = this->kept[2 * k + 1]; std::isfinite(t))
        passed.push_back({t, last.world.state.x[at(uprights_.all[k].body)][0]});
    if (passed.size() < 3) return Value::of(not_a_number);
    std::sort(passed.begin(), passed.end());
    History later(2);
    for (std::size_t k = passed.size() / 2 - (passed.size() < 4); k < passed.size(); ++k)
      later.add(1, std::vector<Real>{passed[k].first, passed[k].second});
    return Value::of(std::fabs(slope(later, 0, 1, [](int) { return true; })));
  }

 private:
  Uprights<D> uprights_;
};

// Velocities along the direction of the total momentum at the start (along x where that is zero).
template <int D, bool of_last>
class EndSpeed : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    Vec<D> e = velocity(this->survey, last.world.model, last.world.state);
    if (norm(e) > 0)
      e = normalised(e);
    else
      e[0] = 1;
    const int b = of_last ? this->survey.free.back() : this->survey.free.front();
    return Value::of(dot(e, linear<D>(last.state.u[at(b)])));
  }
};
template <int D>
using FirstSpeed = EndSpeed<D, false>;
template <int D>
using LastSpeed = EndSpeed<D, true>;

template <int D>
class EnergyRatio : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    return Value::of(kinetic_energy(last.world.model, last.state) / kinetic_energy(last.world.model, last.world.state));
  }
};

}  // namespace cairn::run
