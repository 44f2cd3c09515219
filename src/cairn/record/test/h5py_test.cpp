// A results file needs no program of ours to be read: the example of docs/results.md, as it stands there.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "cairn/record/test/sample.hpp"

namespace cairn::record {
namespace {

using namespace test;

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "";
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), n);
  ::pclose(pipe);
  return out;
}

// The first program of the page.
std::string program_of(const std::string& page) {
  std::ostringstream text;
  text << std::ifstream(page).rdbuf();
  const std::string all = text.str(), start = "```python\n";
  const std::size_t from = all.find(start);
  if (from == std::string::npos) return "";
  return all.substr(from + start.size(), all.find("```", from + start.size()) - from - start.size());
}

struct Printed {
  long frames = -1;
  std::string highest;
  Real impulse[3] = {}, error = -1;
};
Printed parse(const std::string& text) {
  Printed p;
  char name[100] = "";
  const int n =
      std::sscanf(text.c_str(),
                  "%ld frames\nhighest body: %99[^\n]\nimpulse of all contacts on body 0: %lf %lf %lf\nlargest "
                  "error of a step: %lf",
                  &p.frames, name, &p.impulse[0], &p.impulse[1], &p.impulse[2], &p.error);
  EXPECT_EQ(n, 6) << text;
  p.highest = name;
  return p;
}

TEST(H5py, the_program_of_the_page_reads_finished_running_and_killed_files) {
  const std::string python = "/usr/bin/python3";
  if (output_of(python + " -c 'import h5py; print(1)'") != "1\n") GTEST_SKIP() << "h5py is not installed";
  const Folder folder;
  const std::string path = folder / "a.h5", program = folder / "read.py";
  std::ofstream(program) << program_of(std::string(CAIRN_SOURCE_DIR) + "/docs/results.md");
  const Cast<3> cast = sample_cast<3>();
  auto writer = Writer<3>::create(path, sample_info(3), cast, {});
  ASSERT_TRUE(writer) << writer.error();
  for (long k = 0; k < 10; ++k) ASSERT_EQ(add_sample(*writer, k, cast), "");
  std::filesystem::copy_file(path, folder / "killed.h5");  // as it is while the run goes on
  const std::string running = output_of(python + " " + program + " " + path);
  ASSERT_EQ(writer->finish("{}"), "");

  const Frame<3> last = sample_frame<3>(9, cast);
  Vec<3> impulse{};
  for (const ContactRow<3>& c : last.contacts)
    for (int side = 0; side < 2; ++side)
      if (c.body[side] == 0) impulse += Real(side == 0 ? 1 : -1) * c.impulse;
  std::size_t highest = 0;
  for (std::size_t b = 0; b < last.x.size(); ++b)
    if (last.x[b][2] > last.x[highest][2]) highest = b;
  for (const std::string& text : {running, output_of(python + " " + program + " " + path),
                                  output_of(python + " " + program + " " + (folder / "killed.h5"))}) {
    const Printed p = parse(text);
    EXPECT_EQ(p.frames, 10);
    EXPECT_EQ(p.highest, cast.names[highest]);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(p.impulse[i], impulse[i], 1e-12);
    EXPECT_NEAR(p.error, sample_row(26).error, 1e-12);
  }
}

}  // namespace
}  // namespace cairn::record
