// `cairn forces`: ranges of undetermined forces from a results file alone.
#include <cmath>
#include <sstream>

#include "cairn/scene/arch.hpp"
#include "json_text.hpp"
#include "run_program.hpp"
#include "wall_scene.hpp"

namespace cairn::test {
namespace {

struct Row {
  Real solution, least, greatest, central;  // [N]
  Real width() const { return greatest - least; }
};

class ForcesCli : public testing::Test {
 protected:
  Ran cairn(const std::vector<std::string>& words) const { return test::cairn(folder_, words); }
  Ran good(const std::vector<std::string>& words) const {
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }
  void run(const std::string& scene, const std::string& out, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"run", scene, "--quiet", "--out", out});
    good(more);
  }
  static std::string page(const std::string& name) { return std::string(CAIRN_SOURCE_DIR) + "/docs/code/" + name; }

  // The table that --csv writes.
  std::vector<Row> rows(const std::string& results, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"forces", results, "--csv", "ranges.csv"});
    good(more);
    std::istringstream text(slurp(folder_.at("ranges.csv")));
    std::vector<Row> found;
    std::string line;
    std::getline(text, line);
    EXPECT_TRUE(has(line, "least [N]")) << line;
    while (std::getline(text, line)) {
      std::vector<Real> cell;
      std::istringstream cells(line);
      for (std::string word; std::getline(cells, word, ',');) cell.push_back(std::stod(word));
      EXPECT_EQ(cell.size(), 8u) << line;
      found.push_back({cell[3], cell[4], cell[5], cell[6]});
    }
    return found;
  }

  static Real widest(const std::vector<Row>& rows) {
    Real most = 0;
    for (const Row& r : rows) most = std::max(most, r.width());
    return most;
  }

  void expect_inside(const std::vector<Row>& rows) const {
    Real scale = 0;
    for (const Row& r : rows) scale = std::max(scale, r.solution);
    ASSERT_GT(scale, 0);
    for (std::size_t a = 0; a < rows.size(); ++a) {
      EXPECT_LE(rows[a].least, rows[a].solution + 1e-8 * scale) << a;
      EXPECT_GE(rows[a].greatest, rows[a].solution - 1e-8 * scale) << a;
    }
  }

  Folder folder_;
};

TEST_F(ForcesCli, a_table_on_three_legs_has_the_ranges_of_statics) {
  run(page("table.toml"), "table.h5", {"--set", "aside=0.2"});
  const std::vector<Row> legs = rows("table.h5");
  ASSERT_EQ(legs.size(), 4u);
  const Real W = legs[0].solution + legs[1].solution + legs[2].solution, load = legs[3].solution;
  const Real c = 0.2 * load / W;  // the centre of the weight
  EXPECT_NEAR(legs[0].least, 0, 1e-8 * W);
  EXPECT_NEAR(legs[0].greatest, W * (1 - c) / 2, 1e-8 * W);
  EXPECT_NEAR(legs[1].greatest, W * (1 - c), 1e-8 * W);
  EXPECT_NEAR(legs[2].least, W * c, 1e-8 * W);
  EXPECT_NEAR(legs[2].greatest, W * (1 + c) / 2, 1e-8 * W);
  EXPECT_NEAR(legs[3].width(), 0, 1e-8 * W);
}

TEST_F(ForcesCli, tells_numbers_and_draws) {
  run(page("table.toml"), "table.h5");
  const Ran told = good({"forces", "table.h5", "--picture", "t.svg", "--out", "t.json"});
  for (const char* word : {"hyperstaticity   1 (4 components", "freedom          1", "1 certain to carry, 3 may carry"})
    EXPECT_TRUE(has(told.out, word)) << word << "\n" << told.out;
  EXPECT_TRUE(has(slurp(folder_.at("t.svg")), "possible"));
  const Ran json = good({"forces", "table.h5", "--json"});
  ASSERT_TRUE(is_json_line(json.out)) << json.out;
  EXPECT_EQ(json.out, slurp(folder_.at("t.json")));
  EXPECT_EQ(number(json.out, "hyperstaticity"), 1);
  EXPECT_EQ(number(json.out, "carry"), 1);
  EXPECT_EQ(field(json.out, "bounded"), "true");
  EXPECT_EQ(json.out, good({"forces", "table.h5", "--json", "--threads", "2"}).out);
  EXPECT_EQ(number(good({"forces", "table.h5", "--json", "--step", "20"}).out, "frame"), 1);
}

// The thrust line fits in one way only where the arch is as thin as it can be: ranges shrink to nothing there.
TEST_F(ForcesCli, ranges_of_an_arch_vanish_at_its_least_thickness) {
  scene::Arch arch;
  arch.voussoirs = 15, arch.radius = 1;
  const Real least = scene::least_thickness(arch);
  std::vector<Real> width;
  for (const Real more : {1.05, 1.02, 1.01, 1.005}) {
    run("arch", "arch.h5", {"--until", "0.02", "--set", "thickness_ratio=" + std::to_string(more * least)});
    const std::vector<Row> joints = rows("arch.h5");
    expect_inside(joints);
    width.push_back(widest(joints));
    if (width.size() > 1) {
      EXPECT_LT(width.back(), width[width.size() - 2]);
    }
    fs::remove(folder_.at("arch.h5"));
  }
  EXPECT_NEAR(2 * width[3] - width[2], 0, 0.01 * width[3]);  // a straight line through zero at the least thickness
}

TEST_F(ForcesCli, contains_the_solution_of_walls_and_packings) {
  folder_.write("small.toml", wall_scene);
  run("small.toml", "wall.h5", {"--until", "0.02"});
  expect_inside(rows("wall.h5"));
  run("packing", "packing.h5", {"--set", "n=20", "--until", "0.3"});
  expect_inside(rows("packing.h5"));
  run("stack", "stack.h5", {"--until", "0.01"});
  expect_inside(rows("stack.h5"));
  run("spheres4", "spheres.h5", {"--until", "0.02"});  // in space, with cones
  expect_inside(rows("spheres.h5"));
}

TEST_F(ForcesCli, refuses_what_it_cannot_answer) {
  run(page("table.toml"), "table.h5");
  const auto expect = [&](const std::vector<std::string>& words, int code, const std::string& message) {
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, code) << message;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, message)) << ran.err;
  };
  expect({"forces", "nothing.h5"}, 2, "nothing.h5");
  expect({"forces", "table.h5", "--step", "5", "--time", "0.01"}, 2, "expected one of them");
  expect({"forces", "table.h5", "--picture", "t.gif"}, 2, "expected a name that ends in .svg or .png");
  expect({"forces", "table.h5", "--time", "0"}, 1, "no step leads to this frame");
  expect({"forces", "table.h5", "--csv", "no/such/folder.csv"}, 1, "folder.csv");
  std::string rough = slurp(page("table.toml"));
  rough.replace(rough.find("mu = 0"), 6, "mu = 0.3\nrolling = 0.01");
  folder_.write("rough.toml", rough);
  run("rough.toml", "rough.h5");
  expect({"forces", "rough.h5"}, 1, "resists rolling, and its torque is not recorded");
}

}  // namespace
}  // namespace cairn::test
