// The contacts of a model against those of all pairs of parts, each looked at alone.
#include "cairn/detection/detect.hpp"

#include <gtest/gtest.h>

#include "cairn/model/build.hpp"
#include "cairn/shape/test/grid_mesh.hpp"
#include "random_pairs.hpp"

namespace cairn {
namespace {

using test::Dice;

template <class Dimension>
class Detection : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Detection, Dimensions);

Shape<2> land(Dice& dice, Shape<2>*) {
  Polyline line;
  for (int i = -20; i <= 20; ++i) line.points.push_back({0.3 * i, dice.real(-0.2, 0.2)});
  return line;
}
Shape<3> land(Dice& dice, Shape<3>*) {
  return test::grid_mesh(15, 0.4, [&] { return dice.real(-0.2, 0.2); });
}
Shape<2> brick(Shape<2>*) { return Polygon::box({0.2, 0.1}); }
Shape<3> brick(Shape<3>*) { return Polyhedron::box({0.2, 0.15, 0.1}); }

// Balls, bricks and pairs of them between level and slanted half-spaces, one driven, over turned terrain.
template <int D>
struct Crowd {
  Model<D> model;
  ModelState<D> state;
  std::vector<Vec<D>> velocity;

  explicit Crowd(Dice& dice) {
    Shape<D>* const of_dimension = nullptr;
    const std::vector<Part<D>> half_space{{Shape<D>{HalfSpace<D>{}}, {}, 0}};
    Vec<D> low{};
    low[D - 1] = -0.5;
    EXPECT_TRUE(add_boundary<D>(model, state, half_space, {low, {}}));
    EXPECT_TRUE(add_boundary<D>(model, state, half_space, {low, dice.rotation<D>()}, 0,
                                constant_velocity<D>(Real(-0.1) * low)));
    EXPECT_TRUE(
        add_boundary<D>(model, state, {{land(dice, of_dimension), {}, 0}}, {Real(0.2) * low, dice.rotation<D>()}));
    for (int i = 0; i < 60; ++i) {
      const Part<D> ball{Ball<D>{dice.real(0.05, 0.2)}, {}, 1}, block{brick(of_dimension), dice.pose<D>(0.2), 1};
      std::vector<Part<D>> parts{i % 2 == 0 ? ball : block};
      if (i % 3 == 0) parts.push_back(i % 2 == 0 ? block : ball);
      EXPECT_TRUE(add_body<D>(model, state, parts, dice.pose<D>(2)));
    }
    for (std::size_t b = 0; b < model.bodies.size(); ++b) velocity.push_back(dice.real(0, 2) * dice.direction<D>());
  }

  std::vector<Pose<D>> poses(Real t) const {
    std::vector<Pose<D>> all;
    for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
      const bool free = model.bodies[static_cast<std::size_t>(b)].free();
      all.push_back(free ? state.pose(b) : boundary_pose(model, b, t));
      if (free) all.back().x += t * velocity[static_cast<std::size_t>(b)];
    }
    return all;
  }
};

template <int D>
std::vector<std::pair<ContactKey, Real>> of_each_pair(const Model<D>& model, const std::vector<Pose<D>>& poses,
                                                      const std::vector<Real>& alert) {
  std::vector<std::pair<ContactKey, Real>> found;
  std::vector<Manifold<D>> manifolds;
  for (int i = 0; i < static_cast<int>(model.parts.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(model.parts.size()); ++j) {
      const BodyPart<D>&a = model.parts[static_cast<std::size_t>(i)], &b = model.parts[static_cast<std::size_t>(j)];
      const auto of = [&](const BodyPart<D>& p) { return static_cast<std::size_t>(p.body); };
      if (a.body == b.body || (!model.bodies[of(a)].free() && !model.bodies[of(b)].free())) continue;
      manifolds.clear();
      collide_all<D>(a.shape, poses[of(a)] * a.pose, b.shape, poses[of(b)] * b.pose, alert[of(a)] + alert[of(b)],
                     manifolds);
      for (const Manifold<D>& m : manifolds)
        for (int k = 0; k < m.size; ++k) found.push_back({{i, j, m.points[k].feature}, m.points[k].gap});
    }
  std::sort(found.begin(), found.end());
  return found;
}

TYPED_TEST(Detection, finds_the_contacts_of_each_pair_of_parts_while_bodies_move) {
  constexpr int D = TypeParam::value;
  std::size_t contacts = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Dice dice(seed);
    const Crowd<D> crowd(dice);
    Detector<D> detector(crowd.model);
    for (int step = 0; step < 12; ++step) {
      const std::vector<Pose<D>> poses = crowd.poses(0.03 * step);
      std::vector<Real> alert;
      for (std::size_t b = 0; b < poses.size(); ++b) alert.push_back(dice.log_uniform(1e-5, 0.1));
      std::vector<std::pair<ContactKey, Real>> found;
      for (const Contact<D>& c : detector.detect(poses, alert)) found.push_back({c.key, c.gap});
      ASSERT_EQ(found, of_each_pair(crowd.model, poses, alert)) << seed << " " << step;
      contacts += found.size();
    }
  }
  EXPECT_GT(contacts, 300u);
}

TYPED_TEST(Detection, does_not_depend_on_the_past) {
  constexpr int D = TypeParam::value;
  Dice dice(5);
  const Crowd<D> crowd(dice);
  const std::vector<Real> alert(crowd.model.bodies.size(), 0.01);
  Detector<D> old(crowd.model), fresh(crowd.model);
  for (int step = 0; step < 10; ++step) old.detect(crowd.poses(0.1 * step), alert);
  const std::vector<Contact<D>>&a = old.detect(crowd.poses(0.5), alert), &b = fresh.detect(crowd.poses(0.5), alert);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].key, b[i].key);
    EXPECT_EQ(a[i].gap, b[i].gap);
    EXPECT_EQ(norm(a[i].point - b[i].point), 0);
  }
}

// Some bodies stand still, and contacts of pairs of them are kept; then some are looked around for further than before.
TYPED_TEST(Detection, keeps_contacts_of_bodies_that_stand_still) {
  constexpr int D = TypeParam::value;
  Dice dice(7);
  const Crowd<D> crowd(dice);
  std::vector<Real> alert(crowd.model.bodies.size(), 0.02);
  Detector<D> detector(crowd.model);
  std::vector<Pose<D>> poses = crowd.poses(0);
  std::size_t contacts = 0;
  for (int step = 0; step < 12; ++step) {
    const std::vector<Pose<D>> later = crowd.poses(0.05 * step);
    for (std::size_t b = 0; b < poses.size(); ++b)
      if (dice.real(0, 1) < 0.3) poses[b] = later[b];
    if (step % 4 == 3) alert[5] += 0.01;
    std::vector<std::pair<ContactKey, Real>> found;
    for (const Contact<D>& c : detector.detect(poses, alert)) found.push_back({c.key, c.gap});
    ASSERT_EQ(found, of_each_pair(crowd.model, poses, alert)) << step;
    std::vector<char> chosen(poses.size(), false);
    std::vector<int> list;
    for (std::size_t b = step % 2 == 0 ? 0 : 4; b < poses.size(); b += 7)  // the first is a half-space
      chosen[b] = true, list.push_back(static_cast<int>(b)), alert[b] += 0.02;
    std::vector<std::pair<ContactKey, Real>> some, expected;
    for (const Contact<D>& c : detector.detect_of(list, poses, alert)) some.push_back({c.key, c.gap});
    const auto is_known = [&](const ContactKey& key) {
      return std::ranges::any_of(found, [&](const auto& c) { return c.first == key; });
    };
    for (const auto& c : of_each_pair(crowd.model, poses, alert))
      if ((chosen[static_cast<std::size_t>(crowd.model.parts[static_cast<std::size_t>(c.first.first)].body)] ||
           chosen[static_cast<std::size_t>(crowd.model.parts[static_cast<std::size_t>(c.first.second)].body)]) &&
          !is_known(c.first))
        expected.push_back(c);
    ASSERT_EQ(some, expected) << step;
    ASSERT_TRUE(detector.detect_of({}, poses, alert).empty());
    contacts += some.size();
  }
  EXPECT_GT(contacts, 50u);  // which crowd it is depends on the order in which a compiler takes arguments
}

// On one thread, contacts of three detections before were found again where no pair of parts was left.
TYPED_TEST(Detection, finds_nothing_where_no_pair_is_left) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  ModelState<D> state;
  for (int k = 0; k < 2; ++k) ASSERT_TRUE(add_body<D>(model, state, {{Ball<D>{0.5}, {}, 1}}, {}));
  const std::vector<Real> alert(2, 0.01);
  Detector<D> detector(model);
  for (int step = 0; step < 20; ++step) {
    std::vector<Pose<D>> poses(2);
    const bool near = step % 10 < 5;
    poses[1].x[0] = near ? 1 + 1e-4 * step : 50 + step;
    ASSERT_EQ(detector.detect(poses, alert).size(), near ? 1u : 0u) << step;
  }
}

}  // namespace
}  // namespace cairn
