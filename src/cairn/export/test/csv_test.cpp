// Tables read back to the numbers they were made from.
#include "cairn/export/csv.hpp"

#include <cstdlib>

#include "cairn/export/test/shot.hpp"
#include "cairn/record/reader.hpp"
#include "cairn/scene/discs.hpp"

namespace cairn::exporting {
namespace {

using Table = std::vector<std::vector<std::string>>;

Table parse(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    table.emplace_back(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        table.back().emplace_back();
      else
        table.back().back() += c;
    }
  }
  return table;
}

int column(const Table& table, const std::string& name) {
  for (std::size_t k = 0; k < table[0].size(); ++k)
    if (table[0][k] == name) return static_cast<int>(k);
  ADD_FAILURE() << "no column " << name;
  return 0;
}

Real number(const Table& table, std::size_t row, const std::string& name) {
  return std::strtod(table[row + 1][static_cast<std::size_t>(column(table, name))].c_str(), nullptr);
}

void expect_rectangular(const Table& table, std::size_t rows) {
  ASSERT_EQ(table.size(), rows + 1);
  for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size());
}

template <class D>
struct Csv : testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Csv, Dimensions);

TYPED_TEST(Csv, states_read_back_to_the_same_bits) {
  constexpr int D = TypeParam::value;
  auto shot = test::every_shape<D>();
  shot.cast.names[1] = "a \"b\", c";
  const test::Folder folder;
  const FrameSource<D> source{static_cast<int>(shot.frames.size()),
                              [&](int k) -> Expected<Frame<D>> { return shot.frames[static_cast<std::size_t>(k)]; }};
  ASSERT_TRUE(write_states_csv<D>(folder / "s.csv", shot.cast, source));
  const Table table = parse(test::read(folder / "s.csv"));
  const std::size_t n = shot.cast.bodies.size();
  expect_rectangular(table, n * shot.frames.size());
  std::size_t row = 0;
  for (const auto& frame : shot.frames)
    for (std::size_t b = 0; b < n; ++b, ++row) {
      EXPECT_EQ(number(table, row, "t [s]"), frame.t);
      EXPECT_EQ(number(table, row, "body"), static_cast<Real>(b));
      EXPECT_EQ(number(table, row, "position_x [m]"), frame.x[b][0]);
      EXPECT_EQ(number(table, row, D == 2 ? "position_y [m]" : "position_z [m]"), frame.x[b][D - 1]);
      EXPECT_EQ(number(table, row, "velocity_x [m/s]"), frame.u[b][0]);
      EXPECT_EQ(number(table, row, D == 2 ? "spin [rad/s]" : "spin_z [rad/s]"), frame.u[b][freedoms<D> - 1]);
    }
  EXPECT_EQ(table[2][static_cast<std::size_t>(column(table, "name"))], "a b, c");
}

TYPED_TEST(Csv, contacts_hold_force_and_status) {
  constexpr int D = TypeParam::value;
  const auto shot = test::shot_of<D>(*scene::build<D>(scene::DiscPile{}), 10, 0.005, 10);
  const Frame<D>& frame = shot.frames[1];
  std::string text = contacts_header<D>();
  append_contacts(text, frame);
  const Table table = parse(text);
  ASSERT_GT(frame.contacts.size(), 2u);
  expect_rectangular(table, frame.contacts.size());
  for (std::size_t k = 0; k < frame.contacts.size(); ++k) {
    EXPECT_EQ(number(table, k, "impulse_x [N s]"), frame.contacts[k].impulse[0]);
    EXPECT_EQ(number(table, k, "force_x [N]"), frame.contacts[k].impulse[0] / frame.h);
    EXPECT_EQ(number(table, k, "gap [m]"), frame.contacts[k].gap);
  }
}

TYPED_TEST(Csv, a_frame_that_cannot_be_read_leaves_no_file) {
  constexpr int D = TypeParam::value;
  const test::Folder folder;
  const FrameSource<D> source{1, [](int) -> Expected<Frame<D>> { return Error{"torn"}; }};
  const auto written = write_contacts_csv<D>(folder / "c.csv", source);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().find("frame 0: torn"), std::string::npos);
  EXPECT_EQ(folder.files(), 0);
}

TEST(Tables, steps_have_the_ledger_and_its_defect) {
  const auto shot = test::shot_of<2>(*scene::build<2>(scene::DiscPile{}), 10, 0.005, 10);
  const Table table = parse(steps_csv(shot.steps));
  expect_rectangular(table, 10);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(number(table, k, "dissipation [J]"), shot.steps[k].dissipation);
    EXPECT_EQ(number(table, k, "error"), shot.steps[k].error);
    EXPECT_LT(std::abs(number(table, k, "defect [J]")), 1e-12);
  }
}

TEST(Tables, the_table_of_steps_names_every_number_of_a_row) {
  EXPECT_EQ(record::step_columns().size() * sizeof(Real), sizeof(record::StepRow));
}

TEST(Tables, probes_come_in_columns) {
  const Table table = parse(probes_csv({"height", "ratio, mean"}, {"m", "-"}, {0, 0.1}, {{1, 2}, {0.1, 1e-300}}));
  expect_rectangular(table, 2);
  EXPECT_EQ(table[0], (std::vector<std::string>{"t [s]", "height [m]", "ratio, mean"}));
  EXPECT_EQ(table[2], (std::vector<std::string>{"0.1", "2", "1e-300"}));
}

}  // namespace
}  // namespace cairn::exporting
