#include "cairn/base/replacement.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace cairn {
namespace fs = std::filesystem;

namespace {

std::string why(const char* what) { return std::string(what) + " (" + std::strerror(errno) + ")"; }

// Writes and syncs; empty string, or the reason of failure.
std::string write_synced(const std::string& path, std::string_view bytes) {
  const int out = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (out < 0) return why("cannot be created");
  std::string failure;
  for (std::size_t done = 0; done < bytes.size() && failure.empty();) {
    const ssize_t n = ::write(out, bytes.data() + done, bytes.size() - done);
    if (n > 0) done += static_cast<std::size_t>(n);
    if (n == 0) errno = ENOSPC;
    if (n == 0 || (n < 0 && errno != EINTR)) failure = why("cannot be written");
  }
  if (failure.empty() && ::fsync(out) != 0) failure = why("cannot be synced");
  if (::close(out) != 0 && failure.empty()) failure = why("cannot be closed");
  return failure;
}

}  // namespace

std::string refuse_to_replace(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status) || fs::is_regular_file(status)) return "";
  return std::string(fs::is_directory(status) ? "a folder" : "not a regular file") +
         ", expected the name of a file to write";
}

Replacement::Replacement(const std::string& path) {
  static std::atomic<int> counter{0};
  std::error_code none;
  const fs::path real = fs::canonical(path, none);
  path_ = none ? path : real.string();
  temporary_ = path_ + ".part" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

Replacement::~Replacement() {
  if (!done_) ::unlink(temporary_.c_str());
}

std::string Replacement::commit() {
  if (std::string bad = refuse_to_replace(path_); !bad.empty()) return bad;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return std::strerror(errno);
  done_ = true;
  return "";
}

std::string Replacement::commit_to_disk() {
  if (std::string bad = commit(); !bad.empty()) return bad;
  // Where a folder cannot be opened or synchronised nothing is lost by that.
  const std::string folder = fs::path(path_).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return "";
  ::fsync(fd);
  ::close(fd);
  return "";
}

std::string replace_on_disk(const std::string& path, std::string_view bytes) {
  if (std::string bad = refuse_to_replace(path); !bad.empty()) return bad;
  Replacement file(path);
  if (std::string bad = write_synced(file.temporary(), bytes); !bad.empty()) return bad;
  const std::string bad = file.commit_to_disk();
  return bad.empty() ? "" : "cannot be replaced (" + bad + ")";
}

}  // namespace cairn
