// Browsers that work, die, hang or talk nonsense: a clear error in bounded time, and nothing is left.
#include "cairn/view/browser.hpp"

#include <cstdlib>

#include "cairn/view/test/fake_program.hpp"

namespace cairn::view {
namespace {

// Answers every command; ANSWER [of method] is what a test adds before.
constexpr const char* loop = R"(
say() { printf '%s\0' "$1" >&4; }
while IFS= read -r -d '' message <&3; do
  [[ $message =~ \"id\":([0-9]+) ]] && id=${BASH_REMATCH[1]}
  [[ $message =~ \"method\":\"([A-Za-z.]+)\" ]] && method=${BASH_REMATCH[1]}
  echo "$message" >>"$HERE/heard"
  result='{}'
  special
  case $method in
    Target.createTarget) result='{"targetId":"T1"}' ;;
    Target.attachToTarget) result='{"sessionId":"S1"}' ;;
    Page.navigate) result='{"loaderId":"L1"}' ;;
    Page.captureScreenshot) result='{"data":"iVBORw0KGgo="}' ;;
    Runtime.evaluate) result='{"result":{"type":"number","value":42}}' ;;
  esac
  say '{"method":"Some.event","params":{}}'
  say "{\"id\":$id,\"result\":$result}"
  [[ $method == Page.navigate ]] && say '{"method":"Page.loadEventFired","params":{}}'
  [[ $method == Browser.close ]] && exit 0
done
)";

class BrowserTest : public FakeProgram {
 protected:
  BrowserOptions options(const std::string& body, double patience = 20) const {
    return {script(body), at("work"), {patience, {}}};
  }
  // Answers as Chromium would, but for what the commands of bash in `special` do.
  BrowserOptions answering(const std::string& special, double patience = 20) const {
    return options("special() { :\n" + special + "\n}\n" + loop, patience);
  }
  std::string failure_to_start(const BrowserOptions& o) const {
    const auto browser = Browser::start(o);
    return browser ? "it starts" : browser.error();
  }
  void TearDown() override {
    EXPECT_EQ(left_behind(), 0) << "a profile is left";
    FakeProgram::TearDown();
  }
};

TEST_F(BrowserTest, commands_are_answered) {
  {
    auto browser = Browser::start(answering(""));
    ASSERT_TRUE(browser) << browser.error();
    EXPECT_EQ(left_behind(), 1);  // the profile
    EXPECT_EQ(browser->open(640, 481, 2), "");
    EXPECT_EQ(browser->navigate("http://127.0.0.1:1/x/#ui=0"), "");
    const auto value = browser->evaluate("6 * 7");
    ASSERT_TRUE(value) << value.error();
    EXPECT_EQ(*value, "42");
    const auto png = browser->screenshot();
    ASSERT_TRUE(png) << png.error();
    EXPECT_EQ(*png, std::string("\x89PNG\r\n\x1a\n"));
  }
  const std::string heard = read("heard");
  EXPECT_TRUE(has(heard, "\"height\":481")) << heard;
  EXPECT_TRUE(has(heard, "\"sessionId\":\"S1\"")) << heard;
  EXPECT_TRUE(has(heard, "http://127.0.0.1:1/x/#ui=0")) << heard;
  EXPECT_TRUE(has(heard, "Browser.close")) << heard;
  EXPECT_LT(seconds(), 10);
}

TEST_F(BrowserTest, one_that_dies_tells_why) {
  const std::string bad =
      failure_to_start(options("echo 'ERROR:dbus/bus.cc: no bus' >&2\necho 'no such screen' >&2\nexit 7\n"));
  EXPECT_TRUE(has(bad, "ended with code 7")) << bad;
  EXPECT_TRUE(has(bad, "no such screen")) << bad;
  EXPECT_FALSE(has(bad, "no bus")) << bad;
  EXPECT_LT(seconds(), 10);
}

TEST_F(BrowserTest, one_that_is_killed_is_noticed) {
  const std::string bad = failure_to_start(options("kill -9 $$\n"));
  EXPECT_TRUE(has(bad, "ended by signal 9")) << bad;
}

TEST_F(BrowserTest, one_that_hangs_is_killed_with_what_it_started) {
  const std::string bad =
      failure_to_start(options("sleep 600 & echo $! >\"$HERE/pid\"\nwhile :; do sleep 1; done\n", 0.5));
  EXPECT_TRUE(has(bad, "gave no answer for 0.5 s")) << bad;
  EXPECT_TRUE(ends_soon(std::stoi(read("pid"))));
  EXPECT_LT(seconds(), 10);
}

TEST_F(BrowserTest, what_a_wrapper_leaves_running_does_not_hold_us) {
  const std::string bad = failure_to_start(options("sleep 600 & echo $! >\"$HERE/pid\"\nexit 3\n"));
  EXPECT_TRUE(has(bad, "ended with code 3")) << bad;
  EXPECT_TRUE(ends_soon(std::stoi(read("pid"))));
  EXPECT_LT(seconds(), 10);
}

TEST_F(BrowserTest, nonsense_is_no_answer) {
  const char* const pause = "sleep 600\n";
  for (const std::string said : {"garbage", "[1, 2]", "", "{\\\"id\\\":1", "\\xff\\xfe"}) {
    const std::string bad = failure_to_start(options("printf '" + said + "\\0' >&4\n" + pause));
    EXPECT_TRUE(has(bad, "not what the DevTools protocol has")) << said << ": " << bad;
  }
  const std::string endless = failure_to_start(options("while :; do printf xxxxxxxx >&4; done\n", 0.5));
  EXPECT_TRUE(has(endless, "not done after 0.5 s")) << endless;
  const std::string other = failure_to_start(options("printf '{\"id\":\"1\",\"result\":{}}\\0' >&4\nsleep 600\n", 0.3));
  EXPECT_TRUE(has(other, "gave no answer")) << other;
  const std::string closed = failure_to_start(options("exec 3<&- 4>&-\nsleep 600\n"));
  EXPECT_TRUE(has(closed, "closed its side") || has(closed, "reads no more")) << closed;
  EXPECT_LT(seconds(), 20);
}

TEST_F(BrowserTest, answers_without_what_is_expected_are_errors) {
  EXPECT_TRUE(
      has(failure_to_start(answering("say \"{\\\"id\\\":$id,\\\"error\\\":{\\\"message\\\":\\\"not here\\\"}}\"")),
          "not here"));
  EXPECT_TRUE(has(failure_to_start(answering("say \"{\\\"id\\\":$id}\"")), "without a result"));
  auto browser =
      Browser::start(answering("[[ $method == Page.captureScreenshot ]] && "
                               "say \"{\\\"id\\\":$id,\\\"result\\\":{\\\"data\\\":[1]}}\" && method=x"));
  ASSERT_TRUE(browser) << browser.error();
  const auto png = browser->screenshot();
  ASSERT_FALSE(png);
  EXPECT_TRUE(has(png.error(), "no PNG")) << png.error();
}

TEST_F(BrowserTest, what_the_page_throws_is_told) {
  auto browser = Browser::start(answering(
      R"([[ $method == Runtime.evaluate ]] && say "{\"id\":$id,\"result\":{\"result\":{},\"exceptionDetails\":)"
      R"({\"text\":\"Uncaught\",\"exception\":{\"description\":\"Error: no WebGL2\\n at x\"}}}}")"));
  ASSERT_TRUE(browser) << browser.error();
  const auto value = browser->evaluate("window.cairn.ready");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error(), "the page says: Error: no WebGL2");
}

TEST_F(BrowserTest, pages_that_do_not_load_or_crash_are_errors) {
  auto refused =
      Browser::start(answering("[[ $method == Page.navigate ]] && "
                               "say \"{\\\"id\\\":$id,\\\"result\\\":{\\\"errorText\\\":\\\"net::REFUSED\\\"}}\""));
  ASSERT_TRUE(refused) << refused.error();
  EXPECT_TRUE(has(refused->navigate("http://127.0.0.1:1/"), "net::REFUSED"));
  auto crashed = Browser::start(
      answering("[[ $method == Runtime.evaluate ]] && say '{\"method\":\"Inspector.targetCrashed\",\"params\":{}}'"));
  ASSERT_TRUE(crashed) << crashed.error();
  const auto value = crashed->evaluate("1");
  ASSERT_FALSE(value);
  EXPECT_TRUE(has(value.error(), "the page crashed")) << value.error();
  auto dead = Browser::start(answering("[[ $method == Page.navigate ]] && exit 5"));
  ASSERT_TRUE(dead) << dead.error();
  EXPECT_TRUE(has(dead->navigate("http://127.0.0.1:1/"), "ended with code 5"));
  EXPECT_FALSE(dead->evaluate("1"));  // and no SIGPIPE
  EXPECT_LT(seconds(), 20);
}

TEST_F(BrowserTest, one_that_does_not_want_to_end_is_killed) {
  {
    auto browser =
        Browser::start(answering("trap '' TERM INT HUP\n[[ $method == Browser.close ]] && while :; do :; done"));
    ASSERT_TRUE(browser) << browser.error();
  }
  EXPECT_LT(seconds(), 10);
}

TEST_F(BrowserTest, interruption_ends_every_wait) {
  BrowserOptions o = options("sleep 600\n", 300);
  o.patience.interrupted = [this] { return seconds() > 0.3; };
  EXPECT_TRUE(has(failure_to_start(o), "interrupted"));
  EXPECT_LT(seconds(), 10);
}

TEST_F(BrowserTest, a_program_that_cannot_be_run_is_an_error) {
  const std::string absent = failure_to_start({at("absent"), at("work"), {}});
  EXPECT_TRUE(has(absent, "cannot be started")) << absent;
  const std::string nowhere = failure_to_start({script(""), at("no/such/folder"), {}});
  EXPECT_TRUE(has(nowhere, "no temporary folder")) << nowhere;
}

class FindChromium : public FakeProgram {
 protected:
  void SetUp() override {
    FakeProgram::SetUp();
    path_ = std::getenv("PATH"), own_ = std::getenv("CAIRN_CHROMIUM") ? std::getenv("CAIRN_CHROMIUM") : "";
    ::unsetenv("CAIRN_CHROMIUM");
    ::setenv("PATH", at("work").c_str(), 1);
  }
  void TearDown() override {
    ::setenv("PATH", path_.c_str(), 1);
    if (!own_.empty()) ::setenv("CAIRN_CHROMIUM", own_.c_str(), 1);
    FakeProgram::TearDown();
  }

 private:
  std::string path_, own_;
};

TEST_F(FindChromium, is_found_by_name_and_by_the_environment) {
  const auto none = find_chromium();
  ASSERT_FALSE(none);
  EXPECT_TRUE(has(none.error(), "looked for chromium, chromium-browser, google-chrome")) << none.error();
  EXPECT_TRUE(has(none.error(), "apt-get install chromium")) << none.error();
  const std::string second = script("", "work/google-chrome");
  ASSERT_TRUE(find_chromium());
  EXPECT_EQ(*find_chromium(), second);
  const std::string first = script("", "work/chromium");
  EXPECT_EQ(*find_chromium(), first);
  const std::string own = script("", "mine");
  ::setenv("CAIRN_CHROMIUM", own.c_str(), 1);
  EXPECT_EQ(*find_chromium(), own);
  ::setenv("CAIRN_CHROMIUM", at("work").c_str(), 1);  // a folder
  const auto wrong = find_chromium();
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(has(wrong.error(), "CAIRN_CHROMIUM is '" + at("work") + "'")) << wrong.error();
}

}  // namespace
}  // namespace cairn::view
