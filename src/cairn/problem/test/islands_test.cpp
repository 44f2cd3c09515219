#include "cairn/problem/islands.hpp"

#include <gtest/gtest.h>

#include "cairn/law/coulomb2.hpp"

namespace cairn {
namespace {

using Problem = BodyProblem<Coulomb2, 3>;

Problem problem(int bodies, const std::vector<std::pair<int, int>>& contacts) {
  Problem p;
  for (int i = 0; i < 3 * bodies; ++i) p.inverse_inertia.push_back(1 + i), p.u_free.push_back(-i);
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    Problem::Contact c{{contacts[a].first, contacts[a].second}, {}};
    for (auto& G : c.G)
      for (int i = 0; i < 6; ++i) G.v[i] = static_cast<Real>(10 * a) + i;
    p.contact.push_back(c);
    p.law.push_back(Coulomb2::with(0.1 * static_cast<Real>(a)));
    p.w.push_back(static_cast<Real>(a)), p.w.push_back(-1);
  }
  return p;
}

TEST(Islands, are_joined_by_bodies_and_not_by_boundaries) {
  const Problem p = problem(6, {{0, -1}, {3, 1}, {-1, 2}, {4, 3}, {1, -1}, {0, 5}});
  const std::vector<std::vector<int>> expected{{0, 5}, {1, 3, 4}, {2}};
  EXPECT_EQ(islands(p), expected);
}

TEST(Islands, parts_give_the_velocities_of_the_whole) {
  const Problem p = problem(6, {{0, -1}, {3, 1}, {-1, 2}, {4, 3}, {1, -1}, {0, 5}});
  std::vector<Real> S(12), U(12), u(18);
  for (std::size_t i = 0; i < S.size(); ++i) S[i] = 1 / Real(1 + i);
  p.velocities(S.data(), U.data());
  p.body_velocities(S.data(), u.data());
  for (const std::vector<int>& contacts : islands(p)) {
    std::vector<int> bodies;
    const Problem part = part_of(p, contacts, bodies);
    ASSERT_EQ(part.bodies(), static_cast<int>(bodies.size()));
    std::vector<Real> S_part, U_part(contacts.size() * 2), u_part(bodies.size() * 3);
    for (const int a : contacts) S_part.insert(S_part.end(), {S[2 * a], S[2 * a + 1]});
    part.velocities(S_part.data(), U_part.data());
    part.body_velocities(S_part.data(), u_part.data());
    for (std::size_t i = 0; i < U_part.size(); ++i) EXPECT_EQ(U_part[i], U[2 * contacts[i / 2] + i % 2]);
    for (std::size_t i = 0; i < u_part.size(); ++i) EXPECT_EQ(u_part[i], u[3 * bodies[i / 3] + i % 3]);
    for (std::size_t i = 0; i < contacts.size(); ++i) EXPECT_EQ(part.law[i].mu_plus, p.law[contacts[i]].mu_plus);
  }
}

TEST(Islands, nothing_has_none) { EXPECT_TRUE(islands(problem(3, {})).empty()); }

}  // namespace
}  // namespace cairn
