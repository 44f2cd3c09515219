// Ctrl-C ends a command where it leaves nothing half done.
#pragma once

#include <signal.h>

namespace cairn::app {

inline volatile sig_atomic_t interruption_asked = 0;

inline void catch_interruption() {
  struct sigaction action {};
  action.sa_handler = [](int) { interruption_asked = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then an error of write()
}

inline bool interruption() { return interruption_asked != 0; }

}  // namespace cairn::app
