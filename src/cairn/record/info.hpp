// What a results file says about itself, beside the bodies and the motion.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn::record {

struct ResultInfo {
  int dimension = 2;
  std::string title, scene_name;                      // e.g. "wall"
  std::string scene_text;                             // the scene file itself
  std::string parameters;                             // JSON object: the parameters as run
  std::string version;                                // of the program
  Real h = 0;                                         // [s]
  std::vector<std::string> probe_names, probe_units;  // (probes)
  std::string outcome;                                // JSON object, written at the end; empty: not finished
  bool finished = false;
};

}  // namespace cairn::record
