#include "cairn/base/replaceable.hpp"

#include <filesystem>

namespace cairn {

std::string refuse_to_replace(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return "";
  return path + ": " + (std::filesystem::is_directory(status) ? "a folder" : "not a regular file") +
         ", expected the name of a file to write";
}

}  // namespace cairn
