// What is under way, in one line of stderr, on a terminal only: logs stay clean.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace cairn::app {

inline std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

class ProgressLine {
 public:
  explicit ProgressLine(bool wanted = true) : shown_(wanted && ::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text) const {
    if (!shown_) return;
    fmt::print(stderr, "\r\033[K{} ...", text);
    std::fflush(stderr);
  }
  void clear() const {
    if (!shown_) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
  }

 private:
  bool shown_;
};

}  // namespace cairn::app
