// Pages with data inside: what is in them, how large they get, what they replace.
#include "cairn/view/html.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cairn/view/embed.hpp"
#include "synthetic_result.hpp"
#include "unpack.hpp"

namespace cairn::view::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view shell =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Cairn</title>\n"
    "<script type=\"module\">show(\"<title>\")</script></head><body></body></html>\n";

class Pages : public testing::Test {
 protected:
  Pages() {
    std::string name = (fs::temp_directory_path() / "cairn-page-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Pages() override { fs::remove_all(folder_); }

  std::string path() const { return (folder_ / "page.html").string(); }
  std::string html() const {
    std::ostringstream text;
    text << std::ifstream(path(), std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  Expected<PageReport> write(Result& result, const PageOptions& options = {}) const {
    return write_page(result, shell, path(), options);
  }
  void expect_error(const Expected<PageReport>& report, const std::string& message) const {
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().find(message), std::string::npos) << report.error();
  }

  fs::path folder_;
};

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// All that a page holds, checked against the formulas; the answer is the frames it has.
std::vector<int> expect_faithful(std::string_view html, const SyntheticResult& result, int dimension) {
  const std::string encoding = unpacked(blob_text(html, "encoding")), times = unpacked(blob_text(html, "timeline"));
  const Members e = members_of(BundleView(encoding).fields());
  const auto number = [&](const char* name) { return std::strtod(member(e, name)->c_str(), nullptr); };
  Grid grid;
  grid.dimension = dimension, grid.place = number("place"), grid.turn = number("turn");
  const auto group = static_cast<std::size_t>(number("group")), bodies = static_cast<std::size_t>(number("bodies"));
  const auto steps = BundleView(times).array<double>("step");
  EXPECT_EQ(static_cast<std::size_t>(number("frames")), steps.size());
  const Columns first = body_columns(unpacked(blob_text(html, "first")), 1, bodies, dimension, nullptr);
  const std::string cast = unpacked(blob_text(html, "cast"));
  const bool contacts = *member(members_of(BundleView(cast).fields()), "contacts") == "true";
  std::vector<int> chosen;
  Columns columns;
  std::vector<Touches> touches;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::size_t g = k / group, inside = std::min(group, steps.size() - g * group);
    chosen.push_back(static_cast<int>(steps[k]));
    if (k % group == 0) {
      columns = body_columns(unpacked(blob_text(html, fmt::format("frames/{}", g))), inside, bodies, dimension, &first);
      if (contacts) touches = contact_frames(unpacked(blob_text(html, fmt::format("contacts/{}", g))), inside, grid);
    }
    const Places got = places_of(columns, k % group, bodies, grid), want = result.places(chosen.back());
    for (std::size_t i = 0; i < want.x.size(); ++i) {
      EXPECT_NEAR(got.x[i], want.x[i], grid.place / 2 + 1e-5 * grid.place + 1e-7 * std::abs(want.x[i]));
      EXPECT_NEAR(got.u[i], want.u[i], std::max(1e-3, 0x1p-12 * std::abs(want.u[i])));
    }
    if (!contacts) continue;
    const Touches all = result.touches(chosen.back());
    EXPECT_LT(touches[k % group].gap.size(), all.gap.size());  // the last has no impulse
  }
  return chosen;
}

TEST_F(Pages, hold_the_whole_result) {
  for (const int dimension : {2, 3}) {
    SyntheticResult result(dimension, 5, 40);
    PageOptions options;
    options.title = "Stones", options.version = "1.2";
    const auto report = write(result, options);
    ASSERT_TRUE(report) << report.error();
    EXPECT_EQ(report->frames, 40);
    EXPECT_EQ(report->all, 40);
    EXPECT_EQ(report->left_out(), "");
    EXPECT_DOUBLE_EQ(report->grid.place, 1e-4);
    const std::string text = html();
    EXPECT_DOUBLE_EQ(report->megabytes, static_cast<double>(text.size()) / 1e6);
    EXPECT_EQ(expect_faithful(text, result, dimension).size(), 40u);
    EXPECT_EQ(files(), 1u);
    EXPECT_EQ(count(text, "<title>Stones</title>"), 1u);
    EXPECT_EQ(count(text, "<title>Cairn</title>"), 0u);
    EXPECT_TRUE(text.ends_with(shell.substr(shell.find("<script"))));
    EXPECT_TRUE(has_generator_tag(path(), page_kind));
    EXPECT_FALSE(has_generator_tag(path(), "gallery"));
  }
}

TEST_F(Pages, keep_fields_and_say_what_was_rounded) {
  SyntheticResult result(2, 3, 20);
  ASSERT_TRUE(write(result));
  const std::string text = html();
  const std::string cast = unpacked(blob_text(text, "cast")), times = unpacked(blob_text(text, "timeline"));
  const Members fields = members_of(BundleView(cast).fields());
  EXPECT_EQ(plain_text(*member(fields, "note")),
            "All 20 frames; places to 5.0e-05 m, angles to 5e-05 rad, velocities and forces to 0.02 %.");
  EXPECT_EQ(*member(fields, "title"), "\"Synthetic\"");
  EXPECT_EQ(BundleView(cast).array<float>("mass"), std::vector<float>(3, 1.f));
  const Members line = members_of(BundleView(times).fields());
  EXPECT_EQ(*member(line, "frames"), "20");
  EXPECT_EQ(*member(line, "outcome"), R"({"frames":-1,"a":"},{"})");  // another one's frames stay
}

TEST_F(Pages, are_not_broken_by_hostile_names) {
  SyntheticResult result(2, 3, 4);
  result.title = "</script><script>alert(1)</script>";
  result.names = {"</script>", "<!--", "<script>"};
  PageOptions options;
  options.title = "</title><script>alert(\"1\")</script> & 'more'";
  ASSERT_TRUE(write(result, options));
  const std::string text = html();
  EXPECT_EQ(count(text, "alert(1)"), 0u);
  EXPECT_EQ(count(text, "<!--"), 0u);
  EXPECT_NE(text.find("<title>&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; "),
            std::string::npos);
  EXPECT_EQ(count(text, "<script"), count(text, "class=\"cairn-blob\"") + 1);
  EXPECT_EQ(count(text, "</script>"), count(text, "<script"));
}

TEST_F(Pages, hold_the_frames_asked_for) {
  SyntheticResult result(2, 3, 41);
  PageOptions options;
  options.every = 7;
  ASSERT_TRUE(write(result, options));
  EXPECT_EQ(expect_faithful(html(), result, 2), (std::vector<int>{0, 7, 14, 21, 28, 35}));
  options.times = {3.96, 0.52, 0.49, 100};
  ASSERT_TRUE(write(result, options));
  EXPECT_EQ(expect_faithful(html(), result, 2), (std::vector<int>{5, 40}));
}

TEST_F(Pages, stay_below_the_cap) {
  SyntheticResult result(3, 30, 200);
  const auto whole = write(result);
  ASSERT_TRUE(whole) << whole.error();
  int before = whole->frames;
  for (const double part : {0.7, 0.4, 0.2, 0.1, 0.06}) {
    PageOptions options;
    options.max_mb = part * whole->megabytes;
    const auto report = write(result, options);
    ASSERT_TRUE(report) << report.error();
    EXPECT_LE(static_cast<double>(fs::file_size(path())), options.max_mb * 1e6);
    EXPECT_LE(report->frames, before) << part;
    EXPECT_TRUE(report->frames < whole->frames || !report->left_out().empty());
    const auto frames = expect_faithful(html(), result, 3);
    EXPECT_EQ(frames.front(), 0);
    EXPECT_EQ(frames.back(), result.frames() - 1);
    EXPECT_EQ(static_cast<int>(frames.size()), report->frames);
    if (report->choice.contacts) before = report->frames;
  }
}

TEST_F(Pages, give_up_contacts_before_the_motion) {
  SyntheticResult result(2, 40, 60);  // no fewer frames than this with contacts
  const auto whole = write(result);
  ASSERT_TRUE(whole);
  const std::size_t full = html().size();
  result.with_contacts = false;
  const auto motion = write(result);
  ASSERT_TRUE(motion);
  ASSERT_LT(html().size(), full);
  result.with_contacts = true;
  PageOptions options;
  options.max_mb = motion->megabytes + 0.003;
  const auto report = write(result, options);
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->frames, 60);
  EXPECT_EQ(report->left_out(), "contacts");
  const std::string cast = unpacked(blob_text(html(), "cast"));
  const Members fields = members_of(BundleView(cast).fields());
  EXPECT_EQ(*member(fields, "contacts"), "false");
  EXPECT_NE(plain_text(*member(fields, "note")).find("; contacts left out"), std::string::npos);
}

TEST_F(Pages, too_small_a_cap_is_an_error_that_says_what_is_needed) {
  SyntheticResult result(3, 400, 20);
  PageOptions options;
  options.max_mb = 0.002;
  const auto report = write(result, options);
  expect_error(report, "two frames without contacts need about ");
  EXPECT_EQ(files(), 0u);
  options.max_mb = std::strtod(report.error().c_str() + report.error().find("about ") + 6, nullptr);
  const auto enough = write(result, options);
  ASSERT_TRUE(enough) << enough.error();
}

TEST_F(Pages, replace_pages_only) {
  SyntheticResult result(2, 3, 4);
  std::ofstream(path()) << "<html>my own notes</html>";
  expect_error(write(result), "is no page of Cairn's");
  EXPECT_EQ(html(), "<html>my own notes</html>");
  fs::remove(path());
  ASSERT_TRUE(write(result));
  ASSERT_TRUE(write(result));
  expect_error(write_page(result, shell, folder_.string(), {}), "a folder, expected");
  EXPECT_TRUE(fs::is_directory(folder_));
}

TEST_F(Pages, failures_leave_the_old_page) {
  SyntheticResult result(2, 3, 40);
  ASSERT_TRUE(write(result));
  const std::string before = html();
  result.broken = 25;
  expect_error(write(result), "frame 25 cannot be read");
  result.broken = -1;
  PageOptions options;
  options.interrupted = [] { return true; };
  expect_error(write(result, options), "interrupted");
  expect_error(write_page(result, "<html><head></head></html>", path(), {}), "no page to put data in");
  SyntheticResult empty(2, 3, 0);
  expect_error(write(empty), "holds no frame yet");
  EXPECT_EQ(html(), before);
  EXPECT_EQ(files(), 1u);
}

// The page's own test reads this file: it must be what is written today. CAIRN_REMAKE_FIXTURE writes it anew.
TEST_F(Pages, the_fixture_of_the_pages_test_is_what_we_write) {
  for (const int dimension : {2, 3}) {
    const std::string fixture = fmt::format("{}/apps/viewer/test/fixture/page{}.html", CAIRN_SOURCE_DIR, dimension);
    SyntheticResult result(dimension, 5, 20);
    ASSERT_TRUE(write(result));
    if (std::getenv("CAIRN_REMAKE_FIXTURE")) fs::copy_file(path(), fixture, fs::copy_options::overwrite_existing);
    std::ostringstream text;
    text << std::ifstream(fixture, std::ios::binary).rdbuf();
    const std::string kept = text.str(), now = html();
    for (const char* name : {"encoding", "timeline", "first", "frames/0", "frames/1", "contacts/0", "contacts/1"})
      EXPECT_EQ(unpacked(blob_text(kept, name)), unpacked(blob_text(now, name))) << name;
    EXPECT_EQ(expect_faithful(kept, result, dimension).size(), 20u);
  }
}

}  // namespace
}  // namespace cairn::view::test
