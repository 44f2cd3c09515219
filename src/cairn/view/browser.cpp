// The only unit that sees the JSON library.
#include "cairn/view/browser.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

namespace cairn::view {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr std::array browsers{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"};

// The browser's profile. Processes of a browser that was killed may still write to it for a moment.
class Profile {
 public:
  explicit Profile(const std::string& parent) {
    std::error_code none;
    std::string name = ((parent.empty() ? fs::temp_directory_path(none) : fs::path(parent)) / "cairn-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;
  ~Profile() {
    std::error_code failure;
    for (int k = 0; k < 40 && !path_.empty(); ++k) {
      fs::remove_all(path_, failure);
      if (!failure && !fs::exists(path_, failure)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
  }
  const std::string& path() const { return path_; }  // empty: could not be made

 private:
  std::string path_;
};

std::vector<std::string> command_line(const std::string& program, const std::string& profile) {
  std::vector<std::string> words{program,
                                 "--headless=new",
                                 "--remote-debugging-pipe",
                                 "--user-data-dir=" + profile,
                                 "--use-angle=swiftshader",  // in software: the same everywhere, and no GPU needed
                                 "--enable-unsafe-swiftshader",
                                 "--no-first-run",
                                 "--no-proxy-server",
                                 "--disable-background-networking",
                                 "--disable-component-update",
                                 "--disable-sync",
                                 "--disable-quic",
                                 "--disable-extensions",
                                 "--disable-breakpad",
                                 "--disable-dev-shm-usage",  // small in containers
                                 "--mute-audio",
                                 "--hide-scrollbars",
                                 "--force-color-profile=srgb"};
  if (::geteuid() == 0) words.push_back("--no-sandbox");  // it refuses to run as root with one
  return words;
}

// Empty where it is no base64.
std::string from_base64(const std::string& text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    int digit = -1;
    if (c >= 'A' && c <= 'Z') digit = c - 'A';
    if (c >= 'a' && c <= 'z') digit = c - 'a' + 26;
    if (c >= '0' && c <= '9') digit = c - '0' + 52;
    if (c == '+') digit = 62;
    if (c == '/') digit = 63;
    if (c == '=') break;
    if (digit < 0) return "";
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xff));
  }
  return bytes;
}

// A text somewhere inside; empty where it is not there.
std::string text_at(const Json& json, const char* pointer) {
  const Json::json_pointer where(pointer);
  return json.contains(where) && json.at(where).is_string() ? json.at(where).get<std::string>() : "";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Expected<std::string> find_chromium() {
  if (const char* own = std::getenv("CAIRN_CHROMIUM"); own != nullptr && *own != '\0') {
    const std::string found = find_program(own);
    if (!found.empty()) return found;
    return Error{fmt::format("no Chromium found: CAIRN_CHROMIUM is '{}', expected a program that can be run", own)};
  }
  std::string looked_for;
  for (const char* name : browsers) {
    if (const std::string found = find_program(name); !found.empty()) return found;
    looked_for += (looked_for.empty() ? "" : ", ") + std::string(name);
  }
  return Error{fmt::format(
      "no Chromium found (looked for {}): apt-get install chromium, or set CAIRN_CHROMIUM; 2D pictures need none",
      looked_for)};
}

struct Browser::State {
  State(const std::string& folder, Patience limits) : profile(folder), patience(std::move(limits)) {}

  // A browser that is told to end leaves nothing behind; one that does not listen is killed with `child`.
  ~State() {
    const Patience brief{2, {}};
    if (child && session_works && send("Browser.close", Json::object(), false, brief).empty()) (void)child->wait(brief);
  }

  // Sends a command; its number is `last`.
  std::string send(const char* method, Json parameters, bool to_page, const Patience& limits) {
    Json message{{"id", ++last}, {"method", method}, {"params", std::move(parameters)}};
    if (to_page) message["sessionId"] = session;
    std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.push_back('\0');
    return child->send(text, limits);
  }

  // The next message, where it is complete before `limit`.
  Expected<Json> receive(Clock::time_point limit) {
    constexpr std::size_t most = std::size_t(1) << 28;  // bytes: no picture is so large
    std::size_t looked_at = 0, end = 0;
    while ((end = inbox.find('\0', looked_at)) == std::string::npos) {
      looked_at = inbox.size();
      const std::chrono::duration<double> left = limit - Clock::now();
      if (looked_at > most || left.count() <= 0) return Error{fmt::format("not done after {:g} s", patience.seconds)};
      // What is on its way gets a moment, or the last wait would be for no time at all and complain of that.
      constexpr double moment = 0.05;  // [s]
      const Expected<std::string> bytes = child->receive({std::max(left.count(), moment), patience.interrupted});
      if (!bytes) return Error{bytes.error()};
      inbox += *bytes;
    }
    const std::string text = inbox.substr(0, end);
    inbox.erase(0, end + 1);
    Json message = Json::parse(text, nullptr, false);
    if (message.is_object()) return message;
    return Error{"Chromium's answer is not what the DevTools protocol has: '" + text.substr(0, 60) + "'"};
  }

  // Messages up to the one that `wanted` takes; others are events that nobody waits for.
  Expected<Json> receive_until(const std::function<bool(const Json&)>& wanted, const char* what) {
    const auto seconds = std::chrono::duration<double>(patience.seconds);
    const auto limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds);
    for (;;) {
      Expected<Json> message = receive(limit);
      if (!message) return Error{fmt::format("{}: {}", what, message.error())};
      const std::string event = text_at(*message, "/method");
      if (event == "Inspector.targetCrashed" || event == "Target.targetCrashed")
        return Error{fmt::format("{}: the page crashed", what)};
      if (wanted(*message)) return message;
    }
  }

  // The result of a command.
  Expected<Json> call(const char* method, Json parameters, bool to_page = true) {
    session_works = false;
    if (std::string bad = send(method, std::move(parameters), to_page, patience); !bad.empty())
      return Error{fmt::format("{}: {}{}", method, bad, child->last_words())};
    const auto answers = [this](const Json& m) { return m.contains("id") && m["id"] == last; };
    Expected<Json> answer = receive_until(answers, method);
    if (!answer) return Error{answer.error() + child->last_words()};
    session_works = true;
    if (answer->contains("error")) return Error{fmt::format("{}: {}", method, text_at(*answer, "/error/message"))};
    if (!answer->contains("result")) return Error{fmt::format("{}: an answer without a result", method)};
    return (*answer)["result"];
  }

  Profile profile;  // goes last
  std::optional<Child> child;
  Patience patience;
  std::string inbox, session;
  long last = 0;               // number of the last command
  bool session_works = false;  // the last command was answered
};

Browser::Browser(std::unique_ptr<State> state) : state_(std::move(state)) {}
Browser::Browser(Browser&&) noexcept = default;
Browser& Browser::operator=(Browser&&) noexcept = default;
Browser::~Browser() = default;

Expected<Browser> Browser::start(const BrowserOptions& options) {
  const Expected<std::string> program = options.program.empty() ? find_chromium() : options.program;
  if (!program) return Error{program.error()};
  auto state = std::make_unique<State>(options.folder, options.patience);
  if (state->profile.path().empty())
    return Error{"no temporary folder can be made for Chromium, expected one in " +
                 (options.folder.empty() ? "TMPDIR or /tmp" : options.folder)};
  Expected<Child> child =
      Child::start({"Chromium", command_line(*program, state->profile.path()), {3, 4}, "ERROR:dbus/"});
  if (!child) return Error{child.error()};
  state->child = std::move(*child);
  if (const auto version = state->call("Browser.getVersion", Json::object(), false); !version)
    return Error{"Chromium does not start: " + version.error()};
  return Browser(std::move(state));
}

std::string Browser::open(int width, int height, double scale) {
  const auto target = state_->call("Target.createTarget", {{"url", "about:blank"}}, false);
  if (!target) return target.error();
  const auto attached =
      state_->call("Target.attachToTarget", {{"targetId", text_at(*target, "/targetId")}, {"flatten", true}}, false);
  if (!attached) return attached.error();
  state_->session = text_at(*attached, "/sessionId");
  if (const auto enabled = state_->call("Page.enable", Json::object()); !enabled) return enabled.error();
  const auto sized =
      state_->call("Emulation.setDeviceMetricsOverride",
                   {{"width", width}, {"height", height}, {"deviceScaleFactor", scale}, {"mobile", false}});
  return sized ? "" : sized.error();
}

std::string Browser::navigate(const std::string& url) {
  const auto begun = state_->call("Page.navigate", {{"url", url}});
  if (!begun) return begun.error();
  if (const std::string bad = text_at(*begun, "/errorText"); !bad.empty())
    return fmt::format("the page cannot be loaded ({})", bad);
  const std::string loader = text_at(*begun, "/loaderId");
  if (loader.empty()) return "";  // the same document, another place in it
  const auto loaded = state_->receive_until(
      [](const Json& m) { return text_at(m, "/method") == "Page.loadEventFired"; }, "the page is loaded");
  return loaded ? "" : loaded.error() + state_->child->last_words();
}

Expected<std::string> Browser::evaluate(const std::string& script) {
  const auto done =
      state_->call("Runtime.evaluate", {{"expression", script}, {"awaitPromise", true}, {"returnByValue", true}});
  if (!done) return Error{done.error()};
  if (done->contains("exceptionDetails")) {
    std::string why = text_at(*done, "/exceptionDetails/exception/description");
    if (why.empty()) why = text_at(*done, "/exceptionDetails/exception/value");
    if (why.empty()) why = text_at(*done, "/exceptionDetails/text");
    return Error{"the page says: " + first_line(why)};
  }
  const Json::json_pointer value("/result/value");
  return done->contains(value) ? done->at(value).dump(-1, ' ', false, Json::error_handler_t::replace) : "null";
}

Expected<std::string> Browser::screenshot(bool quick) {
  const auto taken = state_->call("Page.captureScreenshot", {{"format", "png"}, {"optimizeForSpeed", quick}});
  if (!taken) return Error{taken.error()};
  std::string bytes = from_base64(text_at(*taken, "/data"));
  if (bytes.starts_with("\x89PNG")) return bytes;
  return Error{"Page.captureScreenshot: the answer is no PNG"};
}

}  // namespace cairn::view
