// Scene files changed at random: reading and building them never crashes, hangs or takes much memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "cairn/base/test/share.hpp"
#include "cairn/input/build.hpp"

namespace cairn::input {
namespace {

namespace fs = std::filesystem;
using test::sanitized;

std::vector<std::string> own_scenes() {
  std::vector<std::string> texts;
  for (const auto& entry : fs::directory_iterator(CAIRN_SCENES_DIR))
    if (entry.path().extension() == ".toml") {
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      texts.push_back(text.str());
    }
  std::ranges::sort(texts);
  return texts;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string operator()(std::string text, const std::string& other) {
    for (int k = 0, n = 1 + below(4); k < n && !text.empty(); ++k) change(text, other);
    return text;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::size_t place(const std::string& text) { return static_cast<std::size_t>(below(static_cast<int>(text.size()))); }

  void change(std::string& text, const std::string& other) {
    const std::size_t at = place(text), length = static_cast<std::size_t>(1 + below(30));
    switch (below(8)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(place(text), length)); break;
      case 3: text.insert(at, other.substr(place(other), 4 * length)); break;
      case 4: text = text.substr(0, at); break;
      case 5: swap_lines(text); break;
      default: replace_number(text); break;
    }
  }

  void replace_number(std::string& text) {
    static const char* const numbers[] = {"0",   "-1",  "1e9",      "1e300", "-1e300", "1e-300", "nan",
                                          "inf", "1e6", "99999",    "0.1",   "2.5",    "3",      "\"\"",
                                          "[]",  "{}",  "\"=1/0\"", "true",  "1_0",    "\"=n\""};
    const std::size_t at = text.find_first_of("0123456789", place(text));
    if (at == std::string::npos) return;
    const std::size_t end = text.find_first_not_of("0123456789.e-", at);
    text.replace(at, (end == std::string::npos ? text.size() : end) - at, numbers[below(20)]);
  }

  void swap_lines(std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    if (lines.size() < 2) return;
    std::swap(lines[static_cast<std::size_t>(below(static_cast<int>(lines.size())))],
              lines[static_cast<std::size_t>(below(static_cast<int>(lines.size())))]);
    text.clear();
    for (const std::string& line : lines) text += line + "\n";
  }

  std::mt19937 random_;
};

// Whether the scene was good.
bool check(const std::string& text) {
  Diagnostics out("mutant.toml", text);
  const auto file = read_scene({"mutant.toml", "mutant", text}, {}, out);
  if (file && file->dimension == 2) build_world<2>(*file, "mutant.toml", out, quick_build);
  if (file && file->dimension == 3) build_world<3>(*file, "mutant.toml", out, quick_build);
  EXPECT_LT(out.str().size(), 20000u);
  return !out.any();
}

TEST(Mutations, never_crash_hang_or_take_much_memory) {
  const std::vector<std::string> scenes = own_scenes();
  ASSERT_GE(scenes.size(), 20u);
  Mutator mutate(7);
  const char* asked = std::getenv("CAIRN_MUTATIONS");
  const int count = asked != nullptr ? std::atoi(asked) : sanitized ? 500 : 10000;
  int good = 0;
  double slowest = 0;
  for (int k = 0; k < count; ++k) {
    const std::string& from = scenes[static_cast<std::size_t>(k) % scenes.size()];
    const std::string text = mutate(from, scenes[static_cast<std::size_t>(k / 7) % scenes.size()]);
    const auto start = std::chrono::steady_clock::now();
    good += check(text);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds > slowest) slowest = seconds;
    ASSERT_LT(seconds, sanitized ? 20 : 2) << text;  // a second on a quiet machine
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  RecordProperty("good", good);
  RecordProperty("slowest_ms", static_cast<int>(1000 * slowest));
  if (!sanitized) {
    EXPECT_LT(usage.ru_maxrss, 256 * 1024) << "kB";
  }
  EXPECT_GT(good, count / 100);     // some changes do no harm
  EXPECT_LT(good, count * 9 / 10);  // most do
}

}  // namespace
}  // namespace cairn::input
