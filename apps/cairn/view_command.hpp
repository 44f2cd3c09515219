// `cairn view`: shows results in a browser; `cairn run --view` starts it as a process of its own.
#pragma once

#include <sys/types.h>

#include <string>

namespace cairn::app {

struct ViewCommand {
  std::string file;
  std::string forces;  // what `cairn forces --out` wrote; empty: none
  std::string address = "127.0.0.1";
  int port = 0;  // 0: any that is free
  bool no_open = false;
};
int run(const ViewCommand& command);

// A `cairn view` beside a run. It ends with this object at the latest.
class Viewer {
 public:
  Viewer() = default;
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;
  ~Viewer() { end(); }

  // Shows where the page is on standard error; what is wrong there too, and the run goes on without.
  void start(const std::string& file, bool no_open);
  bool running();
  void end();

 private:
  pid_t child_ = -1;
};

}  // namespace cairn::app
