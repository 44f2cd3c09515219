// What to do with a scene: steps, outputs, probes, when to stop, which outcomes.
#pragma once

#include <string>
#include <vector>

#include "cairn/record/writer.hpp"
#include "cairn/run/probe.hpp"
#include "cairn/run/stop.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn::run {

struct Plan {
  std::string title, scene_name, scene_path, scene_text;
  std::vector<std::string> settings;  // "name=value" as given
  std::string parameters;             // JSON object: all of them, as run
  std::string version;                // of the program
  Real h = Real(1e-3), duration = 1;  // [s]
  bool land = false;                  // the run ends at its duration, whatever h is: its last step is 1/2 to 3/2 of one
  CollectionOptions solver;
  Real frame_every = Real(0.02);  // [s]
  record::WriterOptions writer;
  double checkpoint_every = 10;  // [s] of wall time
  std::vector<ProbeSpec> probes;
  StopSpec stop;
  std::vector<std::string> outcome;  // names of measures
};

}  // namespace cairn::run
