// A result as one page that opens without a server: the page itself, and inside it the data, rounded and packed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/view/html_frames.hpp"

namespace cairn::view {

struct PageOptions {
  std::string title, version;  // of the result, of the program
  double max_mb = 25;          // [10^6 bytes]
  int every = 1;               // of the frames
  std::vector<double> times;   // [s] the frames nearest to these alone; none: all
  std::string forces;          // file with ranges of forces (force_ranges.hpp), whose frame is kept; empty: none
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };  // asked between groups of frames: then nothing is written
};

struct PageReport {
  double megabytes = 0;
  int frames = 0, all = 0;  // in the page, in the result
  Grid grid;
  Choice choice;

  std::string left_out() const;  // e.g. "contacts below 1 % of ..."; empty: nothing
};

// Replaces a page made before, and no other file. Where the page would be too large it gets fewer frames, then fewer
// contacts; where that does not help nothing is written.
Expected<PageReport> write_page(Result& result, std::string_view page, const std::string& path,
                                const PageOptions& options);

// Files of ours say so in their head.
std::string generator_tag(const std::string& version, const std::string& kind);
bool has_generator_tag(const std::string& path, const std::string& kind);
inline constexpr const char* page_kind = "page with data";

}  // namespace cairn::view
