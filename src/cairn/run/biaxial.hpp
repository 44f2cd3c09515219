// Schneebeli's cell (JM92 example 2): what the lid and the side walls feel, as stresses and strains.
#pragma once

#include "cairn/run/measure_base.hpp"

namespace cairn::run {

struct CellReading {
  Real strain;                // [-] of the side that is driven, from the start, as a magnitude
  Real vertical, horizontal;  // [N/m] forces of the grains over the length that they act on, for the whole depth
  Real volume;                // [m^2] width times height
};

inline Real sin_phi(Real vertical, Real horizontal) {
  return std::fabs(vertical - horizontal) / (vertical + horizontal);
}

template <int D>
class CellView {
 public:
  explicit CellView(const scene::World<D>& world) : survey_(world) {
    lid_ = world.find("lid")[0], left_ = world.find("left wall")[0], right_ = world.find("right wall")[0];
    ground_ = world.find("ground")[0];
    const auto driven = [&](int b) { return world.model.bodies[at(b)].drive >= 0; };
    by_width_ = driven(left_) || driven(right_);
    const Moment<D> start{world, world.state, nullptr, nullptr, 0, 0};
    width_ = width(start), height_ = height(start);
  }
  static std::string lacks(const scene::World<D>& world) {
    return without(world, {"lid", "left wall", "right wall", "ground"});
  }

  CellReading read(const Moment<D>& now) const {
    const Real w = width(now), l = height(now);
    CellReading r{by_width_ ? std::fabs(w / width_ - 1) : std::fabs(l / height_ - 1), 0, 0, w * l};
    Real down = 0, out = 0;  // [N]
    for (const Touch<D>& t : survey_.carrying(now))
      for (const int side : {0, 1}) {
        if (!survey_.grain[at(t.body[1 - side])]) continue;  // a lid that rubs on a wall is not the grains' doing
        const Vec<D> on = (Real(side == 0 ? 1 : -1) / now.h) * t.impulse;
        if (t.body[side] == lid_) down += on[D - 1];
        if (t.body[side] == left_) out -= on[0] / 2;
        if (t.body[side] == right_) out += on[0] / 2;
      }
    const Bounds<D> lid = survey_.box(now, lid_);
    r.vertical = down / std::min(w, lid.high[0] - lid.low[0]), r.horizontal = out / l;
    return r;
  }
  Real volume(const Moment<D>& now) const { return width(now) * height(now); }

 private:
  Real width(const Moment<D>& now) const { return survey_.face(now, right_, 0, -1) - survey_.face(now, left_, 0, +1); }
  Real height(const Moment<D>& now) const {
    return survey_.face(now, lid_, D - 1, -1) - survey_.face(now, ground_, D - 1, +1);
  }

  Survey<D> survey_;
  int lid_, left_, right_, ground_;
  bool by_width_;
  Real width_, height_;  // [m] at the start
};

inline constexpr Real no_strain = Real(1e-9);  // less: the test has not begun

// The curve while the driven side moves, against the strain, and the volume when it began to.
template <int D>
class BiaxialTest : public Measure<D> {
 public:
  explicit BiaxialTest(const scene::World<D>& world)
      : cell(world), begun_(cell.volume({world, world.state, nullptr, nullptr, 0, 0})) {}
  static std::string lacks(const scene::World<D>& world) { return CellView<D>::lacks(world); }
  void see(const Moment<D>& now) override {
    if (!now.stepped()) return;
    const CellReading r = cell.read(now);
    if (r.strain > no_strain)
      curve.add(now.h, std::vector<Real>{r.strain, r.vertical, r.horizontal});
    else
      begun_ = r.volume;
  }
  std::vector<Real> memory() const override {
    std::vector<Real> m = curve.memory();
    m.push_back(begun_);
    return m;
  }
  void recall(std::span<const Real> m) override {
    CAIRN_CHECK(m.size() >= 3, "the memory is not one of this measure");
    curve.recall(m.first(m.size() - 1)), begun_ = m.back();
  }

 protected:
  Real volume_change(const Moment<D>& last) const { return cell.volume(last) / begun_ - 1; }
  Real largest_strain() const {
    Real most = 0;
    for (int i = 0; i < curve.size(); ++i) most = std::max(most, curve.mean(i, 0));
    return most;
  }
  Real phi(const Choice& chosen) const {  // [rad] of the mean stresses
    return std::asin(sin_phi(mean(curve, 1, chosen), mean(curve, 2, chosen)));
  }

  CellView<D> cell;
  History curve{3};

 private:
  Real begun_;  // [m^2]
};

template <int D>
class PhiPeak : public BiaxialTest<D> {
 public:
  using BiaxialTest<D>::BiaxialTest;
  Value result(const Moment<D>&) const override {
    const Real end = this->largest_strain(), half = end / 40;  // half of the window that is averaged over
    Real peak = not_a_number;
    for (int i = 0; i < this->curve.size(); ++i) {
      const Real strain = this->curve.mean(i, 0);
      if (strain < half || strain > end - half) continue;
      const Real phi = this->phi([&](int j) { return std::fabs(this->curve.mean(j, 0) - strain) <= half; });
      if (!(peak >= phi)) peak = phi;
    }
    return Value::of(degrees(peak));
  }
};

template <int D>
class PhiResidual : public BiaxialTest<D> {
 public:
  using BiaxialTest<D>::BiaxialTest;
  Value result(const Moment<D>&) const override {
    const Real from = this->largest_strain() * 2 / 3;
    return Value::of(degrees(this->phi([&](int j) { return this->curve.mean(j, 0) >= from; })));
  }
};

template <int D>
class VolumeChange : public BiaxialTest<D> {
 public:
  using BiaxialTest<D>::BiaxialTest;
  Value result(const Moment<D>& last) const override { return Value::of(this->volume_change(last)); }
};

}  // namespace cairn::run
