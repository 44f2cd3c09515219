// Measures of grains that flow: columns that collapse, silos, drums, vibrated beds, falling rocks.
#pragma once

#include <algorithm>
#include <limits>

#include "cairn/run/measure_base.hpp"

namespace cairn::run {

// The width of the heap along x, at the end against the start, over that at the start. The same number whether the
// column spreads to both sides (half widths) or away from a wall that stays (whole widths). The heap is what lies in
// the shortest interval with 95 % of the mass: a few round grains roll on for ever, in or out of touch with it.
template <int D>
class Runout : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    const Moment<D> start{last.world, last.world.state, nullptr, nullptr, 0, 0};
    return Value::of(width(last) / width(start) - 1);
  }

 private:
  struct Grain {
    Real low, high, mass;  // [m], [kg]
  };

  Real width(const Moment<D>& now) const {
    std::vector<Grain> grains;
    Real most = 0;
    for (const int b : this->survey.grains) {
      const Bounds<D> box = this->survey.box(now, b);
      grains.push_back({box.low[0], box.high[0], now.world.model.bodies[at(b)].mass});
      most += grains.back().mass;
    }
    std::ranges::sort(grains, {}, [](const Grain& g) { return g.low + g.high; });
    const Real wanted = Real(0.95) * most * (1 - Real(1e-9));
    Real least = std::numeric_limits<Real>::infinity(), held = 0;  // [m], [kg] of those from `first` to the last seen
    for (std::size_t first = 0, last = 0; last < grains.size(); ++last) {
      held += grains[last].mass;
      for (; held - grains[first].mass >= wanted; ++first) held -= grains[first].mass;
      if (held >= wanted) least = std::min(least, grains[last].high - grains[first].low);
    }
    return least;
  }
};

// What a silo stands on: its slabs, or the ground where it has none.
template <int D>
std::vector<int> bottoms(const scene::World<D>& world) {
  std::vector<int> all = world.find("left slab");
  for (const int b : world.find("right slab")) all.push_back(b);
  return all.empty() ? world.find("ground") : all;
}

template <int D>
class BottomStressRatio : public Curved<D> {
 public:
  explicit BottomStressRatio(const scene::World<D>& world) : Curved<D>(world, 3), bottoms_(bottoms(world)) {}
  static std::string lacks(const scene::World<D>& world) {
    return bottoms(world).empty() ? "needs bodies named \"left slab\" and \"right slab\", or \"ground\"; found none"
                                  : "";
  }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    Real force = 0, weight = 0;  // [N]
    for (const Touch<D>& t : this->survey.carrying(now))
      for (const int side : {0, 1})
        if (is_bottom(t.body[side]) && this->survey.grain[at(t.body[1 - side])])
          force -= Real(side == 0 ? 1 : -1) * t.impulse[D - 1] / now.h;
    Real level = std::numeric_limits<Real>::infinity();
    for (const int b : bottoms_) level = std::min(level, this->survey.face(now, b, D - 1, -1));
    for (const int b : this->survey.grains)
      if (now.state.x[at(b)][D - 1] > level) weight += now.world.model.bodies[at(b)].mass * this->survey.g;
    this->curve.add(now.h, std::vector<Real>{now.state.t, force, weight});
  }
  Value result(const Moment<D>& last) const override {
    return Value::of(mean(this->curve, 1, this->later(last)) / mean(this->curve, 2, this->later(last)));
  }

 private:
  bool is_bottom(int b) const { return std::find(bottoms_.begin(), bottoms_.end(), b) != bottoms_.end(); }
  std::vector<int> bottoms_;
};

template <int D>
class FlowRate : public Curved<D> {
 public:
  explicit FlowRate(const scene::World<D>& world) : Curved<D>(world, 2) {
    const Moment<D> start{world, world.state, nullptr, nullptr, 0, 0};
    outlet_ = std::numeric_limits<Real>::infinity();
    for (const int b : bottoms(world)) outlet_ = std::min(outlet_, this->survey.face(start, b, D - 1, -1));
  }
  static std::string lacks(const scene::World<D>& world) { return without(world, {"left slab", "right slab"}); }
  void see(const Moment<D>& now) override {
    if (now.stepped()) this->curve.add(now.h, std::vector<Real>{now.state.t, discharged(now)});
  }
  Value result(const Moment<D>& last) const override {
    const Real all = discharged(last);
    if (all == 0) return Value::of(0);
    return Value::of(slope(this->curve, 0, 1, [&](int bin) {
      const Real m = this->curve.mean(bin, 1);
      return m >= Real(0.2) * all && m <= Real(0.8) * all;
    }));
  }

 private:
  Real discharged(const Moment<D>& now) const {  // [kg]
    Real m = 0;
    for (const int b : this->survey.grains)
      if (now.state.x[at(b)][D - 1] < outlet_) m += now.world.model.bodies[at(b)].mass;
    return m;
  }
  Real outlet_;  // [m] the lowest edge of the slabs
};

// Grains that fill a circle up to a plane surface have their centre on the radius at right angles to it, however full
// the drum is: its angle from the vertical is the slope.
template <int D>
class SlopeDeg : public Curved<D> {
 public:
  explicit SlopeDeg(const scene::World<D>& world) : Curved<D>(world, 2) {
    const std::vector<int> slabs = world.find("drum");
    for (const int b : slabs) axis_ += (1 / static_cast<Real>(slabs.size())) * world.state.x[at(b)];
  }
  static std::string lacks(const scene::World<D>& world) {
    const std::string bad = without_free(world);
    return bad.empty() ? without(world, {"drum"}) : bad;
  }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    const Vec<D> c = centre(this->survey, now.world.model, now.state) - axis_;
    this->curve.add(now.h, std::vector<Real>{now.state.t, std::atan2(c[0], -c[D - 1])});
  }
  Value result(const Moment<D>& last) const override {
    return Value::of(degrees(std::fabs(mean(this->curve, 1, this->later(last)))));
  }

 private:
  Vec<D> axis_{};  // [m] of the drum
};

// Against the height when the ground began to move: what the grains do before that is settling.
template <int D>
class Lift : public Curved<D> {
 public:
  explicit Lift(const scene::World<D>& world) : Curved<D>(world, 2) {
    const int ground = this->survey.ground;
    waits_ = ground >= 0 && world.model.bodies[at(ground)].drive >= 0;
  }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    Real gain = 0;
    for (const int b : this->survey.grains)
      gain -= this->survey.fall(now, b) / static_cast<Real>(this->survey.grains.size());
    const int ground = this->survey.ground;
    waits_ = waits_ && norm(now.state.x[at(ground)] - now.world.state.x[at(ground)]) == 0;
    if (waits_) settled_ = gain;
    this->curve.add(now.h, std::vector<Real>{now.state.t, gain});
  }
  Value result(const Moment<D>& last) const override {
    return Value::of(mean(this->curve, 1, this->later(last)) - settled_);
  }
  std::vector<Real> memory() const override {
    std::vector<Real> m = this->curve.memory();
    m.insert(m.end(), {settled_, Real(waits_)});
    return m;
  }
  void recall(std::span<const Real> m) override {
    CAIRN_CHECK(m.size() >= 4, "the memory is not one of this measure");
    this->curve.recall(m.first(m.size() - 2)), settled_ = m[m.size() - 2], waits_ = m.back() != 0;
  }

 private:
  bool waits_;        // the ground will move and has not yet
  Real settled_ = 0;  // [m] mean rise from the start to then
};

// How much higher the surface is in the middle third of the box than in the outer ones: a layer's surface is twice as
// high above the floor as the mean of its grains.
template <int D>
class Heap : public Curved<D> {
 public:
  explicit Heap(const scene::World<D>& world)
      : Curved<D>(world, 2),
        left_(world.find("left wall")[0]),
        right_(world.find("right wall")[0]),
        ground_(world.find("ground")[0]) {}
  static std::string lacks(const scene::World<D>& world) {
    return without(world, {"left wall", "right wall", "ground"});
  }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    const Real left = this->survey.face(now, left_, 0, +1), right = this->survey.face(now, right_, 0, -1);
    Real volume[2] = {0, 0}, lifted[2] = {0, 0};  // middle, sides
    const Real floor = this->survey.face(now, ground_, D - 1, +1);
    for (const int b : this->survey.grains) {
      const Vec<D>& x = now.state.x[at(b)];
      const bool side = std::fabs(x[0] - (left + right) / 2) > (right - left) / 6;
      volume[side] += this->survey.volume[at(b)], lifted[side] += this->survey.volume[at(b)] * (x[D - 1] - floor);
    }
    const auto top = [&](int k) { return volume[k] > 0 ? 2 * lifted[k] / volume[k] : 0; };
    this->curve.add(now.h, std::vector<Real>{now.state.t, top(0) - top(1)});
  }
  Value result(const Moment<D>& last) const override { return Value::of(mean(this->curve, 1, this->later(last))); }

 private:
  int left_, right_, ground_;
};

template <int D>
class Reach : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    Real most = 0;
    for (const int b : this->survey.free) {
      Vec<D> d = this->survey.moved(last, b);
      d[D - 1] = 0;
      most = std::max(most, norm(d));
    }
    return Value::of(most);
  }
};

// Landings after a flight of more than a tenth of the time in which a body falls by its size.
template <int D>
class Bounces : public Keeping<D> {
 public:
  explicit Bounces(const scene::World<D>& world)  // the count; then (bodies) when it touched something last
      : Keeping<D>(world, std::vector<Real>(1 + world.model.bodies.size(), world.state.t)) {
    this->kept[0] = 0;
  }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    std::vector<char> touches(now.state.x.size(), 0);
    for (const Touch<D>& t : this->survey.carrying(now)) touches[at(t.body[0])] = touches[at(t.body[1])] = 1;
    for (const int b : this->survey.free) {
      Real& last = this->kept[at(1 + b)];
      if (!touches[at(b)]) continue;
      const Real flight = now.state.t - now.h - last;
      this->kept[0] += flight > Real(0.1) * std::sqrt(2 * this->survey.size[at(b)] / this->survey.g);
      last = now.state.t;
    }
  }
  Value result(const Moment<D>&) const override { return Value::of(this->kept[0]); }
};

}  // namespace cairn::run
