// What a frame says of contacts, against motions that are known.
#include <algorithm>
#include <cmath>

#include "cairn/model/build.hpp"
#include "cairn/record/test/sample.hpp"

namespace cairn::record {
namespace {

using namespace test;

constexpr Real h = Real(0.001), g = Real(9.81);

template <int D>
struct OnGround {
  scene::World<D> world;
  int ground;

  explicit OnGround(Real mu, Drive<D> drive = {}) {
    world.model.gravity[D - 1] = -g;
    world.model.materials.standard.mu = mu;
    ground = *add_boundary<D>(world.model, world.state, {{HalfSpace<D>{}, {}, 1}}, {}, 0, drive);
    world.names = {"ground"}, world.part = {0};
  }
  int put(const Shape<D>& shape, const Pose<D>& pose, const Vec<freedoms<D>>& u) {
    const Expected<int> b = add_body<D>(world.model, world.state, {{shape, {}, 1000}}, pose);
    EXPECT_TRUE(b) << b.error();
    world.state.u[static_cast<std::size_t>(*b)] = u;
    world.names.push_back("body"), world.part.push_back(*b);
    return *b;
  }
  // A step, and what is taken of it.
  Frame<D> step() {
    Collection<D> scheme(world.model);
    const CollectionReport r = scheme.step(world.state, h);
    EXPECT_FALSE(r.missed);
    return frame_of<D>(world.model, world.state, &scheme, 1, h);
  }
};

TEST(Take, frame_0_has_no_contacts_and_no_step) {
  OnGround<2> on(0.5);
  on.put(Ball<2>{1}, {{0, 1}, {}}, {0, 0, 0});
  const Frame<2> f = frame_of<2>(on.world.model, on.world.state, nullptr, 0, h);
  EXPECT_EQ(f.h, 0);
  EXPECT_EQ(f.step, 0);
  EXPECT_TRUE(f.contacts.empty());
  EXPECT_TRUE(same_bits(f.x, on.world.state.x) && same_bits(f.r, on.world.state.r) && same_bits(f.u, on.world.state.u));
}

TEST(Take, a_box_at_rest_sticks_and_is_held_by_its_weight) {
  OnGround<2> on(0.5);
  const int box = on.put(Polygon::box({1, 0.5}), {{0, 0.5}, {}}, {0, 0, 0});
  const Frame<2> f = on.step();
  ASSERT_EQ(f.contacts.size(), 2u);
  Vec<2> on_box{};
  for (const ContactRow<2>& c : f.contacts) {
    EXPECT_EQ(c.status, Status::stick);
    EXPECT_NEAR(norm(c.velocity), 0, 1e-12);
    EXPECT_NEAR(c.use, 0, 1e-9);  // or nothing but its weight is held
    EXPECT_NEAR(c.point[1], 0, 1e-9);
    EXPECT_EQ(on.world.model.parts[static_cast<std::size_t>(c.part[0])].body, c.body[0]);
    EXPECT_EQ(on.world.model.parts[static_cast<std::size_t>(c.part[1])].body, c.body[1]);
    const bool first = c.body[0] == box;  // the impulse acts on the first body, the normal points to it
    on_box += Real(first ? 1 : -1) * c.impulse;
    EXPECT_NEAR(c.normal[1], first ? 1 : -1, 1e-12);
  }
  const Real weight = on.world.model.bodies[static_cast<std::size_t>(box)].mass * g;
  EXPECT_NEAR(on_box[1], h * weight, 1e-9 * h * weight);
}

// The ground moves, the box slides: the velocity is that of the first body against the second, at the step's end.
TEST(Take, a_box_that_slides_on_a_moving_ground) {
  const Real mu = Real(0.2);
  OnGround<3> on(mu, constant_velocity<3>({0, 2, 0}));
  const int box = on.put(Polyhedron::box({1, 1, 0.5}), {{0, 0, 0.5}, {}}, {3, 0, 0, 0, 0, 0});
  const Frame<3> f = on.step();
  ASSERT_EQ(f.contacts.size(), 4u);
  const Vec<3> want = Vec<3>{3, -2, 0} + (-mu * g * h / std::sqrt(Real(13))) * Vec<3>{3, -2, 0};
  for (const ContactRow<3>& c : f.contacts) {
    const Real sign = c.body[0] == box ? 1 : -1;
    EXPECT_EQ(c.status, Status::slide);
    EXPECT_NEAR(norm(sign * c.velocity - want), 0, 1e-4);  // the box turns a little
    EXPECT_NEAR(dot(c.velocity, c.normal), 0, 1e-9);
    EXPECT_LT(dot(c.velocity, c.impulse), 0);
    EXPECT_NEAR(c.use, 1, 1e-9);
    const Real normal = dot(c.impulse, c.normal);
    EXPECT_NEAR(norm(c.impulse - normal * c.normal), mu * normal, 1e-9 * normal);
  }
}

// Its spin is kept in its own axes; without friction it is not changed.
TEST(Take, a_ball_that_spins_in_axes_of_its_own) {
  OnGround<3> on(0);
  const Rotation<3> R = Rotation<3>::by({Real(0.3), Real(-1.1), Real(0.7)});
  const Vec<3> spin{1, 2, 3}, own = R.inverse() * spin;
  const int ball = on.put(Ball<3>{0.5}, {{0, 0, 0.5}, R}, {1, 0, 0, own[0], own[1], own[2]});
  const Frame<3> f = on.step();
  ASSERT_EQ(f.contacts.size(), 1u);
  const ContactRow<3>& c = f.contacts[0];
  const Vec<3> want = Vec<3>{1, 0, 0} + cross(spin, Vec<3>{0, 0, Real(-0.5)});
  EXPECT_NEAR(norm(Real(c.body[0] == ball ? 1 : -1) * c.velocity - want), 0, 1e-12);
  EXPECT_EQ(c.status, Status::slide);
}

TEST(Take, a_ball_near_the_ground_that_does_not_touch_takes_off) {
  OnGround<2> on(0.5);
  on.put(Ball<2>{1}, {{0, 1 + Real(1e-6)}, {}}, {0, 1, 0});
  const Frame<2> f = on.step();
  ASSERT_EQ(f.contacts.size(), 1u);
  EXPECT_EQ(f.contacts[0].status, Status::take_off);
  EXPECT_EQ(norm(f.contacts[0].impulse), 0);
  EXPECT_EQ(f.contacts[0].use, 0);
  EXPECT_NEAR(f.contacts[0].gap, 1e-6 + h / 2, 1e-9);
}

// Contacts that show up in the course of a step stand last in the scheme, and by their keys in the state.
TEST(Take, contacts_that_show_up_late_have_their_own_impulses) {
  OnGround<3> on(0.5);
  for (int k = 0; k < 225;
       ++k)  // the first of two rows are shot at the others: what it hits hits the next in the same step
    on.put(Ball<3>{Real(0.05)}, {{Real(0.1003) * (k % 15), Real(0.1003) * (k / 15), Real(0.05)}, {}},
           {k == 60 || k == 165 ? Real(2) : 0, 0, 0, 0, 0, 0});
  Collection<3> scheme(on.world.model);
  int late = 0;
  for (int step = 0; step < 20; ++step) {
    scheme.step(on.world.state, h);
    const auto& contacts = scheme.contacts();
    if (std::ranges::is_sorted(contacts, {}, &Contact<3>::key)) continue;
    ++late;
    const ModelState<3>& s = on.world.state;
    const Frame<3> f = frame_of<3>(on.world.model, s, &scheme, step, h);
    ASSERT_EQ(f.contacts.size(), s.contact.size());
    for (std::size_t k = 0; k < s.contact.size(); ++k) {
      const ContactRow<3>& row = f.contacts[k];
      const ContactKey key{row.part[0], row.part[1], row.feature};
      EXPECT_EQ(key, s.contact[k]);
      EXPECT_TRUE(same_bits(row.impulse, s.impulse[k]));
      const auto own = std::ranges::find(contacts, key, &Contact<3>::key);
      ASSERT_NE(own, contacts.end());
      EXPECT_TRUE(same_bits(row.point, own->point) && same_bits(row.gap, own->gap));
      EXPECT_EQ(row.status == Status::take_off, !(dot(row.impulse, row.normal) > 0));
    }
  }
  EXPECT_GT(late, 0);
}

TEST(Take, the_cast_is_that_of_the_world) {
  OnGround<2> on(0.5, constant_velocity<2>({1, 0}));
  on.put(Ball<2>{1}, {{0, 1}, {}}, {0, 0, 0});
  const Cast<2> cast = cast_of(on.world);
  ASSERT_EQ(cast.bodies.size(), 2u);
  EXPECT_EQ(cast.bodies[0].drive, 0);
  EXPECT_EQ(cast.bodies[1].drive, -1);
  EXPECT_EQ(cast.names, on.world.names);
  EXPECT_EQ(cast.label, on.world.part);
  EXPECT_EQ(cast.size, on.world.model.size);
  EXPECT_EQ(cast.gravity[1], -g);
}

TEST(Take, a_row_of_a_step_has_its_energies) {
  OnGround<2> on(0.5);
  const int ball = on.put(Ball<2>{1}, {{0, 5}, {}}, {3, 4, 2});
  Collection<2> scheme(on.world.model);
  const CollectionReport r = scheme.step(on.world.state, h);
  const StepRow row = step_row<2>(on.world.model, on.world.state, r, h);
  const Body<2>& body = on.world.model.bodies[static_cast<std::size_t>(ball)];
  const auto kinetic = [&](Real up) { return (body.mass * (9 + up * up) + body.inertia[0] * 4) / 2; };
  EXPECT_EQ(row.t, h);
  EXPECT_EQ(row.h, h);
  EXPECT_NEAR(row.kinetic, kinetic(4 - g * h), 1e-9 * row.kinetic);
  EXPECT_NEAR(row.change, kinetic(4 - g * h) - kinetic(4), 1e-9 * row.kinetic);
  EXPECT_NEAR(row.applied, row.change, 1e-9 * row.kinetic);
  EXPECT_EQ(row.dissipation, 0);
  EXPECT_EQ(row.missed, 0);
}

}  // namespace
}  // namespace cairn::record
