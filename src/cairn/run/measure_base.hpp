// What measures have in common.
#pragma once

#include "cairn/base/check.hpp"
#include "cairn/run/history.hpp"
#include "cairn/run/measure.hpp"
#include "cairn/run/survey.hpp"

namespace cairn::run {

template <int D>
class Surveyed : public Measure<D> {
 public:
  explicit Surveyed(const scene::World<D>& world) : survey(world) {}
  static std::string lacks(const scene::World<D>& world) { return without_free(world); }

 protected:
  const Survey<D> survey;
};

// Keeps a fixed number of reals between steps.
template <int D>
class Keeping : public Surveyed<D> {
 public:
  Keeping(const scene::World<D>& world, std::vector<Real> start) : Surveyed<D>(world), kept(std::move(start)) {}
  std::vector<Real> memory() const override { return kept; }
  void recall(std::span<const Real> m) override {
    CAIRN_CHECK(m.size() == kept.size(), "the memory is not one of this measure");
    kept.assign(m.begin(), m.end());
  }

 protected:
  std::vector<Real> kept;
};

// Keeps a curve; its first column is the time [s].
template <int D>
class Curved : public Surveyed<D> {
 public:
  Curved(const scene::World<D>& world, int columns) : Surveyed<D>(world), curve(columns) {}
  std::vector<Real> memory() const override { return curve.memory(); }
  void recall(std::span<const Real> m) override { curve.recall(m); }

 protected:
  Choice later(const Moment<D>& last) const { return last_half(curve, 0, last.world.state.t, last.state.t); }

  History curve;
};

inline Real degrees(Real radians) { return radians * Real(57.295779513082320877); }

}  // namespace cairn::run
