// A page in Chromium without a window, driven over the DevTools protocol: scripts run in it, pictures are taken of it.
#pragma once

#include <memory>
#include <string>

#include "cairn/base/expected.hpp"
#include "cairn/view/child.hpp"

namespace cairn::view {

// $CAIRN_CHROMIUM, else the first of the usual names on PATH; or what to do where there is none.
Expected<std::string> find_chromium();

struct BrowserOptions {
  std::string program = {};  // empty: find_chromium()
  std::string folder = {};   // where its temporary profile is made; empty: the system's
  Patience patience = {};    // of every wait
};

// The browser ends, and its profile is removed, with the object.
class Browser {
 public:
  static Expected<Browser> start(const BrowserOptions& options = {});
  Browser(Browser&&) noexcept;
  Browser& operator=(Browser&&) noexcept;
  ~Browser();

  // An empty page; a picture of it has width * scale by height * scale pixels. Empty: good, else why not.
  std::string open(int width, int height, double scale = 1);
  std::string navigate(const std::string& url);  // until all of it is loaded
  // The value of an expression, or of what it promises, as JSON.
  Expected<std::string> evaluate(const std::string& script);
  // PNG; `quick`: less compressed.
  Expected<std::string> screenshot(bool quick = false);

 private:
  struct State;
  explicit Browser(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cairn::view
