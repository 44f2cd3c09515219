// The program as its users meet it: exit codes, JSON, messages, files written.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cairn/problem/fclib.hpp"
#include "cairn/solver/solve.hpp"
#include "json_text.hpp"

namespace cairn {
namespace {

namespace fs = std::filesystem;

struct Ran {
  int code;
  std::string out, err;
};

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string slurp(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

using test::field;
using test::is_json_object;
using test::lines_of;

TEST(JsonReader, tells_json_from_other_text) {
  for (const char* good : {"{}", R"({"a": -1.5e-08, "b": [1, {"c": null}], "d": "\"\\\n\ufffd"})"})
    EXPECT_TRUE(is_json_object(good)) << good;
  for (const char* bad :
       {"", "{", "{} {}", "{\"a\": nan}", "{\"a\": inf}", "{\"a\" 1}", "{\"a\": 1,}", "{\"\n\": 1}", R"({"\q": 1})"})
    EXPECT_FALSE(is_json_object(bad)) << bad;
}

// --- problems --------------------------------------------------------------------------------------------------------

// Bodies that press on each other in a row: W = G M^-1 G^T couples neighbours, and gravity pushes them on the floor.
fclib::Problem pile(int contacts, int dim) {
  fclib::Problem p;
  p.spacedim = dim;
  p.mu = fclib::Vector::Constant(contacts, 0.3);
  const int rows = p.rows();
  p.q = fclib::Vector::Zero(rows);
  p.W = fclib::Sparse(rows, rows);
  for (int k = 0; k < contacts; ++k) {
    p.q[k * dim] = k == 0 ? -1.0 : 0.0;
    p.q[k * dim + 1] = 0.2 + 0.1 * k;
    for (int c = 0; c < dim; ++c) {
      p.W.insert(k * dim + c, k * dim + c) = k == 0 ? 1 : 2;
      if (k > 0) p.W.insert(k * dim + c, (k - 1) * dim + c) = -1;
      if (k + 1 < contacts) p.W.insert(k * dim + c, (k + 1) * dim + c) = -1;
    }
  }
  p.W.makeCompressed();
  return p;
}

class Cli : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cairn-cli-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    ASSERT_EQ(fclib::write(good(), pile(4, 3), {}), "");
    ASSERT_EQ(fclib::write(flat(), pile(3, 2), {}), "");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::string good() const { return at("good.hdf5"); }
  std::string flat() const { return at("flat.hdf5"); }

  Ran cairn(const std::vector<std::string>& words) const {
    std::string line = quoted(CAIRN_PROGRAM);
    for (const std::string& word : words) line += " " + quoted(word);
    line += " >" + quoted(at("out.txt")) + " 2>" + quoted(at("err.txt"));
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(at("out.txt")), slurp(at("err.txt"))};
  }

  fs::path folder_;
};

// --- tests -----------------------------------------------------------------------------------------------------------

TEST_F(Cli, version_and_help) {
  const Ran version = cairn({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("cairn "));
  const Ran help = cairn({"solve", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"--solver", "--tol", "--max-seconds", "--json", "--write", "--history", "Examples:"})
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
}

TEST_F(Cli, good_file_gives_a_table) {
  const Ran ran = cairn({"solve", good(), flat()});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");  // no progress line where nobody watches
  EXPECT_EQ(lines_of(ran.out), 3);
  EXPECT_TRUE(ran.out.starts_with("problem"));
  EXPECT_NE(ran.out.find("\ngood "), std::string::npos);
  EXPECT_NE(ran.out.find("converged\n"), std::string::npos);
}

TEST_F(Cli, good_file_gives_json) {
  const Ran ran = cairn({"solve", good(), "--json", "--history"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  ASSERT_EQ(lines_of(ran.out), 1);
  const std::string object = ran.out.substr(0, ran.out.size() - 1);
  EXPECT_TRUE(is_json_object(object)) << object;
  EXPECT_EQ(field(object, "problem"), "\"good\"");
  EXPECT_EQ(field(object, "contacts"), "4");
  EXPECT_EQ(field(object, "dimension"), "3");
  EXPECT_EQ(field(object, "status"), "\"converged\"");
  EXPECT_LE(std::stod(field(object, "error")), 1e-8);
  for (const char* key : {"solver", "iterations", "factorisations", "seconds", "reason", "history"})
    EXPECT_NE(field(object, key), "") << key;
}

TEST_F(Cli, names_are_escaped_in_json) {
  const std::string odd = at("a \"b\" \\ \xff\n.hdf5");
  fs::copy_file(good(), odd);
  const Ran ran = cairn({"solve", odd, "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(lines_of(ran.out), 1);
  EXPECT_TRUE(is_json_object(ran.out.substr(0, ran.out.size() - 1))) << ran.out;
  EXPECT_EQ(field(ran.out, "problem"), R"("a \"b\" \\ \ufffd\n")");
}

TEST_F(Cli, bad_files_are_named_and_the_others_done) {
  std::ofstream(at("text.hdf5")) << "no HDF5";
  fs::copy_file(good(), at("cut.hdf5"));
  fs::resize_file(at("cut.hdf5"), fs::file_size(good()) / 2);
  const Ran ran = cairn({"solve", at("absent.hdf5"), at("text.hdf5"), at("cut.hdf5"), good(), "--json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find(at("absent.hdf5") + ": cannot be opened"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(at("text.hdf5") + ": not an HDF5 file"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(at("cut.hdf5") + ": truncated or damaged"), std::string::npos) << ran.err;
  EXPECT_EQ(lines_of(ran.err), 3);
  std::istringstream lines(ran.out);
  for (const char* problem : {"\"absent\"", "\"text\"", "\"cut\"", "\"good\""}) {
    std::string object;
    ASSERT_TRUE(std::getline(lines, object));
    EXPECT_TRUE(is_json_object(object)) << object;
    EXPECT_EQ(field(object, "problem"), problem);
    const bool bad = std::string(problem) != "\"good\"";
    EXPECT_EQ(field(object, "status"), bad ? "\"error\"" : "\"converged\"");
    EXPECT_EQ(field(object, "message").empty(), !bad);
  }
}

TEST_F(Cli, not_converged_is_exit_code_1) {
  const Ran ran =
      cairn({"solve", good(), "--solver", "gauss_seidel", "--tol", "1e-300", "--max-seconds", "0.2", "--json"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(field(ran.out, "status"), "\"converged\"");
}

TEST_F(Cli, bad_usage_is_exit_code_2) {
  EXPECT_EQ(cairn({}).code, 2);
  EXPECT_EQ(cairn({"solve"}).code, 2);
  EXPECT_EQ(cairn({"solve", good(), "--tol", "0"}).code, 2);
  EXPECT_EQ(cairn({"solve", good(), "--tol", "small"}).code, 2);
  EXPECT_EQ(cairn({"solve", good(), "--max-seconds", "nan"}).code, 2);
  EXPECT_EQ(cairn({"solve", good(), "--colour"}).code, 2);
  const Ran typo = cairn({"slove", good()});
  EXPECT_EQ(typo.code, 2);
  EXPECT_NE(typo.err.find("did you mean 'solve'?"), std::string::npos) << typo.err;
}

TEST_F(Cli, unknown_solver_lists_the_names) {
  const Ran ran = cairn({"solve", good(), "--solver", "gaus_seidel"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  for (const char* word : {"no solver 'gaus_seidel'", "gauss_seidel", "newton", "did you mean 'gauss_seidel'?"})
    EXPECT_NE(ran.err.find(word), std::string::npos) << ran.err;
}

void expect_solved(const std::string& path, Real tolerance) {
  const auto p = fclib::read(path);
  ASSERT_TRUE(p) << p.error();
  ASSERT_TRUE(p->solution);
  ASSERT_EQ(p->solution->r.size(), p->rows());
  EXPECT_LE(error_of(*p, p->solution->r), tolerance);
}

TEST_F(Cli, written_solution_has_the_error_asked) {
  const Ran ran = cairn({"solve", good(), "--tol", "1e-9", "--write", at("solved.hdf5")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_solved(at("solved.hdf5"), 1e-9);
}

TEST_F(Cli, several_solutions_go_to_a_folder) {
  fs::create_directory(at("other"));
  fs::copy_file(flat(), at("other/good.hdf5"));
  const Ran ran = cairn({"solve", good(), flat(), at("other/good.hdf5"), "--write", at("new/solved")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* name : {"new/solved/good.hdf5", "new/solved/flat.hdf5", "new/solved/good-2.hdf5"})
    expect_solved(at(name), 1e-8);
  EXPECT_EQ(fclib::read(at("new/solved/good-2.hdf5"))->spacedim, 2);
}

TEST_F(Cli, output_that_cannot_be_is_refused) {
  const Ran onto_input = cairn({"solve", good(), "--write", good()});
  EXPECT_EQ(onto_input.code, 2);
  EXPECT_NE(onto_input.err.find("is an input"), std::string::npos) << onto_input.err;
  const Ran onto_file = cairn({"solve", good(), flat(), "--write", flat()});
  EXPECT_EQ(onto_file.code, 2);
  EXPECT_NE(onto_file.err.find("expected a folder"), std::string::npos) << onto_file.err;
  const Ran nowhere = cairn({"solve", good(), "--json", "--write", at("absent/solved.hdf5")});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(field(nowhere.out, "write_error"), "");
  EXPECT_EQ(field(nowhere.out, "status"), "\"converged\"");
}

}  // namespace
}  // namespace cairn
