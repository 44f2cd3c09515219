// What a resumed run needs is in the state: a scheme that has made every step, and one made anew for each, give the
// same bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/base/test/share.hpp"
#include "cairn/model/add_joint.hpp"
#include "cairn/record/checkpoint.hpp"
#include "cairn/record/test/sample.hpp"
#include "cairn/scene/bed.hpp"
#include "cairn/scene/into_model.hpp"
#include "cairn/scene/packing.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn::record {
namespace {

using namespace test;

template <int D>
::testing::AssertionResult same_states(const ModelState<D>& a, const ModelState<D>& b) {
  const auto differ = [](const char* what) { return ::testing::AssertionFailure() << what << " differ"; };
  if (!same_bits(a.t, b.t) || !same_bits(a.assured, b.assured)) return differ("times");
  if (!same_bits(a.x, b.x)) return differ("places");
  if (!same_bits(a.r, b.r)) return differ("orientations");
  if (!same_bits(a.u, b.u)) return differ("velocities");
  if (a.contact != b.contact) return differ("contacts");
  if (!same_bits(a.impulse, b.impulse)) return differ("impulses");
  if (!same_bits(a.torque, b.torque)) return differ("torques");
  if (a.slid != b.slid) return differ("sliding marks");
  if (!same_bits(a.joint, b.joint)) return differ("impulses of joints");
  return ::testing::AssertionSuccess();
}

// What a motion has met, so that a test can say what it is about.
struct Seen {
  long closed = 0, slid = 0;
  Real deepest = 0, torque = 0, joint = 0;  // [m], [N m s], [N s]

  template <int D>
  void add(const CollectionReport& r, const ModelState<D>& s) {
    closed += r.closed, slid += std::count(s.slid.begin(), s.slid.end(), char(true));
    deepest = std::max(deepest, r.deepest);
    for (const auto& M : s.torque) torque = std::max(torque, norm(M));
    for (const auto& S : s.joint) joint = std::max(joint, norm(S));
  }
};

// Steps from the state with a scheme that lives on, and with a new one each time; every tenth state goes through a
// file.
template <int D>
void expect_no_memory(const Model<D>& model, ModelState<D> state, Real h, int steps, Seen& seen) {
  if (cairn::test::sanitized) steps = std::min(steps, 12);
  const Folder folder;
  ModelState<D> fresh = state;
  Collection<D> lasting(model);
  for (int k = 0; k < steps; ++k) {
    const CollectionReport a = lasting.step(state, h);
    const CollectionReport b = Collection<D>(model).step(fresh, h);
    ASSERT_EQ(a.fault, Fault::none);
    ASSERT_TRUE(same_states(state, fresh)) << "after step " << k + 1;
    ASSERT_TRUE(same_bits(a.error, b.error) && same_bits(a.energy, b.energy) && a.iterations == b.iterations)
        << "reports of step " << k + 1;
    seen.add(a, state);
    if (k % 10 != 9) continue;
    Checkpoint<D> checkpoint;
    checkpoint.state = fresh;
    ASSERT_EQ(write_checkpoint<D>(folder / "c", checkpoint), "");
    const auto back = read_checkpoint<D>(folder / "c");
    ASSERT_TRUE(back) << back.error();
    fresh = back->state;
  }
  if (cairn::test::sanitized) return;  // too short to meet everything
  EXPECT_GT(seen.closed, 0);
}

template <int D>
struct Setting {
  Model<D> model;
  ModelState<D> state;

  explicit Setting(const Surface& surface) {
    model.gravity[D - 1] = Real(-9.81);
    model.materials.standard = surface;
  }
  template <class Options>
  Setting& put(const Options& options, const Drive<D>& drive = {}) {
    const Expected<scene::Blocks<D>> blocks = build<D>(options);
    EXPECT_TRUE(blocks) << blocks.error();
    const Expected<int> first = scene::add_blocks<D>(model, state, *blocks, drive);
    EXPECT_TRUE(first) << first.error();
    return *this;
  }
};

TEST(Resume, a_wall_on_shaking_ground) {
  Seen seen;
  Surface s;
  s.mu = Real(0.5);
  scene::Wall wall;
  wall.courses = 6, wall.blocks = 4;
  const auto flat = Setting<2>(s).put(wall, harmonic<2>({1, 0}, {{0.05, 3}}));
  expect_no_memory<2>(flat.model, flat.state, 0.002, cairn::test::sanitized ? 40 : 100, seen);
  const auto deep = Setting<3>(s).put(wall, harmonic<3>({1, 0, 0}, {{0.05, 3}}));
  expect_no_memory<3>(deep.model, deep.state, 0.002, 20, seen);
}

scene::Packing some_grains(scene::Grains::Kind kind, int count) {
  scene::Packing p;
  p.grains.count = count, p.grains.kind = kind;
  p.width = p.depth = Real(0.15);
  return p;
}

// Grains that fall on each other: contacts come and go.
TEST(Resume, grains_that_fall_together) {
  Seen seen;
  Surface s;
  s.mu = Real(0.4), s.restitution = Real(0.3), s.restitution_tangent = Real(0.3);
  const auto balls = Setting<3>(s).put(some_grains(scene::Grains::balls, 80));
  expect_no_memory<3>(balls.model, balls.state, 0.002, 60, seen);
  s.restitution = s.restitution_tangent = 0;
  const auto stones = Setting<2>(s).put(some_grains(scene::Grains::angular, 60));
  expect_no_memory<2>(stones.model, stones.state, 0.002, 60, seen);
}

TEST(Resume, a_shaken_bed_with_violations_to_correct) {
  Seen seen;
  scene::Bed bed;
  bed.packing = some_grains(scene::Grains::angular, 30);
  Surface s;
  s.mu = Real(0.4);
  const auto stones = Setting<3>(s).put(bed, scene::shaking<3>(bed));
  expect_no_memory<3>(stones.model, stones.state, 0.004, 80, seen);
  if (cairn::test::sanitized) return;
  EXPECT_GT(seen.deepest, 3 * CollectionOptions{}.slop * stones.model.size);
}

TEST(Resume, a_chain_of_joints_that_falls_on_the_ground) {
  Seen seen;
  Setting<3> chain(Surface{});
  ASSERT_TRUE(add_boundary<3>(chain.model, chain.state, {{HalfSpace<3>{}, {}, 1}}, {{0, 0, Real(-1.2)}, {}}));
  int before = -1;
  for (int i = 0; i < 8; ++i) {
    const Vec<3> x{Real(i) / 4 + Real(0.125), 0, 0};
    const auto link = add_body<3>(chain.model, chain.state, {{Capsule<3>{Real(0.1), Real(0.02)}, {}, 1000}}, {x, {}});
    ASSERT_TRUE(link) << link.error();
    JointOptions o;
    o.friction = Real(0.01), o.friction_arm = Real(0.005);
    if (i == 3) o.lower = Real(-0.2), o.upper = Real(0.2), o.restitution = Real(0.2);
    const JointKind kind = i % 2 == 0 ? JointKind::hinge : JointKind::ball;
    if (kind == JointKind::ball) o = {};
    const auto joint = add_joint<3>(chain.model, chain.state, kind, *link, before,
                                    along(Vec<3>{Real(i) / 4, 0, 0}, Vec<3>{0, 1, 0}), o);
    ASSERT_TRUE(joint) << joint.error();
    before = *link;
  }
  expect_no_memory<3>(chain.model, chain.state, 0.002, 250, seen);
  if (cairn::test::sanitized) return;
  EXPECT_GT(seen.joint, 0);
}

TEST(Resume, surfaces_that_resist_rolling) {
  Seen seen;
  Surface s;
  s.mu = Real(0.5), s.rolling = Real(0.001), s.drilling = Real(0.0005);
  const auto balls = Setting<3>(s).put(some_grains(scene::Grains::balls, 20));
  expect_no_memory<3>(balls.model, balls.state, 0.002, 25, seen);
  const auto discs = Setting<2>(s).put(some_grains(scene::Grains::balls, 40));
  expect_no_memory<2>(discs.model, discs.state, 0.002, 30, seen);
  if (cairn::test::sanitized) return;
  EXPECT_GT(seen.torque, 0);
}

TEST(Resume, static_and_dynamic_friction_with_a_grain) {
  Seen seen;
  Surface s;
  s.mu = Real(0.6), s.mu_dynamic = Real(0.2);
  auto flat = Setting<2>(s).put(some_grains(scene::Grains::angular, 40), harmonic<2>({1, 0}, {{0.02, 5}}));
  expect_no_memory<2>(flat.model, flat.state, 0.002, 80, seen);
  s.mu_across = Real(0.3);
  auto deep = Setting<3>(s).put(some_grains(scene::Grains::angular, 12), harmonic<3>({1, 0, 0}, {{0.02, 5}}));
  for (Body<3>& b : deep.model.bodies) b.grain = {0, 1, 0};
  expect_no_memory<3>(deep.model, deep.state, 0.002, 30, seen);
  if (cairn::test::sanitized) return;
  EXPECT_GT(seen.slid, 0);
}

}  // namespace
}  // namespace cairn::record
