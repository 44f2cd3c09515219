// A results file as the page asks for it: every answer is a bundle (docs/view-data.md), or why there is none.
#pragma once

#include <memory>
#include <string>

#include "cairn/base/expected.hpp"

namespace cairn::view {

class Result {
 public:
  static Expected<std::unique_ptr<Result>> open(const std::string& path);
  virtual ~Result() = default;

  virtual int frames() const = 0;  // committed when the file was last looked at
  virtual int bodies() const = 0;
  virtual std::string cast() const = 0;
  // Looks again at a file that is being written.
  virtual Expected<std::string> timeline(int from) = 0;
  virtual Expected<std::string> frame(int k) const = 0;
  virtual Expected<std::string> contacts(int k) const = 0;
  virtual Expected<std::string> steps(int points) const = 0;
  virtual Expected<std::string> path(int body, int points) const = 0;
};

}  // namespace cairn::view
