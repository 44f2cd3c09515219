// `cairn export` and `cairn plot`: what is made from results files.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cairn::app {

struct ExportCommand {
  std::string file;
  std::string vtk, csv, svg, png, fclib;  // folders; empty: not wanted
  std::string html;                       // file: a page with the data inside
  std::string forces;                     // file: ranges of forces for that page; empty: none
  double max_mb = 25;                     // [10^6 bytes] of that page
  std::vector<double> times;              // [s] frames to export: the nearest; none: all
  int every = 1;                          // of the frames
  std::string movie;                      // file; empty: not wanted
  double fps = 25, speed = 1;             // [1/s] pictures; simulated seconds a second
  std::string render = "auto";            // who draws PNG and movies: page, plain, or as there is
  bool no_forces = false, displacement = false, shade = false;
  std::string theme, colour;                         // of the page; empty: light, as the page has it
  std::optional<double> azimuth_deg, elevation_deg;  // not given: as the picture has it
  double width = 0;                                  // [px] 0: 640 of SVG, 1280 of PNG and movies
  int height = 0;                                    // [px] of the page; 0: 3/4 of the width
  int strip = 0;                                     // so many pictures a row in one figure; 0: one figure a frame
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
