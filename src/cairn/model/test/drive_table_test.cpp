// Motion from tables: exact where it can be, refused with a message where it cannot.
#include "cairn/model/drive_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace cairn {
namespace {

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN(), infinite = std::numeric_limits<Real>::infinity();

const std::vector<Real> times{-1, -0.4, 0.5, 0.8, 2}, places{0.3, 1, -1, 0.5, 0.25};

// Derivatives at t from one side (d < 0: from before), exact for cubics.
Real slope(const Drive<2>& drive, Real t, Real d) {
  const auto x = [&](int k) { return drive(t + k * d).shift[0]; };
  return (-11 * x(0) + 18 * x(1) - 9 * x(2) + 2 * x(3)) / (6 * d);
}
Real curvature(const Drive<2>& drive, Real t, Real d) {
  const auto x = [&](int k) { return drive(t + k * d).shift[0]; };
  return (2 * x(0) - 5 * x(1) + 4 * x(2) - x(3)) / (d * d);
}

Drive<2> drive_of(const Expected<Drive<2>>& drive) {
  EXPECT_TRUE(drive) << drive.error();
  return *drive;
}

TEST(TableDrive, goes_through_the_places_and_rests_before_and_after) {
  for (const TableEnds& ends : {TableEnds{}, TableEnds{{}, {}}, TableEnds{1, {}}, TableEnds{{}, -2}}) {
    const Expected<Drive<3>> drive = table<3>({1, 0, -2}, times, places, ends);
    ASSERT_TRUE(drive);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Excursion<3> e = (*drive)(times[i]);
      EXPECT_EQ(e.shift[0], places[i]);
      EXPECT_EQ(e.shift[1], 0);
      EXPECT_EQ(e.shift[2], -2 * places[i]);
      EXPECT_EQ(norm(e.turn), 0);
    }
    EXPECT_EQ((*drive)(-7).shift[0], places.front());
    EXPECT_EQ((*drive)(7).shift[0], places.back());
  }
}

TEST(TableDrive, with_the_slopes_of_a_cubic_at_its_ends_is_that_cubic) {
  const auto cubic = [](Real t) { return 2 - t + 3 * t * t - 1.5 * t * t * t; };
  const auto derivative = [](Real t) { return -1 + 6 * t - 4.5 * t * t; };
  std::vector<Real> x;
  for (const Real t : times) x.push_back(cubic(t));
  const Drive<2> drive = drive_of(table<2>({1, 0}, times, x, {derivative(-1), derivative(2)}));
  for (int k = 0; k <= 300; ++k) EXPECT_NEAR(drive(-1 + 0.01 * k).shift[0], cubic(-1 + 0.01 * k), 2e-14);
}

TEST(TableDrive, has_continuous_velocity_and_acceleration) {
  for (const TableEnds& ends : {TableEnds{}, TableEnds{{}, {}}}) {
    const Drive<2> drive = drive_of(table<2>({1, 0}, times, places, ends));
    for (std::size_t i = 1; i + 1 < times.size(); ++i) {
      EXPECT_NEAR(slope(drive, times[i], 0.05), slope(drive, times[i], -0.05), 1e-12);
      EXPECT_NEAR(curvature(drive, times[i], 0.05), curvature(drive, times[i], -0.05), 1e-10);
      EXPECT_GT(std::abs(curvature(drive, times[i], 0.05)), 1e-2);
    }
  }
}

TEST(TableDrive, ends_as_asked) {
  const Drive<2> rest = drive_of(table<2>({1, 0}, times, places));
  EXPECT_NEAR(slope(rest, -1, 0.05), 0, 1e-12);
  EXPECT_NEAR(slope(rest, 2, -0.05), 0, 1e-12);
  const Drive<2> clamped = drive_of(table<2>({1, 0}, times, places, {3, -4}));
  EXPECT_NEAR(slope(clamped, -1, 0.05), 3, 1e-12);
  EXPECT_NEAR(slope(clamped, 2, -0.05), -4, 1e-12);
  const Drive<2> natural = drive_of(table<2>({1, 0}, times, places, {{}, {}}));
  EXPECT_NEAR(curvature(natural, -1, 0.05), 0, 1e-10);
  EXPECT_NEAR(curvature(natural, 2, -0.05), 0, 1e-10);
}

TEST(TableDrive, of_two_places_is_a_line_with_natural_ends_and_smooth_with_clamped_ones) {
  const Drive<2> line = drive_of(table<2>({1, 0}, {1, 3}, {0, 4}, {{}, {}}));
  EXPECT_NEAR(line(1.5).shift[0], 1, 1e-15);
  const Drive<2> smooth = drive_of(table<2>({1, 0}, {1, 3}, {0, 4}));  // 4 (3 s^2 - 2 s^3), s = (t - 1)/2
  EXPECT_NEAR(smooth(1.5).shift[0], 4 * (3.0 / 16 - 2.0 / 64), 1e-15);
}

const std::vector<Real> record{0.5, 3, -2, 5, 1, -4, 0.25};

TEST(AccelerogramDrive, of_linear_acceleration_is_a_cubic) {
  std::vector<Real> a;
  for (int i = 0; i <= 40; ++i) a.push_back(2 - 6 * 0.05 * i);
  const Drive<2> drive = drive_of(accelerogram<2>({1, 0}, 0.05, a));
  for (int k = 0; k <= 200; ++k) {
    const Real t = 0.01 * k;
    EXPECT_NEAR(drive(t).shift[0], t * t - t * t * t, 1e-14);
  }
}

TEST(AccelerogramDrive, has_the_record_as_second_derivative) {
  const Real dt = 0.2, d = 0.03;
  const Drive<2> drive = drive_of(accelerogram<2>({1, 0}, dt, record));
  const auto x = [&](Real t) { return drive(t).shift[0]; };
  Real velocity = 0;
  for (std::size_t i = 0; i + 1 < record.size(); ++i) {
    const Real t = dt * static_cast<Real>(i);
    for (const Real s : {0.2, 0.5, 0.8}) {  // within the interval the second difference is exact
      const Real second = (x(t + s * dt + d) - 2 * x(t + s * dt) + x(t + s * dt - d)) / (d * d);
      EXPECT_NEAR(second, (1 - s) * record[i] + s * record[i + 1], 1e-11);
    }
    EXPECT_NEAR(slope(drive, t, d), velocity, 1e-12);
    velocity += dt * (record[i] + record[i + 1]) / 2;
    EXPECT_NEAR(slope(drive, t + dt, -d), velocity, 1e-12);
    EXPECT_NEAR(curvature(drive, t + dt, -d), record[i + 1], 1e-10);
  }
  EXPECT_EQ(x(0), 0);
  EXPECT_EQ(x(-1), 0);
  const Real end = dt * 6;
  EXPECT_GT(std::abs(velocity), 0.1);
  EXPECT_NEAR(x(end + 2), x(end) + 2 * velocity, 1e-13);
}

TEST(AccelerogramDrive, ends_at_rest_where_asked) {
  const Real dt = 0.2, end = 1.2, d = 0.03;
  const Drive<2> raw = drive_of(accelerogram<2>({1, 0}, dt, record));
  const Drive<2> drive = drive_of(accelerogram<2>({1, 0}, dt, record, {true}));
  EXPECT_NEAR(slope(drive, end, -d), 0, 1e-12);
  EXPECT_EQ(drive(end).shift[0], drive(end + 100).shift[0]);
  const Real c = 2 * slope(raw, end, -d) / (end * end);  // taken off: c t, thus c t^3/6 of the place
  EXPECT_GT(std::abs(c), 0.1);
  for (const Real t : {0.1, 0.5, 1.0, end}) EXPECT_NEAR(drive(t).shift[0], raw(t).shift[0] - c * t * t * t / 6, 1e-12);
}

TEST(AccelerogramDrive, of_a_long_record_ends_at_rest) {
  std::vector<Real> a;
  for (int i = 0; i < 20001; ++i) a.push_back(3 * std::sin(0.37 * i) + 2 * std::sin(0.011 * i) + 0.1);
  const Drive<2> drive = drive_of(accelerogram<2>({1, 0}, 0.005, a, {true}));
  EXPECT_NEAR(drive(100).shift[0], drive(99.999).shift[0], 1e-5);  // a d^2/2 is below 3e-6
  EXPECT_NEAR(drive(100).shift[0], drive(1000).shift[0], 1e-12);
}

TEST(AccelerogramDrive, takes_uneven_times) {
  const Drive<2> drive = drive_of(accelerogram<2>({1, 0}, Table{{1, 1.5, 1.6, 3}, {0, 3, 3.6, 12}}));  // 6 (t - 1)
  for (const Real t : {1.2, 1.55, 2.9}) EXPECT_NEAR(drive(t).shift[0], std::pow(t - 1, 3), 1e-14);
  EXPECT_EQ(drive(0.5).shift[0], 0);
}

TEST(TableDrive, refuses_bad_input) {
  const auto refusal = [](const Expected<Drive<2>>& drive) { return drive ? "accepted" : drive.error(); };
  const Vec<2> e{1, 0};
  EXPECT_EQ(refusal(table<2>(e, {0, 1, 2}, {0, 1})), "table: found 3 times and 2 positions, expected as many");
  EXPECT_EQ(refusal(table<2>(e, {0}, {1})), "table: found 1 positions, expected at least 2");
  EXPECT_EQ(refusal(table<2>(e, {}, {})), "table: found 0 positions, expected at least 2");
  EXPECT_EQ(refusal(table<2>(e, {0, 2, 2}, {0, 1, 2})),
            "table: time 2 is 2 s and the one before 2 s, expected increasing times");
  EXPECT_EQ(refusal(table<2>(e, {0, 2, 1}, {0, 1, 2})),
            "table: time 2 is 1 s and the one before 2 s, expected increasing times");
  EXPECT_EQ(refusal(table<2>(e, {0, nan, 1}, {0, 1, 2})), "table: time 1 is nan s, expected a finite number");
  EXPECT_EQ(refusal(table<2>(e, {0, 1}, {0, infinite})), "table: position 1 is inf m, expected a finite number");
  EXPECT_EQ(refusal(table<2>({0, 0}, {0, 1}, {0, 1})), "table: the direction has length 0, expected a finite one > 0");
  EXPECT_EQ(refusal(table<2>(e, {0, 1}, {0, 1}, {0, nan})),
            "table: the velocity at the last time is nan m/s, expected a finite number");
  EXPECT_EQ(refusal(table<2>(e, {0, 1e-300, 1}, {0, 1e9, 0})),
            "table: values or slopes after time 0 are too large for numbers");
}

TEST(AccelerogramDrive, refuses_bad_input) {
  const auto refusal = [](const Expected<Drive<2>>& drive) { return drive ? "accepted" : drive.error(); };
  const Vec<2> e{1, 0};
  EXPECT_EQ(refusal(accelerogram<2>(e, 0, {0, 1})), "accelerogram: the time step is 0 s, expected a finite one > 0");
  EXPECT_EQ(refusal(accelerogram<2>(e, nan, {0, 1})),
            "accelerogram: the time step is nan s, expected a finite one > 0");
  EXPECT_EQ(refusal(accelerogram<2>(e, 0.1, {0})), "accelerogram: found 1 accelerations, expected at least 2");
  EXPECT_EQ(refusal(accelerogram<2>(e, 0.1, {0, 1, nan})),
            "accelerogram: acceleration 2 is nan m/s^2, expected a finite number");
  EXPECT_EQ(refusal(accelerogram<2>({nan, 0}, 0.1, {0, 1})),
            "accelerogram: the direction has length nan, expected a finite one > 0");
  EXPECT_EQ(refusal(accelerogram<2>(e, Table{{0, 1, 1}, {0, 0, 0}})),
            "accelerogram: time 2 is 1 s and the one before 1 s, expected increasing times");
}

class ReadTable : public testing::Test {
 protected:
  const std::string path =
      testing::TempDir() + "cairn_" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";

  Expected<Table> read(const std::string& text) const {
    std::ofstream(path, std::ios::binary) << text;
    return read_table(path);
  }
  std::string refusal(const std::string& text) const {
    const Expected<Table> table = read(text);
    if (table) return "accepted";
    return table.error().substr(0, path.size()) == path ? table.error().substr(path.size()) : table.error();
  }
  void TearDown() override { std::remove(path.c_str()); }
};

TEST_F(ReadTable, takes_columns_between_any_separators) {
  const Expected<Table> table = read(
      "# time, acceleration\n\n0 1\n0.5\t-2.5e-3  # a remark\r\n 1,3\n1.5 ;\t+4\n  \n2.0 , .5\r\n# the end\n3e0;-0");
  ASSERT_TRUE(table) << table.error();
  EXPECT_EQ(table->times, (std::vector<Real>{0, 0.5, 1, 1.5, 2, 3}));
  EXPECT_EQ(table->values, (std::vector<Real>{1, -2.5e-3, 3, 4, 0.5, 0}));
}

TEST_F(ReadTable, gives_back_the_bits_that_were_written) {
  const Expected<Table> table = read("0.1 0.30000000000000004\n");
  ASSERT_TRUE(table) << table.error();
  EXPECT_EQ(table->times[0], 0.1);
  EXPECT_EQ(table->values[0], 0.1 + 0.2);
}

TEST_F(ReadTable, refuses_with_the_line) {
  EXPECT_EQ(refusal("# all\n0 1\n\n1 two\n"), ", line 4: found \"two\", expected a number");
  EXPECT_EQ(refusal("time,place\n0,1\n"), ", line 1: found \"time\", expected a number");
  EXPECT_EQ(refusal("0 1\n1\n"), ", line 2: found one number, expected two");
  EXPECT_EQ(refusal("0 1\n1,\n"), ", line 2: found one number, expected two");
  EXPECT_EQ(refusal("0 1\n1,,2\n"), ", line 2: found \"\", expected a number");
  EXPECT_EQ(refusal("0 1 2\n"), ", line 1: found \"2\" after two numbers, expected no more");
  EXPECT_EQ(refusal("0 1x\n"), ", line 1: found \"1x\", expected a number");
  EXPECT_EQ(refusal("0 +-1\n"), ", line 1: found \"+-1\", expected a number");
  EXPECT_EQ(refusal("0 nan\n"), ", line 1: found nan, expected a finite number that can be held");
  EXPECT_EQ(refusal("0 1e999\n"), ", line 1: found 1e999, expected a finite number that can be held");
  EXPECT_EQ(refusal("# nothing\n\n"), ": holds no row, expected two numbers a line");
  EXPECT_EQ(refusal(""), ": holds no row, expected two numbers a line");
}

TEST_F(ReadTable, refuses_what_is_no_file) {
  const Expected<Table> none = read_table(path + ".none"), folder = read_table(testing::TempDir());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), path + ".none: cannot be opened (No such file or directory), expected a file");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error(), testing::TempDir() + ": cannot be read (Is a directory), expected a file");
}

}  // namespace
}  // namespace cairn
