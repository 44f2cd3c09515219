// `cairn run` and `cairn resume`.
#pragma once

#include <string>
#include <vector>

namespace cairn::app {

struct RunCommand {
  std::string scene;                  // file or name; of resume: results or checkpoint file
  std::vector<std::string> settings;  // name=value
  std::string out;                    // results file; empty: NAME.h5, or NAME-2.h5 ... where it exists
  int threads = 0;                    // 0: all of the machine's for large scenes, else one
  double until = 0;                   // [s] in place of the scene's duration; 0: the scene's
  bool json = false, quiet = false, no_results = false;
  bool view = false, no_open = false;  // shows the results in a browser while it runs; does not open one
};

int run_scene(const RunCommand& command);
int resume_scene(const RunCommand& command);

}  // namespace cairn::app
