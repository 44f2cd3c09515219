// Small scenes with names, run with observers.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "cairn/base/test/share.hpp"
#include "cairn/run/measure.hpp"
#include "cairn/scene/into_model.hpp"

namespace cairn::run::test {

using cairn::test::sanitized;

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <int D>
scene::World<D> empty_world(Real mu, Real restitution = 0, Real g = Real(9.81)) {
  scene::World<D> w;
  w.model.gravity[D - 1] = -g;
  w.model.materials.standard = {mu, restitution, restitution};
  return w;
}

template <int D>
void put(scene::World<D>& w, const scene::Blocks<D>& blocks, const Drive<D>& drive = {}) {
  const Expected<int> first = scene::add_blocks<D>(w.model, w.state, blocks, drive);
  ASSERT_TRUE(first) << first.error();
  for (const scene::Block<D>& b : blocks.blocks) w.names.push_back(b.name), w.part.push_back(b.part);
}

template <int D, class Options>
scene::World<D> world_of(const Options& options, Real mu, Real restitution = 0, const Drive<D>& drive = {}) {
  scene::World<D> w = empty_world<D>(mu, restitution);
  const Expected<scene::Blocks<D>> blocks = build<D>(options);
  EXPECT_TRUE(blocks) << (blocks ? "" : blocks.error());
  if (blocks) put<D>(w, *blocks, drive);
  return w;
}

template <int D>
scene::Block<D> ball_at(const Vec<2>& x, Real radius, Real density = 1000) {
  return {Shape<D>{Ball<D>{radius}}, scene::in_plane<D>(x), density};
}

// A vector in the plane (x, up).
template <int D>
Vec<D> flat(Real x, Real up) {
  Vec<D> v{};
  v[0] = x, v[D - 1] = up;
  return v;
}

template <int D>
std::unique_ptr<Measure<D>> measure(const std::string& name, const scene::World<D>& w) {
  auto made = make_measure<D>(name, w);
  EXPECT_TRUE(made) << (made ? "" : made.error());
  return made ? std::move(*made) : nullptr;
}

// A scene being run; observers are the caller's.
template <int D>
struct Running {
  const scene::World<D>& world;
  ModelState<D> state;
  Collection<D> scheme;
  CollectionReport report;
  Real h;
  long steps = 0;

  Running(const scene::World<D>& w, Real step, const CollectionOptions& options = {})
      : world(w), state(w.state), scheme(w.model, options), h(step) {}

  Moment<D> now() const {
    return steps == 0 ? Moment<D>{world, state, nullptr, nullptr, 0, 0}
                      : Moment<D>{world, state, &scheme, &report, h, steps};
  }
  template <class... Observers>
  void run(long count, Observers&... observers) {
    for (long k = 0; k < count; ++k) {
      report = scheme.step(state, h);
      ++steps;
      (observers.see(now()), ...);
    }
  }
};

// What measures say of a state that was made by hand, as if a step of 1 ms had led there.
template <int D>
struct ByHand {
  const scene::World<D>& world;
  ModelState<D> state;
  CollectionReport report;
  Real h = Real(1e-3);

  explicit ByHand(const scene::World<D>& w) : world(w), state(w.state) {}
  Moment<D> now() const { return {world, state, nullptr, &report, h, 1}; }
  // The force [N] on the first body of a contact; bodies have one part each.
  void touch(int first, int second, const Vec<D>& force) {
    state.contact.push_back({first, second, 0}), state.impulse.push_back(h * force);
  }
  Value value(const std::string& name) const {
    const auto m = measure<D>(name, world);
    m->see(now());
    return m->result(now());
  }
  Real number(const std::string& name) const { return value(name).number; }
};

template <int D>
std::map<std::string, Real> outcomes(const scene::World<D>& w, Real h, long steps, std::vector<std::string> names,
                                     const CollectionOptions& options = {}) {
  std::vector<std::unique_ptr<Measure<D>>> all;
  for (const std::string& name : names) all.push_back(measure<D>(name, w));
  Running<D> run(w, h, options);
  for (const auto& m : all) m->see(run.now());
  for (long k = 0; k < steps; ++k) {
    run.run(1);
    for (const auto& m : all) m->see(run.now());
  }
  std::map<std::string, Real> out;
  for (std::size_t k = 0; k < all.size(); ++k) out[names[k]] = all[k]->result(run.now()).number;
  return out;
}

template <class Dimension>
class Measured : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;

}  // namespace cairn::run::test
