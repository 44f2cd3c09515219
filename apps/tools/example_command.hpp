// `cairn example`: lists the examples, describes one, runs one.
#pragma once

#include <string>
#include <vector>

namespace cairn::app {

struct ExampleCommand {
  std::vector<std::string> words;     // list | show NAME | NAME
  std::vector<std::string> settings;  // key=value
  bool json = false;                  // one object instead of the table
  bool help = false;                  // of the example named
  std::string out;                    // folder for tables and figures; empty: nothing is written
  bool png = false;                   // figures also as PNG
};

// Exit code: 0 done, 2 bad usage, bad input, or nowhere to write.
int run(const ExampleCommand& command);

}  // namespace cairn::app
