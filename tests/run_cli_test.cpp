// `cairn run` and `cairn resume` as their users meet them: files, JSON, interruptions, failures.
#include "json_text.hpp"
#include "run_program.hpp"
#include "wall_scene.hpp"

namespace cairn::test {
namespace {

class RunCli : public testing::Test {
 protected:
  void SetUp() override { folder_.write("small.toml", wall_scene); }

  std::string at(const std::string& name) const { return folder_.at(name); }
  bool exists(const std::string& name) const { return fs::exists(at(name)); }
  Ran cairn(const std::vector<std::string>& words, const Around& around = {}) const {
    return test::cairn(folder_, words, around);
  }
  void expect_good(const std::vector<std::string>& words) const {
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
  }
  int files() const {
    return static_cast<int>(std::distance(fs::directory_iterator(folder_.path), fs::directory_iterator{}));
  }

  Folder folder_;
};

// --- what a run leaves -----------------------------------------------------------------------------------------------

TEST_F(RunCli, writes_results_checkpoint_and_log) {
  const Ran ran = cairn({"run", "small.toml", "--until", "0.05"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  for (const char* name : {"small.h5", "small.checkpoint", "small.log"}) {
    EXPECT_TRUE(exists(name)) << name;
    EXPECT_TRUE(has(ran.out, name)) << ran.out;
  }
  for (const char* word : {"A small wall", "after 50 steps", "certificate", "energy", "outcome", "cairn view small.h5"})
    EXPECT_TRUE(has(ran.out, word)) << word;
  EXPECT_EQ(frames_in(at("small.h5")), 26);  // frame 0 too
  EXPECT_TRUE(has(slurp(at("small.log")), "\"steps\": 50"));
}

TEST_F(RunCli, json_is_one_object) {
  const Ran ran = cairn({"run", "small.toml", "--until", "0.05", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  ASSERT_TRUE(is_json_line(ran.out)) << ran.out;
  EXPECT_EQ(lines_of(ran.out), 1);
  for (const char* key : {"time", "steps", "bodies", "contacts_max", "error_max", "violation_max", "energy_defect",
                          "wall_seconds", "steps_per_second"})
    EXPECT_TRUE(std::isfinite(number(ran.out, key))) << key;
  EXPECT_NEAR(number(ran.out, "time"), 0.05, 1e-12);
  EXPECT_EQ(number(ran.out, "steps"), 50);
  EXPECT_EQ(number(ran.out, "bodies"), 6 * (4 + 1));  // courses of four blocks and a half
  EXPECT_LT(number(ran.out, "energy_defect"), 1e-10);
  EXPECT_EQ(field(ran.out, "scene"), "\"small\"");
  EXPECT_EQ(field(ran.out, "interrupted"), "false");
}

TEST_F(RunCli, parameters_are_set_and_shown) {
  const Ran ran = cairn({"run", "small.toml", "--no-results", "--json", "--set", "mu=0.7", "--set", "duration=0.3/10"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(number(field(ran.out, "parameters"), "mu"), 0.7);
  EXPECT_EQ(number(ran.out, "steps"), 30);
}

TEST_F(RunCli, wrong_settings_are_bad_usage) {
  const auto refused = [this](const std::vector<std::string>& more, const std::string& message) {
    std::vector<std::string> words{"run", "small.toml"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(has(ran.err, message)) << ran.err;
    EXPECT_FALSE(exists("small.h5"));
  };
  refused({"--set", "mv=1"}, "no such parameter; did you mean 'mu'?");
  refused({"--set", "mu"}, "expected name=value");
  refused({"--set", "mu=-1"}, "parameter mu is -1, expected a number 0 or more");
  refused({"--set", "mu=high"}, "--set mu=high: expected a number");
  refused({"--until", "0"}, "--until");
  refused({"--until", "-1"}, "--until");
  refused({"--untill", "1"}, "--untill");
}

TEST_F(RunCli, quiet_prints_nothing_and_no_results_writes_nothing) {
  const int before = files();
  const Ran ran = cairn({"run", "small.toml", "--until", "0.02", "--quiet", "--no-results"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out + ran.err, "");
  EXPECT_EQ(files(), before + 2);  // where its output went
}

TEST_F(RunCli, default_names_never_replace_results) {
  for (int k = 0; k < 3; ++k) expect_good({"run", "small.toml", "--until", "0.01", "--quiet"});
  const std::string first = slurp(at("small.h5"));
  expect_good({"run", "small.toml", "--until", "0.02", "--quiet"});
  for (const char* name : {"small.h5", "small-2.h5", "small-3.h5", "small-4.h5", "small-4.checkpoint", "small-4.log"})
    EXPECT_TRUE(exists(name)) << name;
  EXPECT_EQ(slurp(at("small.h5")), first);
  fs::remove(at("small-2.h5"));  // its checkpoint is still there: the name is not free
  expect_good({"run", "small.toml", "--until", "0.01", "--quiet"});
  EXPECT_FALSE(exists("small-2.h5"));
}

TEST_F(RunCli, makes_the_folder_of_its_results) {
  expect_good({"run", "small.toml", "--until", "0.01", "--quiet", "--out", "a/b/c.h5"});
  for (const char* name : {"a/b/c.h5", "a/b/c.checkpoint", "a/b/c.log"}) EXPECT_TRUE(exists(name)) << name;
}

// A scene was replaced by its own results.
TEST_F(RunCli, results_replace_results_and_nothing_else) {
  fs::create_directories(at("folder"));
  const auto refused = [this](const char* out, const char* message) {
    const Ran ran = cairn({"run", "small.toml", "--until", "0.01", "--out", out});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(has(ran.err, message)) << ran.err;
  };
  refused("small.toml", "small.toml: exists and is no results file: not replaced");
  refused("folder", "folder: a folder, expected the name of a file");
  refused("new/", "new/: a folder");
  EXPECT_EQ(slurp(at("small.toml")), wall_scene);
  EXPECT_FALSE(exists("small.toml.log"));
  EXPECT_FALSE(exists("folder.log"));
  expect_good({"run", "small.toml", "--until", "0.01", "--quiet", "--out", "a.h5"});
  expect_good({"run", "small.toml", "--until", "0.02", "--quiet", "--out", "a.h5"});
  EXPECT_EQ(frames_in(at("a.h5")), 11);
}

TEST_F(RunCli, a_name_unknown_gets_a_hint) {
  const Ran ran = cairn({"run", "wal"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "wal: neither a scene file nor one of Cairn's scenes; did you mean 'wall'?")) << ran.err;
}

// --- interruption ----------------------------------------------------------------------------------------------------

TEST_F(RunCli, interrupted_it_ends_its_step_and_resumed_it_equals_one_left_alone) {
  const Around around{.folder = folder_.path.string(), .out = at("interrupted.txt")};
  const int code = signal_after(20, SIGINT, {"run", "small.toml", "--set", "checkpoint=1000", "--set", "duration=1"},
                                at("small.h5"), around);
  EXPECT_EQ(code, 130);
  const std::string told = slurp(at("interrupted.txt"));
  EXPECT_TRUE(has(told, "interrupted at t = ")) << told;
  EXPECT_TRUE(has(told, "cairn resume small.h5")) << told;
  const Ran info = cairn({"info", "small.h5"});
  EXPECT_TRUE(has(info.out, "not finished")) << info.out;

  const Ran resumed = cairn({"resume", "small.h5", "--json"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  const Ran alone =
      cairn({"run", "small.toml", "--set", "checkpoint=1000", "--set", "duration=1", "--json", "--out", "alone.h5"});
  EXPECT_EQ(alone.code, 0) << alone.err;
  for (const char* key : {"outcome", "parameters", "time", "steps", "bodies", "contacts_max", "error_max",
                          "violation_max", "energy_defect", "energy"})
    EXPECT_EQ(field(resumed.out, key), field(alone.out, key)) << key;
  expect_same_results(at("small.h5"), at("alone.h5"));
}

TEST_F(RunCli, terminated_it_says_so_in_json_too) {
  const Around around{.folder = folder_.path.string(), .out = at("terminated.txt")};
  EXPECT_EQ(signal_after(5, SIGTERM, {"run", "small.toml", "--json"}, at("small.h5"), around), 130);
  const std::string told = slurp(at("terminated.txt"));
  EXPECT_TRUE(is_json_line(told)) << told;
  EXPECT_EQ(field(told, "interrupted"), "true");
}

// --- resuming --------------------------------------------------------------------------------------------------------

TEST_F(RunCli, resumed_beyond_its_end_it_equals_a_longer_run) {
  expect_good({"run", "small.toml", "--set", "duration=0.05", "--quiet"});
  expect_good({"resume", "small.h5", "--until", "0.1", "--quiet"});
  expect_good({"run", "small.toml", "--set", "duration=0.05", "--until", "0.1", "--quiet", "--out", "longer.h5"});
  expect_same_results(at("small.h5"), at("longer.h5"));
}

TEST_F(RunCli, a_run_at_its_end_is_not_resumed) {
  expect_good({"run", "small.toml", "--set", "duration=0.02", "--quiet"});
  const std::string before = slurp(at("small.h5"));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"resume", "small.h5"},
                                                {"resume", "small.checkpoint"},
                                                {"resume", "small.h5", "--until", "0.01"}}) {
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(has(ran.err, "has come to its end, t = 0.02 s; --until T goes on to a later time")) << ran.err;
  }
  EXPECT_EQ(slurp(at("small.h5")), before);
}

// It came to rest before its duration: resuming added a step to it.
TEST_F(RunCli, a_run_that_came_to_rest_is_not_resumed) {
  expect_good({"run", "tripod", "--quiet"});
  const std::string before = slurp(at("tripod.h5"));
  const Ran ran = cairn({"resume", "tripod.h5"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "has come to its end")) << ran.err;
  EXPECT_EQ(slurp(at("tripod.h5")), before);
}

// Results were looked for under the ending .h5 alone, and a point in a name was taken for an ending.
TEST_F(RunCli, results_with_other_endings_are_resumed) {
  for (const char* name : {"other.hdf5", "mu-0.5", "mu-0.7"}) {
    expect_good({"run", "small.toml", "--until", "0.02", "--quiet", "--out", name});
    expect_good({"resume", name, "--until", "0.04", "--quiet"});
    EXPECT_EQ(frames_in(at(name)), 21) << name;
  }
  EXPECT_TRUE(exists("other.checkpoint"));
  EXPECT_TRUE(exists("mu-0.5.checkpoint"));
  EXPECT_TRUE(exists("mu-0.7.checkpoint"));
}

TEST_F(RunCli, what_is_no_checkpoint_is_refused) {
  const Ran absent = cairn({"resume", "absent.h5"});
  EXPECT_EQ(absent.code, 2);
  EXPECT_TRUE(has(absent.err, "absent.checkpoint")) << absent.err;
  folder_.write("text.checkpoint", "no checkpoint");
  const Ran text = cairn({"resume", "text.h5"});
  EXPECT_EQ(text.code, 2);
  EXPECT_TRUE(has(text.err, "text.checkpoint")) << text.err;
}

// --- files beside the scene ------------------------------------------------------------------------------------------

const char* const beside_scene = R"(
title = "Balls of a table on a floor that follows another"
outcome = ["drift"]
[time]
step = 1e-3
duration = 0.1
[output]
every = 0.01
[[motion]]
name = "slow"
kind = "table"
file = "path.txt"
[[body]]
name = "floor"
motion = "slow"
shape = { kind = "half-space" }
[[table]]
file = "balls.csv"
name = "ball"
)";

TEST_F(RunCli, tables_beside_the_scene_are_found_from_another_folder) {
  fs::create_directories(folder_.path / "scenes");
  folder_.write("scenes/beside.toml", beside_scene);
  folder_.write("scenes/path.txt", "# seconds metres\n0 0\n0.05 0.01\n0.1 0.02\n");
  folder_.write("scenes/balls.csv", "x,z,radius,vx\n0,0.1,0.1,0\n0.5,0.2,0.2,-0.3\n");
  expect_good({"run", "scenes/beside.toml", "--until", "0.05", "--quiet"});
  fs::create_directories(folder_.path / "elsewhere");  // where neither the scene nor the results are
  const Around elsewhere{.folder = at("elsewhere")};
  const Ran resumed = cairn({"resume", "../beside.h5", "--until", "0.1", "--quiet"}, elsewhere);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  expect_good({"run", "scenes/beside.toml", "--quiet", "--out", "alone.h5"});
  expect_same_results(at("beside.h5"), at("alone.h5"));
  const Ran exported = cairn({"export", "../beside.h5", "--fclib", "problems", "--at", "0.05"}, elsewhere);
  EXPECT_EQ(exported.code, 0) << exported.err;
  EXPECT_TRUE(exists("elsewhere/problems/beside_0005.hdf5"));
}

// --- failures --------------------------------------------------------------------------------------------------------

TEST_F(RunCli, results_under_a_file_are_a_failure) {
  const Ran ran = cairn({"run", "small.toml", "--until", "0.01", "--out", "small.toml/results.h5"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "small.toml/results.h5: its folder cannot be made (Not a directory)")) << ran.err;
  EXPECT_EQ(slurp(at("small.toml")), wall_scene);
}

TEST_F(RunCli, a_disk_that_is_full_is_a_failure_and_what_was_written_stays) {
  constexpr rlim_t limit = 400 * 1024;  // [bytes] some of the frames
  const Around around{.most_bytes = limit};
  const Ran ran = cairn({"run", "small.toml", "--set", "duration=0.1", "--set", "checkpoint=0.001"}, around);
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "small.h5")) << ran.err;
  EXPECT_TRUE(has(ran.err, "File too large")) << ran.err;
  EXPECT_TRUE(has(ran.err, "cairn resume small.h5")) << ran.err;
  EXPECT_GE(frames_in(at("small.h5")), 5);
  expect_good({"resume", "small.h5", "--quiet"});  // the disk is free again
  expect_good(
      {"run", "small.toml", "--set", "duration=0.1", "--set", "checkpoint=0.001", "--quiet", "--out", "alone.h5"});
  expect_same_results(at("small.h5"), at("alone.h5"));
}

}  // namespace
}  // namespace cairn::test
