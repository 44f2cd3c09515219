// `cairn solve`: solves FCLIB files and prints a table, or JSON lines.
#pragma once

#include <string>
#include <vector>

namespace cairn::app {

struct SolveCommand {
  std::vector<std::string> files;
  std::string solver;        // empty: chosen automatically
  double tolerance = 1e-8;   // [-] natural map over |q|
  double max_seconds = 600;  // [s] a problem
  bool json = false;         // one object a line
  bool history = false;      // error against iterations too
  std::string write;         // file, or folder when there are several problems; empty: nothing is written
};

std::vector<std::string> solver_names();

// Exit code: 0 all converged, 1 some did not, 2 bad usage or bad input.
int run(const SolveCommand& command);

}  // namespace cairn::app
