// A file that appears whole or not at all: written to a temporary name beside it, then renamed.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "cairn/base/expected.hpp"

namespace cairn::exporting {

class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();  // without commit() nothing is left
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  // The answer is the path; a message where something could not be written.
  Expected<std::string> commit();

 private:
  std::string path_, temporary_;
  std::ofstream file_;
};

}  // namespace cairn::exporting
