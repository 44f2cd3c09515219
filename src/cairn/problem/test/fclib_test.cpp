// FCLIB files: what is written is read back the same, all storages are understood, a failed write leaves no trace.
#include "cairn/problem/fclib.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "cairn/problem/test/fclib_fixture.hpp"

namespace cairn::fclib::test {
namespace {

// --- round trip ------------------------------------------------------------------------------------------------------

class RoundTrip : public testing::TestWithParam<Form> {};

TEST_P(RoundTrip, keeps_every_bit) {
  const auto [kind, spacedim, contacts, equations] = GetParam();
  const Folder folder;
  const Problem p = make(kind, spacedim, contacts, equations);
  ASSERT_EQ(validate(p), "");
  for (const bool solved : {false, true}) {
    const auto solution = solved ? std::optional(make_solution(p)) : std::nullopt;
    ASSERT_EQ(write(folder.file("a.hdf5"), p, solution), "");
    const auto back = read(folder.file("a.hdf5"));
    ASSERT_TRUE(back) << back.error();
    expect_same(p, *back);
    ASSERT_EQ(back->solution.has_value(), solved && p.rows() + p.f.size() > 0);
    if (back->solution) expect_same(*solution, *back->solution);
    EXPECT_EQ(folder.count(), 1u);
  }
}

const Form forms[] = {
    {Kind::local, 2, 4, 0},          {Kind::local, 3, 3, 0},          {Kind::local, 3, 3, 2},
    {Kind::local, 3, 0, 0},          {Kind::global, 2, 3, 0},         {Kind::global, 3, 2, 0},
    {Kind::global, 3, 2, 1},         {Kind::global, 3, 0, 0},         {Kind::global_rolling, 3, 2, 0},
    {Kind::global_rolling, 5, 2, 0}, {Kind::global_rolling, 5, 2, 3},
};

std::string name_of(const testing::TestParamInfo<Form>& tested) {
  const auto& [kind, spacedim, contacts, equations] = tested.param;
  const char* word = kind == Kind::local ? "local" : kind == Kind::global ? "global" : "rolling";
  return fmt::format("{}_dim{}_contacts{}_equations{}", word, spacedim, contacts, equations);
}

INSTANTIATE_TEST_SUITE_P(Fclib, RoundTrip, testing::ValuesIn(forms), name_of);

// --- storages --------------------------------------------------------------------------------------------------------

// W = [1 0 2 0; 0 3 0 0; 0 4 5 0; 0 0 0 6], two contacts in the plane, stored in three ways.
class Storage : public testing::Test {
 protected:
  void SetUp() override {
    Problem p = make(Kind::local, 2, 2, 0);
    ASSERT_EQ(write(path_, p, {}), "");
    expected_ << 1, 0, 2, 0, 0, 3, 0, 0, 0, 4, 5, 0, 0, 0, 0, 6;
  }
  void store(int nzmax, int nz, const Ints& p, const Ints& i, const Reals& x) {
    const Handle file = open_to_change(path_);
    replace(file, "fclib_local/W/nzmax", nzmax);
    replace(file, "fclib_local/W/nz", nz);
    replace(file, "fclib_local/W/p", std::span<const int>(p));
    replace(file, "fclib_local/W/i", std::span<const int>(i));
    replace(file, "fclib_local/W/x", std::span<const Real>(x));
  }
  void expect_read() {
    const auto p = read(path_);
    ASSERT_TRUE(p) << p.error();
    EXPECT_TRUE(Eigen::MatrixXd(p->W) == expected_) << p->W;
  }

  Folder folder_;
  std::string path_ = folder_.file("a.hdf5");
  Eigen::Matrix4d expected_;
};

TEST_F(Storage, triplets_p_is_the_column) {
  store(6, 6, {0, 2, 1, 1, 2, 3}, {0, 0, 1, 2, 2, 3}, {1, 2, 3, 4, 5, 6});
  expect_read();
}

TEST_F(Storage, triplets_sum_duplicates_and_stop_at_nz) {
  store(20, 7, {0, 2, 1, 1, 2, 3, 2, 99}, {0, 0, 1, 2, 2, 3, 2, -5}, {1, 2, 3, 4, 2, 6, 3, nan});
  expect_read();
}

TEST_F(Storage, compressed_columns) {
  store(6, -1, {0, 1, 3, 5, 6}, {0, 1, 2, 0, 2, 3}, {1, 3, 4, 2, 5, 6});
  expect_read();
}

TEST_F(Storage, compressed_rows) {
  store(6, -2, {0, 2, 3, 5, 6}, {0, 2, 1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
  expect_read();
}

TEST_F(Storage, compressed_columns_unsorted_with_duplicates) {
  store(8, -1, {0, 1, 4, 6, 7}, {0, 2, 1, 2, 2, 0, 3, 77}, {1, 1, 3, 3, 5, 2, 6, inf});
  expect_read();
}

// --- what is peculiar ------------------------------------------------------------------------------------------------

TEST(Fclib, rolling_with_spacedim_3_and_5_rows_a_contact) {
  const Folder folder;
  const Problem p = make(Kind::global_rolling, 5, 2, 0);
  ASSERT_EQ(write(folder.file("a.hdf5"), p, {}), "");
  replace(open_to_change(folder.file("a.hdf5")), "fclib_global_rolling/spacedim", 3);
  const auto back = read(folder.file("a.hdf5"));
  ASSERT_TRUE(back) << back.error();
  expect_same(p, *back);
}

TEST(Fclib, solution_never_filled_counts_as_absent) {
  const Folder folder;
  ASSERT_EQ(write(folder.file("a.hdf5"), make(Kind::local, 3, 2, 0), {}), "");
  {
    const Handle file = open_to_change(folder.file("a.hdf5"));
    Group::root(file).create("solution");
    const hsize_t extent = 6;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    for (const char* name : {"solution/u", "solution/r"})
      Handle(H5Dcreate2(file.get(), name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
             H5Dclose);
  }
  const auto back = read(folder.file("a.hdf5"));
  ASSERT_TRUE(back) << back.error();
  EXPECT_FALSE(back->solution);
}

TEST(Fclib, solution_that_is_not_finite_is_dropped) {
  const Folder folder;
  const Problem p = make(Kind::local, 3, 2, 0);
  Solution solution = make_solution(p);
  solution.r[3] = nan;
  ASSERT_EQ(write(folder.file("a.hdf5"), p, solution), "");
  const auto back = read(folder.file("a.hdf5"));
  ASSERT_TRUE(back) << back.error();
  EXPECT_FALSE(back->solution);
}

TEST(Fclib, variable_length_title) {
  const Folder folder;
  Problem p = make(Kind::local, 3, 1, 0);
  p.info = {};
  ASSERT_EQ(write(folder.file("a.hdf5"), p, {}), "");
  {
    const Handle file = open_to_change(folder.file("a.hdf5"));
    const Group info = Group::root(file).group("fclib_local").create("info");
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(type.get(), H5T_VARIABLE);
    const Handle set(H5Dcreate2(file.get(), "fclib_local/info/title", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT),
                     H5Dclose);
    const char* title = "as long as it likes";
    ASSERT_GE(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &title), 0);
  }
  const auto back = read(folder.file("a.hdf5"));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->info.title, "as long as it likes");
}

// --- problems made in memory, and writing ----------------------------------------------------------------------------

TEST(Validate, names_what_is_wrong) {
  Problem p = make(Kind::local, 3, 2, 0);
  p.q.conservativeResize(4);
  EXPECT_EQ(validate(p), "fclib_local/vectors/q: 4 entries, expected 6 (3 rows for each of 2 contacts)");
  p = make(Kind::local, 3, 2, 0);
  p.W.coeffRef(1, 1) = inf;
  EXPECT_EQ(validate(p), "fclib_local/W: entry (1, 1) is inf, expected a finite number");
  p = make(Kind::local, 3, 2, 1);
  p.s.resize(0);
  EXPECT_EQ(validate(p), "fclib_local/V, R: given without vectors/s, expected all or none");
  p = make(Kind::global, 3, 2, 1);
  p.b.resize(0);
  EXPECT_EQ(validate(p), "fclib_global/G: given without vectors/b, expected both or neither");
  p = make(Kind::global, 3, 2, 0);
  p.H.resize(7, 5);
  EXPECT_EQ(validate(p), "fclib_global/H: 7 x 5, expected 7 x 6");
  p = make(Kind::local, 3, 2, 0);
  p.solution = Solution{};
  p.solution->v = Vector::Zero(3);
  EXPECT_EQ(validate(p), "solution/v: 3 entries, expected 0 (freedoms of the global form)");
}

TEST(Write, a_bad_problem_leaves_the_old_file) {
  const Folder folder;
  const std::string path = folder.file("a.hdf5");
  const Problem good = make(Kind::local, 3, 2, 0);
  ASSERT_EQ(write(path, good, {}), "");
  Problem bad = good;
  bad.mu[0] = -1;
  EXPECT_EQ(write(path, bad, {}), path + ": fclib_local/vectors/mu: entry 0 is -1, expected 0 or more");
  expect_same(good, *read(path));
  EXPECT_EQ(folder.count(), 1u);
}

TEST(Write, nothing_is_left_behind_on_failure) {
  const Folder folder;
  const Problem p = make(Kind::local, 3, 2, 0);
  EXPECT_NE(write(folder.file("absent/a.hdf5"), p, {}).find("cannot be created"), std::string::npos);
  fs::create_directory(folder.file("taken"));
  EXPECT_NE(write(folder.file("taken"), p, {}).find("a folder, expected the name of a file"), std::string::npos);
  EXPECT_EQ(folder.count(), 1u);
}

TEST(Write, a_full_disk_leaves_the_old_file) {
  const Folder folder;
  const std::string path = folder.file("a.hdf5");
  const Problem old = make(Kind::local, 3, 2, 0);
  ASSERT_EQ(write(path, old, {}), "");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string failure = write(path, make(Kind::global, 3, 5, 2), {});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(failure.find("cannot be written"), std::string::npos) << failure;
  EXPECT_EQ(folder.count(), 1u);
  expect_same(old, *read(path));
}

}  // namespace
}  // namespace cairn::fclib::test
