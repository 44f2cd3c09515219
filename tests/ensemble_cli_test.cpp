// `cairn ensemble` as its users meet it: kills, jobs, folders, messages.
#include "json_text.hpp"
#include "run_program.hpp"

namespace cairn::test {
namespace {

// Blocks that slide and fall on each other: a moment to run, and contacts that part the members.
const char* const blocks = R"(
title = "Blocks that fall"
outcome = ["drift", "stands", "fallen"]
[parameters]
duration = 0.15
mu = { value = 0.4, least = 0, most = 1 }
name = "block"
[time]
step = 1e-3
duration = "=duration"
[[contact]]
mu = "=mu"
[[body]]
name = "ground"
fixed = true
shape = { kind = "half-space" }
[[body]]
name = "=name"
position = [0, 0.11]
velocity = [0.5, 0]
shape = { kind = "box", size = [0.2, 0.2] }
repeat = 4
step = [0.03, 0.23]
[[probe]]
name = "top"
kind = "position"
body = "block.3"
component = "z"
)";

class EnsembleCli : public testing::Test {
 protected:
  void SetUp() override { folder_.write("blocks.toml", blocks); }

  std::string at(const std::string& name) const { return folder_.at(name); }
  Ran ensemble(std::vector<std::string> more) const {
    more.insert(more.begin(), {"ensemble", "blocks.toml"});
    return cairn(folder_, more);
  }
  void refused(const std::vector<std::string>& more, const std::string& message) const {
    const Ran ran = ensemble(more);
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(has(ran.err, message)) << ran.err;
    EXPECT_FALSE(fs::exists(at("blocks-ensemble")));
  }

  Folder folder_;
};

TEST_F(EnsembleCli, writes_a_table_figures_and_one_object) {
  const Ran ran = ensemble({"--perturb", "positions", "--perturb", "mu=1e-3", "--runs", "13"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  for (const char* word : {"Blocks that fall", "6 in full, 6 at a tenth", "drift [m]", "departure [m]", "top [m]",
                           "verdict", "blocks-ensemble/ensemble.json"})
    EXPECT_TRUE(has(ran.out, word)) << word << "\n" << ran.out;
  for (const char* name : {"ensemble.json", "members.jsonl", "motion.svg", "spread.svg", "outcomes.svg"})
    EXPECT_TRUE(fs::exists(at("blocks-ensemble") + "/" + name)) << name;
  EXPECT_EQ(lines_of(slurp(at("blocks-ensemble/members.jsonl"))), 13);
  const std::string json = slurp(at("blocks-ensemble/ensemble.json"));
  EXPECT_TRUE(is_json_line(json)) << json;
  EXPECT_EQ(number(json, "runs"), 13);
  const Ran again = ensemble({"--perturb", "positions", "--perturb", "mu=1e-3", "--runs", "13", "--json"});
  EXPECT_EQ(again.out, json);  // nothing is left to run
}

// The same bytes whatever the number of jobs, and however often it was killed on the way.
TEST_F(EnsembleCli, jobs_and_kills_change_nothing) {
  const std::vector<std::string> words{"--perturb", "velocities=1e-3", "--perturb", "numbering", "--runs", "9"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  ASSERT_EQ(ensemble(with({"--jobs", "1", "--out", "one"})).code, 0);
  ASSERT_EQ(ensemble(with({"--jobs", "2", "--out", "two"})).code, 0);
  const std::string expected = slurp(at("one/ensemble.json"));
  EXPECT_EQ(slurp(at("two/ensemble.json")), expected);

  std::vector<std::string> command{CAIRN_PROGRAM, "ensemble", "blocks.toml"};
  for (const std::string& w : with({"--jobs", "2", "--out", "killed"})) command.push_back(w);
  Around around;
  around.folder = folder_.path.string(), around.err = at(".err");
  int kills = 0;
  for (const int members : {2, 5}) {
    const pid_t child = start(command, around);
    for (int k = 0; k < 20000 && lines_of(slurp(at("killed/members.jsonl"))) < members; ++k) ::usleep(500);
    ::kill(child, SIGKILL);
    kills += wait_for(child) == -SIGKILL;
    for (int k = 0; k < 100; ++k) ::usleep(1000);  // its runs end with it
  }
  EXPECT_GT(kills, 0);
  std::ofstream(at("killed/members.jsonl"), std::ios::app) << "{\"member\": 8, \"h\": 0.0";  // as a crash leaves it
  ASSERT_EQ(ensemble(with({"--out", "killed"})).code, 0);
  EXPECT_EQ(slurp(at("killed/ensemble.json")), expected);
}

TEST_F(EnsembleCli, an_interrupted_one_says_how_to_go_on) {
  const std::vector<std::string> words{"ensemble", "blocks.toml", "--perturb", "positions", "--runs",
                                       "400",      "--out",       "long",      "--jobs",    "1"};  // in their order
  std::vector<std::string> command{CAIRN_PROGRAM};
  command.insert(command.end(), words.begin(), words.end());
  Around around;
  around.folder = folder_.path.string(), around.err = at("err");
  const pid_t child = start(command, around);
  for (int k = 0; k < 20000 && lines_of(slurp(at("long/members.jsonl"))) < 3; ++k) ::usleep(500);
  ::kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 130);
  EXPECT_TRUE(has(slurp(at("err")), "of 400 runs are done; the same command goes on")) << slurp(at("err"));
  EXPECT_FALSE(fs::exists(at("long/ensemble.json")));
  const int there = lines_of(slurp(at("long/members.jsonl")));
  // Fewer runs than are there: they are taken as they are.
  const Ran ran = ensemble({"--perturb", "positions", "--runs", "3", "--out", "long", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(number(ran.out, "runs"), 3);
  EXPECT_EQ(lines_of(slurp(at("long/members.jsonl"))), there);
}

TEST_F(EnsembleCli, parameters_are_varied) {
  const Ran ran = ensemble({"--vary", "mu=0.1:0.9", "--one-size", "--runs", "6", "--json", "--until", "0.02"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(field(ran.out, "paired"), "false");
  EXPECT_TRUE(has(ran.out, "\"parameters\": {\"mu\": 0.")) << ran.out;
}

TEST_F(EnsembleCli, a_member_that_cannot_run_is_counted_not_hidden) {
  const Ran ran = ensemble({"--vary", "mu=normal(0.98,0.05)", "--one-size", "--runs", "12", "--until", "0.01"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "failed, the first:")) << ran.out;
  EXPECT_TRUE(has(slurp(at("blocks-ensemble/ensemble.json")), "expected a number from 0 to 1")) << ran.out;
}

TEST_F(EnsembleCli, bad_usage_is_said) {
  refused({}, "nothing is perturbed");
  refused({"--perturb", "positons"}, "no such kind; did you mean 'positions'?");
  refused({"--perturb", "h=2"}, "a relative size up to 0.5");
  refused({"--vary", "mv=1:2"}, "did you mean 'mu'?");
  refused({"--vary", "mu=0.5:3"}, "parameter mu is 3");
  refused({"--vary", "name=1:2"}, "the parameter is no number");
  refused({"--perturb", "h", "--set", "mv=1"}, "no such parameter");
  refused({"--perturb", "h", "--runs", "1"}, "--runs");
}

TEST_F(EnsembleCli, folders_of_others_are_left_alone) {
  const std::vector<std::string> quick{"--runs", "2", "--until", "0.01", "--perturb", "h"};
  ASSERT_EQ(ensemble(quick).code, 0);
  std::vector<std::string> other = quick;
  other.back() = "mu";
  const Ran ran = ensemble(other);
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "holds another ensemble (perturbation: [\"h\"], here [\"mu\"])")) << ran.err;
  fs::create_directory(at("mine"));
  folder_.write("mine/notes.txt", "mine");
  other.insert(other.end(), {"--out", "mine"});
  const Ran mine = ensemble(other);
  EXPECT_EQ(mine.code, 2);
  EXPECT_TRUE(has(mine.err, "not empty and no ensemble")) << mine.err;
  EXPECT_EQ(std::distance(fs::directory_iterator(at("mine")), fs::directory_iterator{}), 1);
}

}  // namespace
}  // namespace cairn::test
