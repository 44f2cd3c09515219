// FCLIB files that are wrong: every one is refused, with the path, what was found and what was expected.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "cairn/problem/test/fclib_fixture.hpp"

namespace cairn::fclib::test {
namespace {

struct Bad {
  const char* name;
  Form form;
  std::function<void(const Handle&)> spoil;
  const char* message;  // what must be said after the path
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

template <class T>
auto put(const char* name, std::vector<T> values) {
  return [=](const Handle& file) { replace(file, name, std::span<const T>(values)); };
}
auto put(const char* name, int value) {
  return [=](const Handle& file) { replace(file, name, value); };
}
auto put(const char* name, const char* value) {
  return [=](const Handle& file) { replace(file, name, std::string(value)); };
}
auto drop(const char* name) {
  return [=](const Handle& file) { remove(file, name); };
}

const Form local{Kind::local, 3, 2, 1}, plain{Kind::local, 3, 2, 0}, global{Kind::global, 3, 2, 1};
const Form plain_global{Kind::global, 3, 2, 0}, rolling{Kind::global_rolling, 5, 2, 0};

const Bad bad_files[] = {
    {"no_problem", local, drop("fclib_local"),
     "no problem group, expected one of fclib_local, fclib_global, fclib_global_rolling"},
    {"two_problems", local, [](const Handle& file) { Group::root(file).create("fclib_global"); },
     "holds both fclib_local and fclib_global, expected one problem"},
    {"no_vectors", local, drop("fclib_local/vectors"), "fclib_local/vectors: missing, expected a group"},
    {"no_spacedim", local, drop("fclib_local/spacedim"), "fclib_local/spacedim: missing, expected a dataset"},
    {"no_q", local, drop("fclib_local/vectors/q"), "fclib_local/vectors/q: missing, expected a dataset"},
    {"no_mu", local, drop("fclib_local/vectors/mu"), "fclib_local/vectors/mu: missing, expected a dataset"},
    {"no_mu_r", rolling, drop("fclib_global_rolling/vectors/mu_r"),
     "fclib_global_rolling/vectors/mu_r: missing, expected a dataset"},
    {"no_W", local, drop("fclib_local/W"), "fclib_local/W: missing, expected a group"},
    {"no_H", global, drop("fclib_global/H"), "fclib_global/H: missing, expected a group"},
    {"no_W_x", local, drop("fclib_local/W/x"), "fclib_local/W/x: missing, expected a dataset"},
    {"no_W_nz", local, drop("fclib_local/W/nz"), "fclib_local/W/nz: missing, expected a dataset"},
    {"W_is_no_group", local, put("fclib_local/W", 3),
     "fclib_local/W: not a group that can be opened, expected a group"},
    {"q_is_a_group", local,
     [](const Handle& file) {
       remove(file, "fclib_local/vectors/q");
       Group::root(file).group("fclib_local").group("vectors").create("q");
     },
     "fclib_local/vectors/q: not a dataset that can be opened, expected a dataset"},
    {"q_of_integers", local, put("fclib_local/vectors/q", Ints(6)),
     "fclib_local/vectors/q: 32-bit integer values, expected 64-bit real values"},
    {"q_of_text", local, put("fclib_local/vectors/q", "0 0 0 0 0 0"),
     "fclib_local/vectors/q: string values, expected 64-bit real values"},
    {"p_of_reals", local, put("fclib_local/W/p", Reals(7)),
     "fclib_local/W/p: 64-bit real values, expected 32-bit integer values"},
    {"spacedim_of_reals", local, put("fclib_local/spacedim", Reals{3}),
     "fclib_local/spacedim: 64-bit real values, expected 32-bit integer values"},
    {"spacedim_twice", local, put("fclib_local/spacedim", Ints{3, 3}),
     "fclib_local/spacedim: 2 entries, expected one integer"},
    {"title_of_reals", local, put("fclib_local/info/title", Reals{3}),
     "fclib_local/info/title: 64-bit real values, expected string values"},
    {"spacedim_4", local, put("fclib_local/spacedim", 4), "fclib_local/spacedim: 4, expected 2 or 3"},
    {"spacedim_5_without_rolling", global, put("fclib_global/spacedim", 5),
     "fclib_global/spacedim: 5, expected 2 or 3"},
    {"spacedim_2_rolling", rolling, put("fclib_global_rolling/spacedim", 2),
     "fclib_global_rolling/spacedim: 2, expected 3 or 5 rows a contact"},
    {"spacedim_against_W", local, put("fclib_local/spacedim", 2), "fclib_local/W/m, n: 6 x 6, expected 4 x 4"},
    {"q_short", local, put("fclib_local/vectors/q", Reals(5)),
     "fclib_local/vectors/q: 5 entries, expected 6 (3 rows for each of 2 contacts)"},
    {"w_long", global, put("fclib_global/vectors/w", Reals(7)),
     "fclib_global/vectors/w: 7 entries, expected 6 (3 rows for each of 2 contacts)"},
    {"mu_r_short", rolling, put("fclib_global_rolling/vectors/mu_r", Reals{0.1}),
     "fclib_global_rolling/vectors/mu_r: 1 entries, expected 2 (one a contact)"},
    {"f_short", global, put("fclib_global/vectors/f", Reals(6)), "fclib_global/M/m, n: 7 x 7, expected 6 x 6"},
    {"b_long", global, put("fclib_global/vectors/b", Reals(2)), "fclib_global/G/m, n: 7 x 1, expected 7 x 2"},
    {"s_long", local, put("fclib_local/vectors/s", Reals(2)), "fclib_local/V/m, n: 6 x 1, expected 6 x 2"},
    {"W_not_square", local, put("fclib_local/W/m", 5), "fclib_local/W/m, n: 5 x 6, expected 6 x 6"},
    {"W_of_negative_size", local, put("fclib_local/W/n", -6), "fclib_local/W/m, n: 6 x -6, expected 6 x 6"},
    {"W_of_enormous_size", local, put("fclib_local/W/n", 2147483647),
     "fclib_local/W/m, n: 6 x 2147483647, expected 6 x 6"},
    {"p_short", local, put("fclib_local/W/p", Ints(6)),
     "fclib_local/W/p: 6 entries, expected 7 (one a column or row, and one)"},
    {"p_starts_late", local, put("fclib_local/W/p", Ints{1, 1, 1, 1, 1, 1, 1}),
     "fclib_local/W/p: entry 0 is 1, expected 0"},
    {"p_decreases", local, put("fclib_local/W/p", Ints{0, 1, 2, 1, 2, 3, 4}),
     "fclib_local/W/p: entry 3 is 1 after 2, expected offsets that never decrease"},
    {"i_short", local, put("fclib_local/W/i", Ints(1)), "fclib_local/W/i: 1 entries, expected at least"},
    {"x_short", local, put("fclib_local/W/x", Reals(1)), "fclib_local/W/x: 1 entries, expected at least"},
    {"i_too_large", local, put("fclib_local/W/i", Ints(36, 6)),
     "fclib_local/W/i: entry 0 is 6, expected an index in [0, 6)"},
    {"i_negative", local, put("fclib_local/W/i", Ints(36, -1)),
     "fclib_local/W/i: entry 0 is -1, expected an index in [0, 6)"},
    {"nzmax_small", local, put("fclib_local/W/nzmax", 1), "fclib_local/W/nzmax: 1, expected at least"},
    {"nz_unknown", local, put("fclib_local/W/nz", -3),
     "fclib_local/W/nz: -3, expected a count of triplets, -1 (compressed columns) or -2 (compressed rows)"},
    {"nz_large", local,
     [](const Handle& file) {
       put("fclib_local/W/nz", 50)(file);
       put("fclib_local/W/nzmax", 50)(file);
     },
     "fclib_local/W/p: 7 entries, expected at least 50"},
    {"triplet_column", local,
     [](const Handle& file) {
       put("fclib_local/W/nz", 2)(file);
       put("fclib_local/W/p", Ints{0, 6})(file);
     },
     "fclib_local/W/p: entry 1 is 6, expected an index in [0, 6)"},
    {"x_nan", local, put("fclib_local/W/x", Reals(36, nan)),
     "fclib_local/W/x: entry 0 is nan, expected a finite number"},
    {"q_nan", local, put("fclib_local/vectors/q", Reals{0, 0, nan, 0, 0, 0}),
     "fclib_local/vectors/q: entry 2 is nan, expected a finite number"},
    {"f_inf", global, put("fclib_global/vectors/f", Reals{0, -inf, 0, 0, 0, 0, 0}),
     "fclib_global/vectors/f: entry 1 is -inf, expected a finite number"},
    {"s_nan", local, put("fclib_local/vectors/s", Reals{nan}),
     "fclib_local/vectors/s: entry 0 is nan, expected a finite number"},
    {"mu_nan", local, put("fclib_local/vectors/mu", Reals{0, nan}),
     "fclib_local/vectors/mu: entry 1 is nan, expected a finite number"},
    {"mu_negative", local, put("fclib_local/vectors/mu", Reals{0, -0.5}),
     "fclib_local/vectors/mu: entry 1 is -0.5, expected 0 or more"},
    {"mu_r_negative", rolling, put("fclib_global_rolling/vectors/mu_r", Reals{-1, 0}),
     "fclib_global_rolling/vectors/mu_r: entry 0 is -1, expected 0 or more"},
    {"V_without_R", local, drop("fclib_local/R"), "fclib_local: V, vectors/s without R, expected all or none"},
    {"R_without_V", local, drop("fclib_local/V"), "fclib_local: R, vectors/s without V, expected all or none"},
    {"V_R_without_s", local, drop("fclib_local/vectors/s"),
     "fclib_local: V, R without vectors/s, expected all or none"},
    {"s_alone", plain, put("fclib_local/vectors/s", Reals{1}),
     "fclib_local: vectors/s without V, R, expected all or none"},
    {"G_without_b", global, drop("fclib_global/vectors/b"), "fclib_global: G without vectors/b, expected all or none"},
    {"b_without_G", plain_global, put("fclib_global/vectors/b", Reals{1}),
     "fclib_global: vectors/b without G, expected all or none"},
    {"solution_short", local,
     [](const Handle& file) {
       Group::root(file).create("solution");
       put("solution/u", Reals(3))(file);
     },
     "solution/u: 3 entries, expected 6 (rows)"},
};

class BadFile : public testing::TestWithParam<Bad> {};

TEST_P(BadFile, is_refused_with_a_clear_message) {
  const Folder folder;
  const std::string path = folder.file("a.hdf5");
  const auto& [name, form, spoil, message] = GetParam();
  ASSERT_EQ(write(path, make(form.kind, form.spacedim, form.contacts, form.equations), {}), "");
  ASSERT_TRUE(read(path));
  spoil(open_to_change(path));
  const auto p = read(path);
  ASSERT_FALSE(p);
  EXPECT_TRUE(p.error().starts_with(path + ": " + message)) << p.error();
}

INSTANTIATE_TEST_SUITE_P(Fclib, BadFile, testing::ValuesIn(bad_files),
                         [](const auto& tested) { return std::string(tested.param.name); });

void expect_refused(const std::string& path, const std::string& message) {
  const auto p = read(path);
  ASSERT_FALSE(p);
  EXPECT_TRUE(p.error().starts_with(path + ": " + message)) << p.error();
}

TEST(BadPath, is_refused) {
  const Folder folder;
  expect_refused(folder.file("absent.hdf5"), "cannot be opened (No such file or directory), expected a file");
  expect_refused(folder.file("."), "is a folder, expected an HDF5 file");
  std::ofstream(folder.file("text.hdf5")) << "not what you think";
  expect_refused(folder.file("text.hdf5"), "not an HDF5 file, expected an FCLIB file (HDF5)");
  std::ofstream(folder.file("empty.hdf5"));
  expect_refused(folder.file("empty.hdf5"), "not an HDF5 file, expected an FCLIB file (HDF5)");
}

TEST(BadPath, truncated_anywhere_is_refused) {
  const Folder folder;
  const std::string path = folder.file("a.hdf5");
  ASSERT_EQ(write(path, make(Kind::global, 3, 4, 2), {}), "");
  const auto size = fs::file_size(path);
  for (auto left = size - 1; left > size / 50; left -= size / 50) {
    fs::resize_file(path, left);
    expect_refused(path, left >= 100 ? "truncated or damaged (" : "");
  }
}

// Bytes flipped: whatever HDF5 makes of them, we neither crash nor accept a problem that contradicts itself. In a
// process of its own, left without ceremony: the library may have lost memory and complains when it is closed after
// such files.
TEST(BadPath, damaged_bytes_do_no_harm) {
  const Folder folder;
  const std::string path = folder.file("a.hdf5");
  ASSERT_EQ(write(path, make(Kind::local, 2, 2, 1), {}), "");
  std::string bytes(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const auto read_damaged = [&] {
    for (std::size_t at = 0; at < bytes.size(); at += 37) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(~damaged[at]);
      std::ofstream(path, std::ios::binary) << damaged;
      const auto p = read(path);
      if (p && !validate(*p).empty()) std::_Exit(1);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(read_damaged(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cairn::fclib::test
