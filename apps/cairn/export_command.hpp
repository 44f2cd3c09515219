// `cairn export` and `cairn plot`: what is made from results files.
#pragma once

#include <string>
#include <vector>

namespace cairn::app {

struct ExportCommand {
  std::string file;
  std::string vtk, csv, svg, fclib;  // folders; empty: not wanted
  std::string html;                  // file: a page with the data inside
  double max_mb = 25;                // [10^6 bytes] of that page
  std::vector<double> times;         // [s] frames to export: the nearest; none: all
  int every = 1;                     // of the frames
  bool png = false;                  // pictures as PNG too
  bool no_forces = false, displacement = false, shade = false;
  double azimuth_deg = -90, elevation_deg = 0;
  double width = 640;  // [px]
  int strip = 0;       // so many pictures a row in one figure; 0: one figure a frame
};
int run(const ExportCommand& command);

struct PlotCommand {
  std::string kind;
  std::vector<std::string> files;
  std::string out;  // .svg or .png; empty: KIND.svg
  std::vector<std::string> probes;
  std::vector<double> times;  // [s] two: only steps between
  double at = -1;             // [s] of the histogram; negative: the last frame
  std::string title;
};
int run(const PlotCommand& command);

std::vector<std::string> plot_names();

}  // namespace cairn::app
