// Sweeps of four contacts at once, against the same problem in matrices.
#include "cairn/solver/body_sweeps.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <span>
#include <utility>

#include "cairn/base/test/share.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/law/mixed.hpp"
#include "cairn/problem/bodies.hpp"

namespace cairn {
namespace {

class RandomStream {
 public:
  explicit RandomStream(unsigned seed) : engine_(seed) {}
  Real unit() { return static_cast<Real>(engine_()) / static_cast<Real>(std::mt19937::max()); }
  Real within(Real a, Real b) { return a + (b - a) * unit(); }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937 engine_;
};

Rotation<2> random_rotation(RandomStream& r, const Vec<2>*) { return Rotation<2>::by(r.within(-3, 3)); }
Rotation<3> random_rotation(RandomStream& r, const Vec<3>*) {
  return Rotation<3>::by({r.within(-2, 2), r.within(-2, 2), r.within(-2, 2)});
}

// Bodies in a row, each in contact with some of the next ones and with a boundary: random frames, arms and inertias.
template <int D>
struct Random {
  static constexpr int F = freedoms<D>;
  using Law = typename MixedLaw<D>::Coulomb;

  Random(int bodies, unsigned seed, bool spheres, int in_an_island = 7)
      : round(static_cast<std::size_t>(bodies), spheres) {
    const auto index = [](int i) { return static_cast<std::size_t>(i); };
    std::vector<Rotation<D>> turn;
    std::vector<Vec<spins<D>>> inertia;
    for (int b = 0; b < bodies; ++b) {
      RandomStream own(seed + 1000 * static_cast<unsigned>(b + 1));
      turn.push_back(random_rotation(own, static_cast<Vec<D>*>(nullptr)));
      const Real mass = own.within(1, 3), one = own.within(Real(0.3), 1);
      Vec<spins<D>> J, w;
      for (int k = 0; k < spins<D>; ++k) J[k] = spheres ? one : own.within(Real(0.3), 1), w[k] = own.within(-1, 1);
      inertia.push_back(J);
      SweepBody<D> body;
      const Mat<D> R = turn.back().matrix();
      for (int k = 0; k < D; ++k) body.inverse_mass[k] = 1 / mass, body.v[k] = own.within(-1, 1);
      if constexpr (D == 2)
        body.inverse_inertia(0, 0) = 1 / J[0];
      else
        for (int k = 0; k < 3; ++k)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) body.inverse_inertia(i, j) += R(i, k) * R(j, k) / J[k];
      body.w = to_world(turn.back(), w);
      body_.push_back(body);
      for (int k = 0; k < D; ++k) problem.inverse_inertia.push_back(1 / mass), problem.u_free.push_back(body.v[k]);
      for (int k = 0; k < spins<D>; ++k) problem.inverse_inertia.push_back(1 / J[k]), problem.u_free.push_back(w[k]);
    }
    RandomStream r(seed);  // of contacts: those of the first bodies do not depend on how many there are
    for (int b = 0; b < bodies; ++b)
      for (const int other : {b + 1, b + 2, -1}) {
        if (other >= bodies || (other > 0 && other / in_an_island != b / in_an_island)) continue;
        SweepContact<D> c;
        c.frame = random_rotation(r, static_cast<Vec<D>*>(nullptr)).matrix();
        const Vec<D> n = Vec<D>::load(c.frame.v);
        for (int s = 0; s < 2; ++s)
          for (int k = 0; k < D; ++k) c.arm[s][k] = r.within(Real(-0.3), Real(0.3));
        if (spheres) c.arm[0] = r.within(Real(-0.5), Real(-0.3)) * n, c.arm[1] = r.within(Real(0.3), Real(0.5)) * n;
        for (int k = 0; k < D; ++k) c.w[k] = r.within(Real(-0.2), Real(0.2)), c.S[k] = r.within(Real(-0.1), Real(0.3));
        c.mu = r.within(0, Real(0.6)), c.mu_minus = D == 2 ? r.within(0, Real(0.6)) : 0;
        const bool swap = r.unit() < Real(0.5);
        const SweepOrder::Pair pair = swap ? SweepOrder::Pair{other, b} : SweepOrder::Pair{b, other};
        pairs.push_back(pair), contact_.push_back(c);
        typename BodyProblem<Law, F>::Contact rows{{pair[0], pair[1]}, {}};
        for (std::size_t s = 0; s < 2; ++s)
          if (pair[s] >= 0) {
            const Pose<D> pose{{}, turn[index(pair[s])]};
            rows.G[s] = Real(s == 0 ? 1 : -1) * point_rows(pose, c.arm[s], c.frame);
          }
        problem.contact.push_back(rows);
        for (int k = 0; k < D; ++k) problem.w.push_back(c.w[k]);
        if constexpr (D == 2)
          problem.law.push_back({c.mu, c.mu_minus});
        else
          problem.law.push_back({c.mu});
      }
  }

  void make_heavy(Real times) {  // every second body
    for (std::size_t b = 0; b < body_.size(); b += 2) {
      for (int k = 0; k < D; ++k) body_[b].inverse_mass[k] /= times;
      body_[b].inverse_inertia = (1 / times) * body_[b].inverse_inertia;
      for (int k = 0; k < F; ++k) problem.inverse_inertia[b * F + static_cast<std::size_t>(k)] /= times;
    }
  }

  void give(BodySweeps<D>& sweeps) const {
    sweeps.start(static_cast<int>(body_.size()), pairs, round);
    for (std::size_t b = 0; b < body_.size(); ++b) sweeps.set_body(static_cast<int>(b), body_[b]);
    for (std::size_t a = 0; a < contact_.size(); ++a) sweeps.set_contact(static_cast<int>(a), contact_[a]);
    for (int i = 0; i < sweeps.islands(); ++i) sweeps.prepare(i);
  }
  // Natural map over |q|, of the island's contacts.
  Real error(const BodySweeps<D>& sweeps, int island) const {
    std::vector<Real> S(contact_.size() * D), u(problem.u_free.size());
    for (std::size_t a = 0; a < contact_.size(); ++a) sweeps.impulse(static_cast<int>(a)).store(&S[a * D]);
    problem.body_velocities(S.data(), u.data());
    Real sum = 0, q2 = 0;
    for (const int a : sweeps.contacts(island)) {
      const Vec<D> U = problem.velocity(a, u.data());
      sum += norm2(natural_map(problem.law[static_cast<std::size_t>(a)], U, sweeps.impulse(a)));
      q2 += norm2(problem.velocity(a, problem.u_free.data()));
    }
    return std::sqrt(sum / q2);
  }

  std::vector<SweepBody<D>> body_;
  std::vector<SweepContact<D>> contact_;
  std::vector<SweepOrder::Pair> pairs;
  std::vector<char> round;
  BodyProblem<Law, F> problem;
};

struct PlaneContacts {
  static constexpr int D = 2;
  static constexpr bool spheres = false;
};
struct SolidContacts {
  static constexpr int D = 3;
  static constexpr bool spheres = false;
};
struct RoundContacts {
  static constexpr int D = 3;
  static constexpr bool spheres = true;
};
template <class Kind>
struct Sweeps : testing::Test {
  Random<Kind::D> scene{40, 7, Kind::spheres};
  BodySweeps<Kind::D> sweeps;
};
using Kinds = testing::Types<PlaneContacts, SolidContacts, RoundContacts>;
TYPED_TEST_SUITE(Sweeps, Kinds);

TYPED_TEST(Sweeps, start_with_the_velocities_of_the_impulses_given) {
  constexpr int D = TypeParam::D;
  this->scene.give(this->sweeps);
  std::vector<Real> S(this->scene.contact_.size() * D), u(this->scene.problem.u_free.size());
  for (std::size_t a = 0; a < this->scene.contact_.size(); ++a) this->scene.contact_[a].S.store(&S[a * D]);
  this->scene.problem.body_velocities(S.data(), u.data());
  for (int i = 0; i < this->sweeps.islands(); ++i) {
    this->sweeps.finish(i);
    for (const int a : this->sweeps.contacts(i)) {
      EXPECT_LT(norm(this->sweeps.velocity(a) - this->scene.problem.velocity(a, u.data())), 1e-13);
      EXPECT_NEAR(this->sweeps.scale(a), trace(this->scene.problem.diagonal_block(a)) / D, 1e-13);
    }
  }
}

TYPED_TEST(Sweeps, reach_the_tolerance_and_tell_the_error) {
  this->scene.give(this->sweeps);
  ASSERT_GT(this->sweeps.islands(), 3);
  for (int i = 0; i < this->sweeps.islands(); ++i) {
    const SweepResult result = this->sweeps.run(i, {.tolerance = Real(1e-11), .most = 3000, .patience = 0});
    EXPECT_TRUE(result.reached);
    EXPECT_LE(result.error, 1e-11);
    EXPECT_NEAR(this->scene.error(this->sweeps, i), result.error, 1e-13);
  }
}

TYPED_TEST(Sweeps, keep_the_best_impulses_where_they_stop_early) {
  this->scene.give(this->sweeps);
  Real last = std::numeric_limits<Real>::infinity();
  for (const long most : {1, 3, 9, 27}) {
    this->scene.give(this->sweeps);
    const SweepResult result = this->sweeps.run(0, {.tolerance = Real(1e-15), .most = most, .patience = 0});
    EXPECT_FALSE(result.reached);
    EXPECT_EQ(result.sweeps, most);
    EXPECT_NEAR(this->scene.error(this->sweeps, 0), result.error, 1e-12 * (1 + result.error));
    EXPECT_LE(result.error, last);
    last = result.error;
  }
}

TYPED_TEST(Sweeps, of_large_islands_go_through_single_precision_and_are_as_exact) {
  constexpr int D = TypeParam::D;
  const Random<D> own(150, 5, TypeParam::spheres, 150);
  for (const Real tolerance : {1e-3, 1e-4, 1e-6, 1e-10}) {
    own.give(this->sweeps);
    ASSERT_EQ(this->sweeps.islands(), 1);
    const SweepResult result = this->sweeps.run(0, {.tolerance = tolerance, .most = 3000, .patience = 0});
    EXPECT_TRUE(result.reached);
    EXPECT_GT(result.single, 2);
    EXPECT_LT(result.single, result.sweeps);
    EXPECT_LE(result.error, tolerance);
    EXPECT_NEAR(own.error(this->sweeps, 0), result.error, 1e-12);
  }
}

// Once they were lost: what sweeps in single precision had found when there were no more to make.
TYPED_TEST(Sweeps, that_end_in_single_precision_keep_their_impulses) {
  constexpr int D = TypeParam::D;
  const Random<D> own(150, 5, TypeParam::spheres, 150);
  Real last = 10;
  for (const long most : {1, 2, 4, 16}) {
    own.give(this->sweeps);
    const SweepResult result = this->sweeps.run(0, {.tolerance = Real(1e-10), .most = most, .patience = 0});
    EXPECT_FALSE(result.reached);
    EXPECT_EQ(result.sweeps, most);
    EXPECT_NEAR(own.error(this->sweeps, 0), result.error, 1e-12);
    EXPECT_LE(result.error, last);
    last = result.error;
  }
  EXPECT_LT(last, Real(0.1));
}

// What is asked to make `least` sweeps goes on beyond the tolerance, to a twentieth of it and no further.
TYPED_TEST(Sweeps, that_go_on_beyond_the_tolerance_end_at_a_part_of_it) {
  constexpr int D = TypeParam::D;
  Random<D> own(150, 5, TypeParam::spheres, 150);
  own.give(this->sweeps);
  ASSERT_TRUE(this->sweeps.run(0, {.tolerance = Real(2e-6), .most = 3000, .patience = 0}).reached);
  for (std::size_t a = 0; a < own.contact_.size(); ++a) own.contact_[a].S = this->sweeps.impulse(static_cast<int>(a));
  for (const long least : {0L, 3L, 1000L}) {
    own.give(this->sweeps);
    const SweepResult result =
        this->sweeps.run(0, {.tolerance = Real(1e-5), .most = 2000, .least = least, .patience = 0, .steady = true});
    EXPECT_TRUE(result.reached);
    if (least == 0) {
      EXPECT_EQ(result.sweeps, 1);
    }
    if (least == 1000) {
      EXPECT_LT(result.sweeps, 200);
      EXPECT_LE(result.error, 5e-7);
      EXPECT_GT(result.error, 1e-8);
    } else {
      EXPECT_LE(result.sweeps, std::max(least, 1L));
    }
    EXPECT_NEAR(own.error(this->sweeps, 0), result.error, 1e-12);
  }
}

// Where every second body is many times as heavy, single precision stalls before it is done. Thousands of sweeps used
// to be made in it all the same.
TYPED_TEST(Sweeps, that_stall_in_single_precision_go_on_in_double) {
  constexpr int D = TypeParam::D;
  Random<D> own(150, 5, TypeParam::spheres, 150);
  own.make_heavy(3000);
  own.give(this->sweeps);
  const SweepResult result = this->sweeps.run(0, {.tolerance = Real(1e-7),
                                                  .most = test::sanitized ? 1000 : 20000,
                                                  .patience = 0,
                                                  .scale = ErrorScale::impulses,
                                                  .steady = true});
  EXPECT_GT(result.single, 2);
  EXPECT_LT(result.single, 1000);
  if (!test::sanitized) EXPECT_LT(result.error, 2e-5);  // what single precision would have been content with
}

// 24 000 contacts of one island, cut into blocks.
TYPED_TEST(Sweeps, by_blocks_have_the_same_bits_with_any_number_of_threads) {
  constexpr int D = TypeParam::D;
  if (test::sanitized) return;
  const Random<D> own(8000, 5, TypeParam::spheres, 8000);
  const SweepLimits limits{.tolerance = Real(1e-6), .most = 40, .patience = 0};
  own.give(this->sweeps);
  const SweepResult one = this->sweeps.run(0, limits);
  EXPECT_NEAR(own.error(this->sweeps, 0), one.error, 1e-12);
  for (const int count : {2, 3, 8}) {
    set_threads(count);
    BodySweeps<D> other;
    own.give(other);
    const SweepResult result = other.run(0, limits);
    set_threads(1);
    EXPECT_EQ(result.error, one.error);
    for (const int a : other.contacts(0))
      for (int k = 0; k < D; ++k) ASSERT_EQ(other.impulse(a)[k], this->sweeps.impulse(a)[k]) << a;
  }
}

// Powers of two change no digit, however light the bodies are.
TYPED_TEST(Sweeps, of_light_bodies_are_those_of_heavy_ones) {
  constexpr int D = TypeParam::D;
  Random<D> own(150, 5, TypeParam::spheres, 150);
  const SweepLimits limits{.tolerance = Real(1e-4), .most = 3000, .patience = 0, .scale = ErrorScale::impulses};
  own.give(this->sweeps);
  const SweepResult heavy = this->sweeps.run(0, limits);
  const Real factor = std::ldexp(Real(1), -60);
  for (auto& b : own.body_) b.inverse_mass = (1 / factor) * b.inverse_mass, b.inverse_inertia *= 1 / factor;
  for (auto& c : own.contact_) c.S = factor * c.S;
  BodySweeps<D> other;
  own.give(other);
  const SweepResult light = other.run(0, limits);
  EXPECT_EQ(light.sweeps, heavy.sweeps);
  EXPECT_EQ(light.single, heavy.single);
  EXPECT_EQ(light.error, heavy.error);
  for (const int a : other.contacts(0))
    for (int k = 0; k < D; ++k) EXPECT_EQ(other.impulse(a)[k], factor * this->sweeps.impulse(a)[k]);
}

TYPED_TEST(Sweeps, leave_no_impulse_that_is_not_a_number) {
  this->scene.contact_[0].w[0] = std::numeric_limits<Real>::quiet_NaN();
  this->scene.give(this->sweeps);
  const SweepResult result = this->sweeps.run(0, {.tolerance = Real(1e-8), .most = 10, .patience = 0});
  EXPECT_FALSE(result.reached);
  EXPECT_FALSE(result.error < 1);
  for (const int a : this->sweeps.contacts(0)) EXPECT_EQ(norm2(this->sweeps.impulse(a)), 0);
}

TYPED_TEST(Sweeps, of_an_island_do_not_depend_on_the_others) {
  constexpr int D = TypeParam::D;
  this->scene.give(this->sweeps);
  BodySweeps<D> alone;
  Random<D> other(28, 7, TypeParam::spheres);  // the same first islands
  other.give(alone);
  const SweepLimits limits{.tolerance = Real(1e-8), .most = 500, .patience = 0};
  for (int i = 0; i < this->sweeps.islands(); ++i) this->sweeps.run(i, limits);
  alone.run(2, limits);
  for (const int a : alone.contacts(2))
    for (int k = 0; k < D; ++k) EXPECT_EQ(alone.impulse(a)[k], this->sweeps.impulse(a)[k]);
}

// By spreading from body to body: contacts that share no body, directly or through others.
std::vector<std::vector<int>> islands_of(int bodies, std::span<const SweepOrder::Pair> pairs) {
  std::vector<int> label(static_cast<std::size_t>(bodies));
  for (int b = 0; b < bodies; ++b) label[static_cast<std::size_t>(b)] = b;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [a, b] : pairs) {
      if (a < 0 || b < 0) continue;
      int &x = label[static_cast<std::size_t>(a)], &y = label[static_cast<std::size_t>(b)];
      more |= x != y, x = y = std::min(x, y);
    }
  }
  std::map<int, std::size_t> number;
  std::vector<std::vector<int>> islands;
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    const auto any = static_cast<std::size_t>(std::max(pairs[c][0], pairs[c][1]));
    const auto [place, fresh] = number.try_emplace(label[any], islands.size());
    if (fresh) islands.emplace_back();
    islands[place->second].push_back(static_cast<int>(c));
  }
  return islands;
}

// All contacts have slots; no two contacts of a run share a body, and no two pieces of a stage.
void expect_apart(const SweepOrder& order, std::span<const SweepOrder::Pair> pairs) {
  const auto index_of = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<int> contact_at(index_of(order.groups * group_of<Real>), -1);
  for (std::size_t a = 0; a < pairs.size(); ++a)
    ASSERT_EQ(std::exchange(contact_at[index_of(order.slot[a])], static_cast<int>(a)), -1);
  int contacts = 0;
  ASSERT_EQ(order.stage.back() + 1, static_cast<int>(order.piece.size()));
  for (std::size_t s = 0; s + 1 < order.stage.size(); ++s) {
    std::set<int> of_stage;
    for (int p = order.stage[s]; p < order.stage[s + 1]; ++p) {
      std::set<int> of_piece;
      for (int r = order.piece[index_of(p)]; r < order.piece[index_of(p + 1)]; ++r) {
        std::set<int> of_run;
        for (int k = order.run[index_of(r)] * group_of<Real>; k < order.run[index_of(r + 1)] * group_of<Real>; ++k) {
          const int a = contact_at[index_of(k)];
          if (a < 0) continue;
          ++contacts;
          for (const int b : pairs[index_of(a)]) EXPECT_TRUE(b < 0 || of_run.insert(b).second);
        }
        of_piece.merge(of_run);
      }
      for (const int b : of_piece) EXPECT_TRUE(of_stage.insert(b).second);
    }
  }
  EXPECT_EQ(contacts, static_cast<int>(pairs.size()));
}

TEST(SweepOrder, paints_no_two_contacts_of_a_body_alike) {
  RandomStream r(3);
  for (int round = 0; round < 200 / test::share + 1; ++round) {
    const int bodies = 1 + r.below(40), count = 1 + r.below(300);
    std::vector<SweepOrder::Pair> pairs;
    for (int k = 0; k < count; ++k) {
      const int a = r.below(bodies), b = r.unit() < Real(0.3) ? -1 : r.below(bodies);
      if (a != b) pairs.push_back(r.unit() < Real(0.5) ? SweepOrder::Pair{a, b} : SweepOrder::Pair{b, a});
    }
    SweepOrder order;
    order.make(bodies, pairs);
    expect_apart(order, pairs);
    const auto found = islands_of(bodies, pairs);
    ASSERT_EQ(found.size(), order.island.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const SweepIsland& own = order.island[i];
      EXPECT_EQ(found[i],
                std::vector<int>(order.contact.begin() + own.first_contact, order.contact.begin() + own.last_contact));
    }
  }
}

// A lattice, next to a small one: most contacts are within blocks.
TEST(SweepOrder, cuts_a_large_island_into_blocks) {
  constexpr int side = 20, bodies = side * side * side;
  const auto number = [](int x, int y, int z) {  // cubes of 5^3 after each other
    return ((x / 5 * 4 + y / 5) * 4 + z / 5) * 125 + (x % 5 * 5 + y % 5) * 5 + z % 5;
  };
  std::vector<SweepOrder::Pair> pairs{{bodies, bodies + 1}};
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z) {
        const int b = number(x, y, z);
        pairs.push_back({b, x + 1 < side ? number(x + 1, y, z) : -1});
        pairs.push_back({y + 1 < side ? number(x, y + 1, z) : -1, b});
        pairs.push_back({b, z + 1 < side ? number(x, y, z + 1) : -1});
      }
  SweepOrder order;
  order.make(bodies + 2, pairs);
  expect_apart(order, pairs);
  ASSERT_EQ(order.island.size(), 2u);
  const auto first_piece = static_cast<std::size_t>(order.stage[static_cast<std::size_t>(order.island[1].first_stage)]);
  const auto end = static_cast<std::size_t>(order.stage[static_cast<std::size_t>(order.island[1].first_stage) + 1]);
  EXPECT_EQ(end - first_piece, 8u);  // 24 000 contacts
  const int within = order.run[static_cast<std::size_t>(order.piece[end])] -
                     order.run[static_cast<std::size_t>(order.piece[first_piece])];
  EXPECT_GT(within, order.groups * 3 / 4);
}

// More contacts than there are colours: one body amid all the others.
TEST(SweepOrder, takes_a_crowded_body) {
  constexpr int bodies = 150;
  Random<3> scene(bodies, 11, false);
  scene.pairs.resize(bodies - 1), scene.contact_.resize(bodies - 1);
  for (int k = 1; k < bodies; ++k) scene.pairs[static_cast<std::size_t>(k) - 1] = {0, k};
  for (auto& c : scene.contact_) c.mu = 0, c.S = {};
  BodySweeps<3> sweeps;
  scene.give(sweeps);
  ASSERT_EQ(sweeps.islands(), 1);
  const SweepResult result = sweeps.run(0, {.tolerance = Real(1e-6), .most = 5000, .patience = 0});
  EXPECT_TRUE(result.reached) << result.error;
}

}  // namespace
}  // namespace cairn
