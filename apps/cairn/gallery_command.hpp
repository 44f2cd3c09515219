// `cairn gallery`: a folder of results as a site of pages.
#pragma once

#include <string>

namespace cairn::app {

struct GalleryCommand {
  std::string folder;
  std::string out;     // the site
  std::string title;   // empty: the folder's name
  double max_mb = 25;  // [10^6 bytes] of a page
};
int run(const GalleryCommand& command);

}  // namespace cairn::app
