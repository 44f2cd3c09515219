// `cairn view` as a user starts it, and runs that are shown while they go on.
#include "cairn/view/test/client.hpp"
#include "cairn/view/test/parsed.hpp"
#include "run_program.hpp"
#include "wall_scene.hpp"

namespace cairn::test {
namespace {

using view::test::fetch;
using view::test::Parsed;
using view::test::Reply;
using view::test::Url;

// Started in the folder; killed at the end where it still runs.
class Process {
 public:
  Process(const Folder& folder, std::vector<std::string> words)
      : out_(folder.at("out.txt")), err_(folder.at("err.txt")) {
    fs::remove(out_), fs::remove(err_);  // of one before
    words.insert(words.begin(), CAIRN_PROGRAM);
    Around around;
    around.folder = folder.path.string(), around.out = out_, around.err = err_;
    child_ = start(words, around);
  }
  ~Process() {
    if (child_ > 0) ::kill(child_, SIGKILL), wait_for(child_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  std::string out() const { return slurp(out_); }
  std::string err() const { return slurp(err_); }
  void signal(int which) const { ::kill(child_, which); }
  int code() { return wait_for(std::exchange(child_, -1)); }

  // Waits until the output holds a word.
  bool says(const std::string& word) const {
    for (int k = 0; k < 3000; ++k) {
      if ((out() + err()).find(word) != std::string::npos) return true;
      ::usleep(10000);
    }
    return false;
  }
  Url url() const {
    EXPECT_TRUE(says("(Ctrl-C ends)\n")) << out() << err();
    const std::string all = out() + err(), mark = "cairn: http://127.0.0.1:";
    EXPECT_NE(all.find(mark), std::string::npos) << all;
    return Url(all.substr(all.find(mark) + 7, all.find("  (") - all.find(mark) - 7));
  }

 private:
  std::string out_, err_;
  pid_t child_ = -1;
};

class ViewCli : public testing::Test {
 protected:
  void SetUp() override { folder_.write("small.toml", wall_scene); }
  Ran good(const std::vector<std::string>& words) const {
    Ran ran = cairn(folder_, words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }
  void expect_refused(const std::vector<std::string>& words, const std::string& message) const {
    const Ran ran = cairn(folder_, words);
    EXPECT_EQ(ran.code, 2) << message;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
  }
  static int frames_shown(const Url& url) {
    const Reply reply = fetch(url, "timeline?from=0");
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply.status == 200 ? static_cast<int>(Parsed(reply.body).number("frames")) : -1;
  }

  Folder folder_;
};

TEST_F(ViewCli, results_are_shown_until_interrupted) {
  good({"run", "small.toml", "--until", "0.02", "--quiet", "--out", "a.h5"});
  for (const int which : {SIGINT, SIGTERM}) {
    Process viewer(folder_, {"view", "a.h5", "--no-open"});
    const Url url = viewer.url();
    const Reply page = fetch(url, ""), frame = fetch(url, "frame/10");
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body.find("</html>"), std::string::npos);
    ASSERT_EQ(frame.status, 200);
    const auto x = Parsed(frame.body).values<float>("x");
    const auto reader = record::Reader<2>::open(folder_.at("a.h5"));
    ASSERT_TRUE(reader) << reader.error();
    const auto expected = reader->frame(10);
    ASSERT_TRUE(expected) << expected.error();
    ASSERT_EQ(x.size(), 3 * expected->x.size());
    for (std::size_t b = 0; b < expected->x.size(); ++b) EXPECT_EQ(x[3 * b], static_cast<float>(expected->x[b][0]));
    EXPECT_EQ(fetch(url, "../a.h5").status, 404);
    viewer.signal(which);
    EXPECT_EQ(viewer.code(), 0);
  }
}

TEST_F(ViewCli, without_a_display_the_address_is_enough) {
  good({"run", "small.toml", "--until", "0.01", "--quiet", "--out", "a.h5"});
  ::unsetenv("DISPLAY"), ::unsetenv("WAYLAND_DISPLAY");
  Process viewer(folder_, {"view", "a.h5"});
  EXPECT_TRUE(viewer.says("no display was found")) << viewer.err();
  EXPECT_EQ(fetch(viewer.url(), "cast").status, 200);
  viewer.signal(SIGINT);
  EXPECT_EQ(viewer.code(), 0);
}

// Other users of the machine see command lines: what the browser gets is good once.
TEST_F(ViewCli, the_browser_gets_an_address_of_its_own) {
  good({"run", "small.toml", "--until", "0.01", "--quiet", "--out", "a.h5"});
  const std::string browser = folder_.write("browser", "#!/bin/sh\necho \"$1\" > opened.part\nmv opened.part opened\n");
  fs::permissions(browser, fs::perms::owner_all);
  ::setenv("BROWSER", browser.c_str(), 1), ::setenv("DISPLAY", ":0", 1);
  Process viewer(folder_, {"view", "a.h5"});
  const Url url = viewer.url();
  for (int k = 0; k < 1000 && !fs::exists(folder_.at("opened")); ++k) ::usleep(10000);
  ::unsetenv("BROWSER"), ::unsetenv("DISPLAY");
  const std::string opened = slurp(folder_.at("opened")), start = "http://" + url.host;
  EXPECT_TRUE(opened.starts_with(start + "/") && opened.ends_with("/\n")) << opened;
  EXPECT_EQ(opened.find(url.path), std::string::npos) << opened;
  const Url own(opened.substr(0, opened.size() - 1));
  EXPECT_EQ(fetch(own, "").status, 303);
  EXPECT_EQ(fetch(own, "").status, 404);
  viewer.signal(SIGINT);
  EXPECT_EQ(viewer.code(), 0);
}

TEST_F(ViewCli, what_cannot_be_shown_is_refused) {
  folder_.write("text.h5", "no results");
  expect_refused({"view", "absent.h5"}, "absent.h5: ");
  expect_refused({"view", "text.h5"}, "text.h5: ");
  good({"run", "small.toml", "--until", "0.01", "--quiet", "--out", "a.h5"});
  expect_refused({"view", "a.h5", "--address", "nowhere"}, "expected a numeric one");
  expect_refused({"run", "small.toml", "--view", "--no-results"}, "not with --no-results");
  expect_refused({"run", "small.toml", "--no-open"}, "goes with --view");
}

TEST_F(ViewCli, an_address_for_others_comes_with_a_warning) {
  good({"run", "small.toml", "--until", "0.01", "--quiet", "--out", "a.h5"});
  Process viewer(folder_, {"view", "a.h5", "--no-open", "--address", "0.0.0.0"});
  EXPECT_EQ(fetch(viewer.url(), "cast").status, 200);
  EXPECT_NE(viewer.err().find("warning: whoever reaches 0.0.0.0"), std::string::npos) << viewer.err();
  viewer.signal(SIGINT);
  EXPECT_EQ(viewer.code(), 0);
}

// Frames appear while the run goes on; after it the page stays until Ctrl-C.
TEST_F(ViewCli, a_run_is_shown_while_it_goes_on_and_after) {
  Process run(folder_, {"run", "small.toml", "--view", "--no-open", "--out", "a.h5", "--json", "--until", "2"});
  const Url url = run.url();
  int before = frames_shown(url), growths = 0;
  while (growths < 2 && run.out().empty()) {
    const int now = frames_shown(url);
    growths += now > before;
    before = now;
    ::usleep(2000);
  }
  EXPECT_EQ(growths, 2);
  EXPECT_TRUE(run.says("the page stays open: Ctrl-C ends it\n")) << run.err();
  EXPECT_EQ(run.out().substr(0, 1), "{");
  EXPECT_EQ(frames_shown(url), 1001);
  EXPECT_EQ(fetch(url, "frame/1000").status, 200);
  run.signal(SIGINT);
  EXPECT_EQ(run.code(), 0);
  EXPECT_EQ(fetch(url, "cast").status, 0) << "the viewer has not ended";
}

TEST_F(ViewCli, an_interrupted_run_ends_its_viewer_and_is_resumed_with_another) {
  Process run(folder_, {"run", "small.toml", "--view", "--no-open", "--quiet", "--out", "a.h5"});
  const Url url = run.url();
  while (frames_shown(url) < 20) ::usleep(2000);
  run.signal(SIGTERM);
  EXPECT_EQ(run.code(), 130);
  EXPECT_EQ(fetch(url, "cast").status, 0) << "the viewer has not ended";
  const int kept = frames_in(folder_.at("a.h5"));
  Process resumed(folder_, {"resume", "a.h5", "--view", "--no-open", "--quiet"});
  EXPECT_GE(frames_shown(resumed.url()), kept);
  EXPECT_TRUE(resumed.says("the page stays open"));
  resumed.signal(SIGINT);
  EXPECT_EQ(resumed.code(), 0);
}

TEST_F(ViewCli, a_run_that_is_killed_takes_its_viewer_along) {
  Process run(folder_, {"run", "small.toml", "--view", "--no-open", "--quiet", "--out", "a.h5"});
  const Url url = run.url();
  run.signal(SIGKILL);
  EXPECT_EQ(run.code(), -SIGKILL);
  int left = 500;
  while (left > 0 && fetch(url, "cast").status != 0) ::usleep(10000), --left;
  EXPECT_GT(left, 0);
}

}  // namespace
}  // namespace cairn::test
