// What users do beside running: check scenes, look at results, repair, export, plot them; the list of keys.
#include <set>

#include "json_text.hpp"
#include "run_program.hpp"
#include "wall_scene.hpp"

namespace cairn::test {
namespace {

class ResultsCli : public testing::Test {
 protected:
  void SetUp() override { folder_.write("small.toml", wall_scene); }

  std::string at(const std::string& name) const { return folder_.at(name); }
  Ran cairn(const std::vector<std::string>& words) const { return test::cairn(folder_, words); }
  Ran good(const std::vector<std::string>& words) const {
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }
  void run(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"run", "small.toml", "--until", "0.02", "--quiet", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    good(words);
  }
  void expect_refused(const std::vector<std::string>& words, const std::string& message) const {
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, 2) << message;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, message)) << ran.err;
  }

  Folder folder_;
};

// --- check -----------------------------------------------------------------------------------------------------------

TEST_F(ResultsCli, check_lists_what_a_good_scene_holds) {
  const Ran ran = good({"check", "small.toml", "wall"});
  for (const char* word : {"small.toml: good: A small wall", "plane, 31 bodies (30 free)", "mu ", "checkpoint ",
                           "outcome: displaced, spread, max_opening", "wall.toml: good"})
    EXPECT_TRUE(has(ran.out, word)) << word << "\n" << ran.out;
  const Ran json = good({"check", "small.toml", "--json", "--set", "mu=0.4"});
  ASSERT_TRUE(is_json_line(json.out)) << json.out;
  EXPECT_EQ(field(json.out, "good"), "true");
  EXPECT_EQ(number(json.out, "bodies"), 31);
  EXPECT_EQ(number(field(json.out, "parameters"), "mu"), 0.4);
}

TEST_F(ResultsCli, check_refuses_bad_files_and_goes_on) {
  folder_.write("bad.toml", std::string(wall_scene) + "speed = 3\n");  // in its last table
  folder_.write("broken.toml", "title = \"never ended\n");
  const Ran ran = cairn({"check", "bad.toml", "broken.toml", "small.toml"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(
      has(ran.err, "bad.toml:" + std::to_string(lines_of(wall_scene) + 1) + ":1: unknown key 'speed' in [[probe]]"))
      << ran.err;
  EXPECT_TRUE(has(ran.err, "broken.toml:1:")) << ran.err;
  EXPECT_TRUE(has(ran.out, "small.toml: good")) << ran.out;
  const Ran json = cairn({"check", "bad.toml", "--json"});
  EXPECT_EQ(json.code, 2);
  EXPECT_TRUE(is_json_line(json.out)) << json.out;
  EXPECT_EQ(field(json.out, "good"), "false");
}

TEST_F(ResultsCli, check_says_what_is_no_scene_file) {
  fs::create_directories(folder_.path / "folder");
  std::string bytes;
  for (int k = 0; k < 1000; ++k) bytes += static_cast<char>(k * 37);
  folder_.write("binary.toml", bytes);
  expect_refused({"check", "folder"}, "folder: a folder, expected a scene file");
  expect_refused({"check", "./folder"}, "./folder: a folder, expected a scene file");
  expect_refused({"check", "absent.toml"}, "absent.toml: cannot be read (No such file or directory)");
  expect_refused({"check", "binary.toml"}, "binary.toml:1:");
  expect_refused({"check", "archh"}, "did you mean 'arch'?");
  expect_refused({"check", CAIRN_PROGRAM}, "expected a scene file");
}

TEST_F(ResultsCli, a_folder_does_not_hide_a_scene_of_its_name) {
  fs::create_directories(folder_.path / "arch");
  good({"check", "arch"});
}

// Some commands ended well, one by a crash.
TEST_F(ResultsCli, output_that_cannot_be_written_is_a_failure) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  run("a.h5");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"keys"},
                                                  {"keys", "--schema"},
                                                  {"check", "small.toml"},
                                                  {"info", "a.h5"},
                                                  {"scenes"},
                                                  {"run", "small.toml", "--until", "0.01", "--no-results", "--json"}}) {
    std::vector<std::string> words{CAIRN_PROGRAM};
    words.insert(words.end(), command.begin(), command.end());
    const Around around{.folder = folder_.path.string(), .out = "/dev/full", .err = at("err.txt")};
    EXPECT_EQ(wait_for(start(words, around)), 1) << command[0];
    EXPECT_EQ(slurp(at("err.txt")), "cairn: standard output cannot be written\n") << command[0];
  }
}

// --- scenes, keys ----------------------------------------------------------------------------------------------------

TEST_F(ResultsCli, scenes_are_shown_and_copied) {
  const Ran shown = good({"scenes", "incline"});
  EXPECT_EQ(shown.out, slurp(fs::path(CAIRN_SCENES_DIR) / "incline.toml"));
  good({"scenes", "incline", "ladder", "--copy", "mine"});
  EXPECT_EQ(slurp(at("mine/incline.toml")), shown.out);
  EXPECT_TRUE(fs::exists(at("mine/ladder.toml")));
  good({"check", "mine/incline.toml"});
  expect_refused({"scenes", "incline", "--copy", "mine"}, "exists already, not replaced");
  expect_refused({"scenes", "inclin"}, "did you mean 'incline'?");
}

TEST_F(ResultsCli, every_key_of_the_page_is_in_the_schema) {
  const Ran page = good({"keys"}), schema = good({"keys", "--schema"});
  ASSERT_TRUE(is_json_line(schema.out));
  EXPECT_TRUE(has(schema.out, "\"$schema\": "));
  std::istringstream lines(page.out);
  std::set<std::string> keys;
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| key |")) in_table = true;
    if (!line.starts_with("|")) in_table = false;
    if (in_table && line.starts_with("| `")) keys.insert(line.substr(3, line.find('`', 3) - 3));
  }
  EXPECT_GT(keys.size(), 100u);
  for (const char* known : {"title", "step", "mu", "amplitude", "radius", "voussoirs", "stiffness", "rest_speed"})
    EXPECT_TRUE(keys.contains(known)) << known;
  for (const std::string& key : keys) EXPECT_TRUE(has(schema.out, "\"" + key + "\": {")) << key;
}

// --- info, repair ----------------------------------------------------------------------------------------------------

TEST_F(ResultsCli, info_says_what_results_hold) {
  run("a.h5", {"--set", "mu=0.4"});
  const Ran text = good({"info", "a.h5"});
  for (const char* word : {"a.h5: A small wall", "finished, 11 frames to t = 0.02 s, 20 steps of 0.001 s",
                           "31 (30 free)", "probe       ground [N", "outcome     {"})
    EXPECT_TRUE(has(text.out, word)) << word << "\n" << text.out;
  const Ran json = good({"info", "a.h5", "--json"});
  ASSERT_TRUE(is_json_line(json.out)) << json.out;
  EXPECT_EQ(number(json.out, "frames"), 11);
  EXPECT_EQ(number(json.out, "steps"), 20);
  EXPECT_EQ(field(json.out, "finished"), "true");
  EXPECT_EQ(number(field(json.out, "parameters"), "mu"), 0.4);
  EXPECT_TRUE(std::isfinite(number(field(json.out, "outcome"), "spread")));
  EXPECT_EQ(good({"info", "a.h5", "--scene"}).out, wall_scene);
}

TEST_F(ResultsCli, info_refuses_what_is_no_results_file) {
  folder_.write("text.h5", "no results");
  expect_refused({"info", "absent.h5"}, "absent.h5: ");
  expect_refused({"info", "text.h5"}, "text.h5: ");
  expect_refused({"repair", "text.h5"}, "text.h5: ");
  expect_refused({"export", "text.h5", "--csv", "out"}, "text.h5: ");
  expect_refused({"plot", "energy", "text.h5"}, "text.h5: ");
}

TEST_F(ResultsCli, a_killed_file_is_repaired) {
  const Around around{.folder = folder_.path.string()};
  EXPECT_EQ(signal_after(20, SIGKILL, {"run", "small.toml", "--quiet"}, at("small.h5"), around), -SIGKILL);
  const int seen = frames_in(at("small.h5"));
  const Ran apart = good({"repair", "small.h5", "--out", "clean.h5"});
  EXPECT_TRUE(has(apart.out, "clean.h5: ")) << apart.out;
  EXPECT_GE(frames_in(at("clean.h5")), 20);
  EXPECT_EQ(frames_in(at("clean.h5")), seen);
  good({"repair", "small.h5"});
  EXPECT_EQ(frames_in(at("small.h5")), seen);
  EXPECT_TRUE(has(good({"info", "small.h5"}).out, "not finished"));
}

// --- export ----------------------------------------------------------------------------------------------------------

TEST_F(ResultsCli, exports_of_every_kind_are_written) {
  run("a.h5");
  good({"export", "a.h5", "--vtk", "v", "--csv", "c", "--svg", "s", "--png", "s", "--every", "5", "--width", "200"});
  EXPECT_TRUE(has(slurp(at("v/a_bodies.pvd")), "<VTKFile"));
  EXPECT_TRUE(has(slurp(at("v/a_contacts.pvd")), "<DataSet"));
  const std::string states = slurp(at("c/a_states.csv"));
  EXPECT_GE(lines_of(states), 1 + 3 * 31);  // frames 0, 5 and 10
  EXPECT_GT(lines_of(slurp(at("c/a_contacts.csv"))), 2);
  EXPECT_GE(lines_of(slurp(at("c/a_steps.csv"))), 20);
  EXPECT_TRUE(has(slurp(at("c/a_probes.csv")), "ground"));
  for (const char* name : {"s/a_0000", "s/a_0005", "s/a_0010"}) {
    EXPECT_TRUE(has(slurp(at(std::string(name) + ".svg")), "</svg>")) << name;
    EXPECT_TRUE(slurp(at(std::string(name) + ".png")).starts_with("\x89PNG")) << name;
  }
}

TEST_F(ResultsCli, contact_problems_are_solved_again) {
  run("a.h5");
  good({"export", "a.h5", "--fclib", "p", "--at", "0.01,0.02"});
  const Ran solved = good({"solve", "p/a_0005.hdf5", "p/a_0010.hdf5", "--json", "--tol", "1e-7"});
  EXPECT_EQ(lines_of(solved.out), 2);
  EXPECT_EQ(field(solved.out, "status"), "\"converged\"");
  EXPECT_GT(number(solved.out, "contacts"), 20);
}

TEST_F(ResultsCli, export_asks_for_something) {
  run("a.h5");
  expect_refused({"export", "a.h5"}, "nothing asked for");
  const Ran under_a_file = cairn({"export", "a.h5", "--csv", "small.toml/out"});
  EXPECT_EQ(under_a_file.code, 1);
  EXPECT_TRUE(has(under_a_file.err, "the folder cannot be made")) << under_a_file.err;
}

// --- plot ------------------------------------------------------------------------------------------------------------

TEST_F(ResultsCli, plots_of_every_kind_and_of_several_runs) {
  run("a.h5"), run("b.h5", {"--set", "mu=0.6"});
  good({"run", "biaxial", "--set", "n=20", "--set", "strain=0.01", "--set", "h=1e-3", "--quiet", "--out", "cell.h5"});
  const std::string told = cairn({"plot", "nonsense", "a.h5"}).err, mark = "expected one of ";
  ASSERT_TRUE(has(told, mark)) << told;
  std::istringstream kinds(told.substr(told.find(mark) + mark.size()));
  int count = 0;
  for (std::string kind; kinds >> kind; ++count) {
    while (!kind.empty() && kind.back() == ',') kind.pop_back();
    std::vector<std::string> words{"plot", kind, "a.h5", "b.h5"};
    if (kind == "stress-strain") words = {"plot", kind, "cell.h5"};
    EXPECT_EQ(good(words).out, kind + ".svg\n");
    EXPECT_TRUE(has(slurp(at(kind + ".svg")), "</svg>")) << kind;
  }
  EXPECT_GE(count, 8);
  EXPECT_TRUE(has(slurp(at("contacts.svg")), ">b, pressing<")) << "no legend of the second run";
  good({"plot", "energy", "a.h5", "--out", "energy.png", "--between", "0.005,0.015", "--title", "Part of it"});
  EXPECT_TRUE(slurp(at("energy.png")).starts_with("\x89PNG"));
  expect_refused({"plot", "stress-strain", "a.h5"}, "stress-strain");
  expect_refused({"plot", "probes", "a.h5", "--probe", "absent"}, "absent");
}

}  // namespace
}  // namespace cairn::test
