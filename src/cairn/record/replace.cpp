#include "cairn/record/replace.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cairn/base/replaceable.hpp"

namespace cairn::record {
namespace fs = std::filesystem;

Replacement::Replacement(const std::string& path) {
  std::error_code none;
  const fs::path real = fs::canonical(path, none);
  path_ = none ? path : real.string();
  temporary_ = path_ + ".part" + std::to_string(::getpid());
}

Replacement::~Replacement() {
  if (!done_) ::unlink(temporary_.c_str());
}

std::string Replacement::commit() {
  if (const std::string bad = refuse_to_replace(path_); !bad.empty()) return bad;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return std::strerror(errno);
  done_ = true;
  // The new name itself must reach the disk; where a folder cannot be opened or synchronised nothing is lost by that.
  const std::string folder = fs::path(path_).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return "";
  ::fsync(fd);
  ::close(fd);
  return "";
}

}  // namespace cairn::record
