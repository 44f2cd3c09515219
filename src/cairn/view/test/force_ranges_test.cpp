// Ranges of forces from a file that `cairn forces --out` wrote: what the page gets, and which files are refused.
#include "cairn/view/force_ranges.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cairn/base/json.hpp"
#include "cairn/view/answers.hpp"
#include "cairn/view/html.hpp"
#include "cairn/view/test/parsed.hpp"
#include "cairn/view/test/synthetic_result.hpp"
#include "cairn/view/test/unpack.hpp"

namespace cairn::view::test {
namespace {

constexpr int frame = 4;

// [N] as the solver's: the synthetic steps are 0.1 s long.
double solution(const Touches& c, std::size_t a) {
  double s = 0;
  for (std::size_t i = 3 * a; i < 3 * a + 3; ++i) s += static_cast<double>(c.impulse[i]) * c.normal[i] / 0.1;
  return s;
}

class ForceFile : public testing::Test {
 protected:
  void SetUp() override {
    const std::string own = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::temp_directory_path() / ("cairn-ranges-" + own + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& text) const {
    std::ofstream(path("ranges.json")) << text;
    return path("ranges.json");
  }

  // As the command writes it; the first contact has no bound, the second no central force.
  std::string text() const {
    const Touches c = result_.touches(frame);
    std::string rows;
    for (std::size_t a = 0; a < c.gap.size(); ++a) {
      JsonObject row;
      row.integer("contact", static_cast<long>(a)).number("least", 0.25 * static_cast<double>(a));
      row.raw("greatest", a == 0 ? "null" : json_number(100 + static_cast<double>(a)));
      row.number("solution", solution(c, a)).raw("central", a == 1 ? "null" : "50.5").number("least_norm", 1);
      rows += (a == 0 ? "" : ", ") + row.str();
    }
    JsonObject o;
    o.text("file", "a \"b\", {c].h5").integer("dimension", 2).integer("frame", frame).number("time", 0.1 * frame);
    o.integer("step", frame).number("h", 0.1).integer("freedom", 3);
    return o.text("unit", "N").raw("ranges", "[" + rows + "]").str() + "\n";
  }
  std::string changed(const std::string& from, const std::string& to) const {
    std::string out = text();
    const std::size_t at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? out : out.replace(at, from.size(), to);
  }
  void expect_refused(const std::string& content, const std::string& why) {
    const auto ranges = read_force_ranges(write(content), result_);
    ASSERT_FALSE(ranges) << why;
    EXPECT_NE(ranges.error().find("ranges.json: "), std::string::npos) << ranges.error();
    EXPECT_NE(ranges.error().find(why), std::string::npos) << ranges.error();
  }

  std::filesystem::path folder_;
  SyntheticResult result_{2, 6, 9};
};

Request asks_for(const std::string& target) {
  Request r;
  r.method = Request::Method::get, r.target = target, r.hosts = {"127.0.0.1:80"};
  return r;
}

TEST_F(ForceFile, reaches_the_page_with_its_numbers_and_places) {
  const auto ranges = read_force_ranges(write(text()), result_);
  ASSERT_TRUE(ranges) << ranges.error();
  Answers answers(result_, "page", "abc", Hosts("127.0.0.1", 80), force_bundle(*ranges, ranges->frame));
  const Answer answer = answers.to(asks_for("/abc/forces"));
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answers.to(asks_for("/abc/forces?points=3")).status, 404);
  const Parsed bundle(answer.body);
  const Touches c = result_.touches(frame);
  EXPECT_EQ(bundle.number("frame"), frame);
  EXPECT_EQ(bundle.number("t"), 0.1 * frame);
  EXPECT_EQ(bundle.number("freedom"), 3);
  const std::size_t n = c.gap.size();
  const auto least = bundle.values<double>("least"), greatest = bundle.values<double>("greatest");
  const auto solver = bundle.values<double>("solution"), central = bundle.values<double>("central");
  ASSERT_EQ(least.size(), n);
  ASSERT_GE(n, 3u);
  for (std::size_t a = 0; a < n; ++a) {
    EXPECT_EQ(least[a], 0.25 * static_cast<double>(a));
    EXPECT_EQ(greatest[a], a == 0 ? INFINITY : 100 + static_cast<double>(a));
    EXPECT_EQ(solver[a], solution(c, a));
    EXPECT_EQ(std::isnan(central[a]), a == 1);
  }
  EXPECT_EQ(central[2], 50.5);
  EXPECT_EQ(bundle.values<std::uint32_t>("body"), c.body);
  EXPECT_EQ(bundle.values<float>("point"), c.point);
  EXPECT_EQ(bundle.values<float>("normal"), c.normal);
}

TEST_F(ForceFile, not_given_is_an_answer_too) {
  Answers answers(result_, "page", "abc", Hosts("127.0.0.1", 80), no_force_bundle());
  const Answer answer = answers.to(asks_for("/abc/forces"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(Parsed(answer.body).field("frame"), "null");
}

TEST_F(ForceFile, of_another_kind_is_refused) {
  const auto missing = read_force_ranges(path("nothing.json"), result_);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().find("nothing.json: cannot be read"), std::string::npos) << missing.error();
  for (const std::string other : {"", "\x89HDF\r\n", "[1]", "{}", "{\"frame\":", "{\"frame\":1,\"ranges\":[]}"})
    expect_refused(other, "holds no ranges of forces");
  expect_refused(changed("\"unit\": \"N\"", "\"unit\": \"kN\""), "holds no ranges of forces");
  expect_refused(changed("\"frame\": 4", "\"frame\": -4"), "holds no ranges of forces");
  expect_refused(changed("\"contact\": 1", "\"contact\": 2"), "row 1 of its ranges cannot be read");
  expect_refused(changed("\"least\": 0.25", "\"least\": \"0.25\""), "row 1 of its ranges cannot be read");
  expect_refused(changed("\"least\": 0.5,", ""), "row 2 of its ranges cannot be read");
}

TEST_F(ForceFile, cut_off_anywhere_is_refused) {
  const std::string whole = text();
  for (std::size_t n = 0; n + 1 < whole.size(); ++n)
    EXPECT_FALSE(read_force_ranges(write(whole.substr(0, n)), result_)) << whole.substr(0, n);
}

TEST_F(ForceFile, of_other_results_is_refused) {
  expect_refused(changed("\"frame\": 4", "\"frame\": 9"), "these results have 9 frames");
  expect_refused(changed("\"frame\": 4", "\"frame\": 5"), "frame 5 of these results is t = 0.5 s, step 5");
  expect_refused(changed("\"step\": 4", "\"step\": 40"), "is of t = 0.4 s, step 40");
  SyntheticResult larger(2, 12, 9);
  const auto ranges = read_force_ranges(write(text()), larger);
  ASSERT_FALSE(ranges);
  EXPECT_NE(ranges.error().find("contacts, but frame 4 of these results has"), std::string::npos) << ranges.error();
  const std::string last = json_number(solution(result_.touches(frame), 1));
  expect_refused(changed("\"solution\": " + last, "\"solution\": 1234.5"), "has 1234.5 N as solution of contact 1");
}

// A page may have fewer frames: the one with ranges is among them, and is found by its new number.
TEST_F(ForceFile, keeps_its_frame_in_an_exported_page) {
  PageOptions options;
  options.title = "ranges", options.version = "0", options.every = 3, options.forces = write(text());
  const std::string page = "<html><head></head><body><script>1</script></body></html>";
  const auto report = write_page(result_, page, path("page.html"), options);
  ASSERT_TRUE(report) << report.error();
  std::ostringstream html;
  html << std::ifstream(path("page.html"), std::ios::binary).rdbuf();
  const std::string written = html.str();
  const Parsed forces(unpacked(blob_text(written, "forces"))), timeline(unpacked(blob_text(written, "timeline")));
  const auto time = timeline.values<double>("time");
  ASSERT_LT(forces.number("frame"), static_cast<double>(time.size()));
  EXPECT_EQ(time[static_cast<std::size_t>(forces.number("frame"))], 0.1 * frame);
  EXPECT_LT(time.size(), 9u);
  options.forces = path("nothing.json");
  EXPECT_FALSE(write_page(result_, page, path("page.html"), options));
}

}  // namespace
}  // namespace cairn::view::test
