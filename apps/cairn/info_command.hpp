// `cairn info` and `cairn repair`.
#pragma once

#include <string>
#include <vector>

namespace cairn::app {

struct InfoCommand {
  std::vector<std::string> files;
  bool json = false;
  bool scene = false;  // prints the scene text alone
};
int run(const InfoCommand& command);

struct RepairCommand {
  std::string file, out;  // out empty: in place
};
int run(const RepairCommand& command);

}  // namespace cairn::app
