// A file that appears whole or not at all: written to a temporary name beside it, then renamed.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "cairn/base/expected.hpp"
#include "cairn/base/replacement.hpp"

namespace cairn::exporting {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);  // without commit() nothing is left

  void write(std::string_view bytes);
  // The answer is the path; a message where something could not be written.
  Expected<std::string> commit();

 private:
  std::string path_;
  Replacement replacement_;
  std::ofstream file_;
};

}  // namespace cairn::exporting
