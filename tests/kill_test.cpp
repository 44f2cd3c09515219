// A run that is killed at random moments and resumed gives the file of one that was never disturbed. CAIRN_KILLS says
// how many kills (scripts/kill-test asks for hundreds).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "cairn/record/reader.hpp"

namespace {

namespace fs = std::filesystem;
using namespace cairn;

const char* const scene = R"(
title = "A wall that is killed"
outcome = ["displaced", "spread", "max_opening"]
[parameters]
checkpoint = 0.02
[time]
step = 1e-3
duration = 2
[output]
every = 2e-3
checkpoint_every = "=checkpoint"
[[contact]]
mu = 0.3
[[motion]]
name = "quake"
kind = "harmonic"
amplitude = 0.125
frequency = 2
[[generate]]
kind = "wall"
courses = 6
blocks = 4
uneven_height = 4e-4
motion = "quake"
[[probe]]
name = "ground"
kind = "reaction"
body = "ground"
component = "x"
)";

struct Folder {
  fs::path path;
  Folder() {
    char name[] = "/tmp/cairn-kill-XXXXXX";
    path = ::mkdtemp(name);
    std::ofstream(path / "killed.toml") << scene;
  }
  ~Folder() { fs::remove_all(path); }
};

pid_t start(const std::vector<std::string>& words) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int nothing = ::open("/dev/null", O_WRONLY);
  ::dup2(nothing, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int frames_in(const fs::path& path) {
  const auto reader = record::Reader<2>::open(path.string());
  EXPECT_TRUE(reader) << reader.error();
  return reader ? static_cast<int>(reader->times().size()) : -1;
}

void expect_equal(const record::Frame<2>& a, const record::Frame<2>& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.step, b.step);
  for (std::size_t k = 0; k < a.x.size(); ++k)
    for (int i = 0; i < 2; ++i) EXPECT_EQ(a.x[k][i], b.x[k][i]) << "body " << k;
  for (std::size_t k = 0; k < a.u.size(); ++k)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(a.u[k][i], b.u[k][i]) << "body " << k;
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t k = 0; k < a.contacts.size(); ++k) {
    EXPECT_EQ(a.contacts[k].gap, b.contacts[k].gap);
    EXPECT_EQ(a.contacts[k].feature, b.contacts[k].feature);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(a.contacts[k].impulse[i], b.contacts[k].impulse[i]);
    EXPECT_EQ(a.contacts[k].status, b.contacts[k].status);
  }
}

void expect_same_results(const fs::path& a, const fs::path& b) {
  const auto first = record::Reader<2>::open(a.string()), second = record::Reader<2>::open(b.string());
  ASSERT_TRUE(first) << first.error();
  ASSERT_TRUE(second) << second.error();
  EXPECT_TRUE(first->info().finished);
  EXPECT_TRUE(second->info().finished);
  EXPECT_EQ(first->info().outcome, second->info().outcome);
  ASSERT_EQ(first->times(), second->times());
  for (int k = 0; k < static_cast<int>(first->times().size()) && !::testing::Test::HasFailure(); ++k) {
    const auto f = first->frame(k), s = second->frame(k);
    ASSERT_TRUE(f) << f.error();
    ASSERT_TRUE(s) << s.error();
    expect_equal(*f, *s);
  }
  const auto steps = first->steps(), others = second->steps();
  ASSERT_TRUE(steps && others);
  ASSERT_EQ(steps->size(), others->size());
  EXPECT_EQ(std::memcmp(steps->data(), others->data(), steps->size() * sizeof(record::StepRow)), 0);
  const auto probes = first->probes(), other_probes = second->probes();
  ASSERT_TRUE(probes && other_probes);
  EXPECT_EQ(*probes, *other_probes);
}

TEST(Kill, a_run_killed_at_random_moments_and_resumed_equals_one_left_alone) {
  const char* asked = std::getenv("CAIRN_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 12;
  std::mt19937 random(static_cast<unsigned>(kills));
  const Folder folder;
  const std::string toml = folder.path / "killed.toml";
  const fs::path left_alone = folder.path / "alone.h5", killed = folder.path / "killed.h5";
  ASSERT_EQ(wait_for(start({CAIRN_PROGRAM, "run", toml, "--quiet", "--out", left_alone})), 0);

  int done = 0, rounds = 0, seen = 0;
  while (done < kills) {
    fs::remove(killed), fs::remove(folder.path / "killed.checkpoint");
    ++rounds, seen = 0;
    for (bool ended = false; !ended && done < kills;) {
      const bool fresh = !fs::exists(folder.path / "killed.checkpoint");
      const pid_t child = fresh ? start({CAIRN_PROGRAM, "run", toml, "--quiet", "--out", killed})
                                : start({CAIRN_PROGRAM, "resume", killed, "--quiet"});
      ::usleep(static_cast<useconds_t>(std::uniform_int_distribution<int>(1000, 250000)(random)));
      ::kill(child, SIGKILL);
      ended = wait_for(child) == 0;
      done += !ended;
      if (!fs::exists(killed)) continue;
      const int frames = frames_in(killed);
      ASSERT_GE(frames, fresh ? 0 : 1);
      seen = std::max(seen, frames);
    }
  }
  const bool resumable = fs::exists(folder.path / "killed.checkpoint");
  const pid_t last = resumable ? start({CAIRN_PROGRAM, "resume", killed, "--quiet"})
                               : start({CAIRN_PROGRAM, "run", toml, "--quiet", "--out", killed});
  const int code = wait_for(last);
  EXPECT_TRUE(code == 0 || code == 2) << code;  // 2: it had just ended when it was killed
  EXPECT_GT(seen, 1);
  RecordProperty("kills", done);
  RecordProperty("rounds", rounds);
  expect_same_results(left_alone, killed);
}

// What others see while it runs never grows less, and what is committed survives the kill.
TEST(Kill, frames_that_were_seen_stay) {
  const Folder folder;
  const fs::path results = folder.path / "killed.h5";
  const pid_t child = start({CAIRN_PROGRAM, "run", folder.path / "killed.toml", "--quiet", "--out", results});
  int seen = 0;
  for (int k = 0; k < 200 && seen < 20; ++k) {
    ::usleep(5000);
    if (!fs::exists(results)) continue;
    const int frames = frames_in(results);
    EXPECT_GE(frames, seen);
    seen = frames;
  }
  ::kill(child, SIGKILL);
  wait_for(child);
  EXPECT_GE(frames_in(results), seen);
  EXPECT_GE(seen, 20);
}

}  // namespace
