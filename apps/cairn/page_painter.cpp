#include "page_painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "cairn/view/page.hpp"
#include "cairn/view/server.hpp"

namespace cairn::app {
namespace {

// Serves until it goes.
class Service {
 public:
  explicit Service(view::Server server) : server_(std::move(server)), thread_([this] { server_.run(); }) {}
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service() {
    server_.stop();
    thread_.join();
  }
  std::string url() const { return server_.url(); }

 private:
  view::Server server_;
  std::thread thread_;
};

// The page offers itself once it knows the bodies; where it cannot, it says why in place of the picture.
constexpr const char* when_ready = R"((async () => {
  while (!window.cairn) {
    const message = document.querySelector("[role=alert]");
    if (message) throw new Error(message.innerText.replace(/\s+/g, " "));
    await new Promise((go) => setTimeout(go, 20));
  }
  await window.cairn.ready;
  return null;
})())";

class PagePainter : public Painter {
 public:
  explicit PagePainter(view::Browser browser) : browser_(std::move(browser)) {}

  // Empty: the page is there and ready.
  std::string open(view::Server server, const PageOptions& options) {
    service_.emplace(std::move(server));
    if (std::string bad = browser_.open(options.width, options.height); !bad.empty()) return bad;
    if (std::string bad = browser_.navigate(service_->url() + "#" + options.settings); !bad.empty()) return bad;
    const auto ready = browser_.evaluate(when_ready);
    return ready ? "" : ready.error();
  }

  std::string agree_on(const std::vector<int>& frames) override {
    constexpr std::size_t enough = 12;
    const std::size_t count = std::min(enough, frames.size());
    for (std::size_t i = count; i-- > 0;) {
      const auto shown = show(frames[count > 1 ? i * (frames.size() - 1) / (count - 1) : 0]);
      if (!shown) return shown.error();
    }
    return "";
  }

  Expected<std::string> png(int frame, bool quick) override {
    const auto shown = show(frame);
    if (!shown) return Error{shown.error()};
    return browser_.screenshot(quick);
  }

 private:
  Expected<std::string> show(int frame) { return browser_.evaluate(fmt::format("window.cairn.show({})", frame)); }

  std::optional<Service> service_;
  view::Browser browser_;  // ends before the server does
};

}  // namespace

Expected<std::unique_ptr<Painter>> page_painter(const std::string& file, const PageOptions& options) {
  view::BrowserOptions chosen;
  chosen.patience.interrupted = options.interrupted;
  auto browser = view::Browser::start(chosen);
  if (!browser) return Error{browser.error()};
  auto result = view::Result::open(file);
  if (!result) return Error{result.error()};
  auto server = view::Server::make(std::move(*result), std::string(view::page()), {});
  if (!server) return Error{server.error()};
  auto painter = std::make_unique<PagePainter>(std::move(*browser));
  if (std::string bad = painter->open(std::move(*server), options); !bad.empty()) return Error{bad};
  return std::unique_ptr<Painter>(std::move(painter));
}

}  // namespace cairn::app
