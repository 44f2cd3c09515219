// The kinds of probes.
#pragma once

#include "cairn/run/biaxial.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/probe.hpp"
#include "cairn/run/single.hpp"

namespace cairn::run {

// Of a vector: a component, or its length (axis -1).
template <int N>
Real along(const Vec<N>& v, int axis) {
  return axis < 0 ? norm(v) : v[axis];
}

// A vector of each of some bodies, in the mean.
template <int D>
class BodyProbe : public Probe<D> {
 public:
  using Read = Vec<D> (*)(const Moment<D>&, int body);
  BodyProbe(std::vector<int> bodies, int axis, Read of) : bodies_(std::move(bodies)), axis_(axis), of_(of) {}
  Real read(const Moment<D>& now) const override {
    Vec<D> sum{};
    for (const int b : bodies_) sum += (1 / static_cast<Real>(bodies_.size())) * of_(now, b);
    return along(sum, axis_);
  }

 private:
  std::vector<int> bodies_;
  int axis_;
  Read of_;
};

template <int D>
class AngleProbe : public Probe<D> {
 public:
  explicit AngleProbe(int body) : body_(body) {}
  void see(const Moment<D>& now) override { last_ = read(now); }
  Real read(const Moment<D>& now) const override {
    const Real a = turned(now.world.state.r[at(body_)], now.state.r[at(body_)]);
    return D == 2 ? a : nearest_turn(a, last_);
  }
  std::vector<Real> memory() const override { return {last_}; }
  void recall(std::span<const Real> m) override {
    CAIRN_CHECK(m.size() == 1, "the memory is not one of this probe");
    last_ = m[0];
  }

 private:
  int body_;
  Real last_ = 0;  // [rad]
};

template <int D>
class SpinProbe : public Probe<D> {
 public:
  SpinProbe(int body, int axis) : body_(body), axis_(axis) {}
  Real read(const Moment<D>& now) const override {
    const bool driven = now.world.model.bodies[at(body_)].drive >= 0 && now.h > 0;
    const Vec<freedoms<D>> u =
        driven ? boundary_velocity(now.world.model, body_, now.state.t - now.h, now.h) : now.state.u[at(body_)];
    return along(to_world(now.state.pose(body_).R, spin<D>(u)), axis_);
  }

 private:
  int body_, axis_;
};

template <int D>
class ReactionProbe : public Probe<D> {
 public:
  ReactionProbe(std::vector<int> bodies, int axis, Real area) : bodies_(std::move(bodies)), axis_(axis), area_(area) {}
  Real read(const Moment<D>& now) const override {
    if (!now.stepped()) return 0;
    Vec<D> sum{};
    for (const int b : bodies_) sum += (1 / now.h) * now.scheme->reaction(b);
    return along(sum, axis_) / area_;
  }

 private:
  std::vector<int> bodies_;
  int axis_;
  Real area_;
};

template <int D>
class JointReactionProbe : public Probe<D> {
 public:
  JointReactionProbe(int joint, int axis) : joint_(joint), axis_(axis) {}
  Real read(const Moment<D>& now) const override {
    return now.stepped() ? along((1 / now.h) * now.scheme->joint_reaction(joint_), axis_) : 0;
  }

 private:
  int joint_, axis_;
};

// Kinetic, and that of the weight: zero where centres are at the origin.
template <int D>
class EnergyProbe : public Probe<D> {
 public:
  EnergyProbe(bool kinetic, bool potential) : kinetic_(kinetic), potential_(potential) {}
  Real read(const Moment<D>& now) const override {
    const Model<D>& model = now.world.model;
    Real sum = kinetic_ ? kinetic_energy(model, now.state) : 0;
    for (std::size_t b = 0; b < model.bodies.size() && potential_; ++b)
      if (model.bodies[b].free()) sum -= model.bodies[b].mass * dot(model.gravity, now.state.x[b]);
    return sum;
  }

 private:
  bool kinetic_, potential_;
};

template <int D>
class CountProbe : public Probe<D> {
 public:
  CountProbe(const scene::World<D>& world, Real (*count)(const Survey<D>&, const Moment<D>&))
      : survey_(world), count_(count) {}
  Real read(const Moment<D>& now) const override { return count_(survey_, now); }

 private:
  Survey<D> survey_;
  Real (*count_)(const Survey<D>&, const Moment<D>&);
};

// Mean stress, pressure positive: sum over the contacts in the box of f_i l_j over its volume, f the force on the first
// body, l from the second centre to the first; from the contact point where the second does not move freely.
template <int D>
class StressProbe : public Probe<D> {
 public:
  StressProbe(const scene::World<D>& world, const ProbeSpec& spec, int i, int j) : survey_(world), i_(i), j_(j) {
    given_ = !spec.low.empty();
    for (int k = 0; k < D && given_; ++k) box_.low[k] = spec.low[at(k)], box_.high[k] = spec.high[at(k)];
  }
  Real read(const Moment<D>& now) const override {
    if (!now.stepped()) return 0;
    const Bounds<D> box = given_ ? box_ : around(now);
    Real volume = 1, sum = 0;
    for (int k = 0; k < D; ++k) volume *= box.high[k] - box.low[k];
    const std::vector<Contact<D>>& contacts = now.scheme->contacts();
    for (std::size_t a = 0; a < contacts.size(); ++a) {
      const Contact<D>& c = contacts[a];
      if (!inside(box, c.point)) continue;
      sum += now.scheme->world_impulse(static_cast<int>(a))[i_] / now.h * (end(now, c, 0) - end(now, c, 1))[j_];
    }
    return sum / volume;
  }

 private:
  Bounds<D> around(const Moment<D>& now) const {
    Bounds<D> all = survey_.box(now, survey_.grains[0]);
    for (const int b : survey_.grains) {
      const Bounds<D> one = survey_.box(now, b);
      for (int k = 0; k < D; ++k)
        all.low[k] = std::min(all.low[k], one.low[k]), all.high[k] = std::max(all.high[k], one.high[k]);
    }
    // Contacts with walls lie on the sides.
    for (int k = 0; k < D; ++k) all.low[k] -= now.world.model.size * edge, all.high[k] += now.world.model.size * edge;
    return all;
  }
  static bool inside(const Bounds<D>& box, const Vec<D>& x) {
    for (int k = 0; k < D; ++k)
      if (x[k] < box.low[k] || x[k] > box.high[k]) return false;
    return true;
  }
  static Vec<D> end(const Moment<D>& now, const Contact<D>& c, int side) {
    return now.world.model.bodies[at(c.body[side])].free() ? now.state.x[at(c.body[side])] : c.point;
  }

  static constexpr Real edge = Real(1e-3);
  Survey<D> survey_;
  int i_, j_;
  bool given_ = false;
  Bounds<D> box_{};
};

template <int D>
class CellProbe : public Probe<D> {
 public:
  enum What { strain, ratio, volume };
  CellProbe(const scene::World<D>& world, What what) : cell_(world), what_(what) {
    begun_ = cell_.volume({world, world.state, nullptr, nullptr, 0, 0});
  }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    if (const CellReading r = cell_.read(now); !(r.strain > no_strain)) begun_ = r.volume;
  }
  Real read(const Moment<D>& now) const override {
    const CellReading r = cell_.read(now);
    if (what_ == strain) return r.strain;
    return what_ == ratio ? sin_phi(r.vertical, r.horizontal) : r.volume / begun_ - 1;
  }
  std::vector<Real> memory() const override { return {begun_}; }
  void recall(std::span<const Real> m) override {
    CAIRN_CHECK(m.size() == 1, "the memory is not one of this probe");
    begun_ = m[0];
  }

 private:
  CellView<D> cell_;
  What what_;
  Real begun_;  // [m^2] volume when the strain begins
};

}  // namespace cairn::run
