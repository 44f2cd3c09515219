// `cairn example` and `cairn study` as their users meet them: exit codes, JSON, messages, files written.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;

struct Ran {
  int code;
  std::string out, err;
};

std::string slurp(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

// What stands behind the first "key": up to a comma or brace; empty where the key is not.
std::string field(const std::string& object, const std::string& key) {
  const std::string mark = "\"" + key + "\": ";
  const std::size_t found = object.find(mark);
  if (found == std::string::npos) return "";
  const std::size_t from = found + mark.size();
  return object.substr(from, object.find_first_of(",}", from) - from);
}

double number(const std::string& object, const std::string& key) {
  const std::string text = field(object, key);
  return text.empty() || text == "null" ? std::nan("") : std::stod(text);
}

class ExampleCli : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cairn-example-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  // Words without quotes or blanks.
  Ran cairn(const std::string& words) const {
    const std::string line = "cd '" + folder_.string() + "' && '" CAIRN_PROGRAM "' " + words + " >out.txt 2>err.txt";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(at("out.txt")), slurp(at("err.txt"))};
  }

  void expect_refused(const std::string& words, const std::string& message) const {
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, 2) << words << "\n" << ran.out;
    EXPECT_EQ(ran.out, "") << words;
    EXPECT_TRUE(has(ran.err, message)) << words << ": " << ran.err;
  }

  fs::path folder_;
};

TEST_F(ExampleCli, list_names_every_example) {
  const Ran ran = cairn("example list");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("name"));
  EXPECT_TRUE(has(ran.out, "\nguided-contact  "));
  EXPECT_TRUE(has(ran.out, "M88 17"));
}

TEST_F(ExampleCli, show_and_help_describe_parameters_and_outputs) {
  const Ran show = cairn("example show guided-contact");
  EXPECT_EQ(show.code, 0) << show.err;
  for (const char* word : {"beta_deg", "45", "deg", "0 to 89.9", "static", "wedging"})
    EXPECT_TRUE(has(show.out, word)) << word;
  EXPECT_EQ(cairn("example guided-contact --help").out, show.out);
  const Ran help = cairn("example --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_TRUE(has(help.out, "--set"));
}

// M88 17: at gamma = 1/2 and 45 degrees, sqrt(1/2) while sliding and sqrt(2/3) at rest.
TEST_F(ExampleCli, guided_contact_has_static_above_dynamic_friction) {
  const Ran ran = cairn("example guided-contact --json");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(field(ran.out, "example"), "\"guided-contact\"");
  EXPECT_NEAR(number(ran.out, "dynamic"), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(number(ran.out, "static"), std::sqrt(2.0 / 3), 1e-8);
  EXPECT_EQ(field(ran.out, "wedging"), "false");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 2);  // our out.txt and err.txt
}

TEST_F(ExampleCli, set_changes_parameters) {
  const Ran ran = cairn("example --set gamma=2 guided-contact --set beta_deg=30 --json");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "\"parameters\": {\"gamma\": 2, \"beta_deg\": 30,"));
  EXPECT_EQ(field(ran.out, "wedging"), "true");  // 2 tan 30 > 1
  EXPECT_EQ(field(ran.out, "static"), "null");
  EXPECT_NEAR(number(ran.out, "dynamic"), 2 / std::cos(M_PI / 6), 1e-14);
  const Ran text = cairn("example guided-contact --set gamma=2");
  EXPECT_TRUE(has(text.out, "wedging  yes")) << text.out;
}

TEST_F(ExampleCli, wedging_begins_where_gamma_tan_beta_is_one) {
  EXPECT_EQ(field(cairn("example guided-contact --json --set gamma=0.999").out, "wedging"), "false");
  EXPECT_EQ(field(cairn("example guided-contact --json --set gamma=1.001").out, "wedging"), "true");
}

TEST_F(ExampleCli, out_writes_tables_and_figures) {
  const Ran ran = cairn("example guided-contact --set h=0.1 --out new/results --png");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* name : {"cone.csv", "cone.svg", "cone.png"}) {
    EXPECT_TRUE(fs::exists(folder_ / "new" / "results" / name)) << name;
    EXPECT_TRUE(has(ran.out, name)) << ran.out;
  }
  const std::string csv = slurp(folder_ / "new" / "results" / "cone.csv");
  EXPECT_TRUE(csv.starts_with("f,w\n0.5,0.7071067811865")) << csv.substr(0, 40);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 63);
  EXPECT_TRUE(slurp(folder_ / "new" / "results" / "cone.svg").starts_with("<svg "));
}

TEST_F(ExampleCli, bad_usage_is_exit_code_2) {
  expect_refused("example", "expected 'list', 'show NAME' or the NAME");
  expect_refused("example gided-contact", "did you mean 'guided-contact'?");
  expect_refused("example show", "no name");
  expect_refused("example guided-contact more", "'more' is one word too many");
  expect_refused("example guided-contact --set gama=1", "no parameter 'gama'");
  expect_refused("example guided-contact --set gama=1", "did you mean 'gamma'?");
  expect_refused("example guided-contact --set gamma", "'gamma', expected key=value");
  expect_refused("example guided-contact --set gamma=much", "gamma: 'much', expected a number");
  expect_refused("example guided-contact --set gamma=1x", "gamma: '1x', expected a number");
  expect_refused("example guided-contact --set gamma=nan", "expected a number");
  expect_refused("example guided-contact --set gamma=0", "gamma: 0, expected more than 0");
  expect_refused("example guided-contact --set beta_deg=90", "beta_deg: 90, expected 0 to 89.9");
  expect_refused("example guided-contact --png", "expected --out DIR");
  std::ofstream(at("file")) << "x";
  expect_refused("example guided-contact --out file", "file is a file, expected a folder");
}

TEST_F(ExampleCli, study_finds_the_order) {
  const Ran ran = cairn("study guided-contact --set beta_deg=20 --h 1e-1,1e-2,1e-3 --samples 40 --json");
  EXPECT_EQ(ran.code, 0) << ran.err;
  // Generators h apart miss the edge by at most h/2, where the slope is stationary: second order.
  EXPECT_NEAR(number(ran.out, "slope"), 2, 4 * number(ran.out, "slope_error")) << ran.out;
  EXPECT_LT(number(ran.out, "slope_error"), 0.2);
  EXPECT_EQ(field(ran.out, "H"), "0.1");
  EXPECT_EQ(ran.out, cairn("study guided-contact --set beta_deg=20 --h 1e-1,1e-2,1e-3 --samples 40 --json").out);
  EXPECT_NE(ran.out,
            cairn("study guided-contact --set beta_deg=20 --h 1e-1,1e-2,1e-3 --samples 40 --seed 2 --json").out);
}

TEST_F(ExampleCli, study_compares_and_writes) {
  const Ran ran = cairn("study guided-contact --h 1e-1,1e-2 --samples 5 --vary beta_deg=20,40 --out r --png");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* word : {"beta_deg=20\n", "beta_deg=40\n", "median", "slope of log error"})
    EXPECT_TRUE(has(ran.out, word)) << ran.out;
  const std::string csv = slurp(at("r/guided-contact-study.csv"));
  EXPECT_TRUE(csv.starts_with("h,beta_deg=20,beta_deg=40\n")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 10);
  EXPECT_TRUE(has(slurp(at("r/guided-contact-study.svg")), "beta_deg=40"));
  EXPECT_TRUE(fs::exists(at("r/guided-contact-study.png")));
}

TEST_F(ExampleCli, study_draws_steps_within_a_decade) {
  std::istringstream rows(
      (cairn("study guided-contact --h 1e-2 --samples 200 --out r"), slurp(at("r/guided-contact-study.csv"))));
  std::string line;
  std::getline(rows, line);
  double low = 1, high = 0;
  for (; std::getline(rows, line); low = std::min(low, std::stod(line)), high = std::max(high, std::stod(line))) {
  }
  EXPECT_GT(low, 1e-3);
  EXPECT_LT(low, 1.2e-3);
  EXPECT_LE(high, 1e-2);
  EXPECT_GT(high, 8e-3);
}

TEST_F(ExampleCli, bad_study_is_exit_code_2) {
  EXPECT_EQ(cairn("study").code, 2);
  EXPECT_EQ(cairn("study guided-contact --h small").code, 2);
  expect_refused("study gided-contact", "did you mean 'guided-contact'?");
  expect_refused("study guided-contact --h 0", "--h: 0, expected more than 0");
  expect_refused("study guided-contact --h 100", "h: ");
  expect_refused("study guided-contact --samples 0", "--samples: 0, expected at least 1");
  expect_refused("study guided-contact --vary beta=1,2", "did you mean 'beta_deg'?");
  expect_refused("study guided-contact --vary h=1,2", "expected another parameter");
  expect_refused("study guided-contact --vary beta_deg=20,x", "beta_deg: 'x', expected a number");
  expect_refused("study guided-contact --set gamma=2", "the contact wedges");
}

}  // namespace
