#include <cmath>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

Output run_with(const Set& settings) { return run_example("break", settings); }

using List = std::vector<std::vector<double>>;

TEST(Break, cue_and_apex_leave_together_at_the_stated_speed) {
  const std::pair<int, double> stated[] = {{1, 0.5}, {2, 2.0 / 7}, {3, 6.0 / 31}};
  for (const auto& [rows, speed] : stated) {
    const Output out = run_with({{"rows", rows}});
    EXPECT_NEAR(number_of(out, "cue_speed"), speed, 1e-12);
    EXPECT_NEAR(number_of(out, "apex_speed"), speed, 1e-12);
  }
}

TEST(Break, contacts_and_their_rank_are_counted) {
  for (int rows = 1; rows <= 6; ++rows) {
    const Output out = run_with({{"rows", rows}});
    const int balls = rows * (rows + 1) / 2, contacts = 1 + 3 * rows * (rows - 1) / 2;
    EXPECT_EQ(number_of(out, "contacts"), contacts);
    // The rack is rigid in its plane: 2 balls - 3 directions at most, and the cue adds one.
    EXPECT_EQ(number_of(out, "rank"), std::min(contacts, 2 * balls - 3 + 1) + (rows == 1 ? 1 : 0));
  }
}

// u+(e) = p - e (u- - p) with p the soft outcome, energy ratio |p|^2 + e^2 (1 - |p|^2), momentum kept.
TEST(Break, restitution_is_affine_in_the_soft_outcome) {
  for (const int rows : {2, 3, 5}) {
    const Output soft = run_with({{"rows", rows}}), some = run_with({{"rows", rows}, {"e", 0.7}});
    const List p = std::get<List>(*soft.find("velocities")), v = std::get<List>(*some.find("velocities"));
    double momentum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_NEAR(v[i][0], 1.7 * p[i][0] - (i == 0 ? 0.7 : 0), 1e-12);
      EXPECT_NEAR(v[i][1], 1.7 * p[i][1], 1e-12);
      momentum += v[i][0];
    }
    EXPECT_NEAR(momentum, 1, 1e-12);
    const double kept = number_of(soft, "energy_ratio");
    EXPECT_NEAR(number_of(some, "energy_ratio"), kept + 0.49 * (1 - kept), 1e-12);
  }
}

// Projection on a cone: the outcome is admissible, the percussions are not negative and do no work on it.
TEST(Break, outcome_is_the_projection_even_where_percussions_are_not_unique) {
  const Output out = run_with({{"rows", 8}});
  const List v = std::get<List>(*out.find("velocities"));
  const Table& balls = out.tables[0];
  const Table& contacts = out.tables[1];
  double work = 0;
  for (std::size_t a = 0; a < contacts.columns[0].values.size(); ++a) {
    const auto i = static_cast<std::size_t>(contacts.columns[0].values[a]),
               j = static_cast<std::size_t>(contacts.columns[1].values[a]);
    const double nx = balls.columns[0].values[j] - balls.columns[0].values[i];
    const double ny = balls.columns[1].values[j] - balls.columns[1].values[i];
    const double opening = nx * (v[j][0] - v[i][0]) + ny * (v[j][1] - v[i][1]);
    EXPECT_GT(opening, -1e-12);
    EXPECT_GE(contacts.columns[2].values[a], 0);
    work += std::abs(opening * contacts.columns[2].values[a]);
  }
  EXPECT_LT(work, 1e-12);
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_TRUE(std::isfinite(v[i][0]));
}

TEST(Break, bad_values_are_refused) {
  Parameters p(find("break")->parameters);
  EXPECT_FALSE(p.set("rows", 0.0));
  EXPECT_FALSE(p.set("rows", 2.5));
  EXPECT_FALSE(p.set("e", 2.0));
}

}  // namespace
}  // namespace cairn::examples
