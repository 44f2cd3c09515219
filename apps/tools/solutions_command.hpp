// `cairn solutions`: every solution of problems in FCLIB files, as tables or JSON lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::app {

struct SolutionsCommand {
  std::vector<std::string> files;
  int starts = 200;          // of each problem in space
  std::uint64_t seed = 1;    // of the random starts
  double tolerance = 1e-10;  // [-] natural map over |q| that every solution must reach
  bool json = false;         // one object a line
};

// Exit code: 0 every problem has a solution and all errors are below the tolerance, 1 not so, 2 bad usage or bad input.
int run(const SolutionsCommand& command);

}  // namespace cairn::app
