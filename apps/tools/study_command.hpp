// `cairn study`: the error of an example against the step, over random steps in each decade.
#pragma once

#include <string>
#include <vector>

namespace cairn::app {

struct StudyCommand {
  std::string example;
  std::vector<std::string> settings;            // key=value
  std::vector<double> steps{1e-2, 1e-3, 1e-4};  // H: steps are drawn from ]H/10, H]
  int samples = 20;                             // for each H
  unsigned seed = 1;
  std::string vary;  // key=a,b,c: compared
  bool json = false;
  std::string out;   // folder for table and figure; empty: nothing is written
  bool png = false;  // figure also as PNG
};

// Exit code: 0 done, 2 bad usage, bad input, or nowhere to write.
int run(const StudyCommand& command);

}  // namespace cairn::app
