// Shell scripts in the place of programs that may not be installed, and what they must not leave behind.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace cairn::view {

class FakeProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "cairn-fake-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::filesystem::create_directory(at("work"));
  }
  void TearDown() override {
    expect_nothing_runs();
    std::filesystem::remove_all(folder_);
  }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  // A bash script; $HERE is the folder. Its name.
  std::string script(const std::string& body, const std::string& name = "program") const {
    std::ofstream(folder_ / name) << "#!/bin/bash\nHERE='" << folder_.string() << "'\n" << body;
    ::chmod(at(name).c_str(), 0755);
    return at(name);
  }

  // Files in the folder that programs work in.
  int left_behind() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "work")) count += !entry.path().empty();
    return count;
  }

  // A process that was killed may wait for whoever inherited it: that is not running.
  bool runs(int pid) const {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return file >> number >> name >> state && state != "Z" && state != "X";
  }
  bool ends_soon(int pid) const {
    for (int k = 0; k < 200 && runs(pid); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return !runs(pid);
  }

  static void expect_nothing_runs() {
    EXPECT_TRUE(::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD) << "a child, or a zombie, is left";
  }

  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count(); }

 private:
  std::filesystem::path folder_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace cairn::view
