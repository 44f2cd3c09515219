// Makes a clean results file of one that was left unfinished or is damaged.
#pragma once

#include <string>

#include "cairn/base/expected.hpp"

namespace cairn::record {

struct RepairReport {
  int dimension = 2;
  long frames = 0;        // copied
  long lost_frames = 0;   // committed once, and no longer readable
  long steps = 0;         // rows copied
  long lost_steps = 0;    // rows after the first that cannot be read
  bool finished = false;  // whether the run had come to its end
};

// Copies every whole frame to a file that can be opened without more ado; `out` may be `path`. Written under a
// temporary name and renamed: at no time is there less than before.
Expected<RepairReport> repair(const std::string& path, const std::string& out);

}  // namespace cairn::record
