// What every impact of the weighted mean law does with energy and with its coefficient (JM92 6), on a million random
// systems.
#include <gtest/gtest.h>

#include <numeric>

#include "cairn/lagrange/test/random_system.hpp"

namespace cairn {
namespace {

using test::PlainSystem;

struct Worst {  // over the kinetic energy before, or over the largest impulse
  long count = 0, unsolved = 0, gaining = 0;
  Real gain = 0, defect = 0, giving = 0, scaling = 0, rescaled = 0;
};

template <class S>
Real largest_impulse(const ImpactOutcome<S>& o) {
  Real size = 0;
  for (const auto& p : o.percussions) size = std::max(size, p.S.norm());
  return size;
}

// |P - factor P'| over |P|
template <class S>
Real difference(const ImpactOutcome<S>& a, const ImpactOutcome<S>& b, Real factor) {
  Real worst = 0;
  for (std::size_t i = 0; i < a.percussions.size(); ++i)
    worst = std::max(worst, (a.percussions[i].S - factor * b.percussions[i].S).norm());
  const Real size = largest_impulse(a);
  return size > 0 ? worst / size : worst;
}

// How far (1 + e) P(0) is from the law of the impact with coefficient e: natural map over the velocities before.
template <class L, int N>
Real rescaled_error(const PlainSystem<L, N>& system, const Vector<N>& u, Real e,
                    const ImpactOutcome<PlainSystem<L, N>>& soft) {
  const Cholesky<N> factors(system.A);
  Vector<N> after = u;
  for (std::size_t a = 0; a < system.rows.size(); ++a)
    after += (1 + e) * factors.solve(system.rows[a].G.transpose() * soft.percussions[a].S);
  Real worst = 0, size = 0;
  for (std::size_t a = 0; a < system.rows.size(); ++a) {
    const Matrix<L::dim, N>& G = system.rows[a].G;
    const Real w = (G * factors.solve(G.transpose())).trace() / L::dim;
    const Vector<L::dim> S = (1 + e) * w * soft.percussions[a].S, U = G * (after + e * u);
    worst = std::max(worst, norm(natural_map(system.laws[a], to_vec<L::dim>(U), to_vec<L::dim>(S))));
    size = std::max(size, (G * u).norm());
  }
  return worst / size;
}

// More freedoms than rows, so that impulses of the laws exist (the matrix of the contacts is definite).
template <class L, int N>
void survey(int contacts, long count, std::uint64_t seed, Worst& worst) {
  PlainSystem<L, N> system;
  system.resize(contacts);
  ImpactSolver<PlainSystem<L, N>> solver(system);
  Vector<N> u, q = Vector<N>::Zero();
  std::vector<int> all(static_cast<std::size_t>(contacts));
  std::iota(all.begin(), all.end(), 0);
  for (long i = 0; i < count; ++i) {
    RandomStream random(seed, static_cast<std::uint64_t>(10 * i + contacts));
    test::make_generic(random, contacts, system);
    test::fill(random, u);
    const Real e = system.e[0].normal;
    const ImpactOutcome<PlainSystem<L, N>> o = solver.weighted_mean(0, q, u, all);
    ++worst.count, worst.unsolved += !o.converged;
    if (!o.converged) continue;
    worst.gain = std::max(worst.gain, o.gain() / o.energy_before);
    worst.defect = std::max(worst.defect, std::abs(o.identity_defect) / o.energy_before);
    worst.giving = std::max(worst.giving, -o.friction / o.energy_before);
    if (i % 10 != 0) continue;
    for (auto& r : system.e) r = {0, 0};
    const auto& soft = solver.weighted_mean(0, q, u, all);
    worst.scaling = std::max(worst.scaling, difference(o, soft, 1 + e));
    worst.rescaled = std::max(worst.rescaled, rescaled_error(system, u, e, soft));
  }
}

template <class L>
Worst survey(int shard) {
  Worst worst;
  const std::uint64_t seed = 100 + static_cast<std::uint64_t>(shard);
  survey<L, L::dim + 1>(1, 20000 / test::share, seed, worst);  // two sizes only: each takes long to compile
  survey<L, 4 * L::dim + 1>(2, 15000 / test::share, seed, worst);
  survey<L, 4 * L::dim + 1>(3, 10000 / test::share, seed, worst);
  survey<L, 4 * L::dim + 1>(4, 5000 / test::share, seed, worst);
  return worst;
}

void expect_dissipative(const Worst& worst) {
  EXPECT_EQ(worst.unsolved, 0) << "of " << worst.count;
  EXPECT_LE(worst.gain, 1e-12);
  EXPECT_LE(worst.defect, 1e-12);
  EXPECT_LE(worst.giving, 1e-11);
  // P(e) = (1+e) P(0): of the impulses found, and (1+e) P(0) satisfies the law for e.
  EXPECT_LE(worst.scaling, 1e-12);
  EXPECT_LE(worst.rescaled, 1e-12);
}

class RandomImpacts : public testing::TestWithParam<int> {};
TEST_P(RandomImpacts, never_gain_energy_with_planar_friction) { expect_dissipative(survey<Coulomb2>(GetParam())); }
TEST_P(RandomImpacts, never_gain_energy_with_friction_in_space) { expect_dissipative(survey<Coulomb3>(GetParam())); }
INSTANTIATE_TEST_SUITE_P(shard, RandomImpacts, testing::Range(0, 10));

// Coefficients that differ from contact to contact: the balance still closes, its first term may be negative, and an
// increase is seen in gain().
TEST(Impact, reports_the_energy_that_unequal_coefficients_create) {
  PlainSystem<Coulomb2, 5> system;
  system.resize(2);
  ImpactSolver<PlainSystem<Coulomb2, 5>> solver(system);
  const std::vector<int> both{0, 1};
  Vector<5> u;
  long gaining = 0;
  Real largest = 0;
  for (long i = 0; i < 20000 / test::share; ++i) {
    RandomStream random(7, static_cast<std::uint64_t>(i));
    test::make_generic(random, 2, system);
    test::fill(random, u);
    system.e[0] = {1, 1}, system.e[1] = {0, 0};
    const auto& o = solver.weighted_mean(0, Vector<5>::Zero(), u, both);
    ASSERT_TRUE(o.converged);
    ASSERT_LE(std::abs(o.identity_defect), 1e-12 * (o.energy_before + o.energy_after));
    if (o.gain() > 1e-9 * o.energy_before) {
      ++gaining;
      ASSERT_LT(o.collision, 0);
    }
    largest = std::max(largest, o.gain() / o.energy_before);
  }
  EXPECT_GT(gaining, 0);
  RecordProperty("gaining", std::to_string(gaining));
  RecordProperty("largest", std::to_string(largest));
}

}  // namespace
}  // namespace cairn
