// `cairn forces`: what is certain about the forces of a recorded frame.
#pragma once

#include <optional>
#include <string>

namespace cairn::app {

struct ForcesCommand {
  std::string file;
  std::optional<long> step;    // of the frame; neither: the last frame
  std::optional<double> time;  // [s]
  double tolerance = 1e-6;     // [-] velocities below count as none
  int threads = 0;             // 0: all of the machine's
  bool json = false, all = false;
  std::string out, csv, picture;                     // files; empty: not wanted
  std::optional<double> azimuth_deg, elevation_deg;  // of the picture in space
  double width = 800;                                // [px] of the picture
};
int run(const ForcesCommand& command);

}  // namespace cairn::app
