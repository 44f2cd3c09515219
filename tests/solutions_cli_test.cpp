// `cairn solutions` as its users meet it: exit codes, tables, JSON, messages.
#include <gtest/gtest.h>

#include "cairn/problem/fclib.hpp"
#include "json_text.hpp"
#include "run_program.hpp"

namespace cairn {
namespace {

using test::field;
using test::is_json_object;
using test::lines_of;

struct Printed {
  int code;
  std::string out, err;
};

class SolutionsCli : public testing::Test {
 protected:
  Printed solutions(std::vector<std::string> words) const {
    words.insert(words.begin(), {CAIRN_PROGRAM, "solutions"});
    const int code = test::wait_for(test::start(words, {.out = folder_.at("out"), .err = folder_.at("err")}));
    return {code, test::slurp(folder_.at("out")), test::slurp(folder_.at("err"))};
  }
  static std::string sample(const char* name) { return std::string(CAIRN_SCENES_DIR "/fclib-sample/") + name; }

  // Contacts that do not feel each other, all the same: W = 1, q = (normal, 0.5, 0).
  std::string separate(const char* name, int contacts, int dim, Real normal) const {
    fclib::Problem p;
    p.spacedim = dim;
    p.mu = fclib::Vector::Constant(contacts, 0.3);
    p.W = fclib::Sparse(p.rows(), p.rows());
    p.W.setIdentity();
    p.q = fclib::Vector::Zero(p.rows());
    for (int a = 0; a < contacts; ++a) p.q[a * dim] = normal, p.q[a * dim + 1] = 0.5;
    EXPECT_EQ(fclib::write(folder_.at(name), p, {}), "");
    return folder_.at(name);
  }

  test::Folder folder_;
};

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
}

TEST_F(SolutionsCli, tables_show_every_solution_and_the_ends_of_continua) {
  const Printed rod = solutions({sample("painleve-rod.hdf5")});
  EXPECT_EQ(rod.code, 0) << rod.err;
  EXPECT_EQ(rod.err, "");
  EXPECT_EQ(lines_of(rod.out), 10);
  expect_words(rod.out, {"painleve-rod: 1 contact in the plane: 3 solutions, 3 motions\n", "take-off", "slide +",
                         "stick", "-0.25", "0.215", "-0.37", "work -0.15625, friction 0.075"});
  const Printed limit = solutions({sample("painleve-limit.hdf5"), sample("three-legs.hdf5")});
  EXPECT_EQ(limit.code, 0) << limit.err;
  expect_words(limit.out, {"a continuum of motions\n", "end point 2 of 2", "0.3          -0.4",
                           "1 solution, 1 motion, impulses not determined\n", "dimension 3\n", "end point 6 of 6"});
}

TEST_F(SolutionsCli, json_has_one_object_a_problem) {
  const Printed ran = solutions({sample("painleve-rod.hdf5"), separate("space.hdf5", 2, 3, -1), "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(lines_of(ran.out), 2);
  const std::size_t end = ran.out.find('\n');
  const std::string rod = ran.out.substr(0, end), space = ran.out.substr(end + 1, ran.out.size() - end - 2);
  EXPECT_TRUE(is_json_object(rod)) << rod;
  EXPECT_TRUE(is_json_object(space)) << space;
  EXPECT_EQ(field(rod, "solutions"), "3");
  EXPECT_EQ(field(rod, "complete"), "true");
  EXPECT_LT(std::stod(field(rod, "error")), 1e-10);
  EXPECT_EQ(field(space, "solutions"), "1");
  EXPECT_EQ(field(space, "complete"), "false");  // in space: found from random starts
}

TEST_F(SolutionsCli, no_solution_is_exit_code_1) {
  fclib::Problem p;  // without friction, two contacts that close and cannot both open
  p.spacedim = 2;
  p.mu = fclib::Vector::Zero(2);
  p.q = fclib::Vector{{-1, 0, -1, 0}};
  p.W = fclib::Sparse(4, 4);
  for (const int i : {0, 2})
    for (const int j : {0, 2}) p.W.insert(i, j) = i == j ? 1 : -1;
  p.W.makeCompressed();
  ASSERT_EQ(fclib::write(folder_.at("none.hdf5"), p, {}), "");
  const Printed ran = solutions({folder_.at("none.hdf5")});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "none: 2 contacts in the plane: no solution\n");
}

TEST_F(SolutionsCli, what_cannot_be_treated_is_refused_and_the_others_done) {
  const Printed ran = solutions({folder_.write("text.hdf5", "no HDF5"), separate("many.hdf5", 13, 2, -1),
                                 sample("rolling-pyramid-3.hdf5"), separate("one.hdf5", 1, 2, -1), "--json"});
  EXPECT_EQ(ran.code, 2);
  expect_words(ran.err, {"text.hdf5: not an HDF5 file", "many.hdf5: 13 contacts: the solutions of at most 12",
                         "rolling-pyramid-3.hdf5: rolling friction"});
  EXPECT_EQ(lines_of(ran.err), 3);
  EXPECT_EQ(lines_of(ran.out), 4);
  EXPECT_EQ(field(ran.out, "status"), "\"error\"");
  expect_words(ran.out, {"\"problem\": \"one\"", "\"status\": \"found\""});
}

TEST_F(SolutionsCli, bad_usage_is_exit_code_2) {
  const std::string good = sample("painleve-rod.hdf5");
  EXPECT_EQ(solutions({}).code, 2);
  EXPECT_EQ(solutions({good, "--tol", "0"}).code, 2);
  EXPECT_EQ(solutions({good, "--starts", "0"}).code, 2);
  EXPECT_EQ(solutions({good, "--starts", "few"}).code, 2);
  const Printed help = solutions({"--help"});
  EXPECT_EQ(help.code, 0);
  expect_words(help.out, {"--starts", "--seed", "--tol", "--json", "Exit code"});
}

TEST_F(SolutionsCli, the_same_seed_finds_the_same) {
  const std::string file = separate("space.hdf5", 3, 3, -1);
  const auto found = [&](const char* seed) { return solutions({file, "--starts", "20", "--seed", seed}).out; };
  EXPECT_EQ(found("7"), found("7"));
}

}  // namespace
}  // namespace cairn
