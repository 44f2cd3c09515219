// Grains at rest and in a silo: what statics asks of any packing, and Janssen's law.
#include <cmath>
#include <map>

#include "cairn/scene/packing.hpp"
#include "cairn/scene/test/world.hpp"

namespace cairn {
namespace {

using test::World;

CollectionOptions granular() {
  CollectionOptions o;
  o.tolerance = o.required = 1e-4;
  return o;
}

// Twice the contacts that carry a force, over the grains that have two or more; those with walls count.
template <int D>
Real contacts_per_grain(const World<D>& world, const Collection<D>& scheme, Real h) {
  std::map<int, int> of;
  const auto carries = [&](int a) { return norm(scheme.impulse(a)) > 1e-6 * h * 9.81 * world.model.bodies[0].mass; };
  const int n = static_cast<int>(scheme.contacts().size());
  const auto free = [&](int b) { return world.model.bodies[static_cast<std::size_t>(b)].free(); };
  for (int a = 0; a < n; ++a)
    for (const int b : scheme.contacts()[static_cast<std::size_t>(a)].body)
      if (carries(a) && free(b)) ++of[b];
  long contacts = 0, grains = 0;
  for (int a = 0; a < n; ++a) {
    bool counts = carries(a);
    for (const int b : scheme.contacts()[static_cast<std::size_t>(a)].body) counts = counts && (!free(b) || of[b] > 1);
    contacts += counts;
  }
  for (const auto& [b, count] : of) grains += count > 1;
  return 2.0 * static_cast<double>(contacts) / static_cast<double>(grains);
}

// Forces must not be fewer than equations of rest: D numbers a contact against D + spins a grain, so that twice the
// contacts over the grains is above 3 in the plane and 4 in space; friction that never yields comes near it.
template <int D>
void settle(int grains, Real width, Real mu, Real duration, Real least, Real most) {
  const Real h = 1e-3;
  World<D> world(mu);
  scene::Packing packing;
  packing.grains.count = grains, packing.width = packing.depth = width;
  world.put(packing);
  Collection<D> scheme(world.model, granular());
  for (int k = 0, n = test::sanitized ? 5 : static_cast<int>(duration / h); k < n; ++k) scheme.step(world.state, h);
  if (test::sanitized) return;
  const Real found = contacts_per_grain(world, scheme, h);
  EXPECT_GT(found, least);
  EXPECT_LT(found, most);
}
TEST(Grains, packings_with_large_friction_have_few_contacts_but_enough) {
  settle<2>(80, 0.35, 10, 0.8, 3, 3.4);
  settle<3>(60, 0.16, 1, 0.6, 4, 4.7);
}
TEST(Grains, packings_with_small_friction_have_more) { settle<2>(80, 0.35, 0.1, 0.8, 3.4, 4.2); }

// The floor of a silo sinks slowly, so that the walls carry what they can: the floor carries the part (1 - exp(-x))/x
// of the weight, x = 2 mu K H / W (Janssen). Returns K, the ratio of the stresses; the part where walls do not rub.
Real stress_ratio(int grains, Real mu) {
  const Real h = 1e-3, width = 0.15, sinks = 0.05;
  World<2> world(mu);
  scene::Packing packing;
  packing.grains.count = grains, packing.width = width;
  world.put(packing);
  const std::size_t floor = world.model.bodies.size() - 1;
  world.model.bodies[floor].drive = 0;
  world.model.drives.push_back(constant_velocity<2>({0, -sinks}));
  Collection<2> scheme(world.model, granular());
  Real weight = 0, carried = 0;
  for (const Body<2>& b : world.model.bodies) weight += 9.81 * b.mass;
  for (int k = 0; k < 1000; ++k) {
    scheme.step(world.state, h);
    if (k >= 500) carried += -scheme.reaction(static_cast<int>(floor))[1] / h / 500;
  }
  const Real part = carried / weight;
  if (mu == 0) return part;
  Real height = 0;
  for (const Vec<2>& x : world.state.x) height = std::max(height, x[1]);
  height += 0.75 * sinks;  // the floor's place at the mean time
  Real low = 0, high = 100;
  while (high - low > 1e-9) {
    const Real x = (low + high) / 2;
    (-std::expm1(-x) / x > part ? low : high) = x;
  }
  return low * width / (2 * mu * height);
}
TEST(Grains, walls_of_a_silo_carry_what_Janssen_says) {
  if (test::sanitized) return;
  EXPECT_NEAR(stress_ratio(40, 0), 1, 0.02);
  // The same ratio whatever the height; grains are few, and it scatters. Between Rankine's for the angle of friction of
  // discs, about 20 degrees, and 1.
  for (const int grains : {50, 100, 200}) {
    const Real K = stress_ratio(grains, 0.5);
    EXPECT_GT(K, 0.4) << grains;
    EXPECT_LT(K, 1) << grains;
  }
}

// A column of discs whose walls are drawn aside: how far grains come to rest from the middle, in the mean and over the
// half width before. aspect: height over half width.
Real spread_of_column(int grains, Real aspect, std::uint64_t seed) {
  World<2> world(0.5);
  world.model.materials.standard.rolling = 0.002;  // [m] or discs would roll on for long
  scene::Packing packing;
  packing.grains.count = grains, packing.grains.seed = seed;
  packing.width = std::sqrt(2 * grains * 9.2e-4 / aspect);  // [m] 9.2e-4 m^2 a disc, pores included
  world.put(packing);
  const std::size_t walls = world.model.bodies.size() - 3;
  for (const std::size_t wall : {walls, walls + 1}) {
    Body<2>& body = world.model.bodies[wall];
    const Real away = body.placed.x[0] < 0 ? -8 : 8;  // [m/s]
    body.drive = static_cast<int>(world.model.drives.size());
    world.model.drives.push_back([away](Real t) { return Excursion<2>{{t > 0.2 ? away * (t - 0.2) : 0, 0}, {}}; });
  }
  CollectionOptions o = granular();
  o.tolerance = o.required = 1e-3;
  world.run(2.5, 1e-3, o);
  Real mean = 0;
  for (int k = 0; k < grains; ++k) mean += std::abs(world.state.x[static_cast<std::size_t>(k)][0]) / grains;
  return mean / (packing.width / 2);
}
// Not on the number of grains; and less than in proportion for tall columns. One spread is uncertain by 6 % (24 seeds
// of 250 discs, aspect 2), hence the ratio below by 7 %, and what is reached per aspect by .02: for aspect 16 it is .3,
// for 2 it is .37.
TEST(Grains, the_spread_of_a_column_depends_on_its_aspect) {
  if (test::sanitized) return;
  Real per_aspect[2], *next = per_aspect;
  for (const Real aspect : {2, 16}) {
    const Real few = (spread_of_column(100, aspect, 1) + spread_of_column(100, aspect, 2)) / 2;
    const Real more = spread_of_column(250, aspect, 1);
    EXPECT_NEAR(few / more, 1, 0.2);              // three times that
    *next++ = ((few + more) / 2 - 0.5) / aspect;  // half before the collapse
  }
  EXPECT_LT(per_aspect[1], per_aspect[0]);
}

// Errors over impulses are what a step with them is solved to. Violations deeper than the slop, here the tolerance, are
// corrected; to what is left a contact adds its own error, as a velocity over the step (a natural map of e allows for a
// normal velocity of -e sqrt(1 + mu^2)).
TEST(Grains, are_solved_to_an_error_over_impulses) {
  test::World<3> world(0.5);
  scene::Packing o;
  o.grains.count = 200;
  o.width = o.depth = 6 * (o.grains.least + o.grains.most);
  world.put(o);
  CollectionOptions options;
  options.tolerance = options.required = 1e-4, options.scale = ErrorScale::impulses;
  Collection<3> scheme(world.model, options);
  int held = 0;
  for (int k = 0; k < (test::sanitized ? 40 : 400); ++k) {
    const CollectionReport r = scheme.step(world.state, 2e-3);
    ASSERT_LE(r.error, 1e-4) << k;
    // The report weighs each contact by its own inertia, sweeps all by the mean one: grains of other sizes count
    // more or less.
    ASSERT_LE(r.impulse_error, 4e-4) << k;
    const Real h = 2e-3, mu = 0.5;
    ASSERT_LE(r.violation, 1e-4 * world.model.size + h * std::sqrt(1 + mu * mu) * r.velocity_error) << k;
    held += r.active > 300;
  }
  EXPECT_TRUE(test::sanitized || held > 100) << held;
}

}  // namespace
}  // namespace cairn
