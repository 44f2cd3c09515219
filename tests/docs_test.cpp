// The pages of docs/ show programs and what they print: both must be true.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string printed_by(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> buffer;
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get())) out += buffer.data();
  return out;
}

// The text of the fenced block of kind `fence` that begins first after `from`.
std::string block(const std::string& page, const std::string& fence, std::size_t from) {
  const std::string open = "```" + fence + "\n";
  const std::size_t begin = page.find(open, from);
  if (begin == std::string::npos) return "no " + fence + " block";
  const std::size_t text = begin + open.size();
  return page.substr(text, page.find("```\n", text) - text);
}

struct Shown {
  fs::path page;
  std::string program;  // p1 of code/p1.cpp
  std::size_t at;       // of its mark in the page
};

std::vector<Shown> shown() {
  std::vector<Shown> found;
  for (const auto& entry : fs::directory_iterator(fs::path(CAIRN_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = read(entry.path()), mark = "<!-- code/";
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
      const std::size_t name = at + mark.size();
      found.push_back({entry.path(), page.substr(name, page.find(".cpp", name) - name), at});
    }
  }
  return found;
}

TEST(Docs, programs_in_the_pages_are_the_files_that_are_built) {
  ASSERT_GE(shown().size(), 3u);
  for (const Shown& s : shown())
    EXPECT_EQ(block(read(s.page), "cpp", s.at), read(s.page.parent_path() / "code" / (s.program + ".cpp")))
        << s.page << ": scripts/docs brings it up to date";
}

TEST(Docs, programs_print_what_the_pages_say) {
  for (const Shown& s : shown())
    EXPECT_EQ(block(read(s.page), "text", s.at), printed_by(std::string(CAIRN_DOCS_PROGRAMS) + "/" + s.program))
        << s.page << ": scripts/docs brings it up to date";
}

// A mark <!-- cairn ... --> names a command of the program, run from the root of the repository.
TEST(Docs, commands_print_what_the_pages_say) {
  int commands = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(CAIRN_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = read(entry.path()), mark = "\n<!-- cairn ";
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1), ++commands) {
      const std::size_t first = at + mark.size();
      const std::string words = page.substr(first, page.find(" -->", first) - first);
      EXPECT_EQ(block(page, "text", at), printed_by("cd " CAIRN_SOURCE_DIR " && " CAIRN_PROGRAM " " + words))
          << entry.path() << ": scripts/docs brings it up to date";
    }
  }
  EXPECT_GE(commands, 3);
}

TEST(Docs, the_page_of_keys_is_what_the_program_prints) {
  EXPECT_EQ(read(fs::path(CAIRN_SOURCE_DIR) / "docs" / "keys.md"), printed_by(CAIRN_PROGRAM " keys"))
      << "scripts/docs brings it up to date";
}

// The scene of docs/scene-files.md is good as it stands there.
TEST(Docs, the_scene_in_the_page_of_scene_files_is_good) {
  const std::string scene = block(read(fs::path(CAIRN_SOURCE_DIR) / "docs" / "scene-files.md"), "toml", 0);
  const fs::path path = fs::temp_directory_path() / ("cairn-docs-" + std::to_string(::getpid()) + ".toml");
  std::ofstream(path) << scene;
  const std::string said = printed_by(CAIRN_PROGRAM " check " + path.string() + " 2>&1");
  EXPECT_NE(said.find(": good"), std::string::npos) << said;
  const std::string ran = printed_by(CAIRN_PROGRAM " run " + path.string() + " --no-results --json 2>&1");
  EXPECT_NE(ran.find("\"stands\": true"), std::string::npos) << ran;
  fs::remove(path);
}

std::string without_code(const std::string& page) {
  std::istringstream lines(page);
  std::string line, out;
  for (bool code = false; std::getline(lines, line);) {
    if (line.starts_with("```")) code = !code;
    if (!code) out += line + "\n";
  }
  return out;
}

TEST(Docs, links_and_pictures_of_the_pages_exist) {
  for (const auto& entry : fs::directory_iterator(fs::path(CAIRN_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = without_code(read(entry.path()));
    for (std::size_t at = page.find("]("); at != std::string::npos; at = page.find("](", at + 1)) {
      std::string target = page.substr(at + 2, page.find(')', at) - at - 2);
      target = target.substr(0, target.find('#'));
      if (target.empty() || target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(entry.path().parent_path() / target)) << entry.path() << ": " << target;
    }
  }
}

}  // namespace
