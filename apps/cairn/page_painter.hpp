// Pictures of a results file as the page draws them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cairn/view/browser.hpp"

namespace cairn::app {

class Painter {
 public:
  virtual ~Painter() = default;
  // One scale (of colours, widths; of the place too where that is not the viewer's) for pictures of these frames, from
  // as many of them as tell enough. Empty: good, else why not.
  virtual std::string agree_on(const std::vector<int>& frames) = 0;
  // The bytes of a PNG; `quick`: they may be more.
  virtual Expected<std::string> png(int frame, bool quick) = 0;
};

struct PageOptions {
  int width = 1280, height = 960;  // [px]
  std::string settings = "ui=0";   // what follows the # of the page's address
  std::function<bool()> interrupted = {};
};

// While it lives a thread of its own reads the results file, and HDF5 must not be used by any other.
Expected<std::unique_ptr<Painter>> page_painter(const std::string& file, const PageOptions& options);

}  // namespace cairn::app
