// `cairn ensemble`: a scene many times, perturbed; what is determined and what is not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::app {

struct EnsembleCommand {
  std::string scene;                  // file or name
  std::vector<std::string> settings;  // name=value
  std::vector<std::string> perturb;   // kinds, with sizes
  std::vector<std::string> vary;      // parameters, with ranges
  int runs = 21;                      // run 0 and twenty others
  std::int64_t seed = 1;
  int jobs = 0;             // at once; 0: as many as the machine has cores
  std::string out;          // folder; empty: NAME-ensemble
  double until = 0;         // [s] 0: the scene's duration
  int samples = 100;        // times at which observables are kept
  double tolerance = 0.01;  // of the scale: departures above it count
  bool one_size = false, json = false;
};

int run(const EnsembleCommand& command);

}  // namespace cairn::app
