// What is broken off and goes on from its memory gives the same bits: every measure and every probe.
#include <set>

#include "cairn/base/test/share.hpp"
#include "cairn/run/probe.hpp"
#include "cairn/run/test/running.hpp"
#include "cairn/scene/cell.hpp"
#include "cairn/scene/dominoes.hpp"
#include "cairn/scene/drum.hpp"
#include "cairn/scene/hopper.hpp"

namespace cairn::run {
namespace {

using namespace test;

TYPED_TEST_SUITE(Measured, Dimensions);

std::uint64_t bits(Real x) { return std::bit_cast<std::uint64_t>(x); }
std::vector<std::uint64_t> bits(const std::vector<Real>& v) {
  std::vector<std::uint64_t> b;
  for (const Real x : v) b.push_back(bits(x));
  return b;
}

// Scenes that have, together, what every measure needs.
template <int D>
std::vector<scene::World<D>> scenes() {
  std::vector<scene::World<D>> all;
  scene::Cell cell;
  cell.grains.count = 8, cell.width = cell.depth = 0.12;
  all.push_back(world_of<D>(cell, 0.5));
  const auto wall = all[0].find("right wall")[0];
  all[0].model.bodies[at(wall)].drive = 0;
  all[0].model.drives.push_back([](Real t) {
    return Excursion<D>{flat<D>(std::max(Real(0), t - Real(0.012)), 0), {}};
  });
  scene::Hopper hopper;
  hopper.grains.count = 8, hopper.width = 0.15, hopper.depth = 0.1, hopper.slope = 0.2;
  all.push_back(world_of<D>(hopper, 0.3));
  scene::Drum drum;
  drum.grains.count = 8, drum.slabs = 8;
  all.push_back(world_of<D>(drum, 0.5));
  scene::Dominoes dominoes;
  dominoes.count = 4, dominoes.tilt = 0.3;
  all.push_back(world_of<D>(dominoes, 0.3));
  for (std::size_t b = 0; b < 4; ++b) all[3].state.u[b][freedoms<D> - (D == 2 ? 1 : 2)] = D == 2 ? -12 : 12;
  scene::World<D> ball = empty_world<D>(0.4, 0.5);  // hops, turns, slides and comes to roll
  scene::Blocks<D> s{{ball_at<D>({0, 0.11}, 0.1)}};
  s.blocks.push_back(scene::ground_at<D>(0, 0));
  put<D>(ball, s);
  ball.state.u[0][0] = 0.3, ball.state.u[0][freedoms<D> - 1] = 90;
  all.push_back(ball);
  return all;
}

// One object sees all steps; the other is replaced by a fresh one after every third of them.
template <int D, class T, class Make>
void expect_same(const scene::World<D>& world, const std::string& name, const Make& make,
                 Real (*read)(const T&, const Moment<D>&)) {
  std::unique_ptr<T> whole = make(), resumed = make();
  Running<D> run(world, 2e-3);
  for (int k = 0; k < (test::sanitized ? 9 : 24); ++k) {
    run.run(1, *whole, *resumed);
    if (k % 3 == 2) {
      const std::vector<Real> memory = resumed->memory();
      resumed = make();
      resumed->recall(memory);
    }
    EXPECT_EQ(bits(read(*whole, run.now())), bits(read(*resumed, run.now()))) << name << " " << k;
  }
  EXPECT_EQ(bits(whole->memory()), bits(resumed->memory())) << name;
}

TYPED_TEST(Measured, every_measure_goes_on_from_its_memory) {
  constexpr int D = TypeParam::value;
  const std::vector<scene::World<D>> all = scenes<D>();
  std::set<std::string> tested;
  for (const scene::World<D>& world : all)
    for (const MeasureDoc& doc : measure_docs()) {
      if (!make_measure<D>(doc.name, world)) continue;
      tested.insert(doc.name);
      expect_same<D, Measure<D>>(
          world, doc.name, [&] { return measure<D>(doc.name, world); },
          [](const Measure<D>& m, const Moment<D>& now) { return m.result(now).number; });
    }
  EXPECT_EQ(tested.size(), measure_docs().size());
}

TYPED_TEST(Measured, every_probe_goes_on_from_its_memory) {
  constexpr int D = TypeParam::value;
  const std::vector<scene::World<D>> all = scenes<D>();
  std::set<std::string> tested;
  for (const scene::World<D>& world : all)
    for (const ProbeDoc& doc : probe_docs()) {
      ProbeSpec spec{.name = doc.kind, .kind = doc.kind, .body = "0", .area = 1};
      if (spec.kind == "stress") spec.component = "xx";
      const auto make = [&] { return std::move(*make_probe<D>(spec, world)); };
      if (!make_probe<D>(spec, world)) continue;
      tested.insert(doc.kind);
      expect_same<D, Probe<D>>(world, doc.kind, make,
                               [](const Probe<D>& p, const Moment<D>& now) { return p.read(now); });
    }
  EXPECT_EQ(tested.size() + 1, probe_docs().size());  // no scene has a joint, and that probe has no memory
}

// A moment before the first step changes nothing: a run that is resumed may show one.
TYPED_TEST(Measured, moments_without_a_step_change_nothing) {
  constexpr int D = TypeParam::value;
  for (const scene::World<D>& world : scenes<D>())
    for (const MeasureDoc& doc : measure_docs()) {
      if (!make_measure<D>(doc.name, world)) continue;
      const auto m = measure<D>(doc.name, world);
      const std::vector<Real> before = m->memory();
      m->see({world, world.state, nullptr, nullptr, 0, 0});
      EXPECT_EQ(bits(m->memory()), bits(before)) << doc.name;
    }
}

}  // namespace
}  // namespace cairn::run
