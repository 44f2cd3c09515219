// Movies: PNG pictures, one after another, through ffmpeg.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/view/child.hpp"

namespace cairn::view {

struct MovieOptions {
  double fps = 25;           // [1/s] pictures
  std::string program = {};  // empty: ffmpeg on PATH
  Patience patience = {};    // for a picture to be taken
  double finishing = 600;    // [s] for the file to be completed after the last one
};

// Why there can be no movie of that name, or none at all; empty: there can.
std::string movie_refusal(const std::string& path, const MovieOptions& options = {});

// The recorded frames that a movie shows: one every `interval` [s] of simulated time, each time the nearest; the first
// and, within half an interval, the last are among them. `times` [s] rise.
Expected<std::vector<int>> frames_every(const std::vector<double>& times, double interval);

// The file takes its name when it is complete; until then, and where something fails, what had the name stays.
class Movie {
 public:
  // What the file is comes from the end of its name: .mp4 (H.264), .webm (VP9) or .gif.
  static Expected<Movie> open(const std::string& path, const MovieOptions& options);
  Movie(Movie&&) noexcept;
  Movie& operator=(Movie&&) noexcept;
  ~Movie();

  // All pictures of the same size; an odd last row or column is left out. Empty: good, else why not.
  std::string add(std::string_view png);
  std::string finish();

 private:
  struct State;
  explicit Movie(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cairn::view
