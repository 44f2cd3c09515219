// In large scenes, work only where something happens.
#include <algorithm>

#include "cairn/model/build.hpp"
#include "cairn/scene/packing.hpp"
#include "cairn/scene/test/world.hpp"

namespace cairn {
namespace {

using test::World;

CollectionOptions over_impulses() {
  CollectionOptions o;
  o.tolerance = o.required = 1e-3, o.scale = ErrorScale::impulses;
  return o;
}

// A contact that shows up in the course of a step is solved for with those around it, and the certificate of the step
// is as good as that of the others.
TEST(LargePacking, solves_for_new_contacts_nearby) {
  if (test::sanitized) return;
  World<3> world(0.5);
  scene::Packing packing;
  packing.grains.count = 4000;
  packing.width = packing.depth = 16 * (packing.grains.least + packing.grains.most);
  world.put(packing);
  Collection<3> scheme(world.model, over_impulses());
  int nearby = 0;
  for (int k = 0; k < 150; ++k) {
    const CollectionReport r = scheme.step(world.state, 1e-3);
    ASSERT_FALSE(r.missed) << k << ": " << r.error;
    ASSERT_LE(r.impulse_error, 4e-3) << k;  // see Grains.are_solved_to_an_error_over_impulses
    const EnergyLedger& e = r.energy;       // closes to rounding: velocities are those of the impulses
    ASSERT_LE(std::abs(e.defect()), 1e-12 * (std::abs(e.change) + e.applied + e.dissipation)) << k;
    nearby += r.nearby;
    // What the next step starts from is in the order of the keys, whenever a contact showed up, and is all there.
    const ModelState<3>& s = world.state;
    ASSERT_EQ(s.contact.size(), scheme.contacts().size());
    ASSERT_TRUE(std::ranges::is_sorted(s.contact)) << k;
    for (int a = 0; a < static_cast<int>(scheme.contacts().size()); ++a) {
      const Contact<3>& c = scheme.contacts()[static_cast<std::size_t>(a)];
      const auto kept = std::ranges::lower_bound(s.contact, c.key);
      ASSERT_TRUE(kept != s.contact.end() && *kept == c.key) << k << ' ' << a;
      const Vec<3> S = scheme.impulse(a), P = s.impulse[static_cast<std::size_t>(kept - s.contact.begin())];
      ASSERT_NEAR(dot(P, c.normal), S[0], 1e-12 * norm(S)) << k << ' ' << a;
      ASSERT_NEAR(norm(P), norm(S), 1e-12 * norm(S)) << k << ' ' << a;
    }
  }
  EXPECT_GT(nearby, 0);
}

// Discs are grains as spheres are: a packing is swept. It used to be factorised as masonry is, and a step of 2000 discs
// took a second.
TEST(LargePacking, of_discs_is_swept) {
  World<2> world(0.5);
  scene::Packing packing;
  packing.grains.count = 400;
  packing.width = 20 * (packing.grains.least + packing.grains.most);
  world.put(packing);
  CollectionOptions options;
  options.tolerance = 1e-4, options.required = 1e-3;
  Collection<2> scheme(world.model, options);
  int large = 0;
  for (int k = 0; k < (test::sanitized ? 20 : 150); ++k) {
    const CollectionReport r = scheme.step(world.state, 1e-3);
    ASSERT_FALSE(r.missed) << k << ": " << r.error;
    if (r.active < 3 * options.small || r.islands > 10) continue;  // small islands go by any method
    ++large;
    ASSERT_EQ(r.factorisations, 0) << k;
  }
  EXPECT_TRUE(test::sanitized || large > 20) << large;
}

// Discs in a row on the ground, side by side, the first one pushed into it: it is lifted, and what is not next to it
// has the bits that it has without.
TEST(Correction, moves_nothing_that_is_far) {
  const auto x_after = [](Real depth) {
    World<2> world(0.5);
    EXPECT_TRUE(add_boundary<2>(world.model, world.state, {{HalfSpace<2>{}, {}, 1}}, {}));
    for (int k = 0; k < 60; ++k) {
      const Real y = k == 0 ? 1 - depth : 1;
      EXPECT_TRUE(add_body<2>(world.model, world.state, {{Ball<2>{1}, {}, 1000}}, {{2 * Real(k), y}, {}}));
    }
    Collection<2> scheme(world.model);
    for (int k = 0; k < 3; ++k) scheme.step(world.state, 1e-3);
    return world.state.x;
  };
  const auto straight = x_after(0), pushed = x_after(1e-3);
  EXPECT_NEAR(pushed[1][1], 1, 3e-6);
  for (std::size_t b = 3; b < pushed.size(); ++b)
    for (int k = 0; k < 2; ++k) EXPECT_EQ(pushed[b][k], straight[b][k]) << b;
}

}  // namespace
}  // namespace cairn
