// Runs the program as a user would, in a folder of its own, and compares results files.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cairn/record/reader.hpp"

namespace cairn::test {

namespace fs = std::filesystem;

inline std::string slurp(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Removed at the end, with all that is in it.
struct Folder {
  fs::path path;

  Folder() {
    std::string name = (fs::temp_directory_path() / "cairn-test-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }

  std::string at(const std::string& name) const { return (path / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return at(name);
  }
};

struct Around {                                          // a process
  std::string folder = {}, out = "/dev/null", err = {};  // where it runs and writes; empty: as this one
  rlim_t most_bytes = RLIM_INFINITY;                     // that a file may have
};

inline pid_t start(const std::vector<std::string>& words, const Around& around = {}) {
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const auto lead = [](const std::string& path, int to) {
    if (!path.empty()) ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), to);
  };
  lead(around.out, STDOUT_FILENO);
  lead(around.err, STDERR_FILENO);
  const rlimit limit{around.most_bytes, around.most_bytes};
  if (around.most_bytes != RLIM_INFINITY && ::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(126);
  if (!around.folder.empty() && ::chdir(around.folder.c_str()) != 0) ::_exit(126);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

// The exit code, or minus the signal that ended it.
inline int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

struct Ran {
  int code;
  std::string out, err;
};

// The program, in a folder, to its end.
inline Ran cairn(const Folder& folder, std::vector<std::string> words, Around around = {}) {
  if (around.folder.empty()) around.folder = folder.path.string();
  around.out = folder.at(".out"), around.err = folder.at(".err");
  words.insert(words.begin(), CAIRN_PROGRAM);
  const int code = wait_for(start(words, around));
  return {code, slurp(around.out), slurp(around.err)};
}

// --- results ---------------------------------------------------------------------------------------------------------

inline int frames_in(const fs::path& path) {
  const auto reader = record::Reader<2>::open(path.string());
  EXPECT_TRUE(reader) << reader.error();
  return reader ? static_cast<int>(reader->times().size()) : -1;
}

inline void expect_equal(const record::Frame<2>& a, const record::Frame<2>& b) {
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

// Starts the program and waits until that many frames can be read; then it gets the signal. Its exit code.
inline int signal_after(int frames, int which, std::vector<std::string> words, const std::string& results,
                        const Around& around = {}) {
  words.insert(words.begin(), CAIRN_PROGRAM);
  const pid_t child = start(words, around);
  for (int k = 0; k < 20000; ++k) {
    if (fs::exists(results) && frames_in(results) >= frames) break;
    ::usleep(1000);
  }
  ::kill(child, which);
  return wait_for(child);
}

// Bit for bit: frames, steps, probes, outcome.
inline void expect_same_results(const fs::path& a, const fs::path& b) {
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

}  // namespace cairn::test
