// The folder tree is the method: nothing includes upward. The table below is the rule; a new folder needs a line in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Modules = std::set<std::string>;

// What each folder of src/cairn may include beside itself.
//   base <- law <- problem <- solver;  base <- shape <- model <- detection;  scheme joins them;  the rest sits on top.
//   plot draws numbers and knows nothing of mechanics.
const std::map<std::string, Modules>& rule() {
  static const Modules joined{"base", "law", "problem", "solver", "lagrange", "shape", "model", "detection"};
  static const Modules top{"base",      "law",    "problem", "solver", "lagrange", "shape", "model",
                           "detection", "scheme", "certify", "record", "scene",    "domain"};
  static const Modules drawing{"base",      "law",    "problem", "solver", "lagrange", "shape",  "model",
                               "detection", "scheme", "certify", "record", "scene",    "domain", "plot"};
  Modules with_run = drawing;
  with_run.insert("run");
  Modules with_input = with_run;
  with_input.insert("input");
  Modules with_export = drawing;
  with_export.insert("export");
  static const std::map<std::string, Modules> table{
      {"base", {}},
      {"law", {"base"}},
      {"plot", {"base"}},
      {"problem", {"base", "law"}},
      {"solver", {"base", "law", "problem"}},
      {"lagrange", {"base", "law", "problem", "solver"}},
      {"shape", {"base"}},
      {"model", {"base", "shape"}},
      {"detection", {"base", "shape", "model"}},
      {"scheme", joined},
      {"certify", top},
      {"record", top},
      {"scene", top},
      {"domain", top},
      {"export", drawing},
      {"run", drawing},
      {"input", with_run},
      {"ensemble", with_input},
      {"view", with_export},
  };
  return table;
}

struct Include {
  int line;
  std::string path;
};

// The path of an #include line; empty for any other line.
std::string included(const std::string& line) {
  std::istringstream words(line);
  char hash = 0;
  std::string word, rest;
  if (!(words >> hash >> word) || hash != '#' || !word.starts_with("include")) return "";
  std::getline(words, rest);
  rest = word.substr(7) + rest;
  const auto open = rest.find_first_of("<\""), close = rest.find_first_of(">\"", open + 1);
  return open == std::string::npos || close == std::string::npos ? "" : rest.substr(open + 1, close - open - 1);
}

std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> found;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (const std::string path = included(line); !path.empty()) found.push_back({number, path});
  return found;
}

// What is wrong with one file of `module`; empty: nothing.
std::string complaints(const std::string& module, const std::string& name, const std::string& text) {
  const auto allowed = rule().find(module);
  if (allowed == rule().end()) return name + ": folder " + module + " is not in the table of layering_test.cpp\n";
  std::string out;
  for (const auto& [line, path] : includes_of(text)) {
    const std::string at = name + ":" + std::to_string(line) + ": ";
    if (path.starts_with("../")) out += at + path + " leaves its folder; include from cairn/\n";
    if (path == "mpi.h" && module != "domain") out += at + "mpi.h belongs to domain/ alone\n";
    if (!path.starts_with("cairn/")) continue;
    const std::string target = path.substr(6, path.find('/', 6) - 6);
    if (target != module && !allowed->second.contains(target)) out += at + module + " must not include " + path + "\n";
  }
  return out;
}

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool is_source(const fs::path& path) {
  static const Modules endings{".hpp", ".cpp", ".h", ".cu", ".cuh"};
  return endings.contains(path.extension().string());
}

TEST(Layering, no_file_includes_upward) {
  const fs::path root = fs::path(CAIRN_SOURCE_DIR) / "src" / "cairn";
  std::string wrong;
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    const fs::path relative = fs::relative(entry.path(), root);
    wrong += complaints(relative.begin()->string(), relative.string(), read(entry.path()));
    ++files;
  }
  EXPECT_EQ(wrong, "");
  EXPECT_GT(files, 0);
}

TEST(Layering, an_upward_include_is_found) {
  EXPECT_EQ(complaints("law", "law/a.hpp", "#include <vector>\n#include \"cairn/base/vec.hpp\"\n"), "");
  EXPECT_EQ(complaints("law", "law/a.hpp", "\n# include \"cairn/solver/report.hpp\"\n"),
            "law/a.hpp:2: law must not include cairn/solver/report.hpp\n");
  EXPECT_NE(complaints("law", "law/a.hpp", "#include\"cairn/solver/report.hpp\""), "");
  EXPECT_NE(complaints("law", "law/a.hpp", "#include \"../solver/report.hpp\""), "");
  EXPECT_NE(complaints("solver", "solver/a.cpp", "#include <mpi.h>"), "");
  EXPECT_NE(complaints("novelty", "novelty/a.cpp", ""), "");
}

// Whatever a folder may include may not include it back.
TEST(Layering, the_lower_part_of_the_table_has_no_cycle) {
  for (const char* module :
       {"base", "plot", "law", "problem", "solver", "lagrange", "shape", "model", "detection", "scheme"})
    for (const std::string& lower : rule().at(module)) EXPECT_FALSE(rule().at(lower).contains(module)) << module;
}

}  // namespace
