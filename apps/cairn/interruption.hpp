// Ctrl-C ends a command where it leaves nothing half done.
#pragma once

#include <signal.h>

namespace cairn::app {

inline volatile sig_atomic_t interruption_asked = 0;
inline bool interruption() { return interruption_asked != 0; }

// While it lives Ctrl-C and SIGTERM only set the flag; a file-size limit is an error of write(), a closed pipe one too.
class InterruptionWatch {
 public:
  InterruptionWatch() {
    struct sigaction flag {
    }, ignore{};
    flag.sa_handler = [](int) { interruption_asked = 1; };
    ignore.sa_handler = SIG_IGN;
    for (int k = 0; k < count; ++k) sigaction(signals[k], k < 2 ? &flag : &ignore, &before_[k]);
  }
  InterruptionWatch(const InterruptionWatch&) = delete;
  InterruptionWatch& operator=(const InterruptionWatch&) = delete;
  ~InterruptionWatch() {
    for (int k = 0; k < count; ++k) sigaction(signals[k], &before_[k], nullptr);
  }

 private:
  static constexpr int count = 4;
  static constexpr int signals[count] = {SIGINT, SIGTERM, SIGXFSZ, SIGPIPE};
  struct sigaction before_[count] = {};
};

}  // namespace cairn::app
